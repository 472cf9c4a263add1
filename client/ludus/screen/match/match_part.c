#include "match_part.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "client/link/clock_ms.h"
#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/talk/match_words.h"
#include "commands.h"
#include "common/move.h"

enum { PAUSE_MS = 400 };

bool match_part_plays(const struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;

    return view->known && view->status == STATE_PLAYING && match_state_seated(view);
}

bool match_part_from_black(const struct match_part *part)
{
    const struct client *client = part->stage->client;
    enum color mine;
    bool black = match_state_my_color(&client->view, &mine) && mine == BLACK;

    return black != part->turned;
}

void match_part_show(struct match_part *part, int ply)
{
    const struct played *played = &part->stage->played;
    struct position position;
    struct cause cause;

    if (ply < 0)
        ply = 0;
    part->looks_back = false;
    if (ply >= played->count)
        return;
    if (!played_position(played, &part->stage->client->view, ply, &position, &cause)) {
        stage_notice(part->stage, "The past cannot be shown: %s", cause.text);
        return;
    }
    scene_set(&part->past, part->scene.game, &position, ply > 0 ? played->moves[ply - 1].text : "");
    part->looks_back = true;
    part->past_ply = ply;
}

void match_part_step(struct match_part *part, int plies)
{
    int ply = part->looks_back ? part->past_ply : part->stage->played.count;

    match_part_show(part, ply + plies);
}

/* Sets the scene for a premove, if the opponent thinks. */
static void follow_ahead(struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;
    struct position position = part->scene.position;
    enum color mine;

    part->is_ahead = match_part_plays(part) && match_state_my_color(view, &mine) &&
                     view->turn != mine && part->scene.game != NULL;
    if (!part->is_ahead)
        return;
    position.side = !position.side;
    scene_set(&part->ahead, part->scene.game, &position, view->last);
}

void match_part_follow(struct match_part *part)
{
    if (part->looks_back && part->past_ply >= part->stage->played.count)
        part->looks_back = false;
    follow_ahead(part);
}

bool match_part_ahead(const struct match_part *part)
{
    return part->is_ahead && match_part_plays(part) && part->ply == part->stage->client->view.ply;
}

const struct scene *match_part_choice(const struct match_part *part)
{
    return match_part_ahead(part) ? &part->ahead : &part->scene;
}

/* Sets the scene before the last move, from the moves played. */
static bool set_before(struct match_part *part)
{
    const struct played *played = &part->stage->played;
    struct position position;
    struct cause cause;
    int ply = part->ply - 1;

    if (part->scene.game == NULL || ply < 1 || played->count != part->ply ||
        !played_position(played, &part->stage->client->view, ply, &position, &cause))
        return false;
    scene_set(&part->past, part->scene.game, &position, played->moves[ply - 1].text);
    return true;
}

void match_part_pause(struct match_part *part, int plies)
{
    const struct match_state *view = &part->stage->client->view;
    bool forward = plies == 1 || plies == 2;
    int64_t now_ms = clock_ms();
    enum color mine;

    part->pause_ms = 0;
    if (!forward || !match_state_my_color(view, &mine))
        return;
    if (view->turn != mine || plies == 2)
        part->moved_ms = now_ms;
    if (view->turn == mine && part->moved_ms != 0 && now_ms < part->moved_ms + PAUSE_MS &&
        !part->looks_back && set_before(part))
        part->pause_ms = part->moved_ms + PAUSE_MS;
    part->stage->wake_ms = part->pause_ms;
}

const struct scene *match_part_scene(const struct match_part *part)
{
    return part->looks_back || part->pause_ms != 0 ? &part->past : &part->scene;
}

struct panel match_part_moves(const struct match_part *part)
{
    const struct played *played = &part->stage->played;

    int count = part->pause_ms != 0                  ? part->ply - 1
                : part->is_paced && part->looks_back ? part->past_ply
                                                     : played->count;

    return (struct panel){.moves = played->moves,
                          .count = count,
                          .shown = part->looks_back ? part->past_ply : count,
                          .back = part->back};
}

static void on_hint(void *context)
{
    struct match_part *part = context;
    const struct hint *hint = &part->hint;
    char text[MOVE_TEXT_MAX], reason[MOVE_REASON_MAX];

    part->has_hint = hint->found && hint->move.kind != MOVE_PASS;
    if (!hint->found) {
        stage_notice(part->stage, "No hint: %s", hint->cause.text);
        return;
    }
    move_format(&part->scene.position, hint->move, text);
    guide_reason(hint->course.game, &hint->course.position, hint->move, reason);
    stage_notice(part->stage,
                 reason[0] != '\0' ? N_("Hint: %s %s. Enter plays it.")
                                   : N_("Hint: %s. Enter plays it."),
                 text, reason);
    if (part->has_hint) {
        /* Choose the hinted move, so that Enter plays it. */
        const struct move *move = &part->hint.move;

        part->selection.cursor = move->to;
        part->selection.from = move->kind == MOVE_PLACE ? -1 : move->from;
        part->selection.piece = move->piece;
    }
}

void match_part_hint(struct match_part *part)
{
    struct hint *hint = &part->hint;

    if (hint->thinking)
        return;
    hint->client = part->stage->client;
    hint->done = on_hint;
    hint->context = part;
    stage_begin_page(part->stage);
    bool begun = hint_begin(hint, &part->stage->played);
    page_notice(part->stage); /* of a refusal */
    if (begun)
        stage_notice(part->stage, "Thinking about a hint ... (Esc stops it)");
    else if (hint->cause.text[0] != '\0')
        stage_notice(part->stage, "No hint: %s", hint->cause.text);
}

const char *match_ask_question(const struct match_part *part, char *text, size_t size)
{
    const struct client *client = part->stage->client;
    const struct match_state *view = &client->view;
    char name[PLAYER_DISPLAY_MAX];
    enum color mine;

    text[0] = '\0';
    if (part->asking == ASKING_RESIGN)
        snprintf(text, size, "%s", _("Resign? (y/n)"));
    if (part->asking == ASKING_DRAW)
        snprintf(text, size, "%s",
                 view->seats[WHITE].mine && view->seats[BLACK].mine
                     ? _("End the game as a draw? (y/n)")
                     : _("Offer a draw? (y/n)"));
    if (part->asking == ASKING_LEAVE)
        snprintf(text, size, "%s", _("Back to the menu? You can continue later. (y/n)"));
    if (part->asking != ASKING_NOTHING)
        return "";
    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        if (match_state_asked(view, what) && match_state_my_color(view, &mine)) {
            sentence_about(offer_question(what), name_cut(seat_shown(&view->seats[!mine]), name),
                           text, size);
            return offer_word(what);
        }
    if (client->challenge[0] == '\0')
        return NULL;
    snprintf(text, size, _("You are challenged (match %s). Accept? (y/n)"), client->challenge);
    return "challenge";
}

void match_ask_answer(struct match_part *part, bool yes)
{
    struct client *client = part->stage->client;
    char question[256];
    const char *word = match_ask_question(part, question, sizeof question);
    enum asking asking = part->asking;

    if (word == NULL)
        return;
    part->asking = ASKING_NOTHING;
    if (asking == ASKING_RESIGN && yes)
        player_command_run(client, "resign");
    else if (asking == ASKING_DRAW && yes)
        player_command_run(client, "draw");
    else if (asking == ASKING_LEAVE)
        part->done = yes;
    else if (asking == ASKING_NOTHING) {
        if (yes)
            answer_accept(client, word);
        else
            answer_decline(client, client->challenge[0] != '\0' ? word : "");
    }
}

void match_ask(struct match_part *part, enum asking asking)
{
    if (!match_part_plays(part))
        stage_notice(part->stage, "Only a player of a running match can do that.");
    else if (asking == ASKING_DRAW && part->scene.game != NULL && part->scene.game->drawless)
        stage_notice(part->stage, "%s has no draws: one side always wins.",
                     _(part->scene.game->title));
    else
        part->asking = asking;
}

enum { MARK = '=' };

/* Sets squares[] for those of the move; false if it names none of the board. */
static bool find_squares(const struct match_part *part, const char *move,
                         bool squares[BOARD_SQUARES_MAX])
{
    const struct board *board = &part->scene.board;

    move_mark_squares(move, board->width, board->height, squares);
    return memchr(squares, true, (size_t)board->width * (size_t)board->height) != NULL;
}

static void keep_premove(struct match_part *part, const char *move)
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
        keep_premove(part, move);
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
    keep_premove(part, text);
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

void premove_show(struct match_part *part, struct board *board)
{
    const char *sent = part->stage->client->sent_move;
    const char *move = sent[0] != '\0' ? sent : part->premove;
    bool squares[BOARD_SQUARES_MAX];
    enum color turn = part->stage->client->view.turn, mover = sent[0] != '\0' ? turn : !turn, color;
    int from = -1, to = -1;

    if (move[0] == '\0' || part->looks_back || !find_squares(part, move, squares))
        return;
    for (int square = 0; square < board->width * board->height; square++)
        if (squares[square]) {
            bool own = scene_piece(board->cell[square], &color) && color == mover;
            *(own ? &from : &to) = square;
            part->marks.left[square] = part->marks.right[square] = MARK;
        }
    if (to >= 0 && from >= 0) {
        board->cell[to] = board->cell[from];
        board->cell[from] = '.';
    } else if (to >= 0 && move[1] == '@') {
        int letter = (unsigned char)move[0];
        board->cell[to] = (char)(mover == WHITE ? toupper(letter) : tolower(letter));
    }
}
