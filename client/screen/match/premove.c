#include "premove.h"

#include <stdio.h>
#include <string.h>

#include "client/model/match_words.h"
#include "client/play/player_command.h"
#include "common/move.h"

enum { MARK = '=' };

/* Sets squares[] for those of the move; false if it names none of the board. */
static bool find_squares(const struct match_part *part, const char *move,
                         bool squares[BOARD_SQUARES_MAX])
{
    const struct board *board = &part->scene.board;

    scene_mark_move(move, board->width, board->height, squares);
    return memchr(squares, true, (size_t)board->width * (size_t)board->height) != NULL;
}

static void keep(struct match_part *part, const char *move)
{
    snprintf(part->premove, sizeof part->premove, "%.*s", MOVE_TEXT_MAX - 1, move);
    part->premove_ply = part->ply;
    part->selection.from = -1;
}

bool premove_type(struct match_part *part, const char *line)
{
    bool squares[BOARD_SQUARES_MAX];
    char move[PLAYER_MOVE_MAX];

    if (!match_part_ahead(part) || !player_command_move(part->stage->client, line, move))
        return false;
    if (strlen(move) < MOVE_TEXT_MAX && find_squares(part, move, squares))
        keep(part, move);
    else
        stage_notice(part->stage, "\"%.30s\" is not a move on this board.", line);
    return true;
}

/* Keeps the move that ends on the square of the cursor. */
static void choose_target(struct match_part *part)
{
    const struct selection *selection = &part->selection;
    struct move move = {.kind = selection->piece != 0 ? MOVE_PLACE : MOVE_STEP,
                        .to = (uint8_t)selection->cursor,
                        .piece = selection->piece};
    char text[MOVE_TEXT_MAX];

    if (move.kind == MOVE_STEP)
        move.from = (uint8_t)selection->from;
    move_format(&part->ahead.position, move, text);
    keep(part, text);
}

void premove_choose(struct match_part *part)
{
    struct selection *selection = &part->selection;
    enum color mine, color;
    bool own = scene_piece(part->scene.board.cell[selection->cursor], &color) &&
               match_state_my_color(&part->stage->client->view, &mine) && color == mine;

    if (selection->piece != 0)
        choose_target(part);
    else if (own)
        selection->from = selection->from == selection->cursor ? -1 : selection->cursor;
    else if (selection->from >= 0)
        choose_target(part);
    else
        stage_notice(part->stage,
                     "It is not your turn. A move ahead begins with a piece of yours.");
}

bool premove_drop(struct match_part *part)
{
    bool any = part->premove[0] != '\0';

    part->premove[0] = '\0';
    return any;
}

void premove_follow(struct match_part *part)
{
    struct client *client = part->stage->client;
    char text[MOVE_TEXT_MAX], sentence[SENTENCE_MAX];
    struct cause cause;
    struct move move;

    if (part->premove[0] == '\0' || (match_part_ahead(part) && part->ply == part->premove_ply))
        return;
    memcpy(text, part->premove, sizeof text);
    part->premove[0] = '\0';
    if (client->view.status != STATE_PLAYING)
        return;
    if (!match_state_my_turn(&client->view) || part->scene.game == NULL)
        stage_notice(part->stage, "Your premove %s is dropped.", text);
    else if (!move_parse(part->scene.game, &part->scene.position, text, &move, &cause))
        stage_notice(part->stage, "Your premove %s is dropped. %s", text,
                     sentence_of(cause.text, sentence));
    else
        player_command_type(client, text);
}

void premove_mark(struct match_part *part)
{
    bool squares[BOARD_SQUARES_MAX];

    if (part->premove[0] == '\0' || part->looks_back || !find_squares(part, part->premove, squares))
        return;
    for (int square = 0; square < BOARD_SQUARES_MAX; square++)
        if (squares[square])
            part->marks.left[square] = part->marks.right[square] = MARK;
}
