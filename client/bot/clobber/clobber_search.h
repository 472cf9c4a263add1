/*
 * The search of the Clobber solver: depth first, through sums (clobber_sum.h), moves that leave the
 * fewest answers first. Each search belongs to one thread. Those of one crew (clobber_crew.h) share
 * a transposition table and help each other.
 */
#ifndef LUDUS_BOT_CLOBBER_SEARCH_H
#define LUDUS_BOT_CLOBBER_SEARCH_H

#include "clobber_crew.h"

struct clobber_search {
    struct sums *sums;      /* owned */
    struct table *table;    /* borrowed */
    struct child *children; /* owned; a stack: those of all plies of the line */
    int children_count;
    uint64_t nodes, nodes_max, nodes_look;
    struct crew *crew;       /* borrowed; NULL: no help */
    struct meeting *meeting; /* the innermost meeting point of the line; NULL: none */
    bool gave_up;
    bool goes_back; /* gave up, or leaves a meeting point */
    bool (*is_over)(void *context);
    void *context;
};

/* Makes a search, which owns the sums from then on. It asks is_over() every few nodes whether to
 * give up. */
void clobber_search_open(struct clobber_search *search, struct sums *sums, struct table *table,
                         struct crew *crew, bool (*is_over)(void *context), void *context);

/* Frees what the search owns. */
void clobber_search_close(struct clobber_search *search);

/* Begins with another question: it counts nodes anew, and gives up after `nodes_max`. */
void clobber_search_begin(struct clobber_search *search, uint64_t nodes_max);

/* Whether `color`, which is to move, wins. Means nothing once search->gave_up is true. */
bool clobber_search_wins(struct clobber_search *search, const struct sum *sum, int color);

/* Helps the other searches of the crew until the crew ends, or it gives up. */
void clobber_search_help(struct clobber_search *search);

/* The score of a move that leaves the sum to `color`: the move with the least is best. */
int clobber_search_score(struct clobber_search *search, const struct sum *sum, int color);

/* A guess at the odds that `color`, which is to move, wins, by the table and sum_odds() after each
 * of its moves: from 0 to INFINITY. */
double clobber_search_odds(struct clobber_search *search, const struct sum *sum, int color);

#endif
