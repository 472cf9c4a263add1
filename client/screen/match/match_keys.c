#include "match_keys.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/play/answer.h"
#include "client/play/player_command.h"
#include "client/screen/stage/page.h"
#include "client/talk/client_request.h"
#include "common/move.h"
#include "common/xmalloc.h"
#include "help.h"
#include "match_paint.h"
#include "match_part.h"

enum {
    FEW_ROWS = 3, /* up to here in the panel, else on a page */
    SCROLL_ROWS = 5
};

static void play(struct match_part *part, struct move move)
{
    char text[MOVE_TEXT_MAX];

    move_format(&part->scene.position, move, text);
    player_command_type(part->stage->client, text);
}

/* Whether the player has a seat in a running match. */
static bool plays(const struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;

    return view->known && view->status == STATE_PLAYING && match_state_seated(view);
}

static bool can_choose(struct match_part *part)
{
    if (match_state_my_turn(&part->stage->client->view) && part->scene.game != NULL)
        return true;
    if (plays(part))
        match_part_notice(part, "It is not your turn.");
    return false;
}

static void choose(struct match_part *part)
{
    struct cause cause;
    struct move move;

    if (!can_choose(part))
        return;
    if (select_must_pass(&part->scene, &move) ||
        select_choose(&part->selection, &part->scene, &move, &cause))
        play(part, move);
    else if (cause.text[0] != '\0')
        match_part_notice(part, "%s", cause.text);
}

static void take_mouse(struct match_part *part)
{
    int square = board_view_square(&part->board, part->stage->mouse_y, part->stage->mouse_x);

    if (square < 0 || part->ply < 0)
        return;
    part->selection.cursor = square;
    choose(part);
}

static void ask_hint(struct match_part *part)
{
    if (!can_choose(part))
        return;
    part->looks_back = false;
    match_part_hint(part);
}

/* Runs a typed line; a long reply gets a page, a refusal is shown at once. */
static void run_line(struct match_part *part, const char *line)
{
    struct client *client = part->stage->client;
    unsigned refusals = client->refusals;

    if (strcasecmp(line, "help") == 0) {
        help_keys(part->stage);
    } else if (strcasecmp(line, "rules") == 0 && part->special != NULL) {
        help_rules(part->stage, part->special);
    } else if (strcasecmp(line, "hint") == 0) {
        ask_hint(part);
    } else if (strcasecmp(line, "flip") == 0) {
        client->turned = !client->turned;
    } else if (strcasecmp(line, "board") != 0) {
        stage_begin_page(part->stage);
        player_command_type(client, line);
        page_end(part->stage, line, FEW_ROWS);
    }
    if (client->refusals != refusals)
        match_part_notice(part, "%s", stage_new_line(part->stage));
}

static void enter(struct match_part *part)
{
    char line[EDIT_BYTES_MAX];

    if (part->edit.text[0] == '\0') {
        choose(part);
        return;
    }
    part->looks_back = false;
    memcpy(line, part->edit.text, sizeof line);
    part->edit.text[0] = '\0';
    run_line(part, line);
}

/* The offers in a match are declined together, a challenge on its own. */
static void answer_others(struct client *client, bool yes, const char *word)
{
    if (yes)
        answer_accept(client, word);
    else
        answer_decline(client, client->challenge[0] != '\0' ? word : "");
}

/* y and n answer only while something is asked. */
static bool answer(struct match_part *part, int key)
{
    struct client *client = part->stage->client;
    char question[256];
    const char *word = match_question(part, question, sizeof question);

    if ((key != 'y' && key != 'n') || part->edit.text[0] != '\0' || word == NULL)
        return false;
    enum asking asking = part->asking;
    part->asking = ASKING_NOTHING;
    if (asking == ASKING_RESIGN && key == 'y')
        player_command_run(client, "resign");
    else if (asking == ASKING_LEAVE)
        part->done = key == 'y';
    else if (asking == ASKING_NOTHING)
        answer_others(client, key == 'y', word);
    return true;
}

static void escape(struct match_part *part)
{
    if (part->hint.thinking)
        hint_end(&part->hint);
    else if (part->edit.text[0] != '\0')
        part->edit.text[0] = '\0';
    else if (part->asking != ASKING_NOTHING)
        part->asking = ASKING_NOTHING;
    else if (part->selection.from >= 0)
        part->selection.from = -1;
    else if (plays(part))
        part->asking = ASKING_LEAVE;
    else
        part->done = true;
}

static bool take_step(struct match_part *part, int key)
{
    int forward = part->board.flip ? -1 : 1;
    int ranks = key == FN(KEY_UP) ? forward : key == FN(KEY_DOWN) ? -forward : 0;
    int files = key == FN(KEY_RIGHT) ? forward : key == FN(KEY_LEFT) ? -forward : 0;

    if (ranks == 0 && files == 0)
        return false;
    select_step(&part->selection, &part->scene, files, ranks);
    return true;
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
    page_show(part->stage, "What was said", lines);
    lines_clear(lines);
}

static void ask_resign(struct match_part *part)
{
    if (plays(part))
        part->asking = ASKING_RESIGN;
}

/* Takes the keys that stand for a command; false for others. */
static bool take_command(struct match_part *part, int key)
{
    static const struct {
        int key;
        const char *line;
    } rows[] = {{CTRL('f'), "flip"},
                {CTRL('d'), "draw"},
                {CTRL('n'), "rematch"},
                {CTRL('b'), "bell"},
                {FN(KEY_F(1)), "help"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].key == key) {
            run_line(part, rows[i].line);
            return true;
        }
    return false;
}

static bool take_scroll(struct match_part *part, int key)
{
    int rows = key == FN(KEY_PPAGE)   ? SCROLL_ROWS
               : key == FN(KEY_NPAGE) ? -SCROLL_ROWS
               : key == WHEEL_UP      ? 1
               : key == WHEEL_DOWN    ? -1
                                      : 0;

    scroll_moves(part, rows);
    return rows != 0;
}

/* Takes the keys that change how the match is shown, and Ctrl-R, which asks; false for others. */
static bool take_look(struct match_part *part, int key)
{
    struct stage *stage = part->stage;

    if (key == CTRL('o'))
        part->overlay = !part->overlay;
    else if (key == CTRL('t'))
        match_part_notice(part, "Colours: %s", stage_change_theme(stage));
    else if (key == CTRL('p'))
        match_part_notice(part,
                          stage_change_symbols(stage) ? "Pieces as symbols" : "Pieces as letters");
    else if (key == CTRL('l'))
        clearok(stdscr, TRUE);
    else if (key == CTRL('g'))
        show_log(part);
    else if (key == CTRL('r'))
        ask_resign(part);
    else if (key == FN(KEY_HOME))
        match_part_show(part, 0);
    else if (key == FN(KEY_END))
        part->looks_back = false;
    else
        return false;
    return true;
}

/* Steps through past moves while nothing is typed. Keys for the board first return to the
 * present. */
static bool take_past(struct match_part *part, int key)
{
    bool about_board = key == ENTER_KEY || key == ESCAPE_KEY || key == FN(KEY_MOUSE) ||
                       key == FN(KEY_UP) || key == FN(KEY_DOWN) || key == FN(KEY_LEFT) ||
                       key == FN(KEY_RIGHT) || key == '\t';

    if (key == '<' || key == ',')
        match_part_step(part, -1);
    else if (key == '>' || key == '.')
        match_part_step(part, 1);
    else if (part->looks_back && about_board)
        part->looks_back = false;
    else
        return false;
    return true;
}

/* Handles a key; the scene must be that of the present state. */
static void take_key(struct match_part *part, int key)
{
    bool empty = part->edit.text[0] == '\0';

    if (empty && take_past(part, key))
        return;
    if (key == FN(KEY_MOUSE))
        take_mouse(part);
    else if (key == ENTER_KEY)
        enter(part);
    else if (key == ESCAPE_KEY)
        escape(part);
    else if (key == '\t')
        select_next_piece(&part->selection, &part->scene);
    else if (key == '?' && empty)
        ask_hint(part);
    else if (key == CTRL('u') && empty)
        run_line(part, "undo");
    else if (!answer(part, key) && !take_step(part, key) && !take_look(part, key) &&
             !take_scroll(part, key) && !take_command(part, key))
        edit_take(&part->edit, key);
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

/* Follows a new state; a choice on the board is for one position only. */
static void follow_state(struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;

    if (!view->known)
        return;
    part->board.flip = match_part_from_black(part);
    bool moved = part->ply != view->ply;
    scene_read(&part->scene, view);
    part->special = special_find(part->scene.game);
    if (part->ply < 0) {
        part->overlay = part->special != NULL && part->special->overlay_at_first;
        part->selection.cursor = first_square(part);
    }
    part->ply = view->ply;
    match_part_follow(part);
    if (moved) {
        part->back = 0;
        part->has_hint = false;
        hint_end(&part->hint);
    }
    if (moved || !match_state_my_turn(view))
        select_begin(&part->selection, &part->scene);
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

static void run(struct match_part *part)
{
    struct client *client = part->stage->client;

    while (!client->quit && !client->go && !part->done && client->view.match[0] != '\0') {
        follow_state(part);
        ask_moves(part);
        int key = stage_key(part->stage);
        if (key == NO_KEY)
            continue;
        part->notice[0] = '\0';
        follow_state(part);
        take_key(part, key);
    }
}

void match_run(struct stage *stage)
{
    struct match_part *part = xcalloc(1, sizeof *part);
    struct painter painter = {match_paint, part, NULL};

    part->stage = stage;
    part->ply = -1;
    stage->seen = stage->log.lines.total;
    stage->client->go = false;
    stage_push(stage, &painter);
    run(part);
    stage_pop(stage);
    hint_end(&part->hint);
    if (part->done)
        player_command_leave(stage->client);
    free(part);
}
