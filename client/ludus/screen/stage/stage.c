#include "stage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "client/ludus/talk/hosting.h"
#include "client/ludus/talk/match_words.h"
#include "client/ludus/talk/move_tree.h"
#include "client/ludus/term/wrap.h"
#include "common/xmalloc.h"
#include "terminal.h"

/* Takes the tick; that the wait has ended is all there is to it. */
static void on_second(void *context)
{
    const struct client *client = context;
    uint64_t ticks;

    if (read(client->waiting.fd, &ticks, sizeof ticks) < 0)
        return; /* it was not due */
}

void ticker_start(struct client *client)
{
    static const struct itimerspec each_second = {{1, 0}, {1, 0}};
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

    if (fd >= 0)
        timerfd_settime(fd, 0, &each_second, NULL);
    client->waiting =
        (struct waiting){.fd = fd, .due_ms = INT64_MAX, .ready = on_second, .context = client};
}

void ticker_stop(struct client *client)
{
    if (client->waiting.fd >= 0)
        close(client->waiting.fd);
    client->waiting.fd = -1;
}

enum { MARGIN = 1, GAP = 2, ITEM_MAX = 64 };

/* Paints the keys of all actions that have a word; NULL and "" have none. Where the row is full,
 * the last ones are left out. */
static void bar_paint(struct bar *bar, const struct theme *theme, const char *const words[ACTIONS])
{
    char item[ITEM_MAX];
    int x = MARGIN;

    *bar = (struct bar){.items = {{0, 0}}};
    for (enum action action = ACTION_BACK; action < ACTIONS; action++) {
        if (words[action] == NULL || words[action][0] == '\0')
            continue;
        snprintf(item, sizeof item, "%s %s", _(key_rows[action].label), _(words[action]));
        int width = wrap_columns(item, strlen(item));
        if (x + width > COLS - MARGIN)
            continue;
        paint_text(LINES - 1, x, width, theme_faint(theme), item);
        bar->items[action].x = x;
        bar->items[action].width = width;
        x += width + GAP;
    }
}

/* The action at that column, or ACTION_NONE. */
static enum action bar_action(const struct bar *bar, int x)
{
    for (enum action action = ACTION_BACK; action < ACTIONS; action++)
        if (x >= bar->items[action].x && x < bar->items[action].x + bar->items[action].width)
            return action;
    return ACTION_NONE;
}

static void on_text(void *context, const char *text)
{
    struct stage *stage = context;

    if (stage->paging && !stage->client->aside)
        lines_write(&stage->page, text);
    else
        said_write(&stage->log, stage->client->view.match, text);
}

static void on_heard(void *context, const char *match, const char *from, const char *text)
{
    struct stage *stage = context;
    char line[LINE_BYTES_MAX];

    snprintf(line, sizeof line, "<%s> %s", from, text);
    said_add(&stage->log, match, line);
}

static void on_show(void *context, const struct match_state *before)
{
    struct stage *stage = context;
    const struct match_state *view = &stage->client->view;
    char result[RESULT_LINE_MAX];

    played_follow(&stage->played, view);
    if (!before->known)
        stage->first_ply = view->ply;
    /* Who watches bots sees the end when the moves on the board are there. */
    if (view->status == STATE_OVER && before->status != STATE_OVER && !match_is_of_bots(view)) {
        result_line(view, result);
        stage_say(stage, result);
    }
}

static void paint_stack(struct stage *stage, const struct part *part)
{
    if (part == NULL)
        return;
    paint_stack(stage, part->below);
    part->paint(stage, part->context);
}

/* The word of an action in the bar now; NULL or "" when it has none. */
static const char *word_of_action(const struct stage *stage, enum action action)
{
    const struct part *part = stage->top;

    if ((key_rows[action].places & part->place) == 0)
        return NULL;
    if (action == ACTION_YES || action == ACTION_NO)
        return part->asks ? key_rows[action].word : NULL;
    return part->word != NULL ? part->word(stage, part->context, action) : key_rows[action].word;
}

/* Whether an opponent waits for a move of the player. */
static bool is_my_turn(const struct client *client)
{
    enum color mine;

    for (int i = 0; i < SITTINGS_MAX; i++)
        if (client->sittings[i].my_turn &&
            (strcmp(client->sittings[i].match, client->view.match) != 0 ||
             match_state_my_color(&client->view, &mine)))
            return true;
    return false;
}

static void on_paint(void *context)
{
    struct stage *stage = context;

    bool in_trouble = client_trouble(stage->client, stage->trouble);
    bool fits = COLS >= SCREEN_WIDTH_MIN && LINES >= SCREEN_HEIGHT_MIN;
    if (stage->top != NULL || !fits)
        erase(); /* between two parts, what is there stays until the server has answered */
    if (!fits) {
        attr_t ink = theme_text(&stage->theme);
        paint_format(0, 0, COLS, ink, "Ludus needs %dx%d", SCREEN_WIDTH_MIN, SCREEN_HEIGHT_MIN);
        paint_format(1, 0, COLS, ink, "here is %dx%d", COLS, LINES);
        paint_text(2, 0, COLS, ink, _("or: ludus --line"));
    } else if (stage->top != NULL) {
        paint_stack(stage, stage->top);
        const char *words[ACTIONS] = {NULL};
        paint_blank(LINES - 1, 0, COLS, theme_text(&stage->theme));
        for (enum action action = ACTION_BACK; action < ACTIONS; action++)
            words[action] = word_of_action(stage, action);
        bar_paint(&stage->bar, &stage->theme, words);
    } else if (in_trouble) {
        stage_paint_line(stage);
    }
    if (stage->interrupted) {
        attr_t ink = theme_text(&stage->theme);
        paint_blank(LINES - 1, 0, COLS, ink);
        paint_text(LINES - 1, 0, COLS, ink | A_REVERSE, _(" Ctrl-C again ends the program "));
    }
    move(LINES - 1, 0); /* out of the way, where the terminal cannot hide it */
    refresh();
    if (!is_my_turn(stage->client))
        terminal_title("ludus");
    else
        terminal_title(stage->theme.unicode ? _("● your turn") : _("* your turn"));
}

/* When the part on top wants to wake, which is forgotten then; INT64_MAX: never. */
static int64_t waking_ms(struct stage *stage)
{
    int64_t wake_ms = stage->wake_ms;

    if (wake_ms == 0)
        return INT64_MAX;
    if (wake_ms <= clock_ms())
        stage->wake_ms = 0;
    return wake_ms;
}

/* The clocks tick when the next second, or tenth, begins. */
static int64_t tick_ms(const struct stage *stage)
{
    const struct match_clock *clock = &stage->client->view.clock;
    int64_t now_ms = clock_ms();

    if (!stage->client->view.known || !clock->known || !clock->runs)
        return INT64_MAX;
    int64_t left_ms = match_clock_left_ms(clock, clock->running, now_ms);
    return left_ms > 0 ? now_ms + left_ms % (left_ms <= 20000 ? 100 : 1000) + 1 : INT64_MAX;
}

static int64_t on_due_ms(void *context)
{
    int64_t wake_ms = waking_ms(context), clock_due_ms = tick_ms(context);

    return wake_ms < clock_due_ms ? wake_ms : clock_due_ms;
}

static void on_keys(void *context)
{
    struct stage *stage = context;

    if (!keyboard_read(&stage->keyboard))
        return;
    stage->interrupted = false;
    stage->client->interrupts = 0;
}

/* A second Ctrl-C in a row ends the program, as everywhere. */
static void on_interrupt(struct stage *stage)
{
    keyboard_flush(&stage->keyboard);
    if (stage->client->interrupts > 1)
        stage->client->quit = true;
    stage->interrupted = true;
}

static void on_event(void *context, enum front_event event)
{
    switch (event) {
    case FRONT_RING:
        beep();
        break;
    case FRONT_INTERRUPT:
        on_interrupt(context);
        break;
    case FRONT_ASK_TO_QUIT:
        ((struct stage *)context)->asks_to_quit = true;
        break;
    case FRONT_RESIZE:
        terminal_resize();
        break;
    case FRONT_SUSPEND:
        terminal_lend();
        break;
    case FRONT_RESUME:
        terminal_take();
        break;
    case FRONT_LEAVE:
        terminal_close();
        break;
    }
}

struct stage *stage_open(struct client *client)
{
    const char *history = client->input.history;

    if (!terminal_fits())
        return NULL;
    struct stage *stage = xcalloc(1, sizeof *stage);
    stage->client = client;
    stage->menu_at = -1;
    stage->pace_ms = 1000;
    stage->front = (struct front){.context = stage,
                                  .text = on_text,
                                  .heard = on_heard,
                                  .show = on_show,
                                  .paint = on_paint,
                                  .due_ms = on_due_ms,
                                  .keys = on_keys,
                                  .event = on_event};
    client_face(client, &stage->front); /* first, as the line editor restores the terminal */
    if (terminal_open()) {
        keyboard_open();
        theme_open(&stage->theme, &client->settings);
        return stage;
    }
    free(stage);
    client_face(client, NULL);
    input_open(&client->input, history);
    return NULL;
}

void stage_close(struct stage *stage)
{
    client_uncover(stage->client);
    lines_clear(&stage->log.lines);
    lines_clear(&stage->page);
    move_tree_free(stage->analysis);
    free(stage);
}

void stage_notice(struct stage *stage, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(stage->notice, sizeof stage->notice, text_translated(format), args);
    va_end(args);
}

void stage_push(struct stage *stage, struct part *part)
{
    part->below = stage->top;
    stage->top = part;
}

void stage_pop(struct stage *stage)
{
    stage->top = stage->top->below;
}

static const struct game *game_on_top(const struct stage *stage)
{
    const struct part *part = stage->top;

    while (part != NULL && part->game == NULL)
        part = part->below;
    return part != NULL ? part->game : NULL;
}

/* Shows a page of help, unless one is shown already. */
static void show_help(struct stage *stage, enum action action)
{
    if (stage->helping)
        return;
    stage->helping = true;
    if (action == ACTION_HELP)
        stage->show_keys(stage);
    else
        stage->show_rules(stage, game_on_top(stage));
    stage->helping = false;
}

/* Does what an action does in all parts; false for others. */
static bool take_everywhere(struct stage *stage, enum action action)
{
    struct theme *theme = &stage->theme;

    switch (action) {
    case ACTION_HELP:
    case ACTION_RULES:
        show_help(stage, action);
        return true;
    case ACTION_THEME:
        stage_notice(stage, "Colours: %s", theme_next(&stage->theme, &stage->client->settings));
        client_keep_settings(stage->client);
        return true;
    case ACTION_SYMBOLS:
        theme->symbols = theme->unicode && !theme->symbols;
        if (theme->unicode)
            stage->client->settings.letters = !theme->symbols;
        stage_notice(stage, "Pieces as %s", theme->symbols ? _("symbols") : _("letters"));
        client_keep_settings(stage->client);
        return true;
    case ACTION_BELL:
        client_change_bell(stage->client);
        return true;
    case ACTION_REDRAW:
        clearok(stdscr, TRUE);
        return true;
    default:
        return false;
    }
}

/* Makes a key an action of the part on top; a click on the bar is the key clicked on. */
static struct press press_of(const struct stage *stage, int key)
{
    const struct part *part = stage->top;
    enum action action = ACTION_NONE;

    if (stage->keyboard.taken.pasted)
        return (struct press){.key = key, .pasted = true};
    if (key == FN(KEY_MOUSE) && stage->keyboard.mouse_y == LINES - 1)
        action = bar_action(&stage->bar, stage->keyboard.mouse_x);
    if (action != ACTION_NONE)
        return (struct press){.action = action, .key = key_rows[action].keys[0]};
    return keys_press(part->place, key, part->typing, part->asks);
}

/* A question over what is on the screen. */
struct confirm {
    const char *question;
    bool yes;
};

enum { SENTENCE_ROWS_MAX = 3, QUESTION_MAX = NOTICE_MAX + 8 };

/* Paints a sentence right above the bar, in as many rows as it needs. */
static void paint_sentence(const struct stage *stage, const char *text)
{
    attr_t ink = theme_text(&stage->theme);
    int rows = paint_rows(0, 0, COLS - 2, 0, ink, text);

    rows = rows < SENTENCE_ROWS_MAX ? rows : SENTENCE_ROWS_MAX;
    for (int y = LINES - 1 - rows; y < LINES - 1; y++)
        paint_blank(y, 0, COLS, ink);
    paint_rows(LINES - 1 - rows, 1, COLS - 2, rows, ink | A_REVERSE, text);
}

static void paint_question(struct stage *stage, void *context)
{
    const struct confirm *confirm = context;
    char text[QUESTION_MAX];

    snprintf(text, sizeof text, _("%s (y/n)"), confirm->question);
    paint_sentence(stage, text);
}

static bool take_answer(struct stage *stage, void *context, struct press press)
{
    struct confirm *confirm = context;
    bool answers =
        press.action == ACTION_YES || press.action == ACTION_NO || press.action == ACTION_BACK;

    confirm->yes = press.action == ACTION_YES;
    if (press.key != NO_KEY && !answers)
        keyboard_return(&stage->keyboard); /* it does its own work in the part below */
    return press.key != NO_KEY || press.done;
}

/* word_of_action() itself has yes and no; nothing else can be done now. */
static const char *answer_word(const struct stage *stage, const void *context, enum action action)
{
    (void)stage;
    (void)context;
    (void)action;
    return NULL;
}

bool stage_confirm(struct stage *stage, const char *question)
{
    struct confirm confirm = {.question = question};
    struct part part = {.place = IN_MATCH,
                        .paint = paint_question,
                        .take = take_answer,
                        .word = answer_word,
                        .context = &confirm,
                        .asks = true};

    stage_run(stage, &part);
    return confirm.yes;
}

struct press stage_key(struct stage *stage)
{
    const struct press nothing = {.key = NO_KEY};

    if (stage->keyboard.count == 0 && !stage->asks_to_quit)
        client_wait(stage->client, "");
    if (stage->asks_to_quit) {
        /* Ask before the program ends. */
        stage->asks_to_quit = false;
        if (stage_confirm(stage, hosting_question(stage->client)))
            stage->client->quit = true;
        stage->interrupted = false;
    }
    int key = keyboard_next(&stage->keyboard);
    if (key == NO_KEY || (key == MOUSE_DROP && stage->clicked != stage->top))
        return nothing;
    if (key != MOUSE_DROP)
        stage->clicked = key == FN(KEY_MOUSE) ? stage->top : NULL;
    stage->seen = stage->log.lines.total;
    stage->notice[0] = '\0';
    struct press press = press_of(stage, key);
    return take_everywhere(stage, press.action) ? (struct press){.done = true} : press;
}

bool stage_is_over(const struct stage *stage)
{
    return stage->client->quit || stage->client->go;
}

bool stage_run(struct stage *stage, struct part *part)
{
    struct press press = {.key = NO_KEY};
    bool done = false, back = false;

    stage_push(stage, part);
    while (!done && !back && !stage_is_over(stage)) {
        press = stage_key(stage);
        /* what is typed at a board is dropped first */
        back = press.action == ACTION_BACK && !(part->typing && part->place == IN_LEARN);
        done = part->take(stage, part->context, press);
    }
    stage_pop(stage);
    return done && !stage_is_over(stage);
}

void stage_paint_frame(const struct stage *stage, const char *title)
{
    erase();
    paint_text(1, 2, COLS - 4, theme_text(&stage->theme) | A_BOLD, title);
}

void stage_say(struct stage *stage, const char *line)
{
    said_add(&stage->log, stage->client->view.match, line);
}

const char *stage_new_line(const struct stage *stage)
{
    const struct lines *lines = &stage->log.lines;
    char trouble[TROUBLE_MAX];

    if (stage->trouble[0] != '\0' && client_trouble(stage->client, trouble))
        return stage->trouble;
    if (stage->notice[0] != '\0')
        return stage->notice;
    return lines->total > stage->seen ? lines->texts[lines->count - 1] : "";
}

bool stage_paint_line(const struct stage *stage)
{
    const char *line = stage_new_line(stage);

    if (line[0] != '\0')
        paint_sentence(stage, line);
    return line[0] != '\0';
}

void stage_begin_page(struct stage *stage)
{
    lines_clear(&stage->page);
    stage->paging = true;
}
