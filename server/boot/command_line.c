/* Reads the command line of ludusd, and prints its help. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "common/usage.h"
#include "config.h"
#include "options.h"

/* What getopt_long() returns; those of option_rows begin behind all letters. */
enum { HELP_OPTION = 256, VERSION_OPTION, FIRST_ROW };

/* All options, with those that only print something. */
static void fill_rows(struct usage_row rows[USAGE_ROWS_MAX])
{
    int count = 0;

    for (; count < option_row_count && count < USAGE_ROWS_MAX - 3; count++)
        rows[count] = (struct usage_row){.name = option_rows[count].name,
                                         .argument = option_rows[count].argument,
                                         .help = option_rows[count].help,
                                         .standard = option_rows[count].standard,
                                         .code = FIRST_ROW + count};
    rows[count++] =
        (struct usage_row){OPTION("help", NULL, "print this help"), .code = HELP_OPTION};
    rows[count++] =
        (struct usage_row){OPTION("version", NULL, "print the version"), .code = VERSION_OPTION};
    rows[count] = (struct usage_row){.name = NULL};
}

static void print_help(const struct usage_row *rows)
{
    puts("usage: ludusd [OPTION]...\n"
         "       ludusd check [--data DIR]\n"
         "       ludusd --export NEWDIR [--data DIR]\n"
         "Hosts matches of Clobber, Xadrersi, Latrunculi XXI and Shakti. `ludusd check` replays\n"
         "every match of a store that no server uses, and names those that are wrong.\n");
    usage_print_rows(rows);
    puts("\n"
         "SIGTERM and SIGINT stop the server. SIGHUP reloads the configuration and reopens the\n"
         "log; in a terminal it stops the server, too. Players connect with `ludus`, or with any\n"
         "line tool: nc localhost 7117. Programs speak the protocol in protocol.md.");
}

/* Does what an option asks that prints something. */
static enum options_result print(int found, const struct usage_row *rows)
{
    if (found == HELP_OPTION)
        print_help(rows);
    else
        puts("ludusd " LUDUS_VERSION);
    return OPTIONS_DONE;
}

/* A flag may be taken back: --lan=no. */
static void fill_long_options(const struct usage_row *rows, struct option longs[USAGE_ROWS_MAX])
{
    usage_longs(rows, longs);
    for (int i = 0; i < option_row_count; i++)
        if (longs[i].has_arg == no_argument)
            longs[i].has_arg = optional_argument;
}

/* What getopt_long() could not take. Of an option with one letter it has that letter in optopt, and
 * may not be done with the word. */
static bool refuse(int found, const char *word, struct cause *cause)
{
    if (optopt != 0 && optopt < HELP_OPTION)
        return cause_set(cause, "-%c: unknown option: see --help", optopt);
    if (found == ':')
        return cause_set(cause, "%.60s: value missing: see --help", word);
    return cause_set(cause, "%.60s: unknown option, or used wrongly: see --help", word);
}

/* Sets one option of the command line. The addresses of the file do not count where it has some. */
static bool set_option(struct options *options, const struct option_row *row, const char *value,
                       bool *listens, struct cause *cause)
{
    if (row->kind == OPTION_LISTEN && !*listens) {
        *listens = true;
        options->listen_count = 0;
    }
    return option_set(options, row, value, cause);
}

/* One pass over the options of the command line: only --config and what ends at once, or all. */
static enum options_result pass(struct options *options, int argc, char *argv[], bool config_pass,
                                struct cause *cause)
{
    struct usage_row rows[USAGE_ROWS_MAX];
    struct option longs[USAGE_ROWS_MAX];
    bool listens = false;
    int found;

    fill_rows(rows);
    fill_long_options(rows, longs);
    optind = 0; /* GNU: start anew */
    opterr = 0;
    while ((found = getopt_long(argc, argv, ":", longs, NULL)) != -1) {
        bool good = true;
        if (found >= HELP_OPTION && found < FIRST_ROW)
            return print(found, rows);
        const struct option_row *row = &option_rows[found >= FIRST_ROW ? found - FIRST_ROW : 0];
        if (found == ':' || found == '?')
            good = refuse(found, argv[optind - 1], cause);
        else if (!config_pass || strcmp(row->name, "config") == 0)
            good = set_option(options, row, optarg, &listens, cause);
        if (!good)
            return OPTIONS_BAD;
    }
    return OPTIONS_RUN;
}

/* What is left behind the options. */
static bool read_words(struct options *options, int argc, char *argv[], struct cause *cause)
{
    if (optind < argc && strcmp(argv[optind], "check") == 0) {
        options->check = true;
        optind++;
    }
    return optind == argc ||
           cause_set(cause, "%.60s: unexpected argument: see --help", argv[optind]);
}

/* Reads the file that was named, or the default one. options->config becomes the one that was
 * read. */
static bool read_file(struct options *options, const char *config, struct cause *cause)
{
    char path[FOLDER_TEXT_MAX];
    bool named = options->config[0] != '\0' || config != NULL;

    if (options->config[0] != '\0')
        snprintf(path, sizeof path, "%s", options->config);
    else if (config != NULL)
        snprintf(path, sizeof path, "%s", config);
    else if (!config_default_path(path))
        return true;
    options->config[0] = '\0';
    if (path[0] == '\0' || strcmp(path, "none") == 0 || (!named && !config_exists(path)))
        return true;
    snprintf(options->config, sizeof options->config, "%s", path);
    return config_read(options, path, cause);
}

enum options_result options_read(struct options *options, int argc, char *argv[],
                                 const char *config, struct cause *cause)
{
    char read[FOLDER_TEXT_MAX];

    options_init(options);
    enum options_result result = pass(options, argc, argv, true, cause);
    if (result != OPTIONS_RUN)
        return result;
    if (!read_file(options, config, cause))
        return OPTIONS_BAD;
    snprintf(read, sizeof read, "%s", options->config);
    result = pass(options, argc, argv, false, cause);
    snprintf(options->config, sizeof options->config, "%s", read);
    if (result != OPTIONS_RUN)
        return result;
    return read_words(options, argc, argv, cause) && options_agree(options, cause) ? OPTIONS_RUN
                                                                                   : OPTIONS_BAD;
}
