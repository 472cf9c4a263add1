/*
 * Plays a search against itself, and prints quiet positions with the result for the side to move:
 * 1, 0.5 or 0. Input for fit_weights.c.
 *
 *     fit_positions GAME MATCHES NODES SEED > FILE
 *
 * A match begins with OPENING random plies. Positions are left out when the search sees the end, or
 * when a quiescence search would follow up the best move: a sum of terms is not meant to judge
 * these.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/search/tree.h"
#include "client/games/guide.h"
#include "common/rng.h"

enum { OPENING = 7, PLIES = 300, NOISE = 10, TABLE_MB = 1 };

struct sample {
    struct position positions[PLIES];
    int count;
};

static void keep(void *context, const struct info *info)
{
    *(int *)context = info->score;
}

static int hint_of(const struct game *game, const struct position *position, struct move move)
{
    const struct guide *guide = guide_of(game);
    struct position next = *position;
    int32_t hint;

    if (guide->hints != NULL) {
        guide->hints(position, &move, 1, &hint);
        return hint;
    }
    game->apply(&next, move);
    return guide->hint(position, &next);
}

static bool is_quiet(const struct game *game, const struct position *position, struct move move)
{
    return hint_of(game, position, move) <= 0 && (game->check == NULL || !game->check(position));
}

static enum result play(const struct game *game, const struct position *start, uint64_t nodes,
                        uint64_t *rng, struct sample *sample)
{
    static atomic_bool stop;
    struct tt tt = {.megabytes = TABLE_MB};
    struct move moves[MOVES_MAX];
    int score = 0, count;
    struct search_question question = {.game = game,
                                       .position = *start,
                                       .limits = {INT64_MAX, INT_MAX, nodes, 0},
                                       .tt = &tt,
                                       .rng = rng,
                                       .stop = &stop,
                                       .report = keep,
                                       .context = &score};
    struct position *now = &question.position;

    sample->count = 0;
    for (int ply = 0; ply < PLIES && (count = game->legal(now, moves)) > 0; ply++) {
        struct move move = moves[rng_below(rng, count)];
        if (ply >= OPENING) {
            move = search_think(&question, &(struct skill){.noise = NOISE});
            if (abs(score) < WON && is_quiet(game, now, move))
                sample->positions[sample->count++] = *now;
        }
        game->apply(now, move);
        history_add(&question.history, game->key(now));
        if (game->repetition_draws && history_count(&question.history, game->key(now)) >= 3)
            break;
    }
    enum result result = game->outcome(now).result;
    history_release(&question.history);
    tt_clear(&tt);
    return result;
}

static void print(const struct game *game, const struct sample *sample, enum result result)
{
    for (int i = 0; i < sample->count; i++) {
        const struct position *position = &sample->positions[i];
        char text[POSITION_TEXT_MAX];
        game->format(position, text);
        bool won = result == result_win((enum color)position->side);
        bool lost = result == result_win((enum color) !position->side);
        printf("%s %s\n", won ? "1" : lost ? "0" : "0.5", text);
    }
}

int main(int argc, char **argv)
{
    static struct sample sample;
    struct position start;
    struct cause cause = {"usage: fit_positions GAME MATCHES NODES SEED"};
    const struct game *game = argc == 5 ? game_open(argv[1], &start, NULL, &cause) : NULL;

    if (game == NULL) {
        fprintf(stderr, "fit_positions: %s\n", cause.text);
        return 2;
    }
    uint64_t nodes = strtoull(argv[3], NULL, 10), rng = strtoull(argv[4], NULL, 10);
    for (long left = strtol(argv[2], NULL, 10); left > 0; left--)
        print(game, &sample, play(game, &start, nodes, &rng, &sample));
    return 0;
}
