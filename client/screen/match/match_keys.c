#include "match_keys.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/play/answer.h"
#include "client/play/player_command.h"
#include "client/play/typing.h"
#include "client/screen/stage/page.h"
#include "common/move.h"
#include "help.h"
#include "match_hint.h"
#include "match_paint.h"
#include "match_past.h"

enum {
    FEW_LINES = 3, /* that are said in the panel, not on a page */
    SCROLL_ROWS = 5
};

static void play(struct match_part *part, struct move move)
{
    char text[MOVE_TEXT_MAX];

    move_format(&part->scene.position, move, text);
    typing_take(part->stage->client, text);
}

static bool can_choose(struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;

    if (match_state_my_turn(view) && part->scene.game != NULL)
        return true;
    if (view->known && view->status == STATE_PLAYING && match_state_seated(view))
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

static void show_present(struct match_part *part)
{
    part->looks_back = false;
}

static void ask_hint(struct match_part *part)
{
    if (!can_choose(part))
        return;
    show_present(part);
    match_hint_ask(part);
}

/* What many lines answer is a page of its own. */
static void run_line(struct match_part *part, const char *line)
{
    struct client *client = part->stage->client;

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
        typing_take(client, line);
        page_end(part->stage, line, FEW_LINES);
    }
}

static void enter(struct match_part *part)
{
    char line[EDIT_BYTES_MAX];

    if (part->edit.text[0] == '\0') {
        choose(part);
        return;
    }
    show_present(part);
    memcpy(line, part->edit.text, sizeof line);
    part->edit.text[0] = '\0';
    run_line(part, line);
    if (strncmp(stage_new_line(part->stage), "No: ", 4) == 0)
        match_part_notice(part, "%s", stage_new_line(part->stage));
}

/* All offers in a match are declined together, a challenge apart from them. */
static void answer_others(struct client *client, bool yes, const char *word)
{
    if (yes)
        answer_accept(client, word);
    else
        answer_decline(client, client->challenge[0] != '\0' ? word : "");
}

/* y and n are answers only while something is asked. */
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
    const struct match_state *view = &part->stage->client->view;
    bool plays = view->known && view->status == STATE_PLAYING && match_state_seated(view);

    if (part->hint.thinking) {
        match_hint_end(part);
    } else if (part->edit.text[0] != '\0') {
        part->edit.text[0] = '\0';
    } else if (part->asking != ASKING_NOTHING) {
        part->asking = ASKING_NOTHING;
    } else if (part->selection.from >= 0) {
        part->selection.from = -1;
    } else if (plays) {
        part->asking = ASKING_LEAVE;
    } else {
        part->done = true;
    }
}

static bool take_step(struct match_part *part, int key)
{
    int forward = part->board.flip ? -1 : 1;

    if (key == FN(KEY_UP))
        select_step(&part->selection, &part->scene, 0, forward);
    else if (key == FN(KEY_DOWN))
        select_step(&part->selection, &part->scene, 0, -forward);
    else if (key == FN(KEY_RIGHT))
        select_step(&part->selection, &part->scene, forward, 0);
    else if (key == FN(KEY_LEFT))
        select_step(&part->selection, &part->scene, -forward, 0);
    else
        return false;
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

static void change_theme(struct match_part *part)
{
    match_part_notice(part, "Colours: %s", stage_change_theme(part->stage));
}

static void change_symbols(struct match_part *part)
{
    match_part_notice(part, stage_change_symbols(part->stage) ? "Pieces as symbols"
                                                              : "Pieces as letters");
}

static void change_bell(struct match_part *part)
{
    client_change_bell(part->stage->client);
    match_part_notice(part, "%s", stage_last_line(part->stage));
}

static void ask_resign(struct match_part *part)
{
    const struct match_state *view = &part->stage->client->view;

    if (view->known && view->status == STATE_PLAYING && match_state_seated(view))
        part->asking = ASKING_RESIGN;
}

static void flip(struct match_part *part)
{
    part->stage->client->turned = !part->stage->client->turned;
}

static void change_overlay(struct match_part *part)
{
    part->overlay = !part->overlay;
}

static void offer_draw(struct match_part *part)
{
    player_command_run(part->stage->client, "draw");
}

static void offer_rematch(struct match_part *part)
{
    player_command_run(part->stage->client, "rematch");
}

static void draw_anew(struct match_part *part)
{
    (void)part;
    clearok(stdscr, TRUE);
}

static void show_keys(struct match_part *part)
{
    help_keys(part->stage);
}

static void scroll_back(struct match_part *part)
{
    scroll_moves(part, SCROLL_ROWS);
}

static void scroll_forward(struct match_part *part)
{
    scroll_moves(part, -SCROLL_ROWS);
}

static void scroll_row_back(struct match_part *part)
{
    scroll_moves(part, 1);
}

static void scroll_row_forward(struct match_part *part)
{
    scroll_moves(part, -1);
}

static void show_start(struct match_part *part)
{
    match_past_show(part, 0);
}

/* Keys that do one thing, whatever is typed or chosen. False for all others. */
static bool take_control(struct match_part *part, int key)
{
    static const struct {
        int key;
        void (*run)(struct match_part *part);
    } rows[] = {
        {CTRL('f'), flip},
        {CTRL('o'), change_overlay},
        {CTRL('t'), change_theme},
        {CTRL('p'), change_symbols},
        {CTRL('d'), offer_draw},
        {CTRL('r'), ask_resign},
        {CTRL('b'), change_bell},
        {CTRL('n'), offer_rematch},
        {CTRL('g'), show_log},
        {CTRL('l'), draw_anew},
        {FN(KEY_F(1)), show_keys},
        {FN(KEY_PPAGE), scroll_back},
        {FN(KEY_NPAGE), scroll_forward},
        {WHEEL_UP, scroll_row_back},
        {WHEEL_DOWN, scroll_row_forward},
        {FN(KEY_HOME), show_start},
        {FN(KEY_END), show_present},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].key == key) {
            rows[i].run(part);
            return true;
        }
    return false;
}

/* Steps through the moves, while nothing is typed. What is about the board leads back to the
 * present first. */
static bool take_past(struct match_part *part, int key)
{
    bool about_board = key == ENTER_KEY || key == ESCAPE_KEY || key == FN(KEY_MOUSE) ||
                       key == FN(KEY_UP) || key == FN(KEY_DOWN) || key == FN(KEY_LEFT) ||
                       key == FN(KEY_RIGHT) || key == '\t';

    if (key == '<' || key == ',')
        match_past_step(part, -1);
    else if (key == '>' || key == '.')
        match_past_step(part, 1);
    else if (part->looks_back && about_board)
        show_present(part);
    else
        return false;
    return true;
}

void match_keys_take(struct match_part *part, int key)
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
        player_command_run(part->stage->client, "undo");
    else if (!answer(part, key) && !take_step(part, key) && !take_control(part, key))
        edit_take(&part->edit, key);
}
