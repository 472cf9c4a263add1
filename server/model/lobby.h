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
#include "server/base/nodes.h"
#include "table.h"
#include "tournament.h"

/* Hears of tables that come and go; NULL: nobody does. */
struct lobby_observer {
    void (*added)(void *context, struct table *table);
    void (*leaves)(void *context, struct table *table);
    void *context;
};

/* What `list` filters by, of each unfinished public match: so few bytes that it looks at 10,000 of
 * them in some microseconds. The lobby writes it where it takes, changes and drops a table, and
 * where a player changes; nobody else does. */
struct match_index {
    struct table **tables; /* owned; by number */
    uint32_t *facts;       /* owned; see lobby.c */
    int count, capacity;
    struct match_kind {
        const struct game *game;
        char variant[VARIANT_NAME_MAX];
    } * kinds; /* owned; every game and variant that there has been */
    int kind_count;
};

struct lobby {
    struct origins *origins;                            /* borrowed */
    struct table *by_id, *by_once;                      /* hash tables (hash_index.h) */
    TAILQ_HEAD(table_list, table) unfinished, finished; /* as they came and ended */
    struct match_index index;                           /* of the unfinished ones */
    struct table_list unplayed;                         /* finished ones without a move */
    struct deadlines deadlines;                         /* of the unfinished tables */
    int open, playing, over, unplayed_count;            /* without broken ones */
    int private_open, private_playing;                  /* of these */
    int broken, private_broken; /* matches that are read-only, or cannot be shown; those of them
                                 * that are private */
    struct table_list drafts;   /* of new tables, which are not in the lobby yet */
    int opening;                /* how many these are */
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

/* Returns whether the match of that number is drafted, and not in the lobby yet. */
bool lobby_is_opening(const struct lobby *lobby, int64_t number);

/* Frees a new table that was not kept. Its number is reused if it is the latest, unless numbers
 * come in blocks: a keeper that many servers share may have kept it, and others have seen it. */
void lobby_discard(struct lobby *lobby, struct table *table);

/* Applies a draft to its table and frees the draft. A match that is over now moves to the finished
 * ones. */
void lobby_settle(struct lobby *lobby, struct table *table, struct table *draft);

/* Takes back the number of the end in a draft that was dropped. */
void lobby_return_end(struct lobby *lobby, int64_t number);

/* Sees that a player has come, gone or become a bot (struct player_observer); `context` is the
 * lobby. */
void lobby_note_player(void *context, struct player *player);

/* Notes the origin that asked for a rematch; NULL: none that is limited. */
void lobby_note_asked(struct lobby *lobby, struct table *table, struct origin *origin);

/* Finds a table by its id, or returns NULL. */
struct table *lobby_find(const struct lobby *lobby, const char *id);

/* Writes the text that marks such a table: struct table.once. */
void once_text(char text[ONCE_TEXT_MAX], const struct player *player, const char *key);

/* Finds the table that a player has opened with `new once=KEY`, or returns NULL. */
struct table *lobby_find_once(const struct lobby *lobby, const struct player *player,
                              const char *key);

/* Returns whether another match can be numbered. */
bool lobby_has_number(const struct lobby *lobby);

/* Takes the next number, for something else than a match. */
int64_t lobby_take_number(struct lobby *lobby);

/* Removes and frees a table that is not locked: the keeper has the match. */
void lobby_forget(struct lobby *lobby, struct table *table);

/* Frees the oldest finished tables beyond the limit, which is a quarter of it for those without a
 * move. */
void lobby_trim(struct lobby *lobby);

/* Rows of the lists that players ask for, from memory or from a keeper, as plain values. */

/* A row of `list`. */
struct list_row {
    char id[TABLE_ID_MAX];
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    char names[2][NAME_TEXT_MAX];       /* by colour; "": an open seat */
    char displays[2][DISPLAY_TEXT_MAX]; /* "": none */
    enum match_status status;
    int plies, watchers;
    int64_t base_ms, increment_ms; /* 0: no clock */
    bool casual;
    bool code;   /* its open seats need a word */
    bool broken; /* it is read-only */
    bool away;   /* it is open, and its opener is away; or people play it, who all are */
};

/* The rows of a list that are wanted. All zero: all. */
struct row_filter {
    int from;                                               /* rows to skip */
    char game[VARIANT_NAME_MAX], variant[VARIANT_NAME_MAX]; /* "": any; of `list`, `history` */
    enum { ANY_STATUS, ONLY_OPEN, ONLY_PLAYING } status;    /* of `list` */
    enum { ANYBODY, ONLY_BOTS, ONLY_PEOPLE } bots;          /* who sit there, or who they are */
    enum { ANY_PLAYERS, ONLY_BUSY, ONLY_IDLE } playing;     /* of `who` */
    int64_t against;                                        /* of `history`: the id of a player */
};

/* Returns whether a match is of the game and the variant that are wanted. */
bool filter_takes_game(const struct row_filter *filter, const struct match *match);

/* Fills a row. */
void list_row_of_table(struct list_row *row, const struct table *table);

/* Fills the rows of a page of `list`, the newest match first, those last that everybody has left.
 * Returns how many; *total counts all matches that the filter takes. */
int lobby_list(const struct lobby *lobby, const struct row_filter *filter, struct list_row *rows,
               int rows_max, int *total);

/* As lobby_list(): the unfinished matches, private ones included, in which a player has a seat or
 * is challenged, the one they sat down at last first. */
int lobby_list_own(const struct player *player, const struct row_filter *filter,
                   struct list_row *rows, int rows_max, int *total);

/* A row of `who`. */
struct who_row {
    char name[NAME_TEXT_MAX];
    char display[DISPLAY_TEXT_MAX]; /* "": none */
    bool bot;
    const struct game *game; /* of their main rating (rating_main()); NULL: they have none */
    char variant[VARIANT_NAME_MAX];
    double rating;
    int playing; /* seats in running public matches */
};

/* A row of `top`. */
struct top_row {
    int rank; /* among those of its game and variant, from 1 */
    char name[NAME_TEXT_MAX];
    char display[DISPLAY_TEXT_MAX]; /* "": none */
    bool bot;
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    struct glicko now;
    int matches;
};

#endif
