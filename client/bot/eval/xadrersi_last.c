#include "xadrersi_last.h"

#include "xadrersi_sight.h"

typedef uint64_t set; /* of squares */

enum { PIECES = 15 };

/* A piece on the board, and the lines it moves along: from `first` to before `end`. */
struct attacker {
    int square, first, end;
    int sign; /* 1: black, -1: white */
    set attacked;
};

struct last {
    set occupied, counted; /* counted: where attacks score */
    set white_attacks;
    int pieces, lead; /* lead: of black */
    struct attacker attackers[PIECES];
};

static int count(set squares)
{
    return __builtin_popcountll(squares);
}

static set along_lines(const struct attacker *a, set occupied)
{
    set attacked = 0;

    for (int line = a->first; line < a->end; line++)
        attacked |= sight_along(a->square, line, occupied);
    return attacked;
}

static void add(struct last *last, int color, int kind, int square)
{
    static const int first[KINDS] = {0, SIGHT_RANK, SIGHT_RANK, SIGHT_RISING, 0};
    static const int end[KINDS] = {0, SIGHT_LINES, SIGHT_RISING, SIGHT_LINES, 0};
    struct attacker *a = &last->attackers[last->pieces++];
    set own = (set)1 << square;

    *a = (struct attacker){square, first[kind], end[kind], color == BLACK ? 1 : -1, 0};
    a->attacked = kind == KING     ? sight_adjacent(own)
                  : kind == KNIGHT ? sight_jumps(own)
                                   : along_lines(a, last->occupied);
    last->lead += a->sign * count(a->attacked & last->counted);
    if (color == WHITE)
        last->white_attacks |= a->attacked;
}

/* Where rules 5 and 6 allow the king; any empty square if that is nowhere. */
static set king_squares(const struct position *p, const struct last *last)
{
    set empty = ~last->occupied;
    set near =
        p->variant == TOUCH ? sight_adjacent((set)1 << p->notes[LAST_NOTE]) : last->white_attacks;

    return (near & empty) != 0 ? near & empty : empty;
}

/* The lead of black with its king on the square. The king attacks its neighbours, ends the attacks
 * on its square as an empty one, and cuts lines. */
static int lead_with(const struct last *last, bool touch, set king)
{
    set occupied = last->occupied | king, counted = touch ? ~occupied : ~(set)0;
    int lead = last->lead + count(sight_adjacent(king) & counted);

    for (int i = 0; i < last->pieces; i++) {
        const struct attacker *a = &last->attackers[i];
        if ((a->attacked & king) == 0)
            continue;
        set attacked = a->end > 0 ? along_lines(a, occupied) : a->attacked;
        lead += a->sign * (count(attacked & counted) - count(a->attacked & last->counted));
    }
    return lead;
}

int xadrersi_last(const struct position *position)
{
    bool touch = position->variant == TOUCH;
    struct last last = {.occupied = position->bits[WHITE] | position->bits[BLACK]};
    int best = -1;

    last.counted = touch ? ~last.occupied : ~(set)0;
    for (int color = WHITE; color <= BLACK; color++)
        for (int kind = KING; kind < KINDS; kind++)
            for (set left = position->bits[color] & position->bits[KIND_WORD + kind]; left != 0;
                 left &= left - 1)
                add(&last, color, kind, __builtin_ctzll(left));
    for (set left = king_squares(position, &last); left != 0 && best < 1; left &= left - 1) {
        int lead = lead_with(&last, touch, left & -left);
        int reached = (lead > 0) - (lead < 0);
        best = reached > best ? reached : best;
    }
    return best;
}
