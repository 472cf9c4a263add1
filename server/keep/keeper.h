/*
 * A keeper stores matches, players and ratings beyond the server's memory: in a file, or in a
 * database that many servers share. What counts is what the keeper has; the lobby and the
 * players in memory are a cache of it.
 *
 * The server hands over batches of units, one batch at a time. The keeper sets for each unit
 * whether it is kept, then calls settled(): at once, or later from the event loop. A server that is
 * released before that drops the batch: from then on the keeper must not touch it.
 *
 * With a shared database the lobby has only the matches that somebody needs here. The keeper brings
 * them there, passes on what other servers change, and lets them go when nobody here needs them.
 */
#ifndef LUDUS_KEEPER_H
#define LUDUS_KEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/text.h"
#include "server/base/nodes.h"
#include "server/base/tally.h"
#include "server/model/lobby.h"
#include "unit.h"

/*
 * A look-up: a question to the keeper. A store answers at once; a keeper that is shared answers
 * later, and the line that asked sleeps until then and runs again. The server owns a look-up. From
 * keeper_kind.look_up() until it is answered the keeper borrows it.
 */

enum look_up_kind {
    LOOK_TABLE, /* a match by its id, which then is in the lobby if it is not over */
    LOOK_ONCE,  /* a match by its `once` text, as LOOK_TABLE */
    LOOK_NAME,  /* a player by name, who then is in the registry */
    LOOK_FREE,  /* somebody who has the name already, or a display name that looks like it */
    LOOK_LIKE,  /* somebody other than `player` whose name or display name looks as the key says */
    LOOK_CLAIM, /* a player by name and token, who from then on is connected to this server, too, or
                 * only there; they and their unfinished matches then are in memory */
    LOOK_ONLY,  /* nothing: a player by name, who is here, from then on is at no other server */
    LOOK_TOKENS, /* a named player by name, who then is in the registry with their tokens; with a
                  * device code as the token also whether it is good */
    LOOK_DEVICE, /* offers the device code that is the token; nothing: they have TOKENS_MAX tokens
                  */
    LOOK_TOURNAMENT, /* nothing: all tournaments then are in memory, as they were kept before */
    LOOK_SERIES,     /* a series by its name, in lower case, with its standings */
    LOOK_SOLVER,     /* nothing: how `player` is rated as a solver of a game (the key), its puzzles,
                      * and which of them they have tried then is in memory */
    LOOK_NUMBERS,    /* room for new matches, if lobby_has_number() is false */
    LOOK_LIST,       /* the latest unfinished public matches */
    LOOK_WHO,        /* the players who are connected */
    LOOK_TOP,        /* the best of a game and variant */
    LOOK_HISTORY,    /* the latest finished matches of `player` that `asker` may see */
    LOOK_RECORD,     /* a match by its id, over or not, for its record */
    LOOK_REVIEW,     /* the review of a match by its id */
    LOOK_RECORDS     /* the next finished public matches by their numbers, for their records */
};

enum { RECORDS_SPAN = 1000 }; /* the numbers of matches that one LOOK_RECORDS goes through */

enum { LOOK_KEY_MAX = LOOKS_TEXT_MAX };

/* A question to the keeper. Two questions are the same if all members are. */
struct question {
    enum look_up_kind kind;
    char key[LOOK_KEY_MAX];     /* id, once text, name, or GAME[:VARIANT]; "" where there is none */
    char token[TOKEN_TEXT_MAX]; /* LOOK_CLAIM; LOOK_TOKENS, LOOK_DEVICE: a device code */
    bool only;                  /* LOOK_CLAIM */
    int64_t player, asker;      /* LOOK_HISTORY, LOOK_LIKE, LOOK_SOLVER: ids */
    int64_t after, since_s;     /* LOOK_RECORDS: numbers above it, opened then or later */
    int rows_max;               /* of lists */
    int plies_max; /* LOOK_RECORD: longer ones that are over are not read; 0: all are. LOOK_RECORDS:
                      no further one is read once the others have as many together */
    struct row_filter filter; /* LOOK_LIST, LOOK_WHO, LOOK_HISTORY, LOOK_RECORDS, LOOK_SERIES */
};

enum look_up_state {
    LOOK_WAITS,
    LOOK_FOUND,
    LOOK_NOTHING,  /* there is none */
    LOOK_REFUSED,  /* LOOK_CLAIM: it is not the player's token */
    LOOK_TOO_LONG, /* LOOK_RECORD: it has more than plies_max plies */
    LOOK_FAILED    /* with the cause: the keeper cannot be read */
};

enum { CREATOR = BLACK + 1, PEOPLE };

/* A match as the keeper has it, replayed by the rules; a broken one up to its first bad move. */
struct stored_match {
    struct table table;           /* in no lobby; its seats and creator are among these */
    struct player people[PEOPLE]; /* by colour, then the creator; only id, name and kind */
    struct stored_match *next;    /* of a list; owned with it */
};

struct look_up {
    struct question question;
    enum look_up_state state;
    struct cause cause;        /* with LOOK_FAILED; LOOK_RECORD, with LOOK_NOTHING: why the match,
                                  which is there, cannot be shown; "": there is none */
    void *asker;               /* the server's: who asked; NULL: they have gone */
    void (*wake)(void *asker); /* called with them when it is answered later */
    struct table *table;       /* borrowed; LOOK_TABLE, LOOK_ONCE: NULL when it is over */
    struct player *player;     /* borrowed; LOOK_NAME, LOOK_CLAIM, LOOK_TOKENS */
    int login;               /* LOOK_CLAIM: the player's, even if it fails then; 0: none. LOOK_ONLY
                              */
    int token;               /* LOOK_CLAIM: the number of the token */
    bool code_is_good;       /* LOOK_TOKENS, as the next one */
    int windows[TOKENS_MAX]; /* at other servers, that have come with each token */
    int64_t cut_ms;          /* LOOK_CLAIM: so long the server where they were kept nothing */
    struct stored_match *stored; /* owned; LOOK_RECORD, and LOOK_TABLE of a match that is over */
    union {                      /* owned; rows of lists */
        struct history_row *history;
        struct list_row *list;
        struct who_row *who;
        struct top_row *top;
        struct series_row *scores; /* LOOK_SERIES */
        void *rows;
    };
    struct series series;         /* LOOK_SERIES */
    struct stored_match *records; /* owned; LOOK_RECORDS: the first of the list */
    char *review;                 /* owned; LOOK_REVIEW: as keep_review() got it */
    int64_t next;                 /* LOOK_RECORDS: go on after this number; 0: there are no more */
    int count, total;             /* rows there, and all that the filter takes */
    int looked_at;                /* LOOK_HISTORY: rows that it has been held against */
    int64_t below;                /* LOOK_HISTORY: a store has still to look at matches that ended
                                   * before this one; */
    int64_t above;                /* LOOK_SERIES: at players with higher ids than this one; */
    struct series_score *best;    /* owned; and these are the best of the others, in order */
    int best_count;
    TAILQ_ENTRY(look_up) link; /* it is read in turns with those behind it in the store's queue */
    int archived; /* LOOK_HISTORY: matches that are only in the archive; LOOK_RECORD: the month
                     of the archive that has the match, such as 202611; 0: none */
};

/* Takes a match over with copies of its people, and why it is broken; `table` is left without. */
struct stored_match *stored_match_new(struct table *table);

/* Frees it with its match. NULL is allowed. */
void stored_match_free(struct stored_match *stored);

/* Adds a match behind the records that a look-up has found, and owns it from then on. */
void look_up_add_record(struct look_up *look_up, struct stored_match *stored);

/* Returns whether a look-up has as many records, or plies in them, as it asks for. */
bool look_up_is_full(const struct look_up *look_up);

struct look_up *look_up_new(const struct question *question);

bool question_is_same(const struct question *one, const struct question *other);

/* Frees it with all that it owns. NULL is allowed. */
void look_up_free(struct look_up *look_up);

/* Units that are kept together. No table and no player is in two of them. */
struct batch {
    struct unit_list units;
    int count;
    bool is_sent; /* the keeper has begun to keep it: what its drafts say of the past is written */
};

/* How a database that many servers share is, for who is in charge. */
struct keeper_report {
    bool is_up;             /* it keeps changes, and does not keep them waiting for long */
    int64_t committed_ms;   /* since it last kept something; -1: it never has */
    int standbys;           /* synchronous ones that follow the primary; -1: it does not say */
    int64_t standby_lag_ms; /* how far the last of them is behind */
    unsigned unsafe;        /* a set: settings by which acknowledged changes can get lost */
};

/* The names of those settings; NULL ends them. */
extern const char *const keeper_unsafe_settings[];

struct keeper;

/* A seek that servers which share a keeper offer each other. */
struct offered_seek {
    int node; /* the server where it began */
    int64_t number;
    const char *text; /* borrowed; as that server tells it */
    int64_t match;    /* the number of the match in which it has ended; 0: it waits */
};

/* A keeper's calls to the server. Only settled() can be called from within keep(), and only found()
 * from within nothing: look_up() returns true instead. All others come from work() and tick(). */
struct keeper_calls {
    void (*settled)(void *context, struct batch *batch);
    /* A look-up that had to wait is answered. */
    void (*found)(void *context, struct look_up *look_up);
    /* A match has come into the lobby, and is held. */
    void (*loaded)(void *context, struct table *table);
    /* Another server has played a move in a match that is held, which goes on. The table has it. */
    void (*moved)(void *context, struct table *table);
    /* Another server has changed a match that is held. `fresh` is a draft (table.h) with what is
     * kept now; the server owns it from then on. The table is not locked. */
    void (*changed)(void *context, struct table *table, struct table *fresh);
    /* Another server tells something about a match that is held, or (NULL) about none. */
    void (*told)(void *context, struct table *table, const char *event);
    /* At which other servers a player is has changed, from those of `before`, or their name has. */
    void (*placed)(void *context, struct player *player, const struct places *before, bool renamed);
    /* What is kept of the connections that a player has here is not so: it is to be kept again. */
    void (*miscounted)(void *context, struct player *player);
    /* A player who was connected here goes on at another server alone. */
    void (*replaced)(void *context, struct player *player);
    /* Another server has ended a token of a player who is connected here, by its number. */
    void (*revoked)(void *context, struct player *player, int token);
    /* Another server offers a seek (text as that one told it), or (NULL) does not any more. */
    void (*seek)(void *context, const struct offered_seek *seek);
    /* All seeks that are offered, this server's own included. */
    void (*seeks)(void *context, const struct offered_seek *list, int count);
    /* Another server has paired a seek of this one, in this match. */
    void (*seek_taken)(void *context, int64_t number, struct table *table);
    /* A tournament has changed elsewhere, or the end of a match counts in it. The server owns the
     * change from then on, and applies it. */
    void (*contested)(void *context, struct tournament_change *change);
    /* The servers that are alive, this one included. */
    void (*nodes)(void *context, const struct nodes *nodes);
    /* This server was taken for dead. Everyone has to leave, and what is ready is dropped. Then the
     * keeper answers its batch, forgets all matches, and joins as a new one. */
    void (*lost)(void *context);
    /* Whether the database can be used, and why not. `away_ms` says for how long it could not be,
     * once it can again: that time is charged to nobody. Also when is_current() is true again. */
    void (*health)(void *context, bool works, const char *why, int64_t away_ms);
};

/* The finished matches that go from a store into the files of their months. */
struct retention {
    int64_t before_s;     /* those that ended earlier; 0: none for their age */
    int64_t bytes_max;    /* the oldest go while the store is larger; 0: unlimited */
    int64_t before_ended; /* only those with a lower `ended`: the others are in memory */
};

struct keeper_kind {
    /* Waiting for more units gains nothing: every unit is a batch of its own. */
    bool at_once;
    /* Other servers write, too: units can be stale, and an answer may come later. */
    bool shared;
    /* Keeps a batch: sets `kept` of each unit in order and calls settled() once, until when it
     * borrows the batch. Units without anything to write are kept. The drafts of a stale unit get
     * what is kept now. */
    void (*keep)(struct keeper *keeper, struct batch *batch);
    /* Reads what a server needs into an empty registry and lobby when it starts: everything, or,
     * from a shared keeper, house bots only. now_ms as in match.h. */
    bool (*load)(struct keeper *keeper, struct players *players, struct lobby *lobby,
                 int64_t now_ms, struct cause *cause);
    /* Answers a look-up: true at once, or false, and found() is called later. NULL: memory has all
     * there is. A store answers LOOK_RECORD, LOOK_RECORDS, LOOK_REVIEW, LOOK_HISTORY and
     * LOOK_SERIES, as memory has the rest. */
    bool (*look_up)(struct keeper *keeper, struct look_up *look_up);
    /* The descriptor that is readable when work() has something to do; the same all the time. NULL,
     * both: there is never anything. */
    int (*descriptor)(const struct keeper *keeper);
    void (*work)(struct keeper *keeper, int64_t now_ms);
    /* Keeps the review of a finished match with it, a text of lines, unless there is one, or the
     * match is not kept. That it could not is only logged. NULL: it keeps none. */
    void (*keep_review)(struct keeper *keeper, const char *match, const char *text);
    /* Why the last unit failed. */
    const char *(*error)(const struct keeper *keeper);
    void (*close)(struct keeper *keeper);
    /* Retires a few matches. Returns how many, -1 with the cause. NULL: it cannot. */
    int (*retire)(struct keeper *keeper, const struct retention *retention, struct cause *cause);

    /* For shared keepers only; NULL otherwise. */

    /* Tells all other servers that hold the match; `table` NULL: all others. Nobody is told twice,
     * but what is told can get lost. One line without its end. */
    void (*tell)(struct keeper *keeper, const struct table *table, const char *event);
    /* Offers a seek of this server to all others, again if what is told of it changes; `text` NULL:
     * it does not wait any more. A unit that pairs two that are offered (struct paired) is stale
     * unless both still wait. NULL: the servers do not share seeks. */
    void (*offer_seek)(struct keeper *keeper, int64_t number, const char *text);
    /* The loop's turn ends: what was looked up during it is asked for at once. */
    void (*end_turn)(struct keeper *keeper);
    /* Whether the database has answered lately. If not, this server may count as dead, and what it
     * has in memory may be old: lines have to wait for health(). */
    bool (*is_current)(const struct keeper *keeper);
    /* The player was charged nothing for look_up.cut_ms, and need not be again. */
    void (*forgave)(struct keeper *keeper, const struct player *player);
    /* Whether the database keeps changes waiting for so long that nobody is to be charged for it,
     * or is away. Then health() follows as soon as it answers. */
    bool (*is_stalled)(const struct keeper *keeper);
    void (*report)(const struct keeper *keeper, struct keeper_report *report);
    /* Once a second: signs of life, timeouts. */
    void (*tick)(struct keeper *keeper, int64_t now_ms);
};

struct keeper {
    const struct keeper_kind *kind;
    const struct keeper_calls *calls;
    void *context;
    struct tally *tally; /* counts its transactions */
};

/* Whether the keeper has matches and players that are not in memory, as others write, too. */
static inline bool keeper_has_more(const struct keeper *keeper)
{
    return keeper->kind->tell != NULL;
}

/* Keeps nothing: every unit counts as kept at once. The caller owns it. */
struct keeper keeper_none(void);

struct store;

/* Makes a store (store.h) a keeper, which owns it from then on. */
struct keeper *keeper_sqlite(struct store *store);

/* Connects to PostgreSQL, where `conninfo` says, and brings its schema up to date, which blocks.
 * `self` is this server, and another one is dead that was not heard of for `timeout_s`. NULL with
 * the cause. */
struct keeper *keeper_postgres(const char *conninfo, const struct node *self, int timeout_s,
                               struct cause *cause);

enum { KEEPER_FILES_MAX = 4 };

/* The files that connecting to PostgreSQL again reads. Returns how many; borrowed. */
int keeper_postgres_files(const struct keeper *keeper, const char *files[KEEPER_FILES_MAX]);

#endif
