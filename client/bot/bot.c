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

bool bot_take_level(const struct engine **engine, struct cause *cause)
{
    *engine = engine_find(optarg);
    return *engine != NULL || cause_set(cause, "unknown level '%.80s': see --help", optarg);
}

int bot_print_levels(void)
{
    puts("\nLevels:");
    for (const struct engine *const *engine = engines; *engine != NULL; engine++)
        printf("  %-13s  %s\n", (*engine)->name, (*engine)->summary);
    return 0;
}

long bot_seed(void)
{
    long seed = 0;

    /* A system without random numbers leaves the clock. */
    return getrandom(&seed, sizeof seed, 0) == sizeof seed ? seed & LONG_MAX : (long)clock_ms();
}
