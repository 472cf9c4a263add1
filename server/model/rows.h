/* Rows of the lists that players ask for, from memory or from a keeper, as plain values. */
#ifndef LUDUS_ROWS_H
#define LUDUS_ROWS_H

#include <stdbool.h>

#include "match.h"
#include "table.h"

/* A row of `list`. */
struct list_row {
    char id[TABLE_ID_MAX];
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    char names[2][NAME_TEXT_MAX]; /* by colour; "": an open seat */
    enum match_status status;
    int plies, watchers;
    int64_t base_ms, increment_ms; /* 0: no clock */
    bool casual;
    bool code;   /* its open seats need a word */
    bool broken; /* it is read-only */
    bool away;   /* it is open, and whoever opened it is not here */
};

/* The rows of a list that are wanted. All zero: all. */
struct row_filter {
    int from;                                               /* so many are passed over */
    char game[VARIANT_NAME_MAX], variant[VARIANT_NAME_MAX]; /* "": any; of `list`, `history` */
    enum { ANY_STATUS, ONLY_OPEN, ONLY_PLAYING } status;    /* of `list` */
    enum { ANYBODY, ONLY_BOTS, ONLY_PEOPLE } bots;          /* who sit there, or who they are */
    enum { ANY_PLAYERS, ONLY_BUSY, ONLY_IDLE } playing;     /* of `who` */
    int64_t against;                                        /* of `history`: the id of a player */
};

/* Whether an unfinished match is a row of `list`; a player one of `who`; and a finished match of a
 * player one of `history`. */
bool filter_takes_match(const struct row_filter *filter, const struct table *table);
bool filter_takes_player(const struct row_filter *filter, const struct player *player);
bool filter_takes_history(const struct row_filter *filter, const struct seat *seat);

/* Whether the match is open and whoever has opened it is away: `list` has these last. */
bool opener_is_away(const struct table *table);

/* Fills a row. */
void list_row_of_table(struct list_row *row, const struct table *table);

/* A row of `who`. */
struct who_row {
    char name[NAME_TEXT_MAX];
    bool bot;
    const struct game *game; /* of their main rating (rating_main()); NULL: they have none */
    char variant[VARIANT_NAME_MAX];
    double rating;
    int playing; /* seats in running public matches */
};

/* Fills a row. */
void who_row_of_player(struct who_row *row, const struct player *player);

/* Fills a row from a match that was started and is over. */
void history_row_of_table(struct history_row *row, const struct table *table);

/* A row of `top`. */
struct top_row {
    int rank; /* among those of its game and variant, from 1 */
    char name[NAME_TEXT_MAX];
    bool bot;
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    struct glicko now;
    int matches;
};

#endif
