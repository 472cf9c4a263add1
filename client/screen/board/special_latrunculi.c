/* Latrunculi on the screen: locked soldiers, and the mobility of each dux. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "special.h"

enum { SOLDIERS = 8 }; /* a side, at the start */

static bool is_enemy(const struct board *board, int square, enum color color)
{
    enum color other;

    return scene_piece(board->cell[square], &other) && other != color;
}

/* The number of neighbours that are enemies of `color`. */
static int count_enemies(const struct board *board, int square, enum color color)
{
    int next[4], neighbours = special_neighbours(board, square, next), count = 0;

    for (int i = 0; i < neighbours; i++)
        count += is_enemy(board, next[i], color);
    return count;
}

/* A soldier next to an enemy is locked, unless every such enemy has two enemies next to it. */
static bool is_locked(const struct board *board, int square)
{
    int next[4], neighbours = special_neighbours(board, square, next);
    enum color color;

    if (tolower((unsigned char)board->cell[square]) != 's')
        return false;
    scene_piece(board->cell[square], &color);
    for (int i = 0; i < neighbours; i++)
        if (is_enemy(board, next[i], color) && count_enemies(board, next[i], !color) < 2)
            return true;
    return false;
}

static void mark(const struct scene *scene, bool overlay, struct marks *marks)
{
    const struct board *board = &scene->board;

    for (int square = 0; square < board->width * board->height && overlay; square++)
        if (is_locked(board, square))
            marks->right[square] = '=';
}

static int count_soldiers(const struct board *board, char soldier)
{
    int count = 0;

    for (int square = 0; square < board->width * board->height; square++)
        count += board->cell[square] == soldier;
    return count;
}

/* What a dux may do, by its occupied neighbours. */
static const char *freedom(const struct board *board, int square, enum color color)
{
    int next[4], neighbours = special_neighbours(board, square, next), occupied = 0;

    for (int i = 0; i < neighbours; i++)
        occupied += board->cell[next[i]] != '.';
    if (count_enemies(board, square, color) == 0)
        return "The dux is free";
    if (occupied == neighbours)
        return "The dux is trapped";
    if (occupied == 1 && neighbours > 2)
        return "The dux may step or attack";
    if (occupied == 2 && neighbours == 4)
        return "The dux may only attack";
    return "The dux cannot move";
}

static void tell_side(const struct scene *scene, enum color color, struct lines *lines)
{
    const struct board *board = &scene->board;
    const char *dux =
        memchr(board->cell, color == WHITE ? 'D' : 'd', (size_t)(board->width * board->height));

    int soldiers = count_soldiers(board, color == WHITE ? 'S' : 's');
    char lost[24] = "";

    if (soldiers < SOLDIERS)
        snprintf(lost, sizeof lost, ", %d lost", SOLDIERS - soldiers);
    special_say(lines, "%s: %d soldier%s%s", color == WHITE ? "White" : "Black", soldiers,
                soldiers == 1 ? "" : "s", lost);
    if (dux != NULL)
        special_say(lines, " %s", freedom(board, (int)(dux - board->cell), color));
}

static void tell(const struct scene *scene, bool overlay, struct lines *lines)
{
    bool locked = false;

    tell_side(scene, BLACK, lines);
    tell_side(scene, WHITE, lines);
    for (int square = 0; square < scene->board.width * scene->board.height; square++)
        locked = locked || is_locked(&scene->board, square);
    if (overlay && locked)
        special_say(lines, "= locked: may only attack");
}

static const char *const rules[] = {
    "Each side has eight soldiers and a dux, its leader. All of them move like a rook in chess: "
    "any "
    "distance along a file or rank, over empty squares, onto an empty square. White moves first.",
    "You win when your opponent is to move and every square next to their dux is occupied, one of "
    "them at least by you; or they have no soldiers left; or they have no legal move.",
    "Only soldiers are captured, and only by a piece that has just moved. There are several ways, "
    "shown below. A move may capture in many ways and many soldiers at once.",
    "Locked: a soldier next to an enemy may only make a move that captures, or that brings it next "
    "to "
    "the enemy dux. It is free again when every enemy next to it has a second piece of yours "
    "beside "
    "it.",
    "The dux, with an enemy next to it: where one of the squares next to it is occupied, it goes "
    "one "
    "step at a time, unless it captures or attacks the other dux; where two are, it may only do "
    "that; where three are (on an edge two, in a corner one), it cannot move. You may not move so "
    "that all squares next to your own dux are occupied.",
    "Draws: 100 moves in a row without a capture, both sides counted, or a position for the third "
    "time.",
    NULL};

const struct special special_latrunculi = {
    .game = &latrunculi,
    .symbols = "S●D◆s■d◆",
    .overlay = "locked soldiers",
    .overlay_at_first = true,
    .mark = mark,
    .tell = tell,
    .rules = rules,
};
