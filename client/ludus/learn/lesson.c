#include "lesson.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/move.h"

void lesson_begin(const struct game *game, int index, struct position *position)
{
    const struct lesson *lesson = &game->lessons[index];
    struct cause cause;

    *position = (struct position){.side = WHITE};
    game->parse(lesson->variant, lesson->position, position, &cause);
}

bool lesson_is_done_by(const struct lesson *lesson, const char *move)
{
    size_t length = strlen(move);
    const char *at = lesson->moves;

    while (*at != '\0') {
        size_t word = strcspn(at, " ");
        if (word == length && strncasecmp(at, move, length) == 0)
            return true;
        at += word + strspn(at + word, " ");
    }
    return false;
}

void lesson_answer(const struct lesson *lesson, char move[MOVE_TEXT_MAX])
{
    snprintf(move, MOVE_TEXT_MAX, "%.*s", (int)strcspn(lesson->moves, " "), lesson->moves);
}

/* A part of a board. */
struct frame {
    int left, right, low, high; /* files and ranks, from 0 */
};

static struct frame read_frame(const char *squares)
{
    return (struct frame){squares[0] - 'a', squares[2] - 'a', squares[1] - '1', squares[3] - '1'};
}

/* Adds a rank of a board; returns its bytes. */
static size_t write_rank(char *text, const struct board *board, const struct frame *frame, int rank)
{
    size_t used = (size_t)snprintf(text, 4, "%2d", rank + 1);

    for (int file = frame->left; file <= frame->right; file++)
        used += (size_t)snprintf(text + used, 3, " %c", board->cell[rank * board->width + file]);
    return used;
}

static size_t write_files(char *text, const struct frame *frame)
{
    size_t used = (size_t)snprintf(text, 3, "  ");

    for (int file = frame->left; file <= frame->right; file++)
        used += (size_t)snprintf(text + used, 3, " %c", 'a' + file);
    return used;
}

static void find_boards(const struct game *game, int index, struct board boards[2])
{
    struct position position;
    char text[MOVE_TEXT_MAX];
    struct cause cause;
    struct move move;

    lesson_begin(game, index, &position);
    lesson_answer(&game->lessons[index], text);
    game->board(&position, &boards[0]);
    boards[1] = boards[0];
    if (!move_parse(game, &position, text, &move, &cause))
        return;
    game->apply(&position, move);
    game->board(&position, &boards[1]);
}

void lesson_picture(const struct game *game, int index, char text[PICTURE_MAX])
{
    const struct frame frame = read_frame(game->lessons[index].frame);
    int middle = (frame.low + frame.high) / 2;
    struct board boards[2];
    size_t used = 0;

    find_boards(game, index, boards);
    for (int rank = frame.high; rank >= frame.low; rank--) {
        text[used++] = PICTURE_MARK;
        used += write_rank(text + used, &boards[0], &frame, rank);
        used += (size_t)snprintf(text + used, 5, rank == middle ? " -> " : "    ");
        used += write_rank(text + used, &boards[1], &frame, rank);
        text[used++] = '\n';
    }
    used += write_files(text + used, &frame);
    used += (size_t)snprintf(text + used, 5, "    ");
    used += write_files(text + used, &frame);
    snprintf(text + used, 2, "\n");
}
