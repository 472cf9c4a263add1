/* How well to search: what makes one level weaker than another. */
#ifndef LUDUS_BOT_SKILL_H
#define LUDUS_BOT_SKILL_H

#include <stdbool.h>
#include <stdint.h>

/* Limits that hold beside those of a question. All zero: as well as possible. */
struct skill {
    uint64_t nodes;       /* 0: no limit */
    int depth_plies;      /* 0: no limit */
    int noise;            /* random error of each evaluation, at most so much either way */
    uint64_t prove_nodes; /* to spend on proving moves, where the game's guide can; they count as
                           * nodes; 0: prove nothing */
    /* For tests: every line ends at its depth, and the transposition table answers for that depth
     * only. The value is then that of plain minimax with guide.h's values at the leaves. */
    bool plain;
};

#endif
