/*
 * Traits of a Xadrersi position: numbers that are quick to find. xadrersi_weights.c has what each
 * says about who wins. For static_eval_xadrersi() and tests/tools/fit_xadrersi.c.
 */
#ifndef LUDUS_BOT_XADRERSI_TRAITS_H
#define LUDUS_BOT_XADRERSI_TRAITS_H

#include "common/game.h"

enum { XADRERSI_PLIES = 16, XADRERSI_VARIANTS = 2 };

/* Of one side. */
enum side_trait {
    TRAIT_POINTS,      /* by kind, in the order of the kinds: king to knight */
    TRAIT_IN_HAND = 5, /* queens, rooks and bishops; knights make up the rest of the hand */
    TRAIT_NEAR = 8,    /* attacks on empty squares next to a piece */
    TRAIT_REACHED,     /* empty squares attacked at all */
    TRAIT_CONTESTED,   /* attacks on empty squares that the other side attacks too */
    TRAIT_CUTS,        /* pairs of attacked squares on one ray, over all rays */
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

/* Sets all traits. The board must not be full. */
void xadrersi_traits(const struct position *position, int16_t traits[TRAITS]);

/* By variant, plies played and trait: what one more of the trait adds to the natural logarithm of
 * the odds that the side to move wins, in 1024ths. */
extern const int16_t xadrersi_weights[XADRERSI_VARIANTS][XADRERSI_PLIES][TRAITS];

#endif
