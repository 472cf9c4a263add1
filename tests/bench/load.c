/*
 * The load generator: plays matches at random against a running server, as fast as it answers, and
 * measures. `load --help` tells the options. Exits 1 at the first error that the server gives or
 * connection that is lost.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/number.h"
#include "load_play.h"

static const char help[] =
    "usage: load --address HOST:PORT [OPTION]...\n"
    "Plays random matches against a server and measures how fast it answers.\n"
    "\n"
    "  --address HOST:PORT  the server\n"
    "  --matches M          matches at a time, each between two connections of its own (100)\n"
    "  --watchers W         connections that watch each match (0)\n"
    "  --game GAME[:VAR]    what is played (clobber:5x6)\n"
    "  --seconds S          how long (10, with --moves without end)\n"
    "  --moves N            stop after so many moves\n"
    "  --pid PID            of the server, to measure its processor time\n"
    "  --seed N             for the moves (1)\n"
    "  --json               one line of JSON\n"
    "  --help               this text\n"
    "\n"
    "Matches that are not over at the end are left to the server: give it one of its own.\n";

struct settings {
    struct load_options load;
    bool json, help;
};

static const struct option long_options[] = {{"address", required_argument, NULL, 'a'},
                                             {"matches", required_argument, NULL, 'm'},
                                             {"watchers", required_argument, NULL, 'w'},
                                             {"game", required_argument, NULL, 'g'},
                                             {"seconds", required_argument, NULL, 's'},
                                             {"moves", required_argument, NULL, 'n'},
                                             {"pid", required_argument, NULL, 'p'},
                                             {"seed", required_argument, NULL, 'r'},
                                             {"json", no_argument, NULL, 'j'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static bool read_number(const char *name, long min, long max, long *value)
{
    if (number_parse(optarg, strlen(optarg), min, max, value))
        return true;
    fprintf(stderr, "load: --%s: write a number from %ld to %ld\n", name, min, max);
    return false;
}

static bool read_game(const char **game)
{
    *game = optarg;
    if (optarg[0] != '\0' && strlen(optarg) < 40 && strpbrk(optarg, " \r\n") == NULL)
        return true;
    fprintf(stderr, "load: --game: write GAME or GAME:VARIANT\n");
    return false;
}

/* One option; false when it is bad, which has been said. */
static bool set(struct settings *settings, int option)
{
    struct load_options *load = &settings->load;

    switch (option) {
    case 'a':
        load->address = optarg;
        return true;
    case 'm':
        return read_number("matches", 1, 100000, &load->matches);
    case 'w':
        return read_number("watchers", 0, 10000, &load->watchers);
    case 'g':
        return read_game(&load->game);
    case 's':
        return read_number("seconds", 1, 86400, &load->seconds);
    case 'n':
        return read_number("moves", 1, 1000000000, &load->moves);
    case 'p':
        return read_number("pid", 1, 1 << 30, &load->pid);
    case 'r':
        return read_number("seed", 0, 1000000000, &load->seed);
    case 'j':
        return settings->json = true;
    case 'h':
        return settings->help = true;
    default:
        return false; /* getopt has said what is wrong */
    }
}

static bool read_settings(struct settings *settings, int argc, char *argv[])
{
    int option;

    *settings = (struct settings){
        .load = {.game = "clobber:5x6", .matches = 100, .seed = 1},
    };
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
        if (!set(settings, option))
            return false;
    if (settings->load.seconds == 0 && settings->load.moves == 0)
        settings->load.seconds = 10;
    if (settings->help || (settings->load.address != NULL && optind == argc))
        return true;
    fprintf(stderr, "load: give --address HOST:PORT and options only: try --help\n");
    return false;
}

static double per_move_us(int64_t ns, const struct load_result *result)
{
    return result->moves > 0 ? (double)ns / 1e3 / (double)result->moves : 0;
}

static double moves_per_s(const struct load_result *result)
{
    return result->took_ns > 0 ? (double)result->moves * 1e9 / (double)result->took_ns : 0;
}

static double share_percent(int64_t cpu_ns, const struct load_result *result)
{
    return result->took_ns > 0 ? 100 * (double)cpu_ns / (double)result->took_ns : 0;
}

static void print_samples(const char *title, const struct samples *samples)
{
    printf("%-28s %10.0f %10.0f %10.0f\n", title, samples_us(samples, 0.5),
           samples_us(samples, 0.99), samples_us(samples, 0.999));
}

static void print_cpu(const char *title, int64_t cpu_ns, const struct load_result *result)
{
    printf("%-28s %10.1f %9.0f%%\n", title, per_move_us(cpu_ns, result),
           share_percent(cpu_ns, result));
}

static void print_text(const struct load_options *options, const struct load_result *result)
{
    printf("%s: %ld matches at a time, %ld watchers each, seed %ld\n\n", options->game,
           options->matches, options->watchers, options->seed);
    printf("%-28s %10.2f\n", "seconds", (double)result->took_ns / 1e9);
    printf("%-28s %10lld\n", "moves", (long long)result->moves);
    printf("%-28s %10.0f\n", "moves per second", moves_per_s(result));
    printf("%-28s %10lld\n", "matches over", (long long)result->matches_over);
    printf("%-28s %10d\n", "errors", result->errors);
    printf("\n%-28s %10s %10s %10s\n", "from a move, microseconds", "p50", "p99", "p99.9");
    print_samples("to both players' states", &result->players);
    if (options->watchers > 0)
        print_samples("to the last watcher's state", &result->watchers);
    printf("\n%-28s %10s %10s\n", "processor time", "us a move", "of a core");
    if (options->pid > 0)
        print_cpu("server", result->server_cpu_ns, result);
    print_cpu("load generator", result->own_cpu_ns, result);
    printf("\nMoves include their share of opening and joining the matches.\n");
}

static void print_json_samples(const char *name, const struct samples *samples)
{
    printf("\"%s_p50_us\":%.1f,\"%s_p99_us\":%.1f,\"%s_p99_9_us\":%.1f,", name,
           samples_us(samples, 0.5), name, samples_us(samples, 0.99), name,
           samples_us(samples, 0.999));
}

/* All on one level, so that a script needs no more than sed. Without a pid there is no
 * server_cpu_us, without watchers there are no watchers_p… */
static void print_json(const struct load_options *options, const struct load_result *result)
{
    printf("{\"game\":\"%s\",\"matches\":%ld,\"watchers\":%ld,\"seed\":%ld,\"seconds\":%.3f,"
           "\"moves\":%lld,\"moves_per_s\":%.1f,\"matches_over\":%lld,",
           options->game, options->matches, options->watchers, options->seed,
           (double)result->took_ns / 1e9, (long long)result->moves, moves_per_s(result),
           (long long)result->matches_over);
    print_json_samples("players", &result->players);
    if (options->watchers > 0)
        print_json_samples("watchers", &result->watchers);
    if (options->pid > 0)
        printf("\"server_cpu_us\":%.2f,", per_move_us(result->server_cpu_ns, result));
    printf("\"own_cpu_us\":%.2f,\"own_cpu_percent\":%.1f,\"errors\":%d}\n",
           per_move_us(result->own_cpu_ns, result), share_percent(result->own_cpu_ns, result),
           result->errors);
}

int main(int argc, char *argv[])
{
    struct settings settings;
    struct load_result result;

    if (!read_settings(&settings, argc, argv))
        return 2;
    if (settings.help) {
        fputs(help, stdout);
        return EXIT_SUCCESS;
    }
    load_play(&settings.load, &result);
    if (settings.json)
        print_json(&settings.load, &result);
    else
        print_text(&settings.load, &result);
    if (result.errors > 0)
        fprintf(stderr, "load: %s\n", result.error);
    load_release(&result);
    return result.errors > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
