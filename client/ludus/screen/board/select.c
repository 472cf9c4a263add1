#include "select.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/move.h"

static bool is_placing(const struct scene *scene)
{
    return scene->game != NULL && scene->game->pieces[0] != '\0';
}

static bool may_place(const struct scene *scene, char piece)
{
    for (int i = 0; i < scene->legal_count; i++)
        if (scene->legal[i].kind == MOVE_PLACE && scene->legal[i].piece == piece)
            return true;
    return false;
}

static bool may_leave(const struct scene *scene, int square)
{
    for (int i = 0; i < scene->legal_count; i++)
        if (scene->legal[i].kind == MOVE_STEP && scene->legal[i].from == square)
            return true;
    return false;
}

void select_list_pieces(const struct scene *scene, char pieces[PIECES_MAX])
{
    const char *all = is_placing(scene) ? scene->game->pieces : "";
    int count = 0;

    for (; *all != '\0' && count < PIECES_MAX - 1; all++)
        if (may_place(scene, *all))
            pieces[count++] = *all;
    pieces[count] = '\0';
}

bool select_has_choice(const struct scene *scene)
{
    char pieces[PIECES_MAX];

    select_list_pieces(scene, pieces);
    return strlen(pieces) > 1;
}

static void next_in_hand(struct selection *selection, const struct scene *scene, int step)
{
    char pieces[PIECES_MAX];

    select_list_pieces(scene, pieces);
    int count = (int)strlen(pieces);
    const char *now = selection->piece != 0 ? strchr(pieces, selection->piece) : NULL;

    if (now == NULL)
        selection->piece = pieces[0];
    else
        selection->piece = pieces[(now - pieces + step + count) % count];
}

void select_begin(struct selection *selection, const struct scene *scene)
{
    int squares = scene->board.width * scene->board.height;

    selection->from = -1;
    if (selection->cursor < 0 || selection->cursor >= squares)
        selection->cursor = 0;
    if (selection->piece == 0 || !may_place(scene, selection->piece))
        next_in_hand(selection, scene, 1);
}

static int clamp(int value, int limit)
{
    if (value < 0)
        return 0;
    return value < limit ? value : limit - 1;
}

void select_step(struct selection *selection, const struct scene *scene, int files, int ranks)
{
    int width = scene->board.width;

    if (width == 0)
        return; /* no state has come yet */
    int file = clamp(selection->cursor % width + files, width);
    int rank = clamp(selection->cursor / width + ranks, scene->board.height);

    selection->cursor = rank * width + file;
}

static struct move move_to(const struct selection *selection, int square)
{
    struct move move = {.to = (uint8_t)square};

    move.kind = selection->piece != 0 ? MOVE_PLACE : MOVE_STEP;
    move.piece = selection->piece;
    move.from = selection->piece != 0 ? 0 : (uint8_t)selection->from;
    return move;
}

bool select_reaches(const struct selection *selection, const struct scene *scene, int square,
                    struct move *move)
{
    if (selection->piece == 0 && selection->from < 0)
        return false;
    *move = move_to(selection, square);
    for (int i = 0; i < scene->legal_count; i++) {
        const struct move *legal = &scene->legal[i];
        if (legal->kind == move->kind && legal->from == move->from && legal->to == move->to &&
            legal->piece == move->piece)
            return true;
    }
    return false;
}

void select_next_piece(struct selection *selection, const struct scene *scene, int step)
{
    int squares = scene->board.width * scene->board.height, at = selection->cursor;
    struct move move;

    if (is_placing(scene)) {
        next_in_hand(selection, scene, step);
        return;
    }
    for (int i = 0; i < squares; i++) {
        at = (at + step + squares) % squares;
        if (selection->from >= 0 ? select_reaches(selection, scene, at, &move)
                                 : may_leave(scene, at)) {
            selection->cursor = at;
            return;
        }
    }
}

/* Explains why the move is illegal, or what to choose first. */
static void explain(const struct selection *selection, const struct scene *scene,
                    struct cause *cause)
{
    if (selection->piece == 0 && selection->from < 0)
        cause_set(cause, scene->position.side == WHITE ? N_("Choose a white piece that can move.")
                                                       : N_("Choose a black piece that can move."));
    else
        scene->game->explain(&scene->position, move_to(selection, selection->cursor), cause);
}

/* Chooses the piece under the cursor, or explains why it cannot move. */
static void choose_piece(struct selection *selection, const struct scene *scene,
                         struct cause *cause)
{
    char cell = scene->board.cell[selection->cursor];
    enum color color;
    bool own = scene_piece(cell, &color) && color == (enum color)scene->position.side;

    if (may_leave(scene, selection->cursor)) {
        selection->from = selection->cursor;
    } else if (own || (selection->from < 0 && cell != '.')) {
        selection->from = -1;
        move_explain_square(scene->game, &scene->position, selection->cursor, cause);
    } else {
        explain(selection, scene, cause);
    }
}

bool select_choose(struct selection *selection, const struct scene *scene, struct move *move,
                   struct cause *cause)
{
    cause->text[0] = '\0';
    if (scene->game == NULL || scene->legal_count == 0)
        return false;
    if (select_reaches(selection, scene, selection->cursor, move))
        return true;
    if (selection->piece != 0)
        explain(selection, scene, cause);
    else if (selection->from == selection->cursor)
        selection->from = -1;
    else
        choose_piece(selection, scene, cause);
    return false;
}

bool select_drop(struct selection *selection, const struct scene *scene, int from, int to,
                 struct move *move, struct cause *cause)
{
    enum color color;
    bool own = from < 0 ? selection->piece != 0
                        : selection->piece == 0 && scene_piece(scene->board.cell[from], &color) &&
                              color == (enum color)scene->position.side;

    cause->text[0] = '\0';
    if (scene->game == NULL || scene->legal_count == 0 || from == to || !own)
        return false;
    selection->cursor = to;
    selection->from = from;
    if (select_reaches(selection, scene, to, move))
        return true;
    explain(selection, scene, cause);
    selection->from = -1;
    return false;
}

const char *select_complete(const struct selection *selection, const struct scene *scene,
                            const char *line, char move[MOVE_TEXT_MAX])
{
    struct cause cause;

    if (scene->game == NULL || selection->piece == 0 ||
        square_parse(&scene->position, line, &cause) < 0)
        return line;
    snprintf(move, MOVE_TEXT_MAX, "%c@%c%s", selection->piece, tolower((unsigned char)line[0]),
             line + 1);
    return move;
}

/* Makes "Nf3" N@f3 where pieces are placed, as chess players write it. */
static void add_at(const struct game *game, char move[PLAYER_MOVE_MAX], size_t length)
{
    if (game == NULL || length < 3 || length + 1 >= PLAYER_MOVE_MAX ||
        !isalpha((unsigned char)move[1]) ||
        strchr(game->pieces, toupper((unsigned char)move[0])) == NULL)
        return;
    memmove(move + 2, move + 1, length);
    move[1] = '@';
}

bool player_move_read(const struct game *game, const char *line, char move[PLAYER_MOVE_MAX])
{
    size_t length = 0;

    if (strncasecmp(line, "move ", 5) == 0)
        line += 5;
    for (; *line != '\0'; line++) {
        if (isspace((unsigned char)*line))
            continue;
        if (length == PLAYER_MOVE_MAX - 1)
            return false;
        move[length++] = *line;
    }
    move[length] = '\0';
    add_at(game, move, length);
    return strpbrk(move, "0123456789") != NULL || strcasecmp(move, "pass") == 0;
}

bool select_must_pass(const struct scene *scene, struct move *move)
{
    if (scene->legal_count != 1 || scene->legal[0].kind != MOVE_PASS)
        return false;
    *move = scene->legal[0];
    return true;
}
