#include "hints.h"

#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_H (FILE_A << 7)

/* One step to the east, west, north and south. */
static uint64_t stepped(uint64_t s, int direction)
{
    switch (direction) {
    case 0:
        return (s & ~FILE_H) << 1;
    case 1:
        return (s & ~FILE_A) >> 1;
    case 2:
        return s << 8;
    default:
        return s >> 8;
    }
}

/* Where one who arrives may take an enemy soldier: next to it, or next to a line of friends that
 * ends at it. */
static uint64_t near_soldiers(uint64_t soldiers, uint64_t friends)
{
    uint64_t near = 0;

    for (int direction = 0; direction < 4; direction++)
        for (uint64_t front = stepped(soldiers, direction); front != 0;
             front = stepped(front & friends, direction))
            near |= front;
    return near;
}

/* Captures. Soldiers are in bits[0..1], duces in bits[2..3]. Most moves need not be made to see
 * that they take nothing. */
void hints_latrunculi(const struct position *position, const struct move *moves, int count,
                      int32_t *hints)
{
    int side = position->side;
    uint64_t soldiers = position->bits[!side];
    uint64_t near = near_soldiers(soldiers, position->bits[side] | position->bits[2 + side]);

    for (int i = 0; i < count; i++) {
        struct position next = *position;
        hints[i] = 0;
        if (!(near >> moves[i].to & 1))
            continue;
        latrunculi.apply(&next, moves[i]);
        hints[i] = __builtin_popcountll(soldiers) - __builtin_popcountll(next.bits[!side]);
    }
}
