/*
 * A unit: all changes of one command, or of one timeout or forfeit. It is kept as a whole or not at
 * all, and nobody sees any of it before it is kept.
 *
 * Commands edit drafts in a unit. The originals are locked until the unit ends, so no table and no
 * player is in two units. The unit goes to a keeper (keeper.h). When it is kept, unit_settle()
 * applies the drafts; otherwise unit_free() drops them.
 */
#ifndef LUDUS_UNIT_H
#define LUDUS_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include "server/model/lobby.h"

enum kept {
    KEPT,
    KEPT_STALE, /* another server was first: the drafts hold what is kept now */
    KEPT_FAILED /* such as a full disk: nothing of the unit is kept */
};

struct table_draft {
    struct table *table; /* borrowed; NULL: the match is new */
    struct table *next;  /* owned: what the table is to be */
};

struct rating_draft {
    struct player *player; /* borrowed */
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    struct glicko now;
    int matches;
};

/* The first attempt of a player at a puzzle, which rates both. */
struct attempt_draft {
    struct rated_puzzle *puzzle; /* borrowed; NULL: there is none */
    struct player *player;       /* borrowed; whose rating is the unit's first */
    struct glicko now;           /* of the puzzle */
    int attempts;
};

/* News of an offer that `from` made. */
struct offer_event {
    enum offer what;
    enum color from;
    enum offer_news news;
};

/* The reason why the server has paired two players. */
struct paired {
    int64_t seeks[2];              /* the number of each one's seek, by colour; 0: none */
    int nodes[2];                  /* the server where it began; 0: this one */
    bool offered[2];               /* other servers may pair it, too: only one of all can */
    char tournament[TABLE_ID_MAX]; /* its id; "": none */
    int round;                     /* of the tournament, from 1 */
};

enum { UNIT_TABLES_MAX = 2 };

struct unit {
    enum kept kept; /* set by the keeper */
    struct table_draft tables[UNIT_TABLES_MAX];
    int table_count;
    struct player *player; /* borrowed; whose identity changes; NULL: none */
    struct identity identity;
    bool displays;         /* its display name is new */
    struct tokens *tokens; /* owned; what the player's are to be; NULL: as they are */
    int revokes;           /* the number of the token that ends, with its sessions; 0: none */
    char device[DEVICE_CODE_MAX];   /* the code by which the last token is given, for a shared
                                       keeper; "": none */
    struct rating_draft ratings[2]; /* by colour */
    int rating_count;
    struct attempt_draft attempt;
    struct tournament_change *change; /* owned; of a tournament; NULL: none */

    /* The command; not for keepers. */
    struct session *session;    /* that sent it; NULL: none, or it has closed */
    bool alone;                 /* it is to be the only one of its player */
    char token[TOKEN_TEXT_MAX]; /* of the name that the player gets; "": they get none */
    bool joins;                 /* it was counted as a guest's join (rate_limit.h) */
    const char *verb;           /* of the command table; NULL: none */
    int command;                /* its number there, 0 for none */
    char *line;                 /* owned; NULL: none */
    int64_t arrived_ms;         /* when it came */
    char *reply;                /* owned; whole lines for the session */
    size_t reply_length;
    struct offer_event offers[OFFER_KINDS]; /* about the first table */
    int offer_count;
    struct player *declined_by; /* the challenge to the first table; NULL: nobody */
    const char *why_declined;   /* a fixed word */
    bool pairs;                 /* the server has opened the first table by itself: */
    struct paired paired;
    /* Called once: when the drafts have taken effect and nobody has been told of them, or with
     * another `kept` than KEPT. Not when the unit is dropped, as the server ends or is lost. */
    void (*ended)(void *context, const struct unit *unit);
    void *context;
    char *log; /* owned; a line to log once the unit is kept, or NULL */
    TAILQ_ENTRY(unit) link;
};
TAILQ_HEAD(unit_list, unit);

struct unit *unit_new(void);

/* The draft of a table in this unit. The first call makes it and locks the table. */
struct table *unit_edit(struct unit *unit, struct table *table);

/* Puts a draft of a table into this unit and locks the table. The unit owns the draft. */
void unit_replace(struct unit *unit, struct table *table, struct table *draft);

/* Opens a new match in this unit. */
struct table *unit_open(struct unit *unit, struct lobby *lobby, const struct table_plan *plan);

/* Drafts a player's identity and locks the player, whose lock must be free. */
void unit_identify(struct unit *unit, struct player *player, const struct identity *identity);

/* Drafts a rating and locks the player, whose lock must be free or the unit's. */
void unit_rate(struct unit *unit, const struct rating_draft *rating);

/* Drafts how a puzzle and who has tried it are rated, and locks both. Their locks must be free, and
 * the unit has no other rating. */
void unit_try(struct unit *unit, const struct rating_draft *solver,
              const struct attempt_draft *attempt);

/* Adds the change of a tournament to the unit, which owns it. `alone` locks the tournament,
 * whose lock must be free. */
void unit_change(struct unit *unit, struct tournament_change *change, bool alone);

/* Adds news of an offer at the first table, to be sent when the unit is kept. */
void unit_tell_offer(struct unit *unit, enum offer what, enum color from, enum offer_news news);

/* Sets the reply to send when the unit is kept; copies the bytes. */
void unit_set_reply(struct unit *unit, const char *bytes, size_t length);

/* Whether a keeper has anything to write. */
bool unit_writes(const struct unit *unit);

/* Notes which players the keeper knows now that the unit is kept. */
void unit_note_kept(const struct unit *unit);

/* Applies the drafts. The locks stay. */
void unit_settle(struct unit *unit, struct lobby *lobby);

/* Applies the drafts of a stale unit, which hold what is kept now, to tables and ratings that
 * exist. unit_free() drops new matches and identities. */
void unit_settle_stale(struct unit *unit, struct lobby *lobby);

/* Drops the drafts that were not settled, unlocks the originals, which wakes waiting commands, and
 * frees the unit. */
void unit_free(struct unit *unit, struct lobby *lobby);

#endif
