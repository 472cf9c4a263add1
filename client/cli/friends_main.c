/* `ludus host` and `ludus join`: the command lines, and the questions before there is a client. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "args.h"
#include "client/lan/search.h"
#include "common/game.h"
#include "common/number.h"
#include "subcommands.h"

enum { NAME, CODE, TLS, COLOR, CLOCK, LINE, HELP };

/* clang-format off */
#define LINE_ROW {OPTION("line", NULL, "work line by line instead of in full screen"), .code = LINE}
#define HELP_ROW {OPTION("help", NULL, "print this help"), .code = HELP}
/* clang-format on */

const struct usage_row host_rows[] = {
    {OPTION("name", "NAME", "your name"), .code = NAME},
    {OPTION("color", "white|black", "your side (white)"), .code = COLOR},
    {OPTION("clock", "BASE+INC", "play with clocks: BASE seconds a side, INC more a move"),
     .code = CLOCK},
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};

const struct usage_row join_rows[] = {
    {OPTION("code", "CODE", "the join code, which your friend tells you"), .code = CODE},
    {OPTION("name", "NAME", "your name there"), .code = NAME},
    {OPTION("tls", NULL, "use TLS, as with tls://HOST"), .code = TLS},
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};

static const char host_help[] =
    "Starts a server on this network for the evening, prints what your friend types\n"
    "to join, and opens a match in which the other seat is free. With several GAMEs,\n"
    "or none, it asks which. The server ends when you quit; the next `ludus host`\n"
    "finds unfinished matches again.";

static const char join_help[] =
    "Joins a friend's server and takes the open match there. Without HOST it\n"
    "searches this network for two seconds, and asks which server if there are\n"
    "several. Without a terminal it only lists servers; the exit status is 1 if\n"
    "there are none.";

/* Asks for a number from 1, the default, to `count`. Returns the index from 0; -1 at end of
 * input. */
static int ask_number(const char *question, int count)
{
    char line[64];
    long number;

    for (;;) {
        printf("%s [1] ", question);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL)
            return -1;
        size_t length = strcspn(line, "\n");
        if (length == 0)
            return 0;
        if (number_parse(line, length, 1, count, &number))
            return (int)number - 1;
    }
}

/* Checks everything before a server is started for nothing. */
static bool check_host(const char *const values[], char *const wanted[], int count, int *status)
{
    struct position position;
    struct cause cause;

    for (int i = 0; i < count; i++)
        if (game_open(wanted[i], &position, NULL, &cause) == NULL)
            return args_refuse(status, "host: %s", cause.text);
    if (values[COLOR] != NULL && !args_check_color(values[COLOR], status))
        return false;
    if (count == 0 && (values[COLOR] != NULL || values[CLOCK] != NULL))
        return args_refuse(status, "--color, --clock: only with a GAME");
    if (count > 1 && !isatty(STDIN_FILENO))
        return args_refuse(status, "host: name one game, where nobody can be asked which");
    if (values[CLOCK] != NULL && !args_check_clock(values[CLOCK], status))
        return false;
    return values[NAME] == NULL || args_check_name(values[NAME], status);
}

/* Asks which of several games to play, before anything is on the screen; NULL at end of input. */
static const char *ask_game(char *const wanted[], int count)
{
    for (int i = 0; i < count; i++)
        printf("  %d  %s\n", i + 1, wanted[i]);
    int index = ask_number("Which game?", count);
    return index >= 0 ? wanted[index] : NULL;
}

int host_main(const struct usage_command *command, int argc, char *argv[])
{
    const char *values[USAGE_ROWS_MAX] = {NULL};
    int status;

    if (!args_read_rows(command, HELP, host_help, argc, argv, values, &status))
        return status;
    char *const *wanted = argv + optind;
    int count = argc - optind;
    if (!check_host(values, wanted, count, &status))
        return status;
    struct args args = {.host = true, .name = values[NAME], .line = values[LINE] != NULL};
    args.new_match.clock = values[CLOCK];
    if (count > 0) {
        bool black = values[COLOR] != NULL && strcasecmp(values[COLOR], "black") == 0;
        args.new_match.game = count == 1 ? wanted[0] : ask_game(wanted, count);
        args.new_match.white = black ? "open" : "me";
        args.new_match.black = black ? "me" : "open";
        if (args.new_match.game == NULL)
            return 1;
    }
    return run_client(&args);
}

static bool read_join(struct args *args, const struct usage_command *command, int argc,
                      char *argv[], int *status)
{
    const char *values[USAGE_ROWS_MAX] = {NULL};

    if (!args_read_rows(command, HELP, join_help, argc, argv, values, status))
        return false;
    bool tls = values[TLS] != NULL;
    args->name = values[NAME];
    args->code = values[CODE];
    args->line = values[LINE] != NULL;
    if (optind < argc && !args_check_argument("HOST", argv[optind], status))
        return false;
    if (optind < argc)
        args->address = link_address(argv[optind++], tls, args->tls_address);
    else if (tls)
        return args_refuse(status, "--tls: only with HOST; a server that is found tells itself");
    if (optind < argc)
        return args_refuse(status, "%s: unexpected argument", argv[optind]);
    return args->name == NULL || args_check_name(args->name, status);
}

static void print_found(const struct found_list *found, bool numbered)
{
    char line[FOUND_LINE_MAX];

    for (int i = 0; i < found->count; i++) {
        found_describe(&found->list[i], line);
        if (numbered)
            printf("  %d  ", i + 1);
        puts(line);
    }
}

/* Finds the server to go to. Returns its index; -1 ends the program with *status. */
static int find_server(struct found_list *found, int *status)
{
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

    if (terminal)
        printf("Looking for servers on this network, %d seconds ...\n", SEARCH_MS / 1000);
    fflush(stdout);
    lan_search(found, SEARCH_MS);
    *status = found->count == 0;
    if (found->count == 0)
        fputs("ludus: join: no server was found on this network. Your friend starts one by\n"
              "`ludus host`; if it runs, type what it shows: ludus join HOST --code CODE\n",
              stderr);
    print_found(found, terminal && found->count > 1);
    if (!terminal || found->count == 0)
        return -1;
    return found->count > 1 ? ask_number("Which one?", found->count) : 0;
}

int join_main(const struct usage_command *command, int argc, char *argv[])
{
    struct args args = {.join_open = true};
    char address[LINK_ADDRESS_MAX];
    struct found_list found;
    int status;

    if (!read_join(&args, command, argc, argv, &status))
        return status;
    if (args.address == NULL) {
        int index = find_server(&found, &status);
        if (index < 0)
            return status;
        found_address(&found.list[index], address);
        args.address = address;
    }
    return run_client(&args);
}
