#include "perft.h"

#include <stddef.h>

uint64_t perft(const struct game *game, const struct position *position, int depth)
{
    struct move moves[MOVES_MAX];
    uint64_t nodes = 0;

    if (depth <= 0)
        return 1;
    if (depth == 1)
        return (uint64_t)game->legal(position, NULL);
    int count = game->legal(position, moves);
    for (int i = 0; i < count; i++) {
        struct position next = *position;
        game->apply(&next, moves[i]);
        nodes += perft(game, &next, depth - 1);
    }
    return nodes;
}
