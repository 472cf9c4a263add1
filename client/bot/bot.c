#include "bot.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "common/number.h"

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
                     bool (*take)(void *context, int code, const char *option), void *context)
{
    struct option longs[USAGE_ROWS_MAX];
    char letter[3], option[32];
    int code, row;

    usage_longs(rows, longs);
    while ((code = getopt_long(argc, argv, ":", longs, &row)) != -1) {
        if (code == OPTION_HELP)
            return OPTIONS_HELP;
        if (code == OPTION_VERSION) {
            puts("ludus-bot " LUDUS_VERSION);
            return 0;
        }
        if (code == '?' || code == ':') {
            bot_error(usage_refused(argv, letter), "%s",
                      code == ':' ? "value missing: see --help" : "unknown option: see --help");
            return EXIT_USAGE;
        }
        snprintf(option, sizeof option, "--%s", longs[row].name);
        if (!take(context, code, option))
            return EXIT_USAGE;
    }
    return OPTIONS_READ;
}

bool bot_take_number(const char *option, long min, long max, long *number)
{
    return number_parse(optarg, strlen(optarg), min, max, number) ||
           bot_error(option, "invalid value '%.80s': write a number from %ld to %ld", optarg, min,
                     max);
}

bool bot_take_level(const struct engine **engine)
{
    *engine = engine_find(optarg);
    return *engine != NULL || bot_error(optarg, "unknown level: see --help");
}

bool bot_take_seed(uint64_t *rng)
{
    long number;

    if (!bot_take_number("--seed", 0, LONG_MAX, &number))
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
