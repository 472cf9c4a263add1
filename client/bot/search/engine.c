/*
 * The list of engines, and the levels that think ahead: one search with different skills. The
 * skills were chosen by matches, so that each level beats the one below about as often in every
 * game: see tests/bench/STRENGTH.md.
 */
#include <stddef.h>
#include <strings.h>

#include "deepening.h"
#include "engine.h"

enum { EASY, MEDIUM, HARD, LEVELS };

enum { CLOBBER_SQUARES = 30 }; /* the board size that nodes in Clobber are for */

static const struct {
    const struct game *game;
    struct skill skills[LEVELS];
} rows[] = {
    {.game = &clobber,
     .skills = {[EASY] = {.nodes = 1000, .noise = 40},
                [MEDIUM] = {.nodes = 10000, .noise = 15},
                [HARD] = {.nodes = 25000, .noise = 22, .prove_nodes = 1500}}},
    {.game = &xadrersi,
     .skills = {[EASY] = {.nodes = 200, .noise = 3200},
                [MEDIUM] = {.nodes = 1800, .noise = 950},
                [HARD] = {.nodes = 4000, .noise = 420}}},
    {.game = &latrunculi,
     .skills = {[EASY] = {.nodes = 700, .noise = 150},
                [MEDIUM] = {.nodes = 3000, .noise = 80},
                [HARD] = {.nodes = 15000, .noise = 30}}},
    {.game = &shakti,
     .skills = {[EASY] = {.nodes = 700, .noise = 120},
                [MEDIUM] = {.nodes = 2000, .noise = 100},
                [HARD] = {.nodes = 10000, .noise = 40}}},
};

static struct move think(const struct question *question, int level)
{
    uint64_t squares = (uint64_t)question->position.width * question->position.height;
    struct skill skill = {.nodes = 0};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].game == question->game)
            skill = rows[i].skills[level];
    if (question->game == &clobber)
        skill.nodes = skill.nodes * squares / CLOBBER_SQUARES;
    return search_think(question, &skill);
}

static struct move easy_think(const struct question *question)
{
    return think(question, EASY);
}

static struct move medium_think(const struct question *question)
{
    return think(question, MEDIUM);
}

static struct move hard_think(const struct question *question)
{
    return think(question, HARD);
}

static struct move max_think(const struct question *question)
{
    return search_think(question,
                        &(struct skill){.prove_nodes = UINT64_MAX, .guesses = true, .book = true});
}

const struct engine easy_engine = {
    .name = "easy", .summary = "looks a few moves ahead", .think = easy_think};

const struct engine medium_engine = {
    .name = "medium", .summary = "looks further ahead", .think = medium_think};

const struct engine hard_engine = {
    .name = "hard", .summary = "looks far ahead", .think = hard_think};

const struct engine max_engine = {.name = "max",
                                  .summary = "plays as well as it can, and takes its time: a "
                                             "second a move, or its share of the clock",
                                  .think = max_think};

const struct engine *const engines[] = {
    &random_engine, &greedy_engine, &easy_engine, &medium_engine, &hard_engine, &max_engine, NULL};

const struct engine *engine_find(const char *name)
{
    for (const struct engine *const *engine = engines; *engine != NULL; engine++)
        if (strcasecmp((*engine)->name, name) == 0)
            return *engine;
    return NULL;
}
