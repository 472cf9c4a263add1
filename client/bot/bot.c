#include "bot.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/random.h>

#include "common/levels.h"

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

bool bot_find_level(const struct engine **engine, const char *level, struct cause *cause)
{
    char text[MEANT_TEXT_MAX];
    struct meant_word meant;

    *engine = engine_find(level);
    if (*engine != NULL)
        return true;
    meant_begin(&meant, level);
    for (const char *const *name = level_names; *name != NULL; name++)
        meant_try(&meant, *name);
    return cause_set(cause, "unknown level '%.80s'%s: see --help", level,
                     meant_text(&meant, "", text));
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
