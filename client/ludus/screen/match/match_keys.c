#include "match_keys.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis_part.h"
#include "client/link/identity.h"
#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/match_words.h"
#include "commands.h"
#include "common/move.h"
#include "common/xmalloc.h"
#include "help.h"
#include "match_paint.h"
#include "play_on.h"
#include "record_view.h"
#include "review_part.h"

#define FINISHED_FILE "finished"

enum { SCROLL_ROWS = 5 };

/* Takes a click on the list of moves, which shows the position after one; false elsewhere. */
static bool click_moves(struct match_part *part)
{
    const struct keyboard *keyboard = &part->stage->keyboard;
    struct panel moves = match_part_moves(part);
    int ply = panel_ply_at(&part->moves, &moves, keyboard->mouse_y, keyboard->mouse_x);

    if (ply >= 0)
        match_part_show(part, ply);
    return ply >= 0;
}

/* Turns the board. */
static void turn_board(struct match_part *part)
{
    part->turned = !part->turned;
}

static void scroll_moves(struct match_part *part, int rows)
{
    int pairs = (part->stage->played.count + 1) / 2;

    part->back += rows;
    if (part->back > pairs - 1)
        part->back = pairs - 1;
    if (part->back < 0)
        part->back = 0;
}

static void show_log(struct match_part *part)
{
    struct lines *lines = &(struct lines){.count = 0};

    said_copy(&part->stage->log, part->stage->client->view.match, lines);
    page_show(part->stage, _("Messages"), lines);
    lines_clear(lines);
}

/* Takes the actions that look at the board, the moves so far or the messages; false for others. */
static bool take_look(struct match_part *part, enum action action)
{
    switch (action) {
    case ACTION_FLIP:
        turn_board(part);
        return true;
    case ACTION_OVERLAY:
        part->overlay = !part->overlay;
        return true;
    case ACTION_LOG:
        show_log(part);
        return true;
    case ACTION_FIRST:
        match_part_show(part, 0);
        return true;
    case ACTION_LAST:
        part->looks_back = false;
        return true;
    case ACTION_EARLIER:
    case ACTION_LATER:
        match_part_step(part, action == ACTION_LATER ? 1 : -1);
        return true;
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
        scroll_moves(part, action == ACTION_PAGE_UP ? SCROLL_ROWS : -SCROLL_ROWS);
        return true;
    case ACTION_WHEEL_UP:
    case ACTION_WHEEL_DOWN:
        scroll_moves(part, action == ACTION_WHEEL_UP ? 1 : -1);
        return true;
    default:
        return board_view_take(&part->board, part->stage, action);
    }
}

enum { FEW_ROWS = 3 }; /* up to here in the panel, else on a page */

static bool can_choose(struct match_part *part)
{
    if (match_state_my_turn(&part->stage->client->view) && part->scene.game != NULL)
        return true;
    if (match_part_plays(part))
        stage_notice(part->stage, "It is not your turn.");
    return false;
}

/* Plays a move that was chosen, or says why there is none. */
static void play_chosen(struct match_part *part, bool chosen, struct move move,
                        const struct cause *cause)
{
    char text[MOVE_TEXT_MAX];

    if (chosen) {
        move_format(&part->scene.position, move, text);
        player_command_type(part->stage->client, text);
    } else if (cause->text[0] != '\0') {
        char sentence[SENTENCE_MAX];
        stage_notice(part->stage, "%s", sentence_of(cause->text, sentence));
    }
}

static void choose_square(struct match_part *part)
{
    struct cause cause;
    struct move move = {.kind = MOVE_PASS};

    if (match_part_ahead(part)) {
        premove_choose(part);
        return;
    }
    if (!can_choose(part))
        return;
    bool chosen = select_must_pass(&part->scene, &move) ||
                  select_choose(&part->selection, &part->scene, &move, &cause);
    play_chosen(part, chosen, move, &cause);
}

/* Takes a click on the pieces to place; false elsewhere. */
static bool click_hand(struct match_part *part)
{
    const struct keyboard *keyboard = &part->stage->keyboard;
    int column = keyboard->mouse_x - part->hand_x;
    char pieces[PIECES_MAX];

    if (part->hand_y == 0 || keyboard->mouse_y != part->hand_y || column < 0)
        return false;
    select_list_pieces(match_part_choice(part), pieces);
    if (column / HAND_WIDTH < (int)strlen(pieces))
        part->selection.piece = pieces[column / HAND_WIDTH];
    return true;
}

/* A click on the board of a past position goes back to the present. */
static void take_mouse(struct match_part *part)
{
    const struct keyboard *keyboard = &part->stage->keyboard;
    int square = board_view_square(&part->board, keyboard->mouse_y, keyboard->mouse_x);

    if (click_moves(part))
        return;
    if (part->looks_back) {
        part->looks_back = false;
        return;
    }
    if (part->ply < 0)
        return;
    part->lifted = true;
    part->lifted_ply = part->ply;
    if (click_hand(part) || square < 0)
        return;
    part->selection.cursor = square;
    choose_square(part);
}

/* The mouse has gone up on another place than it has gone down on: that is a move of the piece
 * there, or of the one chosen in the hand. */
static void drop_piece(struct match_part *part)
{
    const struct keyboard *keyboard = &part->stage->keyboard;
    struct selection *selection = &part->selection;
    int from = board_view_square(&part->board, keyboard->press_y, keyboard->press_x);
    int to = board_view_square(&part->board, keyboard->mouse_y, keyboard->mouse_x);
    bool in_hand =
        part->hand_y != 0 && keyboard->press_y == part->hand_y && keyboard->press_x >= part->hand_x;
    struct cause cause;
    struct move move = {.kind = MOVE_PASS};

    if (to < 0 || from == to || (from < 0 && !in_hand) || part->lifted_ply != part->ply)
        return;
    if (match_part_ahead(part)) {
        selection->cursor = to;
        selection->from = from;
        premove_choose(part);
    } else if (match_state_my_turn(&part->stage->client->view)) {
        bool chosen = select_drop(selection, &part->scene, from, to, &move, &cause);
        play_chosen(part, chosen, move, &cause);
    }
}

static void ask_hint(struct match_part *part)
{
    if (!match_part_plays(part))
        stage_notice(part->stage, "Only a player of a running match gets hints.");
    if (!can_choose(part))
        return;
    part->looks_back = false;
    match_part_hint(part);
}

/* Analyses the match from the position that is shown, or that position alone where the moves are
 * not known. */
static void analyse_match(struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;
    const struct played *played = &part->stage->played;
    const struct scene *shown = match_part_scene(part);
    struct pgn_match match = {.game = part->scene.game, .match = view->match};
    struct cause cause;

    if (part->scene.game == NULL) {
        stage_notice(part->stage, "There is nothing to analyse yet.");
    } else if (match_part_plays(part) && (match_is_rated(view) || view->of_tournament)) {
        stage_notice(part->stage, "This match counts: analyse it when it is over.");
    } else {
        hint_end(&part->hint);
        if (played_position(played, view, 0, &match.start, &cause)) {
            match.moves = played->moves;
            match.plies = played->count;
        } else {
            match.start = shown->position;
        }
        analysis_part_run(part->stage, &match, match_part_moves(part).shown);
    }
}

static void play_on_here(struct match_part *part)
{
    const struct position position = match_part_scene(part)->position;

    if (part->scene.game != NULL)
        play_on_run(part->stage, part->scene.game, &position);
}

/* Runs a typed line; a long reply gets a page, a refusal is shown at once. A line that is lost with
 * the connection is there to be sent again; a move sends itself again. */
static void run_line(struct match_part *part, const char *line)
{
    struct client *client = part->stage->client;
    unsigned refusals = client->refusals;
    int64_t in_ms = client->uplink.in_ms;
    char placed[MOVE_TEXT_MAX];

    if (match_part_ahead(part) || match_state_my_turn(&client->view))
        line = select_complete(&part->selection, &part->scene, line, placed);
    if (strcasecmp(line, "resign") == 0) {
        match_ask(part, ASKING_RESIGN);
    } else if (strcasecmp(line, "draw") == 0) {
        match_ask(part, ASKING_DRAW);
    } else if (strcasecmp(line, "help") == 0) {
        help_keys(part->stage);
    } else if (strcasecmp(line, "rules") == 0 && part->scene.game != NULL) {
        help_rules(part->stage, part->scene.game);
    } else if (strcasecmp(line, "hint") == 0) {
        ask_hint(part);
    } else if (strcasecmp(line, "analyse") == 0) {
        analyse_match(part);
    } else if (strcasecmp(line, "flip") == 0) {
        turn_board(part);
    } else if (strcasecmp(line, "board") != 0 && !review_part_typed(part->stage, line) &&
               !premove_type(part, line)) {
        stage_begin_page(part->stage);
        player_command_type(client, line);
        if (client->refusals == refusals)
            page_end(part->stage, line, FEW_ROWS, PANEL_MIN);
        else
            page_notice(part->stage);
        char move[PLAYER_MOVE_MAX];
        if (client->uplink.in_ms != in_ms && !player_command_move(client, line, move))
            snprintf(part->edit.text, sizeof part->edit.text, "%s", line);
    }
}

static void take_enter(struct match_part *part)
{
    char line[EDIT_BYTES_MAX];

    if (part->edit.text[0] == '\0') {
        choose_square(part);
        return;
    }
    part->looks_back = false;
    run_line(part, edit_take_line(&part->edit, line));
}

/* Leaves the match, after a question if it runs. */
static void leave_match(struct match_part *part)
{
    if (match_part_plays(part))
        part->asking = ASKING_LEAVE;
    else
        part->done = true;
}

/* Escape drops one thing after the other; the other keys only leave. */
static void go_back(struct match_part *part, int key)
{
    bool escapes = key == ESCAPE_KEY;

    if (part->asking != ASKING_NOTHING)
        part->asking = ASKING_NOTHING;
    else if (escapes && part->hint.thinking)
        hint_end(&part->hint);
    else if (escapes && part->edit.text[0] != '\0')
        part->edit.text[0] = '\0';
    else if (escapes && part->selection.from >= 0)
        part->selection.from = -1;
    else if (escapes && premove_drop(part))
        stage_notice(part->stage, "Your premove is taken back.");
    else if (part->edit.text[0] == '\0')
        leave_match(part);
}

static void step_cursor(struct match_part *part, enum action action)
{
    int forward = part->board.flip ? -1 : 1;
    int ranks = action == ACTION_UP ? forward : action == ACTION_DOWN ? -forward : 0;
    int files = action == ACTION_RIGHT ? forward : action == ACTION_LEFT ? -forward : 0;

    select_step(&part->selection, &part->scene, files, ranks);
}

/* Takes the actions that ask for something; false for others. */
static bool take_request(struct match_part *part, enum action action)
{
    switch (action) {
    case ACTION_YES:
    case ACTION_NO:
        match_ask_answer(part, action == ACTION_YES);
        return true;
    case ACTION_HINT:
        ask_hint(part);
        return true;
    case ACTION_UNDO:
        run_line(part, "undo");
        return true;
    case ACTION_DRAW:
        match_ask(part, ASKING_DRAW);
        return true;
    case ACTION_RESIGN:
        match_ask(part, ASKING_RESIGN);
        return true;
    case ACTION_REMATCH:
        run_line(part, "rematch");
        return true;
    case ACTION_REVIEW:
        run_line(part, "review");
        return true;
    case ACTION_ANALYSE:
        analyse_match(part);
        return true;
    case ACTION_PLAY_ON_TYPING:
        play_on_here(part);
        return true;
    case ACTION_SAVE:
        save_match(part->stage);
        return true;
    default:
        return false;
    }
}

/* Takes the box after the end; false for other presses. */
static bool take_end(struct match_part *part, struct press press)
{
    enum action chosen;

    if (!match_end_take(part, press, &chosen))
        return false;
    if (chosen == ACTION_BACK)
        leave_match(part);
    else
        take_request(part, chosen);
    return true;
}

/* Takes the actions on the board. The first after a look at the past returns to the present. */
static void take_board(struct match_part *part, struct press press)
{
    if (part->looks_back && !part->is_paced && press.action != ACTION_NONE &&
        press.action != ACTION_CLICK && press.action != ACTION_DROP && part->edit.text[0] == '\0') {
        part->looks_back = false;
        return;
    }
    switch (press.action) {
    case ACTION_BACK:
        go_back(part, press.key);
        break;
    case ACTION_CHOOSE:
        take_enter(part);
        break;
    case ACTION_CLICK:
        take_mouse(part);
        break;
    case ACTION_DROP:
        if (part->lifted && !part->looks_back)
            drop_piece(part);
        part->lifted = false;
        break;
    case ACTION_NEXT:
    case ACTION_PREVIOUS:
        select_next_piece(&part->selection, match_part_choice(part),
                          press.action == ACTION_NEXT ? 1 : -1);
        break;
    case ACTION_UP:
    case ACTION_DOWN:
    case ACTION_LEFT:
    case ACTION_RIGHT:
        step_cursor(part, press.action);
        break;
    default:
        edit_take(&part->edit, press.key);
    }
}

/* Takes a click on a move of a match that is played back. */
static bool take_paced_click(struct match_part *part, struct press press)
{
    return press.action == ACTION_CLICK && click_moves(part);
}

/* Handles a press; the scene must be that of the present state. */
static void take_press(struct match_part *part, struct press press)
{
    if (press.action != ACTION_YES && press.action != ACTION_NO && press.action != ACTION_BACK)
        part->asking = ASKING_NOTHING;
    if (part->is_paced && pace_take(&part->pace, part->stage, press.action))
        return;
    if (press.action == ACTION_PAUSE) /* who plays scrolls with Space, and types a line with + */
        press.action = ACTION_PAGE_DOWN;
    else if (press.action == ACTION_FASTER || press.action == ACTION_SLOWER)
        press.action = ACTION_NONE;
    if (take_end(part, press) || take_request(part, press.action))
        return;
    if (!take_look(part, press.action) && !(part->is_paced && take_paced_click(part, press))) {
        take_board(part, press);
        return;
    }
    /* Who looks around in a match that is played back stays there, until the pace goes on. */
    int shown = part->looks_back ? part->past_ply : part->stage->played.count;
    part->pace.runs = part->pace.runs && (shown == part->shown || !part->looks_back);
    part->shown = shown;
}

/* The first square of the cursor: that of a legal move, or the bottom left. */
static int first_square(const struct match_part *part)
{
    const struct scene *scene = &part->scene;
    const struct move *first = &scene->legal[0];

    if (scene->legal_count > 0 && first->kind != MOVE_PASS)
        return first->kind == MOVE_STEP ? first->from : first->to;
    return part->board.flip ? scene->board.width * scene->board.height - 1 : 0;
}

/* Begins to pace a match of bots that is being played as it comes to the screen. */
static void begin_pace(struct match_part *part)
{
    const struct stage *stage = part->stage;
    const struct match_state *view = &stage->client->view;

    part->is_paced =
        match_is_of_bots(view) && (view->status != STATE_OVER || stage->first_ply < view->ply);
    part->shown = stage->first_ply;
    part->pace.runs = true;
}

/* Shows the position that the pace has come to. */
static void follow_pace(struct match_part *part)
{
    const struct played *played = &part->stage->played;

    if (!part->is_paced || !played->known)
        return;
    if (pace_is_due(&part->pace, part->stage, part->shown < played->count))
        part->shown++;
    match_part_show(part, part->shown);
}

/* Whether the player plays, and has finished no match of the game yet. */
static bool is_newcomer(const struct match_part *part)
{
    const struct game *game = part->scene.game;
    char value[RECORD_MAX];
    struct cause cause;

    return game != NULL && match_state_seated(&part->stage->client->view) &&
           record_load(FINISHED_FILE, game->name, value, &cause) == RECORD_MISSING;
}

/* Notes that the player has finished a match of the game, unless it was aborted. */
static void end_newcomer(struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;
    struct cause cause;

    if (!part->is_new || view->status != STATE_OVER || strcmp(view->result, "*") == 0)
        return;
    part->is_new = false;
    record_save(FINISHED_FILE, part->scene.game->name, "yes", &cause); /* or told once more */
}

/* Follows a new state; a choice on the board is for one position only. */
static void follow_state(struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;

    if (!view->known)
        return;
    part->board.flip = match_part_from_black(part);
    bool moved = part->ply != view->ply;
    scene_read(&part->scene, view);
    part->guide = guide_of(part->scene.game);
    if (part->ply < 0) {
        part->overlay = part->guide != NULL && part->guide->overlay_at_first;
        part->selection.cursor = first_square(part);
        part->is_new = is_newcomer(part);
        begin_pace(part);
    }
    end_newcomer(part);
    int plies = part->ply < 0 ? 0 : view->ply - part->ply;
    part->ply = view->ply;
    match_part_follow(part);
    if (moved) {
        part->back = 0;
        match_part_pause(part, plies);
    }
    if (moved || !match_state_my_turn(view)) { /* a hint is for one position only */
        if (part->has_hint || part->hint.thinking)
            part->stage->notice[0] = '\0';
        part->has_hint = false;
        hint_end(&part->hint);
    }
    bool chooses = match_state_my_turn(view) || match_part_ahead(part);
    if (moved || !chooses || !part->chooses)
        select_begin(&part->selection, match_part_choice(part));
    part->chooses = chooses;
}

/* Asks for the moves made before the match came to the screen. */
static void ask_moves(struct match_part *part)
{
    struct client *client = part->stage->client;

    if (!client->view.known || client->view.status == STATE_OPEN || part->stage->played.known)
        return;
    cJSON *reply = client_request(client, "record %s", client->view.match);
    played_read(&part->stage->played, reply);
    part->stage->played.known = true; /* asked once, whatever the reply */
    cJSON_Delete(reply);
}

/* Tells the stage what keys mean now. */
static void prepare_part(struct match_part *part)
{
    char question[256];

    if (!match_part_plays(part))
        part->asking = ASKING_NOTHING;
    part->face.typing = part->edit.text[0] != '\0';
    part->face.asks = (part->asking != ASKING_NOTHING || !part->face.typing) &&
                      match_ask_question(part, question, sizeof question) != NULL;
    part->face.typing = part->face.typing && part->asking == ASKING_NOTHING;
    part->face.game = part->scene.game;
}

/* The word of an action that not every match has. */
static const char *word_of_offer(const struct match_part *part, enum action action)
{
    const struct match_state *view = &part->stage->client->view;
    bool runs = match_part_plays(part),
         over = view->status == STATE_OVER && match_state_seated(view);
    bool afterwards =
        action == ACTION_REVIEW || action == ACTION_ANALYSE || action == ACTION_PLAY_ON_TYPING;
    bool fits = action == ACTION_HINT      ? match_state_my_turn(view)
                : action == ACTION_REMATCH ? over
                : afterwards               ? view->status == STATE_OVER
                                           : runs;

    return fits ? key_rows[action].word : NULL;
}

static const char *match_word(const struct stage *stage, const void *context, enum action action)
{
    const struct match_part *part = context;

    switch (action) {
    case ACTION_BACK:
        return part->premove[0] != '\0' ? _("no premove") : _("menu");
    case ACTION_CHOOSE:
        return match_part_ahead(part) ? _("premove") : NULL;
    case ACTION_LATER:
        return NULL;
    case ACTION_PAUSE:
        return !part->is_paced ? NULL : part->pace.runs ? _("pause") : _("go on");
    case ACTION_FASTER:
    case ACTION_SLOWER:
        return part->is_paced ? key_rows[action].word : NULL;
    case ACTION_NEXT:
        return select_has_choice(match_part_choice(part)) ? _("piece") : NULL;
    case ACTION_DRAW:
        return part->scene.game != NULL && part->scene.game->drawless ? NULL
                                                                      : word_of_offer(part, action);
    case ACTION_HINT:
    case ACTION_UNDO:
    case ACTION_RESIGN:
    case ACTION_REMATCH:
    case ACTION_REVIEW:
    case ACTION_ANALYSE:
    case ACTION_PLAY_ON_TYPING:
        return word_of_offer(part, action);
    case ACTION_OVERLAY:
        return part->guide != NULL ? part->guide->overlay : NULL;
    case ACTION_EARLIER:
        return stage->played.count > 0 ? key_rows[action].word : NULL;
    default:
        return key_rows[action].word;
    }
}

/* A key ends the pause before the opponent's move is shown, as it is meant for the present. */
static void end_pause(struct match_part *part, bool now)
{
    if (now || part->pause_ms <= clock_ms())
        part->pause_ms = 0;
}

static void run_match(struct match_part *part)
{
    struct client *client = part->stage->client;

    while (!client->quit && !client->go && !part->done && client->view.match[0] != '\0') {
        follow_state(part);
        ask_moves(part);
        follow_pace(part);
        premove_follow(part);
        end_pause(part, false);
        prepare_part(part);
        struct press press = stage_key(part->stage);
        if (press.done)
            part->asking = ASKING_NOTHING;
        if (press.key == NO_KEY)
            continue;
        follow_state(part);
        end_pause(part, true);
        take_press(part, press);
    }
}

void match_run(struct stage *stage)
{
    struct match_part *part = xcalloc(1, sizeof *part);

    part->stage = stage;
    part->face =
        (struct part){.place = IN_MATCH, .paint = match_paint, .word = match_word, .context = part};
    part->ply = -1;
    part->end.at = 1; /* Review: pressing Enter once more starts no other match */
    stage->seen = stage->log.lines.total;
    stage->client->go = false;
    stage_push(stage, &part->face);
    run_match(part);
    stage_pop(stage);
    hint_end(&part->hint);
    if (part->done)
        player_command_leave(stage->client);
    free(part);
}
