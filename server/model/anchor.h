/*
 * Anchored ratings: those of house bots, which are the same at every server and never move, so that
 * the ratings of two servers compare.
 *
 * They were measured, not chosen: tests/tools/anchors.py plays the matches and fits the ratings,
 * and tests/bench/STRENGTH.md has what it found. A level that thinks for a number of nodes plays
 * alike on every machine. The one that takes a second has no anchor, and neither has a variant that
 * was not measured: there a house bot is rated as everybody is.
 */
#ifndef LUDUS_ANCHOR_H
#define LUDUS_ANCHOR_H

#include "rating.h"

/* Finds the rating of a level of ludus-bot in a game and variant. False, with nothing changed: it
 * has no anchor there. */
bool anchor_find(const char *level, const struct game *game, const char *variant,
                 struct glicko *glicko);

#endif
