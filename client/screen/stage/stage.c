#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "client/model/match_words.h"
#include "client/talk/hosting.h"
#include "common/xmalloc.h"
#include "paint.h"
#include "terminal.h"

static void on_text(void *context, const char *text)
{
    struct stage *stage = context;

    if (stage->paging)
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
    if (view->status == STATE_OVER && before->status != STATE_OVER) {
        result_line(view, result);
        stage_say(stage, result);
    }
}

static void paint_stack(struct stage *stage, const struct painter *painter)
{
    if (painter == NULL)
        return;
    paint_stack(stage, painter->below);
    painter->paint(stage, painter->context);
}

static void paint_too_small(const struct stage *stage)
{
    attr_t ink = theme_text(&stage->theme);

    paint_format(0, 0, COLS, ink, "Ludus needs %dx%d", SCREEN_WIDTH_MIN, SCREEN_HEIGHT_MIN);
    paint_format(1, 0, COLS, ink, "here is %dx%d", COLS, LINES);
    paint_text(2, 0, COLS, ink, "or: ludus --line");
}

static void on_paint(void *context)
{
    struct stage *stage = context;

    erase();
    if (COLS < SCREEN_WIDTH_MIN || LINES < SCREEN_HEIGHT_MIN)
        paint_too_small(stage);
    else
        paint_stack(stage, stage->painter);
    if (stage->interrupted) {
        attr_t ink = theme_text(&stage->theme);
        paint_blank(LINES - 1, 0, COLS, ink);
        paint_text(LINES - 1, 0, COLS, ink | A_REVERSE, " Ctrl-C again ends the program ");
    }
    move(LINES - 1, 0); /* out of the way, where the terminal cannot hide it */
    refresh();
}

/* The clocks tick when the next second, or tenth, begins. */
static int64_t on_due_ms(void *context)
{
    const struct stage *stage = context;
    const struct match_clock *clock = &stage->client->view.clock;

    int64_t now_ms = clock_ms();

    if (!stage->client->view.known || !clock->known || !clock->runs)
        return INT64_MAX;
    int64_t left_ms = match_clock_left_ms(clock, clock->running, now_ms);
    return left_ms > 0 ? now_ms + left_ms % (left_ms <= 20000 ? 100 : 1000) + 1 : INT64_MAX;
}

static void add_key(struct stage *stage, int key)
{
    if (stage->key_count < KEYS_MAX)
        stage->keys[stage->key_count++] = key;
}

static void add_mouse(struct stage *stage)
{
    MEVENT event;

    if (getmouse(&event) != OK)
        return;
    if ((event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) != 0) {
        add_key(stage, (event.bstate & BUTTON4_PRESSED) != 0 ? WHEEL_UP : WHEEL_DOWN);
        return;
    }
    stage->mouse_y = event.y;
    stage->mouse_x = event.x;
    add_key(stage, FN(KEY_MOUSE));
}

static void on_keys(void *context)
{
    struct stage *stage = context;
    wint_t letter;
    int kind;

    while ((kind = get_wch(&letter)) != ERR) {
        stage->interrupted = false;
        stage->client->interrupts = 0;
        if (kind == OK)
            add_key(stage, letter == '\n' ? ENTER_KEY : (int)letter);
        else if (letter == KEY_MOUSE)
            add_mouse(stage);
        else if (letter == KEY_ENTER)
            add_key(stage, ENTER_KEY);
        else if (letter != KEY_RESIZE)
            add_key(stage, FN((int)letter));
    }
}

/* A second Ctrl-C in a row ends the program, as everywhere. */
static void interrupt(struct stage *stage)
{
    flushinp(); /* discard what was typed before */
    stage->key_count = 0;
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
        interrupt(context);
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
    struct input before = client->input;

    if (!terminal_fits())
        return NULL;
    struct stage *stage = xcalloc(1, sizeof *stage);
    stage->client = client;
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
        theme_open(&stage->theme, &client->settings);
        return stage;
    }
    free(stage);
    client_face(client, NULL);
    input_open(&client->input, before.history);
    client->input.candidate = before.candidate;
    client->input.context = before.context;
    return NULL;
}

void stage_close(struct stage *stage)
{
    client_uncover(stage->client);
    lines_clear(&stage->log.lines);
    lines_clear(&stage->page);
    free(stage);
}

const char *stage_change_theme(struct stage *stage)
{
    const char *colors = theme_next(&stage->theme, &stage->client->settings);

    client_keep_settings(stage->client);
    return colors;
}

bool stage_change_symbols(struct stage *stage)
{
    struct theme *theme = &stage->theme;

    if (theme->unicode) {
        theme->symbols = !theme->symbols;
        stage->client->settings.letters = !theme->symbols;
    }
    client_keep_settings(stage->client);
    return theme->symbols;
}

void stage_push(struct stage *stage, struct painter *painter)
{
    painter->below = stage->painter;
    stage->painter = painter;
}

void stage_pop(struct stage *stage)
{
    stage->painter = stage->painter->below;
}

static void paint_question(struct stage *stage, void *context)
{
    attr_t ink = theme_text(&stage->theme);

    (void)context;
    paint_blank(LINES - 2, 0, COLS, ink);
    paint_format(LINES - 2, 1, COLS - 2, ink | A_REVERSE, "%s (y/n)",
                 hosting_question(stage->client));
}

static bool take_answer(struct stage *stage, void *context, int key)
{
    (void)context;
    if (key == 'y' || key == 'Y')
        stage->client->quit = true;
    return key != NO_KEY;
}

/* Asks before the program ends, over what is on the screen. */
static void ask_to_quit(struct stage *stage)
{
    stage->client->asks_to_quit = false;
    stage_run(stage, paint_question, take_answer, NULL);
    stage->interrupted = false;
}

int stage_key(struct stage *stage)
{
    if (stage->key_count == 0 && !stage->client->asks_to_quit)
        client_wait(stage->client, "");
    if (stage->client->asks_to_quit)
        ask_to_quit(stage);
    if (stage->key_count == 0)
        return NO_KEY;
    int key = stage->keys[0];
    stage->seen = stage->log.lines.total;
    stage->key_count--;
    memmove(stage->keys, stage->keys + 1, (size_t)stage->key_count * sizeof stage->keys[0]);
    return key;
}

bool stage_is_over(const struct stage *stage)
{
    return stage->client->quit || stage->client->go;
}

bool stage_run(struct stage *stage, void (*paint)(struct stage *stage, void *context),
               bool (*take)(struct stage *stage, void *context, int key), void *context)
{
    struct painter painter = {paint, context, NULL};
    bool done = false;
    int key = NO_KEY;

    stage_push(stage, &painter);
    while (!done && key != ESCAPE_KEY && !stage_is_over(stage)) {
        key = stage_key(stage);
        done = take(stage, context, key);
    }
    stage_pop(stage);
    return done && !stage_is_over(stage);
}

void stage_paint_frame(const struct stage *stage, const char *title, const char *keys)
{
    erase();
    paint_text(1, 2, COLS - 4, theme_text(&stage->theme) | A_BOLD, title);
    paint_text(LINES - 1, 2, COLS - 4, theme_faint(&stage->theme), keys);
}

void stage_say(struct stage *stage, const char *line)
{
    said_add(&stage->log, stage->client->view.match, line);
}

const char *stage_new_line(const struct stage *stage)
{
    const struct lines *lines = &stage->log.lines;

    return lines->total > stage->seen ? lines->texts[lines->count - 1] : "";
}

void stage_begin_page(struct stage *stage)
{
    lines_clear(&stage->page);
    stage->paging = true;
}
