/*
 * Latrunculi: soldiers, those about to be captured counted as lost, and the press around the
 * duces. Positions keep their sets as common/games/latrunculi.c says: each colour's soldiers,
 * then each colour's dux.
 */
#include "eval.h"

enum { SOLDIERS = 0, DUCES = 2 };

enum { SOLDIER = 100, PRESS = 10 };

#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_H (FILE_A << 7)

static int soldiers(const struct position *p, int color)
{
    return __builtin_popcountll(p->bits[SOLDIERS + color]);
}

/* How many enemy pieces stand beside the dux. */
static int press(const struct position *p, int color)
{
    uint64_t dux = p->bits[DUCES + color];
    uint64_t beside = dux << 8 | dux >> 8 | (dux & ~FILE_H) << 1 | (dux & ~FILE_A) >> 1;

    return __builtin_popcountll(beside & (p->bits[SOLDIERS + !color] | p->bits[DUCES + !color]));
}

/* The most soldiers that one move of the side to move captures. */
static int threatened(const struct position *position)
{
    struct move moves[MOVES_MAX];
    int count = latrunculi.legal(position, moves), most = 0;
    int enemy = !position->side, before = soldiers(position, enemy);

    for (int i = 0; i < count; i++) {
        struct position next = *position;
        latrunculi.apply(&next, moves[i]);
        int captured = before - soldiers(&next, enemy);
        if (captured > most)
            most = captured;
    }
    return most;
}

int eval_latrunculi(const struct position *position)
{
    int own = position->side, enemy = !own;

    return SOLDIER * (soldiers(position, own) + threatened(position) - soldiers(position, enemy)) +
           PRESS * (press(position, enemy) - press(position, own));
}
