#include "xadrersi_traits.h"

#include "xadrersi_sight.h"

typedef uint64_t set; /* of squares */

enum { SIDE_PIECES = 8 };

static const int kind_pieces[KINDS] = {1, 1, 2, 2, 2}; /* of each side */

/* What the pieces of a side attack. */
struct sight {
    int pieces;
    int kinds[SIDE_PIECES];
    set attacked[SIDE_PIECES]; /* by each piece */
    set reached;               /* by any piece */
    int cuts;
};

static int count(set squares)
{
    return __builtin_popcountll(squares);
}

/* The attacks that pieces on a ray would cut off: summed over its squares, those beyond each. */
static int cuts(set ray)
{
    int size = count(ray);

    return size * (size - 1) / 2;
}

/* What a slider attacks along the lines from `first` to before `end`. */
static set look_along(struct sight *sight, int square, int first, int end, set occupied)
{
    set attacked = 0;

    for (int line = first; line < end; line++) {
        set part = sight_along(square, line, occupied);
        sight->cuts +=
            cuts(part & (((set)1 << square) - 1)) + cuts(part & ~(((set)1 << square) - 1));
        attacked |= part;
    }
    return attacked;
}

static set look_from(struct sight *sight, int kind, int square, set occupied)
{
    set own = (set)1 << square;

    switch (kind) {
    case KING:
        return sight_adjacent(own);
    case QUEEN:
        return look_along(sight, square, SIGHT_RANK, SIGHT_LINES, occupied);
    case ROOK:
        return look_along(sight, square, SIGHT_RANK, SIGHT_RISING, occupied);
    case BISHOP:
        return look_along(sight, square, SIGHT_RISING, SIGHT_LINES, occupied);
    default:
        return sight_jumps(own);
    }
}

static void look(const struct position *p, int color, set occupied, struct sight *sight)
{
    *sight = (struct sight){0};
    for (int kind = KING; kind < KINDS; kind++) {
        for (set left = p->bits[color] & p->bits[KIND_WORD + kind]; left != 0; left &= left - 1) {
            set attacked = look_from(sight, kind, __builtin_ctzll(left), occupied);
            sight->kinds[sight->pieces] = kind;
            sight->attacked[sight->pieces++] = attacked;
            sight->reached |= attacked;
        }
    }
}

static void tell(const struct sight *sight, const struct sight *other, set counted, set empty,
                 set near, int16_t traits[SIDE_TRAITS])
{
    int hand[KINDS];

    for (int kind = KING; kind < KINDS; kind++)
        hand[kind] = kind_pieces[kind];
    for (int i = 0; i < sight->pieces; i++) {
        set attacked = sight->attacked[i];
        traits[TRAIT_POINTS + sight->kinds[i]] += count(attacked & counted);
        traits[TRAIT_NEAR] += count(attacked & near);
        traits[TRAIT_CONTESTED] += count(attacked & empty & other->reached);
        hand[sight->kinds[i]]--;
    }
    traits[TRAIT_IN_HAND] = hand[QUEEN];
    traits[TRAIT_IN_HAND + 1] = hand[ROOK];
    traits[TRAIT_IN_HAND + 2] = hand[BISHOP];
    traits[TRAIT_REACHED] = count(sight->reached & empty);
    traits[TRAIT_CUTS] = sight->cuts;
}

void xadrersi_traits(const struct position *position, int16_t traits[TRAITS])
{
    set occupied = position->bits[WHITE] | position->bits[BLACK], empty = ~occupied;
    set counted = position->variant == TOUCH ? empty : ~(set)0;
    set near = sight_adjacent(occupied) & empty, last = (set)1 << position->notes[LAST_NOTE];
    int side = position->side;
    struct sight own, enemy;

    for (int i = 0; i < TRAITS; i++)
        traits[i] = 0;
    look(position, side, occupied, &own);
    look(position, !side, occupied, &enemy);
    tell(&own, &enemy, counted, empty, near, traits + TRAIT_OWN);
    tell(&enemy, &own, counted, empty, near, traits + TRAIT_ENEMY);
    traits[TRAIT_ONE] = 1;
    traits[TRAIT_EDGE] = count(near);
    traits[TRAIT_CALLED] =
        (position->bits[!side] & position->bits[KIND_WORD + QUEEN] & last) != 0 &&
        traits[TRAIT_OWN + TRAIT_IN_HAND] > 0;
}
