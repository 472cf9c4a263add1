#include "setup_form.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/talk/hosting.h"
#include "client/ludus/talk/match_words.h"

enum field {
    FIELD_NAME,
    FIELD_GAME,
    FIELD_VARIANT,
    FIELD_FORMAT,
    FIELD_LENGTH,
    FIELD_OPENINGS,
    FIELD_COLOR,
    FIELD_BOT,
    FIELD_BOT_2,
    FIELD_CLOCK,
    FIELD_START,
    FIELD_RATED,
    FIELD_WHERE,
    FIELD_WHO,
    FIELD_SERIES,
    FIELDS
};

enum { WHERE_NETWORK }; /* a value of FIELD_WHERE */

enum { VALUE_MAX = 64 }; /* bytes with the final NUL */

struct setup_fields {
    enum setup_kind kind;
    const char *opponent; /* of SETUP_CHALLENGE; borrowed */
    struct bot_choice bots;
    int values[FIELDS];                               /* indices */
    char variant[VARIANT_NAME_MAX], clock[VALUE_MAX]; /* typed text; "": use the index */
    char name[TOURNAMENT_NAME_MAX];                   /* of a tournament */
    char series[TOURNAMENT_NAME_MAX];                 /* that it belongs to; "": none */
    bool asks_where; /* let the player choose between a server of their own and this one */
};

/* Minutes + seconds a move. */
static const char *const clocks[] = {N_("none"), "1 + 1",   "3 + 2",   "5 + 3",
                                     "10 + 5",   "15 + 10", "30 + 20", NULL};

enum { CLOCK_OF_SEEKS = 3 /* 5 + 3: seeks are paired when their clocks are equal */ };

static const char *const wheres[] = {N_("this network"), N_("this server"), NULL};

/* Whether the match counts for the ratings, by the protocol's words. */
static const char *const rateds[] = {N_("no"), N_("yes"), NULL};

/* Whom to be paired with. */
static const char *const whos[] = {N_("anyone"), N_("people"), N_("bots"), NULL};

enum { COLOR_RANDOM = BLACK + 1 }; /* a value of FIELD_COLOR behind the two colours */

/* Formats of tournaments, by the protocol's words: how long each may last, and what it is. */
static const struct format {
    const char *word;
    const char *option, *lengths[6]; /* NULL: it ends by itself; "usual" is left to the server */
    const char *hint;
} formats[] = {
    {"round-robin",
     "cycles",
     {"1", "2", "3", "4"},
     N_("Everybody plays everybody, once in a cycle")},
    {"swiss",
     "rounds",
     {N_("usual"), "3", "5", "7", "9"},
     N_("In each round you meet somebody with a score like yours")},
    {"knockout", NULL, {NULL}, N_("Who loses is out")},
    {"arena",
     "minutes",
     {"30", "60", "90", "120", "15"},
     N_("As many matches as the time allows, each against whoever is free")},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

/* When a tournament starts, and in how many seconds: 0 by its opener. */
static const struct start {
    const char *words;
    int seconds;
} starts[] = {{N_("when you say so"), 0},
              {N_("in 5 minutes"), 300},
              {N_("in 15 minutes"), 900},
              {N_("in an hour"), 3600},
              {N_("in a day"), 86400}};

enum { STARTS = sizeof starts / sizeof starts[0] };

/* Where the matches of a tournament begin, and the protocol's words for it. */
static const char *const openings[] = {N_("none"), N_("balanced"), N_("random"), NULL};
static const char *const opening_words[] = {"", " openings=balanced", " openings=random:4"};

static const struct format *setup_format(const struct setup_fields *fields)
{
    return &formats[fields->values[FIELD_FORMAT]];
}

/* Whether the form has that field. */
static bool setup_has(const struct setup_fields *fields, enum field field)
{
    bool tournament = fields->kind == SETUP_TOURNAMENT;

    switch (field) {
    case FIELD_NAME:
    case FIELD_FORMAT:
    case FIELD_START:
    case FIELD_OPENINGS:
    case FIELD_SERIES:
        return tournament;
    case FIELD_LENGTH:
        return tournament && setup_format(fields)->option != NULL;
    case FIELD_COLOR:
        return fields->kind == SETUP_BOT || fields->kind == SETUP_HOST ||
               fields->kind == SETUP_CHALLENGE;
    case FIELD_BOT:
        return fields->kind == SETUP_BOT || fields->kind == SETUP_BOTS;
    case FIELD_BOT_2:
        return fields->kind == SETUP_BOTS;
    case FIELD_RATED:
        return fields->kind != SETUP_BOTH && fields->kind != SETUP_BOTS;
    case FIELD_WHERE:
        return fields->asks_where;
    case FIELD_WHO:
        return fields->kind == SETUP_SEEK || tournament;
    default:
        return true;
    }
}

static const struct game *setup_game(const struct setup_fields *fields)
{
    return games[fields->values[FIELD_GAME]];
}

/* The index-th value of a field; NULL after the last. */
static const char *value_at(const struct setup_fields *fields, enum field field, int index)
{
    switch (field) {
    case FIELD_GAME:
        return games[index] != NULL ? games[index]->title : NULL;
    case FIELD_VARIANT:
        return setup_game(fields)->variants[index];
    case FIELD_COLOR:
        if (index == COLOR_RANDOM)
            return "random";
        return index < COLOR_RANDOM ? color_name((enum color)index) : NULL;
    case FIELD_NAME:
    case FIELD_SERIES:
        return NULL;
    case FIELD_OPENINGS:
        return openings[index];
    case FIELD_FORMAT:
        return index < FORMATS ? formats[index].word : NULL;
    case FIELD_LENGTH:
        return setup_format(fields)->lengths[index];
    case FIELD_START:
        return index < STARTS ? starts[index].words : NULL;
    case FIELD_CLOCK:
        return clocks[index];
    case FIELD_RATED:
        return rateds[index];
    case FIELD_WHERE:
        return wheres[index];
    case FIELD_WHO:
        return whos[index];
    default:
        return index < fields->bots.count ? fields->bots.names[index] : NULL;
    }
}

/* The value of a field as it is shown. */
static const char *setup_value(const struct setup_fields *fields, enum field field)
{
    if (field == FIELD_NAME)
        return fields->name;
    if (field == FIELD_SERIES)
        return fields->series;
    if (field == FIELD_VARIANT && fields->variant[0] != '\0')
        return fields->variant;
    if (field == FIELD_CLOCK && fields->clock[0] != '\0')
        return fields->clock;
    return value_at(fields, field, fields->values[field]);
}

static bool setup_is_typed(enum field field)
{
    return field == FIELD_VARIANT || field == FIELD_CLOCK || field == FIELD_NAME ||
           field == FIELD_SERIES;
}

/* Changes the value of a field by that many steps; a series becomes none. */
static void setup_change(struct setup_fields *fields, enum field field, int step)
{
    int count = 0;

    if (field == FIELD_SERIES)
        fields->series[0] = '\0';
    while (value_at(fields, field, count) != NULL)
        count++;
    if (count == 0)
        return;
    fields->values[field] = (fields->values[field] + step + count) % count;
    if (field == FIELD_GAME)
        fields->values[FIELD_VARIANT] = 0;
    if (field == FIELD_FORMAT)
        fields->values[FIELD_LENGTH] = 0;
    if (field == FIELD_GAME || field == FIELD_VARIANT)
        fields->variant[0] = '\0';
    if (field == FIELD_CLOCK)
        fields->clock[0] = '\0';
}

/* Keeps a typed text; false with the cause if it does not fit. */
static bool keep_text(char *value, size_t size, const char *text, struct cause *cause)
{
    size_t length = strlen(text);

    if (length >= size)
        return cause_set(cause, "'%.20s...' is too long", text);
    memcpy(value, text, length + 1);
    return true;
}

/* Takes a typed size; false with the cause. */
static bool take_variant(struct setup_fields *fields, const char *text, struct cause *cause)
{
    struct position position;

    return setup_game(fields)->start(text, &position, cause) &&
           keep_text(fields->variant, sizeof fields->variant, text, cause);
}

/* Takes a typed clock; false with the cause. */
static bool take_clock(struct setup_fields *fields, const char *text, struct cause *cause)
{
    char clock[CLOCK_WORDS_MAX];

    return clock_words_read(text, clock, cause) &&
           keep_text(fields->clock, sizeof fields->clock, text, cause);
}

/* Whether a value of one's own can be typed; takes one. False with the cause if it does not fit. */
static bool setup_type(struct setup_fields *fields, enum field field, const char *text,
                       struct cause *cause)
{
    char *name = field == FIELD_NAME ? fields->name : fields->series;

    if (field == FIELD_NAME || field == FIELD_SERIES)
        return tournament_name(text, name) ||
               cause_set(cause, "It is called %s: names have 1 to %d of A-Z a-z 0-9 _ - .", name,
                         TOURNAMENT_NAME_MAX - 1);
    return field == FIELD_CLOCK ? take_clock(fields, text, cause)
                                : take_variant(fields, text, cause);
}

/* Chooses a value, if the field has it; false otherwise. */
static bool recall_value(struct setup_fields *fields, enum field field, const char *value)
{
    for (int i = 0; value_at(fields, field, i) != NULL; i++)
        if (strcmp(value_at(fields, field, i), value) == 0) {
            fields->values[field] = i;
            return true;
        }
    return false;
}

/* Begins with those choices of the last form that make sense here. */
static void recall_choices(struct setup_fields *fields, const struct setup_choices *last)
{
    struct cause cause;

    if (recall_value(fields, FIELD_GAME, last->game) && last->variant[0] != '\0' &&
        !recall_value(fields, FIELD_VARIANT, last->variant))
        take_variant(fields, last->variant, &cause);
    if (last->clock[0] != '\0' && !recall_value(fields, FIELD_CLOCK, last->clock))
        take_clock(fields, last->clock, &cause);
    recall_value(fields, FIELD_BOT, last->bot);
}

/* Keeps the choices for the next form. */
static void setup_remember(struct client *client, const struct setup_fields *fields)
{
    struct setup_choices *last = &client->settings.setup, before = *last;
    struct cause cause;

    keep_text(last->game, CHOICE_MAX, setup_value(fields, FIELD_GAME), &cause);
    keep_text(last->variant, CHOICE_MAX, setup_value(fields, FIELD_VARIANT), &cause);
    keep_text(last->clock, CHOICE_MAX, setup_value(fields, FIELD_CLOCK), &cause);
    if (setup_has(fields, FIELD_BOT))
        keep_text(last->bot, CHOICE_MAX, setup_value(fields, FIELD_BOT), &cause);
    if (memcmp(last, &before, sizeof before) != 0)
        client_keep_settings(client);
}

/* Begins a form whose kind and opponent are set, with those choices of the last
 * one that make sense here. Asks the server which bots there are. */
static void setup_begin(struct setup_fields *fields, struct client *client)
{
    fields->asks_where = fields->kind == SETUP_HOST && hosting_would_help(client);
    if (fields->kind == SETUP_BOT || fields->kind == SETUP_BOTS)
        play_list_bots(client, &fields->bots);
    fields->values[FIELD_BOT] = fields->values[FIELD_BOT_2] = fields->bots.usual;
    fields->values[FIELD_RATED] = fields->kind != SETUP_BOT;
    recall_choices(fields, &client->settings.setup);
    char cup[CLIENT_ME_MAX];
    snprintf(cup, sizeof cup, _("Cup of %s"), client->uplink.hello.name);
    tournament_name(cup, fields->name);
    bool clocked = fields->kind == SETUP_SEEK || fields->kind == SETUP_TOURNAMENT;
    if (clocked && strcmp(setup_value(fields, FIELD_CLOCK), clocks[0]) == 0)
        fields->values[FIELD_CLOCK] = CLOCK_OF_SEEKS; /* most who seek want a clock */
}

static void paint_seek(struct stage *stage, void *context)
{
    const struct seeking *seeking = context;
    long long seconds = (clock_ms() - seeking->since_ms) / 1000;

    stage_paint_frame(stage, _("Waiting for an opponent"));
    paint_text(2, 2, COLS - 4, theme_faint(&stage->theme), seeking->words);
    paint_format(4, 2, COLS - 4, theme_text(&stage->theme), "%lld:%02lld", seconds / 60,
                 seconds % 60);
    paint_rows(6, 2, COLS - 4, 2, theme_faint(&stage->theme),
               _("Waiting for someone who wants the same game and clock. Esc stops."));
    paint_rows(LINES - 3, 2, COLS - 4, 2, theme_text(&stage->theme), stage_new_line(stage));
}

/* Ends the part when there is nothing to wait for. */
static bool take_seek_press(struct stage *stage, void *context, struct press press)
{
    (void)press;
    return !seeking_keep(context, stage->client);
}

static const char *seek_word(const struct stage *stage, const void *context, enum action action)
{
    (void)stage;
    (void)context;
    if (action == ACTION_BACK)
        return _("stop");
    return action == ACTION_CHOOSE ? NULL : key_rows[action].word;
}

void seek_part_wait(struct stage *stage, struct seeking *seeking)
{
    struct part part = {.place = IN_PAGE,
                        .paint = paint_seek,
                        .take = take_seek_press,
                        .word = seek_word,
                        .context = seeking};

    ticker_start(stage->client);
    stage_run(stage, &part);
    ticker_stop(stage->client);
    seeking_end(seeking, stage->client);
}

enum { FIRST_ROW = 4, VALUE_X = 12 };

struct setup_form {
    struct part face; /* towards the stage */
    struct setup_fields fields;
    enum field at;
};

/* The protocol's words for the values of FIELD_WHO. */
static const char *const who_words[] = {"yes", "no", "only"};

static const char *const titles[] = {N_("Play a bot"),
                                     N_("Two players at this keyboard"),
                                     N_("Host a match for a friend"),
                                     N_("Watch two bots"),
                                     N_("Challenge"),
                                     N_("Find an opponent"),
                                     N_("Open a tournament")}; /* by kind */

static const char *const field_names[FIELDS] = {
    N_("Name"),     N_("Game"),    N_("Variant"), N_("Format"),  NULL,
    N_("Openings"), N_("You are"), N_("Bot"),     N_("Black"),   N_("Clock"),
    N_("Starts"),   N_("Rated"),   N_("Where"),   N_("Against"), N_("Series")};

/* The label of a field; that of the length is of the format, as "Rounds". */
static const char *field_name(const struct setup_fields *fields, enum field field)
{
    static const char *const lengths[FORMATS] = {N_("Cycles"), N_("Rounds"), "", N_("Minutes")};

    if (field == FIELD_LENGTH)
        return _(lengths[fields->values[FIELD_FORMAT]]);
    if (field == FIELD_WHO && fields->kind == SETUP_TOURNAMENT)
        return _("Players");
    return fields->kind == SETUP_BOTS && field == FIELD_BOT ? _("White") : _(field_names[field]);
}

/* Writes how strong the bot of a field is: "  3 of 9, for beginners"; "" for other fields. */
static void write_strength(const struct setup_fields *fields, enum field field,
                           char text[VALUE_MAX])
{
    const char *bot = setup_value(fields, field);
    const char *words = field == FIELD_BOT || field == FIELD_BOT_2 ? play_bot_words(bot) : NULL;

    text[0] = '\0';
    if (words != NULL)
        snprintf(text, VALUE_MAX, _("  %d of %d, %s"), fields->values[field] + 1,
                 fields->bots.count, words);
}

/* Whether the value of a field is a text that nobody translates: a name, a number, a variant. */
static bool setup_is_own(const struct setup_fields *fields, enum field field)
{
    return field == FIELD_NAME || field == FIELD_SERIES || field == FIELD_VARIANT ||
           (field == FIELD_CLOCK && fields->clock[0] != '\0');
}

static void paint_field(const struct stage *stage, const struct setup_form *form, enum field field,
                        int y)
{
    attr_t ink = theme_text(&stage->theme);
    const char *text = setup_value(&form->fields, field);
    char strength[VALUE_MAX];

    paint_format(y, 2, VALUE_X - 3, ink, "%s", field_name(&form->fields, field));
    int x = VALUE_X + paint_format(y, VALUE_X, COLS - VALUE_X - 2,
                                   form->at == field ? ink | A_REVERSE : ink, "< %s >",
                                   text[0] == '\0'                      ? _("none")
                                   : setup_is_own(&form->fields, field) ? text
                                                                        : _(text));
    write_strength(&form->fields, field, strength);
    paint_text(y, x, COLS - x - 2, theme_faint(&stage->theme), strength);
}

static const char *hint_of(const struct setup_form *form)
{
    if (form->at == FIELD_CLOCK)
        return _("Minutes per player + seconds added per move");
    if (form->at == FIELD_NAME)
        return _("What others see in the list of tournaments; e changes it");
    if (form->at == FIELD_FORMAT || form->at == FIELD_LENGTH)
        return _(setup_format(&form->fields)->hint);
    if (form->at == FIELD_OPENINGS)
        return form->fields.values[FIELD_OPENINGS] == 0
                   ? _("All matches begin at the start")
                   : _("Whoever meets plays two matches of one opening, with colours swapped");
    if (form->at == FIELD_SERIES)
        return _("Tournaments of one series add up to one table; e types its name");
    if (form->at == FIELD_START)
        return _("Before that, players come; you direct the tournament");
    if (form->at == FIELD_RATED)
        return form->fields.values[FIELD_RATED]
                   ? _("The match changes your rating and your opponent's")
                   : _("The match changes no rating; hints and taking back are free");
    if (form->at == FIELD_WHERE)
        return form->fields.values[FIELD_WHERE] == WHERE_NETWORK
                   ? _("Starts a server on this network, which ends when you quit")
                   : _("The present server, which only this machine can reach");
    return _(setup_game(&form->fields)->summary);
}

static void paint_form(struct stage *stage, void *context)
{
    const struct setup_form *form = context;
    const char *said = stage_new_line(stage), *opponent = form->fields.opponent;
    char title[PLAYER_DISPLAY_MAX + 48];
    int y = FIRST_ROW;

    if (opponent != NULL)
        snprintf(title, sizeof title, _("Challenge %s"),
                 names_shown(&stage->client->names, opponent));
    else
        snprintf(title, sizeof title, "%s", _(titles[form->fields.kind]));
    stage_paint_frame(stage, title);
    for (enum field field = FIELD_NAME; field < FIELDS; field++)
        if (setup_has(&form->fields, field))
            paint_field(stage, form, field, y++);
    paint_rows(y + 1, 2, COLS - 4, LINES - y - (said[0] != '\0' ? 4 : 2),
               theme_faint(&stage->theme), hint_of(form));
    paint_rows(LINES - 3, 2, COLS - 4, 2, theme_text(&stage->theme), said);
}

/* Goes to the next field in use, up or down. */
static void move_to_field(struct setup_form *form, int step)
{
    do
        form->at = (enum field)(((int)form->at + step + FIELDS) % FIELDS);
    while (!setup_has(&form->fields, form->at));
}

static void type_value(struct stage *stage, struct setup_form *form)
{
    static const char *const questions[FIELDS] = {
        [FIELD_NAME] = N_("The name of the tournament:"),
        [FIELD_SERIES] = N_("The name of the series, new or one of yours:"),
        [FIELD_CLOCK] = N_("Minutes per player + seconds added per move, such as 5 + 3:")};
    struct edit edit = {""};
    struct cause cause;

    if (!setup_is_typed(form->at)) {
        stage_notice(stage, "Only names, the variant and the clock can be typed.");
        return;
    }
    if (!edit_ask(stage,
                  form->at == FIELD_VARIANT ? _(setup_game(&form->fields)->variants_text)
                                            : _(questions[form->at]),
                  &edit) ||
        edit.text[0] == '\0')
        return;
    if (!setup_type(&form->fields, form->at, edit.text, &cause))
        stage_notice(stage, "%s", cause.text);
}

/* Waits for an opponent. Returns whether there is a match. */
static bool wait_for_opponent(struct stage *stage, const struct setup_form *form, const char *game,
                              const char *clock)
{
    struct seeking seeking;
    struct new_seek what = {.game = game,
                            .clock = clock,
                            .bots = who_words[form->fields.values[FIELD_WHO]],
                            .unrated = form->fields.values[FIELD_RATED] == 0};

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

/* Opens the tournament, whose table comes next. */
static bool open_tournament(struct stage *stage, const struct setup_fields *fields,
                            const char *game, const char *clock)
{
    const struct format *format = setup_format(fields);
    const char *length = format->lengths[fields->values[FIELD_LENGTH]];
    const char *opening = opening_words[fields->values[FIELD_OPENINGS]];
    int seconds = starts[fields->values[FIELD_START]].seconds;
    char options[VALUE_MAX] = "", start[24] = "manual", series[VALUE_MAX] = "";

    if (clock == NULL) {
        stage_notice(stage, "A tournament needs a clock.");
        return false;
    }
    if (strcmp(format->word, "round-robin") == 0 && opening[0] != '\0') /* both colours a cycle */
        snprintf(options, sizeof options, " cycles=%d", 2 * (fields->values[FIELD_LENGTH] + 1));
    else if (format->option != NULL && strcmp(length, "usual") != 0)
        snprintf(options, sizeof options, " %s=%s", format->option, length);
    if (fields->series[0] != '\0')
        snprintf(series, sizeof series, " series=%s", fields->series);
    if (seconds > 0)
        snprintf(start, sizeof start, "%d", seconds);
    cJSON *reply = client_ask(
        stage->client, "tournament new %s %s format=%s%s clock=%s start=%s bots=%s rated=%s%s%s",
        fields->name, game, format->word, options, clock, start,
        who_words[fields->values[FIELD_WHO]], rateds[fields->values[FIELD_RATED]], opening, series);
    bool opened = reply != NULL;
    json_copy(stage->tournament, sizeof stage->tournament, reply, "tournament");
    cJSON_Delete(reply);
    return opened;
}

static bool start_match(struct stage *stage, const struct setup_form *form)
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
        return wait_for_opponent(stage, form, game, match.clock);
    if (fields->kind == SETUP_TOURNAMENT)
        return open_tournament(stage, fields, game, match.clock);
    int color = setup_has(fields, FIELD_COLOR) ? fields->values[FIELD_COLOR] : WHITE;
    bool black = color == COLOR_RANDOM ? play_random_color() == BLACK : color == BLACK;
    const char *first = fields->kind == SETUP_BOTS ? bot_of(fields, FIELD_BOT) : "me";
    const char *second = opponent_of(fields);
    match.white = black ? second : first;
    match.black = black ? first : second;
    if (setup_has(fields, FIELD_RATED))
        match.rated = fields->values[FIELD_RATED] ? RATED_YES : RATED_NO;
    return play_open(stage->client, &match);
}

/* Starts a server first, if the player wants one. */
static bool start_match_there(struct stage *stage, struct setup_form *form)
{
    struct cause cause;

    if (!form->fields.asks_where || form->fields.values[FIELD_WHERE] != WHERE_NETWORK)
        return start_match(stage, form);
    if (!invite_begin(stage->client, &cause)) {
        stage_say(stage, cause.text);
        return false;
    }
    said_detach(&stage->log);
    form->fields.asks_where = false;
    return start_match(stage, form);
}

/* The field painted in that row; FIELDS when there is none. */
static enum field field_at(const struct setup_form *form, int y)
{
    int row = FIRST_ROW;

    for (enum field field = FIELD_NAME; field < FIELDS; field++)
        if (setup_has(&form->fields, field) && row++ == y)
            return field;
    return FIELDS;
}

/* A click on a name goes to the field, one on the value or what is beside it changes it. */
static void click_field(const struct stage *stage, struct setup_form *form)
{
    enum field field = field_at(form, stage->keyboard.mouse_y);

    if (field == FIELDS)
        return;
    form->at = field;
    if (stage->keyboard.mouse_x >= VALUE_X)
        setup_change(&form->fields, form->at, stage->keyboard.mouse_x < VALUE_X + 2 ? -1 : 1);
}

/* Handles a press; true when it has brought the match. */
static bool take_form_press(struct stage *stage, struct setup_form *form, struct press press)
{
    switch (press.action) {
    case ACTION_UP:
    case ACTION_PREVIOUS:
    case ACTION_WHEEL_UP:
        move_to_field(form, -1);
        return false;
    case ACTION_DOWN:
    case ACTION_NEXT:
    case ACTION_WHEEL_DOWN:
        move_to_field(form, 1);
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
        click_field(stage, form);
        return false;
    default:
        return press.action == ACTION_CHOOSE && start_match_there(stage, form);
    }
}

static bool take_form(struct stage *stage, void *context, struct press press)
{
    struct setup_form *form = context;
    bool done = take_form_press(stage, form, press);

    form->face.game = setup_game(&form->fields);
    return done;
}

static const char *form_word(const struct stage *stage, const void *context, enum action action)
{
    const struct setup_form *form = context;

    (void)stage;
    if (action == ACTION_CHOOSE)
        return _("start");
    if (action == ACTION_EDIT && !setup_is_typed(form->at))
        return NULL;
    return key_rows[action].word;
}

static void run_form(struct stage *stage, enum setup_kind kind, const char *opponent)
{
    struct setup_form form = {.fields = {.kind = kind, .opponent = opponent},
                              .at = kind == SETUP_TOURNAMENT ? FIELD_NAME : FIELD_GAME};

    setup_begin(&form.fields, stage->client);
    form.face = (struct part){.place = IN_FORM,
                              .paint = paint_form,
                              .take = take_form,
                              .word = form_word,
                              .context = &form,
                              .game = setup_game(&form.fields)};
    stage_run(stage, &form.face);
}

void setup_form_run(struct stage *stage, enum setup_kind kind)
{
    run_form(stage, kind, NULL);
}

void setup_form_challenge(struct stage *stage, const char *name)
{
    run_form(stage, SETUP_CHALLENGE, name);
}
