/*
 * What can be told of a position of Xadrersi in numbers, quickly; how much each of them says about
 * who wins is in xadrersi_weights.c. Used by still_xadrersi() and by tests/tools/fit_xadrersi.c.
 */
#ifndef LUDUS_BOT_XADRERSI_TRAITS_H
#define LUDUS_BOT_XADRERSI_TRAITS_H

#include "common/game.h"

enum { XADRERSI_PLIES = 16, XADRERSI_VARIANTS = 2 };

/* Of one side. */
enum side_trait {
    TRAIT_POINTS,      /* by kind, in the order of the kinds: king to knight */
    TRAIT_IN_HAND = 5, /* queens, rooks and bishops; the knights are the rest of the hand */
    TRAIT_NEAR = 8,    /* attacks on empty squares next to a piece */
    TRAIT_REACHED,     /* empty squares attacked at all */
    TRAIT_CONTESTED,   /* attacks on empty squares that the other side attacks, too */
    TRAIT_CUTS,        /* over all rays from a piece: pairs of squares attacked */
    SIDE_TRAITS
};

enum trait {
    TRAIT_ONE,    /* always 1 */
    TRAIT_CALLED, /* the side to move owes its queen */
    TRAIT_EDGE,   /* empty squares next to a piece */
    TRAIT_OWN,    /* of the side to move */
    TRAIT_ENEMY = TRAIT_OWN + SIDE_TRAITS,
    TRAITS = TRAIT_ENEMY + SIDE_TRAITS
};

/* Sets all of them. The position is not full. */
void xadrersi_traits(const struct position *position, int16_t traits[TRAITS]);

/* By variant, plies played and trait: how much one more of the trait adds to the logarithm of the
 * odds that the side to move wins, in 1024ths. */
extern const int16_t xadrersi_weights[XADRERSI_VARIANTS][XADRERSI_PLIES][TRAITS];

#endif
