/* Clobber: local patterns (clobber_pattern.h), and near the end who wins. */
#include <stddef.h>

#include "clobber_pattern.h"
#include "eval.h"

/* With so few pairs of neighbouring enemies left, the game is played out, unless that takes more
 * than so many positions. */
enum { PAIRS_PLAYED_OUT = 3, POSITIONS_MAX = 1000 };

enum { WON = 10000 };

int static_eval_clobber(const struct position *position)
{
    struct patterns patterns;
    int value[2] = {0, 0}, side = position->side;

    patterns_of(position, &patterns);
    for (int color = WHITE; color <= BLACK; color++)
        for (int i = 0; i < patterns.count[color]; i++)
            value[color] += pattern_weights[patterns.number[color][i]];
    return value[side] - value[!side] + pattern_tempo;
}

/* Whether the side to move wins with best play. Takes the positions it makes from *left. If that
 * runs out, the answer means nothing. */
static bool wins(const struct position *position, int *left)
{
    struct move moves[MOVES_MAX];
    int moves_count = clobber.legal(position, moves);

    for (int i = 0; i<moves_count && * left> 0; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        --*left;
        if (!wins(&next, left))
            return true;
    }
    return false;
}

int eval_clobber(const struct position *position)
{
    int left = POSITIONS_MAX;

    if (clobber.legal(position, NULL) <= PAIRS_PLAYED_OUT) {
        bool won = wins(position, &left);
        if (left > 0)
            return won ? WON : -WON;
    }
    return static_eval_clobber(position);
}
