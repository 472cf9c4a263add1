#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/number.h"

enum option_kind {
    OPTION_FLAG,
    OPTION_NUMBER,
    OPTION_TEXT,
    OPTION_LEVELS,
    OPTION_LISTEN,
    OPTION_DURABILITY
};

struct row {
    const char *name;
    const char *argument; /* as help shows it; NULL for a flag */
    const char *help;
    enum option_kind kind;
    size_t offset; /* of its member in struct options */
    long min, max; /* numbers: the range; texts: max is the size of the member */
};

#define MEMBER(name) offsetof(struct options, name)

static const struct row rows[] = {
    {"listen", "ADDR:PORT", "listen there; may be repeated (127.0.0.1:7117 and [::1]:7117)",
     OPTION_LISTEN, 0, 0, 0},
    {"lan", NULL, "listen on all addresses unless --listen says where, with a join code",
     OPTION_FLAG, MEMBER(lan), 0, 0},
    {"code", "CODE", "the join code that players must give (with --lan a random one)", OPTION_TEXT,
     MEMBER(code), 0, CODE_TEXT_MAX},
    {"open", NULL, "no join code, even with --lan", OPTION_FLAG, MEMBER(open), 0, 0},
    {"data", "DIR|none",
     "the folder where players and matches are kept, or none: in memory only\n"
     "($XDG_STATE_HOME/ludus, or ~/.local/state/ludus)",
     OPTION_TEXT, MEMBER(data), 0, FOLDER_TEXT_MAX},
    {"durability", "process|power",
     "what players were told outlives the end of the process, or also a loss of\n"
     "power, which takes longer (process)",
     OPTION_DURABILITY, 0, 0, 0},
    {"export", "DIR", "write the store as text into a new folder, and end", OPTION_TEXT,
     MEMBER(export), 0, FOLDER_TEXT_MAX},
    {"no-bots", NULL, "start no house bots", OPTION_FLAG, MEMBER(no_bots), 0, 0},
    {"bots", "LEVELS", "levels of the house bots (random,greedy,easy,medium,hard,max)",
     OPTION_LEVELS, 0, 0, 0},
    {"bot-program", "FILE", "the program of the house bots (ludus-bot beside ludusd)", OPTION_TEXT,
     MEMBER(bot_program), 0, 4096},
    {"max-connections", "N", "connections in all (10000)", OPTION_NUMBER,
     MEMBER(limits.connections), 1, 1000000},
    {"max-names", "N", "names that are remembered (10000)", OPTION_NUMBER, MEMBER(limits.names), 1,
     10000000},
    {"max-matches", "N", "unfinished matches that one player may open (100)", OPTION_NUMBER,
     MEMBER(limits.matches), 1, 1000000},
    {"keep-finished", "N", "finished matches that are kept in memory (1000)", OPTION_NUMBER,
     MEMBER(limits.finished), 1, 10000000},
    {"max-errors", "N", "errors in a row before a connection is closed (100)", OPTION_NUMBER,
     MEMBER(limits.errors), 1, 1000000},
    {"max-pending", "BYTES", "unread output before a connection is closed (262144)", OPTION_NUMBER,
     MEMBER(limits.pending_bytes), 65536, 1 << 30},
    {"lines-per-turn", "N", "commands of one connection before others get their turn (16)",
     OPTION_NUMBER, MEMBER(limits.lines_per_turn), 1, 10000},
    {"idle", "SECONDS", "silence before a connection is closed; a ping at half of it (60)",
     OPTION_NUMBER, MEMBER(limits.idle_s), 2, 86400},
    {"text-idle", "SECONDS", "the same in text format, where people think (1800)", OPTION_NUMBER,
     MEMBER(limits.text_idle_s), 2, 86400},
    {"grace", "SECONDS", "a player may be away before the other may claim the win (120)",
     OPTION_NUMBER, MEMBER(limits.grace_s), 0, 86400},
    {"abandon", "DAYS", "a match without running clock waits for players who are gone (14)",
     OPTION_NUMBER, MEMBER(limits.abandon_days), 1, 36500},
    {"bot-stall", "SECONDS", "a bot may take for a move where no clock runs (600)", OPTION_NUMBER,
     MEMBER(limits.bot_stall_s), 1, 86400},
};

enum { ROWS = sizeof rows / sizeof rows[0], CONFIG_OPTION = 256, HELP_OPTION, VERSION_OPTION };

static const struct options defaults = {
    .limits = {.connections = 10000,
               .names = 10000,
               .matches = 100,
               .finished = 1000,
               .errors = 100,
               .idle_s = 60,
               .text_idle_s = 1800,
               .pending_bytes = 256 * 1024,
               .lines_per_turn = 16,
               .grace_s = 120,
               .abandon_days = 14,
               .bot_stall_s = 600},
};

static bool add_listen(struct options *options, const char *value, struct cause *cause)
{
    if (options->listen_count == LISTEN_MAX)
        return cause_set(cause, "listen: at most %d addresses", LISTEN_MAX);
    const char *colon = strrchr(value, ':');
    long port;
    if (strlen(value) >= ADDRESS_TEXT_MAX || colon == NULL || colon == value ||
        !number_parse(colon + 1, strlen(colon + 1), 0, 65535, &port))
        return cause_set(cause, "listen: write ADDR:PORT, such as 127.0.0.1:7117, not '%.60s'",
                         value);
    snprintf(options->listen[options->listen_count++], ADDRESS_TEXT_MAX, "%s", value);
    return true;
}

/* Reads the levels of the house bots, separated by commas. */
static bool read_levels(struct options *options, const char *value, struct cause *cause)
{
    char copy[256], *rest = copy;

    options->house.count = 0;
    snprintf(copy, sizeof copy, "%s", value);
    for (char *level; (level = strsep(&rest, ",")) != NULL;)
        if (!house_add_level(&options->house, level))
            return cause_set(cause, "bots: '%.60s' is no list of up to %d different levels", value,
                             LEVELS_MAX);
    return true;
}

/* Sets one option; value is NULL for a flag on the command line. */
static bool set(struct options *options, const struct row *row, const char *value,
                struct cause *cause)
{
    char *member = (char *)options + row->offset;
    long number;

    switch (row->kind) {
    case OPTION_FLAG:
        if (value != NULL && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
            return cause_set(cause, "%s: yes or no, not '%s'", row->name, value);
        *(bool *)member = value == NULL || strcmp(value, "yes") == 0;
        return true;
    case OPTION_NUMBER:
        if (!number_parse(value, strlen(value), row->min, row->max, &number))
            return cause_set(cause, "%s: a number from %ld to %ld, not '%s'", row->name, row->min,
                             row->max, value);
        *(int *)(void *)member = (int)number;
        return true;
    case OPTION_TEXT:
        if (value[0] == '\0' || strlen(value) >= (size_t)row->max)
            return cause_set(cause, "%s: a text of 1 to %ld bytes", row->name, row->max - 1);
        snprintf(member, (size_t)row->max, "%s", value);
        return true;
    case OPTION_DURABILITY:
        options->durability = strcmp(value, "power") == 0 ? DURABILITY_POWER : DURABILITY_PROCESS;
        return options->durability == DURABILITY_POWER || strcmp(value, "process") == 0 ||
               cause_set(cause, "durability: process or power, not '%.40s'", value);
    case OPTION_LEVELS:
        return read_levels(options, value, cause);
    default:
        return add_listen(options, value, cause);
    }
}

/* Reads one line `name = value` of the file; blank lines and those with # say nothing. */
static bool read_config_line(struct options *options, char *line, struct cause *cause)
{
    char *name = line + strspn(line, " \t");
    char *end = name + strlen(name);

    while (end > name && strchr(" \t\r\n", end[-1]) != NULL)
        *--end = '\0';
    if (*name == '\0' || *name == '#')
        return true;
    size_t length = strcspn(name, " \t=");
    char *value = name + length + strspn(name + length, " \t");
    if (*value != '=')
        return cause_set(cause, "'%.40s': write name = value", name);
    value += 1 + strspn(value + 1, " \t");
    name[length] = '\0';
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return set(options, &rows[i], value, cause);
    return cause_set(cause, "there is no option '%.40s'", name);
}

static bool read_config(struct options *options, const char *path, struct cause *cause)
{
    FILE *file = fopen(path, "r");
    char line[8192];
    bool good = true;

    if (file == NULL)
        return cause_set(cause, "%s: %s", path, strerror(errno));
    for (int number = 1; good && fgets(line, sizeof line, file) != NULL; number++) {
        struct cause why;
        good = read_config_line(options, line, &why);
        if (!good)
            cause_set(cause, "%.80s:%d: %.100s", path, number, why.text);
    }
    if (good && ferror(file))
        good = cause_set(cause, "%s: %s", path, strerror(errno));
    fclose(file);
    return good;
}

/* The lines of a help text stand below each other. */
static void print_row(const char *left, const char *help)
{
    size_t length;

    for (; *help != '\0'; help += length + (help[length] == '\n'), left = "") {
        length = strcspn(help, "\n");
        printf("  %-27s %.*s\n", left, (int)length, help);
    }
}

static void print_help(void)
{
    puts("usage: ludusd [OPTION]...\n"
         "       ludusd check [--data DIR]\n"
         "       ludusd --export NEWDIR [--data DIR]\n"
         "Hosts matches of Clobber, Xadrersi, Latrunculi XXI and Shakti. With check: plays every\n"
         "match of a store that is not in use again, and tells what is wrong.\n");
    for (int i = 0; i < ROWS; i++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", rows[i].name, rows[i].argument != NULL ? " " : "",
                 rows[i].argument != NULL ? rows[i].argument : "");
        print_row(left, rows[i].help);
    }
    puts("  --config FILE               options from a file, a line each: name = value (no-bots = "
         "yes)\n"
         "  --help                      this text\n"
         "  --version                   the version\n"
         "\n"
         "SIGTERM and SIGINT end the server in good order. Players connect with `ludus`, or\n"
         "with any line tool: nc localhost 7117. The protocol is described in protocol.md.");
}

static void fill_long_options(struct option longs[ROWS + 4])
{
    for (int i = 0; i < ROWS; i++)
        longs[i] = (struct option){
            rows[i].name, rows[i].argument != NULL ? required_argument : no_argument, NULL, i};
    longs[ROWS] = (struct option){"config", required_argument, NULL, CONFIG_OPTION};
    longs[ROWS + 1] = (struct option){"help", no_argument, NULL, HELP_OPTION};
    longs[ROWS + 2] = (struct option){"version", no_argument, NULL, VERSION_OPTION};
    longs[ROWS + 3] = (struct option){0};
}

/* One pass over the command line: only --config and what ends at once, or all the others. */
static enum options_result pass(struct options *options, int argc, char *argv[], bool config_pass,
                                struct cause *cause)
{
    struct option longs[ROWS + 4];
    int found;

    fill_long_options(longs);
    optind = 0; /* GNU: start anew */
    opterr = 0;
    while ((found = getopt_long(argc, argv, ":", longs, NULL)) != -1) {
        bool good = true;
        if (found == HELP_OPTION || found == VERSION_OPTION) {
            if (found == HELP_OPTION)
                print_help();
            else
                puts("ludusd " LUDUS_VERSION);
            return OPTIONS_DONE;
        }
        if (found == ':') {
            good = cause_set(cause, "%.60s: its value is missing: try --help", argv[optind - 1]);
        } else if (found == '?') {
            const char *word = optind > 0 ? argv[optind - 1] : "";
            good = cause_set(cause, "%.60s: no such option, or not used in this way: try --help",
                             word);
        } else if (found == CONFIG_OPTION) {
            good = !config_pass || read_config(options, optarg, cause);
        } else if (!config_pass) {
            good = set(options, &rows[found], optarg, cause);
        }
        if (!good)
            return OPTIONS_BAD;
    }
    if (optind < argc && strcmp(argv[optind], "check") == 0) {
        options->check = true;
        optind++;
    }
    if (optind == argc)
        return OPTIONS_RUN;
    cause_set(cause, "%.60s: only options are expected here: try --help", argv[optind]);
    return OPTIONS_BAD;
}

enum options_result options_read(struct options *options, int argc, char *argv[],
                                 struct cause *cause)
{
    *options = defaults;
    read_levels(options, "random,greedy,easy,medium,hard,max", cause);
    enum options_result result = pass(options, argc, argv, true, cause);
    if (result != OPTIONS_RUN)
        return result;
    return pass(options, argc, argv, false, cause);
}
