#include "setup_form.h"

#include <stdio.h>
#include <string.h>

#include "client/model/clock_words.h"
#include "client/play/invite.h"
#include "client/play/play.h"
#include "client/screen/stage/edit.h"
#include "client/screen/stage/paint.h"
#include "client/talk/hosting.h"
#include "seek_part.h"

enum { FIRST_ROW = 4, VALUE_X = 12, VALUE_MAX = 64 };

enum field {
    FIELD_GAME,
    FIELD_VARIANT,
    FIELD_COLOR,
    FIELD_BOT,
    FIELD_BOT_2,
    FIELD_CLOCK,
    FIELD_WHERE,
    FIELD_WHO,
    FIELDS
};

static const char *const titles[] = {
    "Play a bot", "Two players, one keyboard", "Host a match for a friend", "Watch two bots",
    "Challenge",  "Find an opponent"}; /* by kind */

static const char *const field_names[FIELDS] = {"Game",  "Variant", "You are", "Bot",
                                                "Black", "Clock",   "Where",   "Against"};

/* Minutes + seconds a move. */
static const char *const clocks[] = {"none",   "1 + 1",   "3 + 2",   "5 + 3",
                                     "10 + 5", "15 + 10", "30 + 20", NULL};

enum { WHERE_NETWORK };
static const char *const wheres[] = {"this network", "this server", NULL};

/* Whom to be paired with, and the protocol's words for that. */
static const char *const whos[] = {"anyone", "people", "bots", NULL};
static const char *const who_words[] = {"yes", "no", "only"};
enum { CLOCK_OF_SEEKS = 3 /* 5 + 3: seeks are paired when their clocks are equal */ };

struct setup_form {
    struct part face; /* towards the stage */
    enum setup_kind kind;
    const char *opponent; /* of SETUP_CHALLENGE; borrowed */
    struct bot_choice bots;
    int values[FIELDS];                               /* indices */
    char variant[VARIANT_NAME_MAX], clock[VALUE_MAX]; /* typed text; "": use the index */
    bool asks_where; /* let the player choose between a server of their own and this one */
    int at;
};

static bool has_field(const struct setup_form *form, enum field field)
{
    switch (field) {
    case FIELD_COLOR:
        return form->kind == SETUP_BOT || form->kind == SETUP_HOST || form->kind == SETUP_CHALLENGE;
    case FIELD_BOT:
        return form->kind == SETUP_BOT || form->kind == SETUP_BOTS;
    case FIELD_BOT_2:
        return form->kind == SETUP_BOTS;
    case FIELD_WHERE:
        return form->asks_where;
    case FIELD_WHO:
        return form->kind == SETUP_SEEK;
    default:
        return true;
    }
}

static const struct game *game_of(const struct setup_form *form)
{
    return games[form->values[FIELD_GAME]];
}

/* The index-th value of a field; NULL after the last. */
static const char *value_at(const struct setup_form *form, enum field field, int index)
{
    switch (field) {
    case FIELD_GAME:
        return games[index] != NULL ? games[index]->title : NULL;
    case FIELD_VARIANT:
        return game_of(form)->variants[index];
    case FIELD_COLOR:
        return index < 2 ? color_name((enum color)index) : NULL;
    case FIELD_CLOCK:
        return clocks[index];
    case FIELD_WHERE:
        return wheres[index];
    case FIELD_WHO:
        return whos[index];
    default:
        return index < form->bots.count ? form->bots.names[index] : NULL;
    }
}

static const char *value_text(const struct setup_form *form, enum field field)
{
    if (field == FIELD_VARIANT && form->variant[0] != '\0')
        return form->variant;
    if (field == FIELD_CLOCK && form->clock[0] != '\0')
        return form->clock;
    return value_at(form, field, form->values[field]);
}

static bool is_typed(enum field field)
{
    return field == FIELD_VARIANT || field == FIELD_CLOCK;
}

static void paint_field(const struct stage *stage, const struct setup_form *form, enum field field,
                        int y)
{
    attr_t ink = theme_text(&stage->theme);
    const char *name =
        form->kind == SETUP_BOTS && field == FIELD_BOT ? "White" : field_names[field];
    const char *text = value_text(form, field);

    paint_format(y, 2, 10, ink, "%s", name);
    paint_format(y, VALUE_X, COLS - VALUE_X - 2, form->at == (int)field ? ink | A_REVERSE : ink,
                 "< %s >", text[0] != '\0' ? text : "none");
}

static const char *hint_of(const struct setup_form *form)
{
    if (form->at == FIELD_CLOCK)
        return "Minutes for all moves + seconds that each move adds";
    if (form->at == FIELD_WHERE)
        return form->values[FIELD_WHERE] == WHERE_NETWORK
                   ? "Starts a server on this network, which ends when you quit"
                   : "The present server, which only this machine can reach";
    return game_of(form)->summary;
}

static void paint(struct stage *stage, void *context)
{
    const struct setup_form *form = context;
    int y = FIRST_ROW;

    char title[VALUE_MAX];

    snprintf(title, sizeof title, "%s %s", titles[form->kind],
             form->opponent != NULL ? form->opponent : "");
    stage_paint_frame(stage, title);
    for (enum field field = FIELD_GAME; field < FIELDS; field++)
        if (has_field(form, field))
            paint_field(stage, form, field, y++);
    paint_rows(y + 1, 2, COLS - 4, LINES - y - 5, theme_faint(&stage->theme), hint_of(form));
    paint_rows(LINES - 3, 2, COLS - 4, 2, theme_text(&stage->theme), stage_new_line(stage));
}

/* Goes to the next field in use, up or down. */
static void move_by(struct setup_form *form, int step)
{
    do
        form->at = (form->at + step + FIELDS) % FIELDS;
    while (!has_field(form, (enum field)form->at));
}

static void change_by(struct setup_form *form, int step)
{
    int count = 0;

    while (value_at(form, (enum field)form->at, count) != NULL)
        count++;
    if (count == 0)
        return;
    form->values[form->at] = (form->values[form->at] + step + count) % count;
    if (form->at == FIELD_GAME)
        form->values[FIELD_VARIANT] = 0;
    if (form->at == FIELD_GAME || form->at == FIELD_VARIANT)
        form->variant[0] = '\0';
    if (form->at == FIELD_CLOCK)
        form->clock[0] = '\0';
}

/* Keeps a typed text; false with the cause if it does not fit. */
static bool keep(char *value, size_t size, const char *text, struct cause *cause)
{
    size_t length = strlen(text);

    if (length >= size)
        return cause_set(cause, "'%.20s...' is too long", text);
    memcpy(value, text, length + 1);
    return true;
}

/* Takes a typed size; false with the cause. */
static bool take_variant(struct setup_form *form, const char *text, struct cause *cause)
{
    struct position position;

    return game_of(form)->start(text, &position, cause) &&
           keep(form->variant, sizeof form->variant, text, cause);
}

/* Takes a typed clock; false with the cause. */
static bool take_clock(struct setup_form *form, const char *text, struct cause *cause)
{
    char clock[CLOCK_WORDS_MAX];

    return clock_words_read(text, clock, cause) &&
           keep(form->clock, sizeof form->clock, text, cause);
}

static void type_value(struct stage *stage, struct setup_form *form)
{
    bool clock = form->at == FIELD_CLOCK;
    struct edit edit = {""};
    struct cause cause;

    if (!is_typed((enum field)form->at)) {
        stage_notice(stage, "Only the variant and the clock can be typed.");
        return;
    }
    if (!edit_ask(stage,
                  clock ? "Minutes for all moves + seconds that each move adds, such as 5 + 3:"
                        : game_of(form)->variants_text,
                  &edit) ||
        edit.text[0] == '\0')
        return;
    if (!(clock ? take_clock(form, edit.text, &cause) : take_variant(form, edit.text, &cause)))
        stage_notice(stage, "%s", cause.text);
}

/* Waits for an opponent. Returns whether there is a match. */
static bool seek(struct stage *stage, const struct setup_form *form, const char *game,
                 const char *clock)
{
    struct seeking seeking;
    struct new_seek what = {
        .game = game, .clock = clock, .bots = who_words[form->values[FIELD_WHO]]};

    if (seeking_begin(&seeking, stage->client, &what))
        seek_part_wait(stage, &seeking);
    return stage->client->go;
}

/* Chooses a value, if the field has it; false otherwise. */
static bool recall_value(struct setup_form *form, enum field field, const char *value)
{
    for (int i = 0; value_at(form, field, i) != NULL; i++)
        if (strcmp(value_at(form, field, i), value) == 0) {
            form->values[field] = i;
            return true;
        }
    return false;
}

/* Begins with the choices of the last form, as far as they make sense here. */
static void recall(struct setup_form *form, const struct setup_choices *last)
{
    struct cause cause;

    if (recall_value(form, FIELD_GAME, last->game) && last->variant[0] != '\0' &&
        !recall_value(form, FIELD_VARIANT, last->variant))
        take_variant(form, last->variant, &cause);
    if (last->clock[0] != '\0' && !recall_value(form, FIELD_CLOCK, last->clock))
        take_clock(form, last->clock, &cause);
    recall_value(form, FIELD_BOT, last->bot);
}

/* Keeps the choices for the next form. */
static void remember(struct client *client, const struct setup_form *form)
{
    struct setup_choices *last = &client->settings.setup, before = *last;
    struct cause cause;

    keep(last->game, CHOICE_MAX, value_text(form, FIELD_GAME), &cause);
    keep(last->variant, CHOICE_MAX, value_text(form, FIELD_VARIANT), &cause);
    keep(last->clock, CHOICE_MAX, value_text(form, FIELD_CLOCK), &cause);
    if (has_field(form, FIELD_BOT))
        keep(last->bot, CHOICE_MAX, value_text(form, FIELD_BOT), &cause);
    if (memcmp(last, &before, sizeof before) != 0)
        client_keep_settings(client);
}

static bool start(struct stage *stage, const struct setup_form *form)
{
    char game[VALUE_MAX + VARIANT_NAME_MAX];
    const char *bot = form->bots.names[form->values[FIELD_BOT]], *white = "me", *black;
    char clock[CLOCK_WORDS_MAX];
    struct cause cause;
    bool clocked = clock_words_read(value_text(form, FIELD_CLOCK), clock, &cause);

    snprintf(game, sizeof game, "%s:%s", game_of(form)->name, value_text(form, FIELD_VARIANT));
    remember(stage->client, form);
    if (form->kind == SETUP_SEEK) {
        return seek(stage, form, game, clocked ? clock : NULL);
    } else if (form->kind == SETUP_BOTH) {
        black = "me";
    } else if (form->kind == SETUP_BOTS) {
        white = bot;
        black = form->bots.names[form->values[FIELD_BOT_2]];
    } else {
        const char *other = form->kind == SETUP_HOST        ? "open"
                            : form->kind == SETUP_CHALLENGE ? form->opponent
                                                            : bot;
        bool me_black = form->values[FIELD_COLOR] == BLACK;
        white = me_black ? other : "me";
        black = me_black ? "me" : other;
    }
    return play_open(stage->client, &(struct new_match){.game = game,
                                                        .white = white,
                                                        .black = black,
                                                        .clock = clocked ? clock : NULL});
}

/* Starts a server first, if the player wants one. */
static bool start_there(struct stage *stage, struct setup_form *form)
{
    struct cause cause;

    if (!form->asks_where || form->values[FIELD_WHERE] != WHERE_NETWORK)
        return start(stage, form);
    if (!invite_begin(stage->client, &cause)) {
        stage_say(stage, cause.text);
        return false;
    }
    said_detach(&stage->log);
    form->asks_where = false;
    return start(stage, form);
}

/* The field painted in that row; FIELDS when there is none. */
static enum field field_at(const struct setup_form *form, int y)
{
    int row = FIRST_ROW;

    for (enum field field = FIELD_GAME; field < FIELDS; field++)
        if (has_field(form, field) && row++ == y)
            return field;
    return FIELDS;
}

/* A click on a name goes to the field, one on the value or what is beside it changes it. */
static void click(const struct stage *stage, struct setup_form *form)
{
    enum field field = field_at(form, stage->keyboard.mouse_y);

    if (field == FIELDS)
        return;
    form->at = (int)field;
    if (stage->keyboard.mouse_x >= VALUE_X)
        change_by(form, stage->keyboard.mouse_x < VALUE_X + 2 ? -1 : 1);
}

/* Handles a press; true when it has brought the match. */
static bool take_press(struct stage *stage, struct setup_form *form, struct press press)
{
    switch (press.action) {
    case ACTION_UP:
    case ACTION_PREVIOUS:
    case ACTION_WHEEL_UP:
        move_by(form, -1);
        return false;
    case ACTION_DOWN:
    case ACTION_NEXT:
    case ACTION_WHEEL_DOWN:
        move_by(form, 1);
        return false;
    case ACTION_LEFT:
        change_by(form, -1);
        return false;
    case ACTION_RIGHT:
        change_by(form, 1);
        return false;
    case ACTION_EDIT:
        type_value(stage, form);
        return false;
    case ACTION_CLICK:
        click(stage, form);
        return false;
    default:
        return press.action == ACTION_CHOOSE && start_there(stage, form);
    }
}

static bool take(struct stage *stage, void *context, struct press press)
{
    struct setup_form *form = context;
    bool done = take_press(stage, form, press);

    form->face.game = game_of(form);
    return done;
}

static const char *word(const struct stage *stage, const void *context, enum action action)
{
    const struct setup_form *form = context;

    (void)stage;
    if (action == ACTION_CHOOSE)
        return "start";
    if (action == ACTION_EDIT && !is_typed((enum field)form->at))
        return NULL;
    return key_rows[action].word;
}

static void run(struct stage *stage, enum setup_kind kind, const char *opponent)
{
    struct setup_form form = {.kind = kind,
                              .opponent = opponent,
                              .asks_where =
                                  kind == SETUP_HOST && hosting_would_help(stage->client)};

    if (kind == SETUP_BOT || kind == SETUP_BOTS)
        play_list_bots(stage->client, &form.bots);
    form.values[FIELD_BOT] = form.values[FIELD_BOT_2] = form.bots.usual;
    recall(&form, &stage->client->settings.setup);
    if (kind == SETUP_SEEK && strcmp(value_text(&form, FIELD_CLOCK), clocks[0]) == 0)
        form.values[FIELD_CLOCK] = CLOCK_OF_SEEKS; /* most who seek want a clock */
    form.face = (struct part){.place = IN_FORM,
                              .paint = paint,
                              .take = take,
                              .word = word,
                              .context = &form,
                              .game = game_of(&form)};
    stage_run(stage, &form.face);
}

void setup_form_run(struct stage *stage, enum setup_kind kind)
{
    run(stage, kind, NULL);
}

void setup_form_challenge(struct stage *stage, const char *name)
{
    run(stage, SETUP_CHALLENGE, name);
}
