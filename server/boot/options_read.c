/* Reads the options of ludusd from its configuration file and command line, and prints its help. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ports.h"
#include "common/text_line.h"
#include "common/usage.h"
#include "common/xmalloc.h"
#include "options.h"

enum { LINE_MAX_BYTES = 8192 };

/* The results of getopt_long(): those of option_rows begin above all letters. */
enum { HELP_OPTION = 256, VERSION_OPTION, FIRST_ROW };

bool options_default_path(char path[FOLDER_TEXT_MAX])
{
    const char *service = folder_of_service("CONFIGURATION_DIRECTORY");

    if (service == NULL)
        return folder_of_user(path, "XDG_CONFIG_HOME", ".config", "ludus/ludusd.conf");
    return snprintf(path, FOLDER_TEXT_MAX, "%s/ludusd.conf", service) < FOLDER_TEXT_MAX;
}

/* Reads one line. `lines` has, for each row of the table, the line that set it; 0: none. */
static bool read_line(struct options *options, char *line, int number, int *lines,
                      struct cause *cause)
{
    char *name, *value;

    if (!text_line_setting(line, &name, &value, cause))
        return false;
    if (name == NULL)
        return true;
    const struct option_row *row = option_find(name);
    if (row == NULL)
        return cause_set(cause, "'%.40s': unknown option: see ludusd --help", name);
    if (row->not_in_file)
        return cause_set(cause, "%s: not allowed in a file: give it on the command line", name);
    int *before = &lines[row - option_rows];
    if (*before != 0 && row->kind != OPTION_LISTEN)
        return cause_set(cause, "%s: already set in line %d", name, *before);
    *before = number;
    return option_set(options, row, value, cause);
}

/* On failure *number is that of the invalid line. */
static bool read_lines(struct options *options, FILE *file, int *number, struct cause *cause)
{
    int *lines = xcalloc((size_t)option_row_count, sizeof *lines);
    char line[LINE_MAX_BYTES];
    bool good = true;

    for (*number = 1; good && fgets(line, sizeof line, file) != NULL; *number += good) {
        bool whole = strchr(line, '\n') != NULL || feof(file);
        good = whole ? read_line(options, line, *number, lines, cause)
                     : cause_set(cause, "line too long, or not text");
    }
    free(lines);
    return good;
}

/* Reads an open file and closes it. */
static bool read_open_file(struct options *options, const char *path, FILE *file,
                           struct cause *cause)
{
    struct cause why;
    int number;
    bool good = read_lines(options, file, &number, &why);

    if (!good)
        cause_set(cause, "%.80s:%d: %.100s", path, number, why.text);
    else if (ferror(file))
        good = cause_set(cause, "%.120s: %s", path, strerror(errno));
    fclose(file);
    return good;
}

bool options_read_file(struct options *options, const char *path, bool must_exist,
                       struct cause *cause)
{
    FILE *file = fopen(path, "re");

    options->config[0] = '\0';
    if (file == NULL && !must_exist && (errno == ENOENT || errno == ENOTDIR))
        return true;
    if (file == NULL)
        return cause_set(cause, "%.120s: %s", path, strerror(errno));
    snprintf(options->config, sizeof options->config, "%s", path);
    return read_open_file(options, path, file, cause);
}

/* Fills the table with all options, --help and --version. */
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
         "       ludusd check [--repair] [--data DIR|--engine CONNINFO]\n"
         "       ludusd --export NEWDIR [--data DIR|--engine CONNINFO]\n"
         "       ludusd import DIR --engine CONNINFO\n"
         "Hosts matches of Clobber, Xadrersi, Latrunculi XXI and Shakti. `ludusd check` replays\n"
         "every match of a store that no server uses, or of PostgreSQL, and names those that are\n"
         "wrong; --repair mends them from their moves. `ludusd import` copies a store that no\n"
         "server uses into PostgreSQL.\n");
    usage_print_rows(rows);
    puts("\n"
         "SIGTERM and SIGINT stop the server. SIGHUP reloads the configuration and reopens the\n"
         "log; in a terminal it stops the server, too. Players connect with `ludus`, or with any\n"
         "line tool: nc localhost " DEFAULT_PORT_TEXT
         ". Programs speak the protocol in protocol.md.");
}

static enum options_result print(int found, const struct usage_row *rows)
{
    if (found == HELP_OPTION)
        print_help(rows);
    else
        puts("ludusd " LUDUS_VERSION);
    return OPTIONS_DONE;
}

/* Fills the table for getopt_long(). A flag may have a value: --lan=no. */
static void fill_long_options(const struct usage_row *rows, struct option longs[USAGE_ROWS_MAX])
{
    usage_longs(rows, longs);
    for (int i = 0; i < option_row_count; i++)
        if (longs[i].has_arg == no_argument)
            longs[i].has_arg = optional_argument;
}

/* Says what is wrong with the word at which getopt_long() has stopped. */
static void refuse(int found, char *argv[], struct cause *cause)
{
    char letter[3];
    const char *word = usage_refused(argv, letter);

    if (word == letter)
        cause_set(cause, "%s: unknown option: see --help", word);
    else if (found == ':')
        cause_set(cause, "%.60s: value missing: see --help", word);
    else
        cause_set(cause, "%.60s: unknown option, or used wrongly: see --help", word);
}

/* Everybody on the machine can read the command line in the list of processes. */
static bool may_be_seen(const struct option_row *row, const char *value, struct cause *cause)
{
    return row->kind != OPTION_ENGINE || !engine_has_password(value) ||
           cause_set(cause,
                     "%s: everybody sees a password on the command line: put it into the "
                     "configuration file, or name a file by passfile=",
                     row->name);
}

/* Reads the options of the command line. --config is read first, by a pass of its own; the pass for
 * all others drops the file's addresses to listen on where the command line has some. */
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
        if (found == '?' && optopt == 'h')
            found = HELP_OPTION;
        if (found == HELP_OPTION || found == VERSION_OPTION)
            return print(found, rows);
        if (found < HELP_OPTION) {
            refuse(found, argv, cause);
            return OPTIONS_BAD;
        }
        const struct option_row *row = &option_rows[found - FIRST_ROW];
        if (config_pass != (strcmp(row->name, "config") == 0))
            continue;
        if (row->kind == OPTION_LISTEN && !listens)
            options->listen_count = 0;
        listens = listens || row->kind == OPTION_LISTEN;
        if (!option_set(options, row, optarg, cause) || !may_be_seen(row, optarg, cause))
            return OPTIONS_BAD;
    }
    return OPTIONS_RUN;
}

/* Reads the words after the options. */
static bool read_words(struct options *options, int argc, char *argv[], struct cause *cause)
{
    if (optind < argc && strcmp(argv[optind], "check") == 0) {
        options->check = true;
        optind++;
    } else if (optind + 1 < argc && strcmp(argv[optind], "import") == 0) {
        if (strlen(argv[optind + 1]) >= sizeof options->import)
            return cause_set(cause, "import: directory name too long");
        snprintf(options->import, sizeof options->import, "%s", argv[optind + 1]);
        optind += 2;
    }
    return optind == argc ||
           cause_set(cause, "%.60s: unexpected argument: see --help", argv[optind]);
}

/* Reads the file of --config, or else `config`, or else the default one. */
static bool read_file(struct options *options, const char *config, struct cause *cause)
{
    char path[FOLDER_TEXT_MAX];
    bool named = options->config[0] != '\0' || config != NULL;

    if (named)
        snprintf(path, sizeof path, "%s", options->config[0] != '\0' ? options->config : config);
    else if (!options_default_path(path))
        return true;
    if (path[0] != '\0' && strcmp(path, "none") != 0)
        return options_read_file(options, path, named, cause);
    options->config[0] = '\0';
    return true;
}

enum options_result options_read(struct options *options, int argc, char *argv[],
                                 const char *config, struct cause *cause)
{
    options_init(options);
    enum options_result result = pass(options, argc, argv, true, cause);
    if (result == OPTIONS_RUN && !read_file(options, config, cause))
        return OPTIONS_BAD;
    if (result == OPTIONS_RUN)
        result = pass(options, argc, argv, false, cause);
    if (result != OPTIONS_RUN)
        return result;
    return read_words(options, argc, argv, cause) && options_agree(options, cause) ? OPTIONS_RUN
                                                                                   : OPTIONS_BAD;
}
