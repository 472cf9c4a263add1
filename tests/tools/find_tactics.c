/*
 * Finds positions with a forced win, as rows for tests/tactics/: plays random moves, and sometimes
 * those of the search, until the search sees a win in the wanted number of plies.
 *
 *     find_tactics GAME[:VARIANT] PLIES ROWS SEED
 *
 * The output is only the opinion of the search. tests/unit/client/test_search.c verifies it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/search/tree.h"
#include "client/games/guide.h"
#include "common/rng.h"

enum { NODES = 20000, NODES_LEAST = 2000, MOVES_LEAST = 6, PLIES_MAX = 200 };

static void keep(void *context, const struct info *info)
{
    *(struct info *)context = *info;
}

/* Plays one match and prints its first suitable position. Returns whether there was one.
 */
static bool find(const struct game *game, const char *name, const struct position *start, int plies,
                 uint64_t *rng)
{
    static atomic_bool stop;
    struct info info = {0};
    struct position position = *start;
    struct move moves[MOVES_MAX];
    int count;

    for (int ply = 0; ply < PLIES_MAX && (count = game->legal(&position, moves)) > 0; ply++) {
        struct search_question question = {.game = game,
                                           .position = position,
                                           .limits = {INT64_MAX, INT_MAX, NODES, 0},
                                           .rng = rng,
                                           .stop = &stop,
                                           .report = keep,
                                           .context = &info};
        struct move move = search_think(&question, &(struct skill){0});
        if (info.score == SCORE_WIN - plies && count >= MOVES_LEAST) {
            char text[POSITION_TEXT_MAX];
            int nodes = (int)info.nodes * 10;
            game->format(&position, text);
            printf("%s %d %d %s\n", name, plies, nodes > NODES_LEAST ? nodes : NODES_LEAST, text);
            return true;
        }
        game->apply(&position, rng_below(rng, 3) == 0 ? move : moves[rng_below(rng, count)]);
    }
    return false;
}

int main(int argc, char **argv)
{
    struct position start;
    struct cause cause = {"usage: find_tactics GAME[:VARIANT] PLIES ROWS SEED"};
    const struct game *game = argc == 5 ? game_open(argv[1], &start, NULL, &cause) : NULL;

    if (game == NULL) {
        fprintf(stderr, "find_tactics: %s\n", cause.text);
        return 2;
    }
    int plies = (int)strtol(argv[2], NULL, 10);
    uint64_t rng = strtoull(argv[4], NULL, 10);
    for (long left = strtol(argv[3], NULL, 10); left > 0;)
        left -= find(game, argv[1], &start, plies, &rng);
    return 0;
}
