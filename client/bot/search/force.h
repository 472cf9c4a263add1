/*
 * Forced wins, proved: whether a side wins within a number of plies whatever the other one does, by
 * trying every reply. For puzzles, which must be true; a bot that plays is content with tree.h.
 *
 * It knows the position only: who would draw by repeating an earlier one is not asked.
 */
#ifndef LUDUS_BOT_FORCE_H
#define LUDUS_BOT_FORCE_H

#include "client/bot/base/move_order.h"
#include "client/games/guide.h"

enum { FORCE_PLIES = 24 }; /* the longest win that can be asked for */

struct force_entry;

/* A proof in work. The owner zeroes it, then calls force_begin(). */
struct force {
    const struct game *game;
    const struct guide *guide; /* NULL: the game has none */
    enum color attacker;       /* who is to win */
    uint64_t nodes, most;      /* positions made, and how many may be */
    bool stopped;              /* it was too much: what force_wins() returns then means nothing */
    uint64_t salt;             /* tells the entries of this question from those of earlier ones */
    struct force_entry *table; /* owned */
    struct order order;
};

/* Begins with another position, whose side to move is to win. */
void force_begin(struct force *force, const struct game *game, const struct position *position,
                 uint64_t most);
void force_release(struct force *force);

/* Whether the attacker wins within `plies` plies from here, whoever is to move. */
bool force_wins(struct force *force, const struct position *position, int plies);

/* The fewest plies, up to `most`, within which the attacker wins from here; 0 where it has won
 * already, -1 where it needs more. */
int force_length(struct force *force, const struct position *position, int most);

#endif
