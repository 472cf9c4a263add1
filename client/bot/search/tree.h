/*
 * The tree below the moves of a question: what search.c asks for, and not for others.
 */
#ifndef LUDUS_BOT_TREE_H
#define LUDUS_BOT_TREE_H

#include "client/bot/base/crew.h"
#include "client/bot/base/move_order.h"
#include "client/bot/base/transposition.h"
#include "client/bot/eval/eval.h"
#include "deepening.h"
#include "guide.h"

enum {
    PLIES_MAX = ORDER_PLIES - 1,
    INFINITE = SCORE_WIN + 1,
    WON = SCORE_WIN - 2 * PLIES_MAX, /* from here on a value is a win in so many plies */
    WORK_UNWATCHED = 256,            /* most positions made before the clock is looked at again */
    SEEN = 1024                      /* slots that tell quickly what is not in the history */
};

struct search {
    const struct question *question;
    const struct skill *skill;
    const struct game *game;
    const struct guide *guide;
    struct memory *memory;
    struct crew *crew;   /* borrowed; of those who search for the same answer */
    bool helps;          /* not the one who answers */
    uint64_t nodes;      /* of its own */
    uint64_t told;       /* of them the crew knows */
    uint64_t node_limit; /* of the crew */
    int work;            /* positions made since the clock was looked at */
    int work_unwatched;  /* after so many it is looked at again */
    int64_t looked_ms;   /* when it was */
    bool stopped;
    uint64_t noise_seed;
    uint64_t path[PLIES_MAX + 1]; /* the keys of the line, by ply, where repetition draws */
    bool seen[SEEN];              /* by the low bits of a key: may be in the history */
    struct order order;
    int pv_plies[PLIES_MAX + 1];
    struct move pv[PLIES_MAX + 1][PLIES_MAX + 1];
};

/* The nodes of the whole crew, as far as they are known. */
uint64_t tree_nodes(struct search *search);

/* Counts a position that is about to be looked at, and tells whether it is time to answer. */
bool tree_is_due(struct search *search);

/* The position after a move. */
struct position tree_after(const struct search *search, const struct position *position,
                           struct move move);

/* Whether a search of the position to this depth sees the game to its end for certain. */
bool tree_sees_end(const struct search *search, const struct position *position, int depth);

/* The value of a position `ply` plies below the root, for the side to move there, searched to
 * `depth` plies: exact between alpha and beta, else a bound. Sets its line in search->pv. Means
 * nothing once search->stopped is set. */
int tree_value(struct search *search, const struct position *position, int depth, int alpha,
               int beta, int ply);

/* Ranks the moves of the position from `from` on. */
void tree_rank(struct search *search, const struct position *position, struct move_list *list,
               int from, int depth, int ply);

/* Makes the move and the line below it the line of this ply. */
void tree_extend_pv(struct search *search, int ply, struct move move);

#endif
