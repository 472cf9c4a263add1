/* The levels that think ahead: one search, with skills that differ. */
#include "search.h"

static struct move easy_think(const struct question *question)
{
    return search_think(question, &(struct skill){.nodes = 800, .noise = 150});
}

static struct move medium_think(const struct question *question)
{
    return search_think(question, &(struct skill){.nodes = 6000, .noise = 60});
}

static struct move hard_think(const struct question *question)
{
    return search_think(question,
                        &(struct skill){.nodes = 45000, .noise = 10, .prove_nodes = 15000});
}

static struct move max_think(const struct question *question)
{
    return search_think(question, &(struct skill){.noise = 1, .prove_nodes = UINT64_MAX});
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
