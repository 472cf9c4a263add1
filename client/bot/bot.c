#include "bot.h"

#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "common/number.h"

void bot_error(const char *what, const char *why, ...)
{
    va_list args;

    flockfile(stderr);
    fprintf(stderr, "ludus-bot: %s: ", what);
    va_start(args, why);
    vfprintf(stderr, why, args);
    va_end(args);
    fputc('\n', stderr);
    funlockfile(stderr);
}

int bot_bad_option(int code, char **argv)
{
    char letter[3];

    bot_error(usage_refused(argv, letter), "%s",
              code == ':' ? "value missing: see --help" : "unknown option: see --help");
    return EXIT_USAGE;
}

bool bot_take_level(const char *value, const struct engine **engine)
{
    const struct engine *found = engine_find(value);

    if (found == NULL) {
        bot_error(value, "unknown level: see --help");
        return false;
    }
    *engine = found;
    return true;
}

bool bot_take_seed(const char *value, uint64_t *rng)
{
    long number;

    if (!number_parse(value, strlen(value), 0, LONG_MAX, &number)) {
        bot_error("--seed", "'%s' is no whole number", value);
        return false;
    }
    *rng = (uint64_t)number;
    return true;
}

uint64_t bot_seed(void)
{
    uint64_t seed = (uint64_t)clock_ms();

    /* Where the system has no random numbers the clock must do. */
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        return (uint64_t)clock_ms();
    return seed;
}

int bot_print_help(const struct usage_row *rows)
{
    usage_print_rows(rows);
    puts("\nLevels:");
    for (const struct engine *const *engine = engines; *engine != NULL; engine++)
        printf("  %-13s  %s\n", (*engine)->name, (*engine)->summary);
    return 0;
}

int bot_print_version(void)
{
    puts("ludus-bot " LUDUS_VERSION);
    return 0;
}
