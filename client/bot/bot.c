#include "bot.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/random.h>

bool bot_error(const char *what, const char *why, ...)
{
    va_list args;

    flockfile(stderr);
    fprintf(stderr, "ludus-bot: %s: ", what);
    va_start(args, why);
    vfprintf(stderr, why, args);
    va_end(args);
    fputc('\n', stderr);
    funlockfile(stderr);
    return false;
}

int bot_read_options(const struct usage_row *rows, int argc, char **argv,
                     bool (*take)(void *context, int code, struct cause *cause), void *context)
{
    return usage_read("ludus-bot", rows, ":", argc, argv, take, context);
}

bool bot_take_level(const struct engine **engine, struct cause *cause)
{
    *engine = engine_find(optarg);
    return *engine != NULL || cause_set(cause, "unknown level '%.80s': see --help", optarg);
}

bool bot_take_seed(uint64_t *rng, struct cause *cause)
{
    long number;

    if (!usage_number(0, LONG_MAX, &number, cause))
        return false;
    *rng = (uint64_t)number;
    return true;
}

int bot_print_levels(void)
{
    puts("\nLevels:");
    for (const struct engine *const *engine = engines; *engine != NULL; engine++)
        printf("  %-13s  %s\n", (*engine)->name, (*engine)->summary);
    return 0;
}

uint64_t bot_seed(void)
{
    uint64_t seed;

    /* A system without random numbers leaves the clock. */
    return getrandom(&seed, sizeof seed, 0) == sizeof seed ? seed : (uint64_t)clock_ms();
}
