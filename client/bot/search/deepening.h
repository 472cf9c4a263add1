/*
 * The search of the thinking bots: alpha-beta with principal variations, deepened ply by ply, for
 * every game of game.h. An engine is this with a skill (levels.c).
 */
#ifndef LUDUS_BOT_DEEPENING_H
#define LUDUS_BOT_DEEPENING_H

#include "engine.h"

/* How well to search; what a question allows is a limit as well. Zero: as well as can be. */
struct skill {
    uint64_t nodes;       /* 0: no limit */
    int depth_plies;      /* 0: no limit */
    int noise;            /* what positions are worth is off by up to so much, at random */
    uint64_t prove_nodes; /* spent at most on proving moves, where the game's guide can; counts
                           * as nodes; 0: none */
    /* For tests: every line ends at its depth, and positions are remembered for one depth only. The
     * value is then that of a plain minimax with guide.h's values at its leaves. */
    bool plain;
};

/* Returns the best move found, as struct engine has it. Reports after each depth. */
struct move search_think(const struct question *question, const struct skill *skill);

#endif
