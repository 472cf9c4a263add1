/*
 * A look-up: a question to the keeper. A keeper with a store answers at once; one that is shared
 * answers later, and the line that asked sleeps until then and runs again.
 *
 * The server owns a look-up. From keeper_kind.look_up() until it is answered the keeper borrows it.
 */
#ifndef LUDUS_LOOK_UP_H
#define LUDUS_LOOK_UP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/cause.h"
#include "server/model/rows.h"

enum look_up_kind {
    LOOK_TABLE,   /* a match by its id, which then is in the lobby if it is not over */
    LOOK_ONCE,    /* a match by its `once` text, as LOOK_TABLE */
    LOOK_NAME,    /* a player by name, who then is in the registry */
    LOOK_CLAIM,   /* a player by name and token, who from then on is connected to this server; they
                   * and their unfinished matches then are in memory */
    LOOK_NUMBERS, /* room for new matches, if lobby_has_number() is false */
    LOOK_LIST,    /* the latest unfinished public matches */
    LOOK_WHO,     /* the players who are connected */
    LOOK_TOP,     /* the best of a game and variant */
    LOOK_HISTORY, /* the latest finished matches of `player` that `asker` may see */
    LOOK_RECORD   /* a match by its id, over or not, for its record */
};

enum { LOOK_KEY_MAX = 128 };

/* A question to the keeper. Two questions are the same if all members are. */
struct question {
    enum look_up_kind kind;
    char key[LOOK_KEY_MAX];     /* id, once text, name, or GAME[:VARIANT]; "" where there is none */
    char token[TOKEN_TEXT_MAX]; /* LOOK_CLAIM */
    int64_t player, asker;      /* LOOK_HISTORY: ids */
    int rows_max;               /* of lists */
    struct row_filter filter;   /* LOOK_LIST, LOOK_WHO, LOOK_HISTORY */
};

enum look_up_state {
    LOOK_WAITS,
    LOOK_FOUND,
    LOOK_NOTHING, /* there is none */
    LOOK_REFUSED, /* LOOK_CLAIM: it is not the player's token */
    LOOK_FAILED   /* with the cause: the keeper cannot be read */
};

enum { CREATOR = BLACK + 1, PEOPLE };

/* A match as the keeper has it, replayed by the rules; a broken one as far as they go. */
struct stored_match {
    struct table table;           /* in no lobby; its seats and creator are among these */
    struct player people[PEOPLE]; /* by colour, then the creator; only id, name and kind */
};

struct look_up {
    struct question question;
    enum look_up_state state;
    struct cause cause;          /* with LOOK_FAILED; LOOK_RECORD, with LOOK_NOTHING: why the match,
                                    which is there, cannot be shown; "": there is none */
    void *asker;                 /* the server's: the session that asked; NULL: it has gone */
    struct table *table;         /* borrowed; LOOK_TABLE, LOOK_ONCE: NULL when it is over */
    struct player *player;       /* borrowed; LOOK_NAME, LOOK_CLAIM */
    int login;                   /* LOOK_CLAIM: the player's, even if it fails then; 0: none */
    struct stored_match *stored; /* owned; LOOK_RECORD, and LOOK_TABLE of a match that is over */
    union {                      /* owned; rows of lists */
        struct history_row *history;
        struct list_row *list;
        struct who_row *who;
        struct top_row *top;
        void *rows;
    };
    int count, total; /* rows there, and all that the filter takes */
    int looked_at;    /* LOOK_HISTORY: rows that it has been held against */
    int archived;     /* LOOK_HISTORY: matches that are only in the archive; LOOK_RECORD: the month
                         of the archive that has the match, such as 202611; 0: none */
};

/* Takes a match over with copies of its people, and why it is broken; `table` is left without. */
struct stored_match *stored_match_new(struct table *table);

/* Frees it with its match. NULL is allowed. */
void stored_match_free(struct stored_match *stored);

struct look_up *look_up_new(const struct question *question);

bool question_is_same(const struct question *one, const struct question *other);

/* Frees it with all that it owns. NULL is allowed. */
void look_up_free(struct look_up *look_up);

#endif
