/* The fields of the form for a new match: which there are, their values, and the choices that are
 * remembered. Knows nothing of the screen. */
#ifndef LUDUS_SCREEN_SETUP_FIELDS_H
#define LUDUS_SCREEN_SETUP_FIELDS_H

#include "client/play/play.h"

enum setup_kind { SETUP_BOT, SETUP_BOTH, SETUP_HOST, SETUP_BOTS, SETUP_CHALLENGE, SETUP_SEEK };

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

enum { WHERE_NETWORK };  /* a value of FIELD_WHERE */
enum { VALUE_MAX = 64 }; /* bytes with the final NUL */

struct setup_fields {
    enum setup_kind kind;
    const char *opponent; /* of SETUP_CHALLENGE; borrowed */
    struct bot_choice bots;
    int values[FIELDS];                               /* indices */
    char variant[VARIANT_NAME_MAX], clock[VALUE_MAX]; /* typed text; "": use the index */
    bool asks_where; /* let the player choose between a server of their own and this one */
};

/* Whether the form has that field. */
bool setup_has(const struct setup_fields *fields, enum field field);

const struct game *setup_game(const struct setup_fields *fields);

/* The value of a field as it is shown. */
const char *setup_value(const struct setup_fields *fields, enum field field);

/* Whether a value of one's own can be typed; takes one. False with the cause if it does not fit. */
bool setup_is_typed(enum field field);
bool setup_type(struct setup_fields *fields, enum field field, const char *text,
                struct cause *cause);

/* Changes the value of a field by that many steps. */
void setup_change(struct setup_fields *fields, enum field field, int step);

/* Begins a form whose kind and opponent are set, with the choices of the last one as far as they
 * make sense here. Asks the server which bots there are. */
void setup_begin(struct setup_fields *fields, struct client *client);

/* Keeps the choices for the next form. */
void setup_remember(struct client *client, const struct setup_fields *fields);

#endif
