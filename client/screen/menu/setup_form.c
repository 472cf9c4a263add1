#include "setup_form.h"

#include <stdio.h>
#include <string.h>

#include "client/model/clock_words.h"
#include "client/play/invite.h"
#include "client/screen/stage/edit.h"
#include "client/screen/stage/paint.h"
#include "seek_part.h"

enum { FIRST_ROW = 4, VALUE_X = 12 };

struct setup_form {
    struct part face; /* towards the stage */
    struct setup_fields fields;
    enum field at;
};

/* The protocol's words for the values of FIELD_WHO. */
static const char *const who_words[] = {"yes", "no", "only"};

static const char *const titles[] = {
    "Play a bot", "Two players, one keyboard", "Host a match for a friend", "Watch two bots",
    "Challenge",  "Find an opponent"}; /* by kind */

static const char *const field_names[FIELDS] = {"Game",  "Variant", "You are", "Bot",
                                                "Black", "Clock",   "Where",   "Against"};

static void paint_field(const struct stage *stage, const struct setup_form *form, enum field field,
                        int y)
{
    attr_t ink = theme_text(&stage->theme);
    const char *name =
        form->fields.kind == SETUP_BOTS && field == FIELD_BOT ? "White" : field_names[field];
    const char *text = setup_value(&form->fields, field);

    paint_format(y, 2, 10, ink, "%s", name);
    paint_format(y, VALUE_X, COLS - VALUE_X - 2, form->at == field ? ink | A_REVERSE : ink,
                 "< %s >", text[0] != '\0' ? text : "none");
}

static const char *hint_of(const struct setup_form *form)
{
    if (form->at == FIELD_CLOCK)
        return "Minutes for all moves + seconds that each move adds";
    if (form->at == FIELD_WHERE)
        return form->fields.values[FIELD_WHERE] == WHERE_NETWORK
                   ? "Starts a server on this network, which ends when you quit"
                   : "The present server, which only this machine can reach";
    return setup_game(&form->fields)->summary;
}

static void paint(struct stage *stage, void *context)
{
    const struct setup_form *form = context;
    const char *said = stage_new_line(stage);
    char title[VALUE_MAX];
    int y = FIRST_ROW;

    snprintf(title, sizeof title, "%s %s", titles[form->fields.kind],
             form->fields.opponent != NULL ? form->fields.opponent : "");
    stage_paint_frame(stage, title);
    for (enum field field = FIELD_GAME; field < FIELDS; field++)
        if (setup_has(&form->fields, field))
            paint_field(stage, form, field, y++);
    paint_rows(y + 1, 2, COLS - 4, LINES - y - (said[0] != '\0' ? 4 : 2),
               theme_faint(&stage->theme), hint_of(form));
    paint_rows(LINES - 3, 2, COLS - 4, 2, theme_text(&stage->theme), said);
}

/* Goes to the next field in use, up or down. */
static void move_by(struct setup_form *form, int step)
{
    do
        form->at = (enum field)(((int)form->at + step + FIELDS) % FIELDS);
    while (!setup_has(&form->fields, form->at));
}

static void type_value(struct stage *stage, struct setup_form *form)
{
    bool clock = form->at == FIELD_CLOCK;
    struct edit edit = {""};
    struct cause cause;

    if (!setup_is_typed(form->at)) {
        stage_notice(stage, "Only the variant and the clock can be typed.");
        return;
    }
    if (!edit_ask(stage,
                  clock ? "Minutes for all moves + seconds that each move adds, such as 5 + 3:"
                        : setup_game(&form->fields)->variants_text,
                  &edit) ||
        edit.text[0] == '\0')
        return;
    if (!setup_type(&form->fields, form->at, edit.text, &cause))
        stage_notice(stage, "%s", cause.text);
}

/* Waits for an opponent. Returns whether there is a match. */
static bool seek(struct stage *stage, const struct setup_form *form, const char *game,
                 const char *clock)
{
    struct seeking seeking;
    struct new_seek what = {
        .game = game, .clock = clock, .bots = who_words[form->fields.values[FIELD_WHO]]};

    if (seeking_begin(&seeking, stage->client, &what))
        seek_part_wait(stage, &seeking);
    return stage->client->go;
}

static const char *bot_of(const struct setup_fields *fields, enum field field)
{
    return fields->bots.names[fields->values[field]];
}

/* The seat opposite the player, or opposite the first bot. */
static const char *opponent_of(const struct setup_fields *fields)
{
    switch (fields->kind) {
    case SETUP_HOST:
        return "open";
    case SETUP_CHALLENGE:
        return fields->opponent;
    case SETUP_BOTH:
        return "me";
    case SETUP_BOTS:
        return bot_of(fields, FIELD_BOT_2);
    default:
        return bot_of(fields, FIELD_BOT);
    }
}

static void choose_seats(const struct setup_fields *fields, struct new_match *match)
{
    bool black = setup_has(fields, FIELD_COLOR) && fields->values[FIELD_COLOR] == BLACK;
    const char *first = fields->kind == SETUP_BOTS ? bot_of(fields, FIELD_BOT) : "me";
    const char *second = opponent_of(fields);

    match->white = black ? second : first;
    match->black = black ? first : second;
}

static bool start(struct stage *stage, const struct setup_form *form)
{
    const struct setup_fields *fields = &form->fields;
    char game[VALUE_MAX + VARIANT_NAME_MAX], clock[CLOCK_WORDS_MAX];
    struct cause cause;
    bool clocked = clock_words_read(setup_value(fields, FIELD_CLOCK), clock, &cause);
    struct new_match match = {.game = game, .clock = clocked ? clock : NULL};

    snprintf(game, sizeof game, "%s:%s", setup_game(fields)->name,
             setup_value(fields, FIELD_VARIANT));
    setup_remember(stage->client, fields);
    if (fields->kind == SETUP_SEEK)
        return seek(stage, form, game, match.clock);
    choose_seats(fields, &match);
    return play_open(stage->client, &match);
}

/* Starts a server first, if the player wants one. */
static bool start_there(struct stage *stage, struct setup_form *form)
{
    struct cause cause;

    if (!form->fields.asks_where || form->fields.values[FIELD_WHERE] != WHERE_NETWORK)
        return start(stage, form);
    if (!invite_begin(stage->client, &cause)) {
        stage_say(stage, cause.text);
        return false;
    }
    said_detach(&stage->log);
    form->fields.asks_where = false;
    return start(stage, form);
}

/* The field painted in that row; FIELDS when there is none. */
static enum field field_at(const struct setup_form *form, int y)
{
    int row = FIRST_ROW;

    for (enum field field = FIELD_GAME; field < FIELDS; field++)
        if (setup_has(&form->fields, field) && row++ == y)
            return field;
    return FIELDS;
}

/* A click on a name goes to the field, one on the value or what is beside it changes it. */
static void click(const struct stage *stage, struct setup_form *form)
{
    enum field field = field_at(form, stage->keyboard.mouse_y);

    if (field == FIELDS)
        return;
    form->at = field;
    if (stage->keyboard.mouse_x >= VALUE_X)
        setup_change(&form->fields, form->at, stage->keyboard.mouse_x < VALUE_X + 2 ? -1 : 1);
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
        setup_change(&form->fields, form->at, -1);
        return false;
    case ACTION_RIGHT:
        setup_change(&form->fields, form->at, 1);
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

    form->face.game = setup_game(&form->fields);
    return done;
}

static const char *word(const struct stage *stage, const void *context, enum action action)
{
    const struct setup_form *form = context;

    (void)stage;
    if (action == ACTION_CHOOSE)
        return "start";
    if (action == ACTION_EDIT && !setup_is_typed(form->at))
        return NULL;
    return key_rows[action].word;
}

static void run(struct stage *stage, enum setup_kind kind, const char *opponent)
{
    struct setup_form form = {.fields = {.kind = kind, .opponent = opponent}};

    setup_begin(&form.fields, stage->client);
    form.face = (struct part){.place = IN_FORM,
                              .paint = paint,
                              .take = take,
                              .word = word,
                              .context = &form,
                              .game = setup_game(&form.fields)};
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
