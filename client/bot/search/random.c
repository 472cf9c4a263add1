/* Plays a random legal move: the smallest engine, and the example for others. */
#include "client/bot/base/rng.h"
#include "engine.h"

static struct move random_think(const struct question *question)
{
    struct move moves[MOVES_MAX];
    int count = question->game->legal(&question->position, moves);

    return moves[rng_below(question->rng, count)];
}

const struct engine random_engine = {
    .name = "random",
    .summary = "plays any legal move",
    .think = random_think,
};
