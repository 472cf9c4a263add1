#include "setup_fields.h"

#include <string.h>

#include "client/model/clock_words.h"
#include "client/talk/hosting.h"

/* Minutes + seconds a move. */
static const char *const clocks[] = {"none",   "1 + 1",   "3 + 2",   "5 + 3",
                                     "10 + 5", "15 + 10", "30 + 20", NULL};

enum { CLOCK_OF_SEEKS = 3 /* 5 + 3: seeks are paired when their clocks are equal */ };

static const char *const wheres[] = {"this network", "this server", NULL};

/* Whom to be paired with. */
static const char *const whos[] = {"anyone", "people", "bots", NULL};

bool setup_has(const struct setup_fields *fields, enum field field)
{
    switch (field) {
    case FIELD_COLOR:
        return fields->kind == SETUP_BOT || fields->kind == SETUP_HOST ||
               fields->kind == SETUP_CHALLENGE;
    case FIELD_BOT:
        return fields->kind == SETUP_BOT || fields->kind == SETUP_BOTS;
    case FIELD_BOT_2:
        return fields->kind == SETUP_BOTS;
    case FIELD_WHERE:
        return fields->asks_where;
    case FIELD_WHO:
        return fields->kind == SETUP_SEEK;
    default:
        return true;
    }
}

const struct game *setup_game(const struct setup_fields *fields)
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
        return index < 2 ? color_name((enum color)index) : NULL;
    case FIELD_CLOCK:
        return clocks[index];
    case FIELD_WHERE:
        return wheres[index];
    case FIELD_WHO:
        return whos[index];
    default:
        return index < fields->bots.count ? fields->bots.names[index] : NULL;
    }
}

const char *setup_value(const struct setup_fields *fields, enum field field)
{
    if (field == FIELD_VARIANT && fields->variant[0] != '\0')
        return fields->variant;
    if (field == FIELD_CLOCK && fields->clock[0] != '\0')
        return fields->clock;
    return value_at(fields, field, fields->values[field]);
}

bool setup_is_typed(enum field field)
{
    return field == FIELD_VARIANT || field == FIELD_CLOCK;
}

void setup_change(struct setup_fields *fields, enum field field, int step)
{
    int count = 0;

    while (value_at(fields, field, count) != NULL)
        count++;
    if (count == 0)
        return;
    fields->values[field] = (fields->values[field] + step + count) % count;
    if (field == FIELD_GAME)
        fields->values[FIELD_VARIANT] = 0;
    if (field == FIELD_GAME || field == FIELD_VARIANT)
        fields->variant[0] = '\0';
    if (field == FIELD_CLOCK)
        fields->clock[0] = '\0';
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
static bool take_variant(struct setup_fields *fields, const char *text, struct cause *cause)
{
    struct position position;

    return setup_game(fields)->start(text, &position, cause) &&
           keep(fields->variant, sizeof fields->variant, text, cause);
}

/* Takes a typed clock; false with the cause. */
static bool take_clock(struct setup_fields *fields, const char *text, struct cause *cause)
{
    char clock[CLOCK_WORDS_MAX];

    return clock_words_read(text, clock, cause) &&
           keep(fields->clock, sizeof fields->clock, text, cause);
}

bool setup_type(struct setup_fields *fields, enum field field, const char *text,
                struct cause *cause)
{
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

/* Begins with the choices of the last fields, as far as they make sense here. */
static void recall(struct setup_fields *fields, const struct setup_choices *last)
{
    struct cause cause;

    if (recall_value(fields, FIELD_GAME, last->game) && last->variant[0] != '\0' &&
        !recall_value(fields, FIELD_VARIANT, last->variant))
        take_variant(fields, last->variant, &cause);
    if (last->clock[0] != '\0' && !recall_value(fields, FIELD_CLOCK, last->clock))
        take_clock(fields, last->clock, &cause);
    recall_value(fields, FIELD_BOT, last->bot);
}

void setup_remember(struct client *client, const struct setup_fields *fields)
{
    struct setup_choices *last = &client->settings.setup, before = *last;
    struct cause cause;

    keep(last->game, CHOICE_MAX, setup_value(fields, FIELD_GAME), &cause);
    keep(last->variant, CHOICE_MAX, setup_value(fields, FIELD_VARIANT), &cause);
    keep(last->clock, CHOICE_MAX, setup_value(fields, FIELD_CLOCK), &cause);
    if (setup_has(fields, FIELD_BOT))
        keep(last->bot, CHOICE_MAX, setup_value(fields, FIELD_BOT), &cause);
    if (memcmp(last, &before, sizeof before) != 0)
        client_keep_settings(client);
}

void setup_begin(struct setup_fields *fields, struct client *client)
{
    fields->asks_where = fields->kind == SETUP_HOST && hosting_would_help(client);
    if (fields->kind == SETUP_BOT || fields->kind == SETUP_BOTS)
        play_list_bots(client, &fields->bots);
    fields->values[FIELD_BOT] = fields->values[FIELD_BOT_2] = fields->bots.usual;
    recall(fields, &client->settings.setup);
    if (fields->kind == SETUP_SEEK && strcmp(setup_value(fields, FIELD_CLOCK), clocks[0]) == 0)
        fields->values[FIELD_CLOCK] = CLOCK_OF_SEEKS; /* most who seek want a clock */
}
