/*
 * Shakti: the warriors' freedom and the room around the kings. Positions keep their sets as
 * common/games/shakti.c says: the tiles, then each colour's king, then its warriors.
 */
#include "eval.h"

enum { WIDTH = 7, SQUARES = WIDTH * WIDTH, TILES = 0, KING = 1, WARRIORS = 3 };

/* What a tile that a warrior sees and may enter, one beside the king, and a warrior are worth. */
enum { FREEDOM = 10, ROOM = 5, WARRIOR = 100, IN_CHECK = 50 };

static uint64_t ray_step(int *file, int *rank, int direction)
{
    *file += direction % 3 - 1;
    *rank += direction / 3 - 1;
    bool on_board = *file >= 0 && *file < WIDTH && *rank >= 0 && *rank < WIDTH;
    return on_board ? (uint64_t)1 << (*rank * WIDTH + *file) : 0;
}

/* The squares one step away from a piece. */
static uint64_t beside(uint64_t piece)
{
    int square = __builtin_ctzll(piece);
    uint64_t found = 0;

    for (int direction = 0; direction < 9; direction++) {
        int file = square % WIDTH, rank = square / WIDTH;
        found |= ray_step(&file, &rank, direction);
    }
    return found & ~piece;
}

/* The tiles that the pieces see: the first one in each direction. */
static uint64_t sight(uint64_t tiles, uint64_t pieces)
{
    uint64_t seen = 0, step;

    for (; pieces != 0; pieces &= pieces - 1)
        for (int direction = 0; direction < 9; direction++) {
            int file = __builtin_ctzll(pieces) % WIDTH, rank = __builtin_ctzll(pieces) / WIDTH;
            do
                step = direction == 4 ? 0 : ray_step(&file, &rank, direction);
            while (step != 0 && !(step & tiles));
            seen |= step;
        }
    return seen;
}

static int value_of(const struct position *p, int color)
{
    const uint64_t *bits = p->bits;
    uint64_t empty = bits[TILES];

    for (int word = KING; word < KING + 4; word++)
        empty &= ~bits[word];
    uint64_t attacked = sight(bits[TILES], bits[KING + !color] | bits[WARRIORS + !color]);
    uint64_t freedom = sight(bits[TILES], bits[WARRIORS + color]) & empty;
    uint64_t room = beside(bits[KING + color]);
    return FREEDOM * __builtin_popcountll(freedom) +
           ROOM * __builtin_popcountll(room & bits[TILES]) +
           ROOM * __builtin_popcountll(room & empty & ~attacked) +
           WARRIOR * __builtin_popcountll(bits[WARRIORS + color]);
}

/* To be in check counts for the side that is, as it alone allows the king to take a warrior:
 * without this, greedy would give check for ever. */
int eval_shakti(const struct position *position)
{
    int value = value_of(position, position->side) - value_of(position, !position->side);

    return value + (shakti.check(position) ? IN_CHECK : 0);
}
