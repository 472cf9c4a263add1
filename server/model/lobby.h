/*
 * The lobby: every table in memory, indexed by its id, and the tournaments.
 *
 * The server owns the lobby, which owns the tables and their matches. Finished tables stay for
 * records and rematches until newer ones evict them. The lobby sends no events; announce.h does.
 */
#ifndef LUDUS_LOBBY_H
#define LUDUS_LOBBY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "origin.h"
#include "player.h"
#include "server/base/deadline.h"
#include "server/base/numbers.h"
#include "server/model/tournament/tournament.h"
#include "table.h"

/* Is told which tables are in the lobby; NULL: nobody is. */
struct lobby_observer {
    void (*added)(void *context, struct table *table);
    void (*leaves)(void *context, struct table *table);
    void *context;
};

struct lobby {
    struct origins *origins;                            /* borrowed */
    struct table *by_id, *by_once;                      /* hash tables (hash_index.h) */
    TAILQ_HEAD(table_list, table) unfinished, finished; /* as they came and ended */
    struct table_list unplayed;                         /* finished ones without a move */
    struct deadlines deadlines;                         /* of the unfinished tables */
    int open, playing, over, unplayed_count;            /* without broken ones */
    int broken;               /* matches that are read-only, or cannot be shown */
    struct table_list drafts; /* of new tables, which are not in the lobby yet */
    int opening;              /* how many these are */
    int finished_max;
    int64_t opened, ended;  /* numbers of matches ever opened and ended */
    struct numbers numbers; /* where `opened` may go on to */
    struct lobby_observer observer;
    struct tournaments tournaments;
};

void lobby_init(struct lobby *lobby, struct origins *origins, int finished_max);
void lobby_release(struct lobby *lobby);

struct table_plan {
    const struct game *game;
    const struct position *start; /* borrowed for the call */
    struct clock clock;
    bool is_private;
    bool casual;            /* it is not to be rated */
    struct player *creator; /* the match counts against their limit until it is over */
    struct origin *origin;  /* where they are connected from, or NULL */
    const char *once;       /* their KEY of `new once=KEY`, borrowed for the call; NULL: none */
    const char *code;       /* the WORD of `new code=WORD`, borrowed for the call; NULL: none */
    time_t date;
};

/* Makes a table with two open seats that is not in the lobby yet. Its id is a number, or hard to
 * guess if it is private. It counts among the unfinished matches of its creator and origin. Pass it
 * to lobby_add() or lobby_discard(). */
struct table *lobby_draft(struct lobby *lobby, const struct table_plan *plan);

/* Makes a table from one that was read from a store: takes its match, and everything but its
 * people. The caller adds these with table_set_seat() and lobby_set_creator(), then the table. */
struct table *lobby_draft_stored(struct lobby *lobby, struct table *stored);

/* Sets the creator of a table that is not in the lobby yet. */
void lobby_set_creator(struct table *table, struct player *creator);

/* Adds a new table, or one that was read. Add finished ones in the order in which they ended. */
void lobby_add(struct lobby *lobby, struct table *table);

/* Whether the match of that number is drafted, and not in the lobby yet. */
bool lobby_is_opening(const struct lobby *lobby, int64_t number);

/* Frees a new table that was not kept. Its number is reused if it is the latest, unless numbers
 * come in blocks: a keeper that many servers share may have kept it, and others have seen it. */
void lobby_discard(struct lobby *lobby, struct table *table);

/* Applies a draft to its table and frees the draft. A match that is over now moves to the finished
 * ones. */
void lobby_settle(struct lobby *lobby, struct table *table, struct table *draft);

/* Takes back the number of the end in a draft that was dropped. */
void lobby_return_end(struct lobby *lobby, int64_t number);

/* Notes the origin that asked for a rematch; NULL: none that is limited. */
void lobby_note_asked(struct lobby *lobby, struct table *table, struct origin *origin);

/* Finds a table by its id, or returns NULL. */
struct table *lobby_find(const struct lobby *lobby, const char *id);

/* Writes the text that marks such a table: struct table.once. */
void once_text(char text[ONCE_TEXT_MAX], const struct player *player, const char *key);

/* Finds the table that a player has opened with `new once=KEY`, or returns NULL. */
struct table *lobby_find_once(const struct lobby *lobby, const struct player *player,
                              const char *key);

/* Whether another match can be numbered. */
bool lobby_has_number(const struct lobby *lobby);

/* Removes and frees a table that is not locked: the keeper has the match. */
void lobby_forget(struct lobby *lobby, struct table *table);

/* Frees the oldest finished tables beyond the limit, which is a quarter of it for those without a
 * move. */
void lobby_trim(struct lobby *lobby);

#endif
