#include "rated_puzzle.h"

#include <math.h>
#include <stdlib.h>

#include "common/puzzle.h"
#include "common/xmalloc.h"

/* A puzzle of 1,000 nodes begins with 1200, each power of ten is 300 more; they are known better
 * than a stranger. */
static struct glicko first_rating(long nodes)
{
    return glicko_sane((struct glicko){300 + 300 * log10((double)nodes), 250, 0.06});
}

static int compare_keys(const void *left, const void *right)
{
    const struct rated_puzzle *const *a = left, *const *b = right;

    return ((*a)->key > (*b)->key) - ((*a)->key < (*b)->key);
}

void rated_puzzles_init(struct rated_puzzles *puzzles)
{
    int count = 0;
    long nodes;

    for (int i = 0; games[i] != NULL; i++)
        count += puzzle_count(games[i]);
    *puzzles = (struct rated_puzzles){.rows = xcalloc((size_t)count + 1, sizeof *puzzles->rows),
                                      .by_key = xcalloc((size_t)count + 1, sizeof(void *))};
    for (int i = 0; games[i] != NULL; i++)
        for (int number = 1; number <= puzzle_count(games[i]); number++) {
            struct rated_puzzle *puzzle = &puzzles->rows[puzzles->count];
            puzzle->game = games[i];
            puzzle->number = number;
            lock_init(&puzzle->lock);
            if (puzzle_key(games[i], number, &puzzle->key, &nodes))
                puzzle->now = first_rating(nodes);
            puzzles->by_key[puzzles->count++] = puzzle;
        }
    qsort(puzzles->by_key, (size_t)count, sizeof *puzzles->by_key, compare_keys);
}

void rated_puzzles_release(struct rated_puzzles *puzzles)
{
    for (int i = 0; i < puzzles->count; i++)
        lock_destroy(&puzzles->rows[i].lock);
    free(puzzles->rows);
    free(puzzles->by_key);
}

struct rated_puzzle *rated_puzzle_find(const struct rated_puzzles *puzzles, const struct game *game,
                                       int number)
{
    int place = number - 1;

    for (int i = 0; games[i] != game; i++)
        place += puzzle_count(games[i]);
    return number >= 1 && number <= puzzle_count(game) ? &puzzles->rows[place] : NULL;
}

struct rated_puzzle *rated_puzzle_find_key(const struct rated_puzzles *puzzles,
                                           const struct game *game, int64_t key)
{
    const struct rated_puzzle wanted = {.key = key}, *const looked_for = &wanted;
    struct rated_puzzle **found = bsearch(&looked_for, puzzles->by_key, (size_t)puzzles->count,
                                          sizeof *puzzles->by_key, compare_keys);

    return found != NULL && (*found)->game == game ? *found : NULL;
}

void rated_puzzle_set(struct rated_puzzle *puzzle, struct glicko now, int attempts)
{
    puzzle->now = glicko_sane(now);
    puzzle->attempts = attempts;
}

struct rated_puzzle *rated_puzzle_choose(const struct rated_puzzles *puzzles,
                                         const struct game *game, const struct rating *solver)
{
    struct glicko known = solver != NULL ? solver->now : glicko_start();
    double wanted = known.rating - 2 * known.deviation;
    struct rated_puzzle *chosen = NULL;
    bool chosen_is_tried = true;

    for (int number = 1; number <= puzzle_count(game); number++) {
        struct rated_puzzle *puzzle = rated_puzzle_find(puzzles, game, number);
        bool tried = rating_has_tried(solver, number);
        bool nearer =
            chosen == NULL || fabs(puzzle->now.rating - wanted) < fabs(chosen->now.rating - wanted);
        if (tried == chosen_is_tried ? nearer : !tried) {
            chosen = puzzle;
            chosen_is_tried = tried;
        }
    }
    return chosen;
}
