/* `ludus host` and `ludus join`: the command lines, and the questions before there is a client. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "ask.h"
#include "client/lan/search.h"
#include "common/game.h"
#include "subcommands.h"

const struct usage_row host_rows[] = {
    {OPTION("name", "NAME", "your name"), TO_TEXT(options, name)},
    COLOR_ROW,
    CLOCK_ROW,
    {OPTION("new-code", NULL, "replace the join code, which else stays what it was"),
     TO_FLAG(options, new_code)},
    {OPTION("no-qr", NULL, "show no QR code of the address for browsers"), TO_FLAG(options, no_qr)},
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};

const struct usage_row join_rows[] = {
    {OPTION("code", "CODE", "the join code, which your friend tells you"), TO_TEXT(options, code)},
    {OPTION("name", "NAME", "your name there"), TO_TEXT(options, name)},
    {OPTION("tls", NULL, "use TLS, as with tls://HOST"), TO_FLAG(options, tls)},
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};

static const char host_help[] =
    "Starts a server on this network for the evening, prints what your friend types\n"
    "to join, and opens a match in which the other seat is free. With several GAMEs,\n"
    "or none, it asks which. The server ends when you quit; the next `ludus host`\n"
    "finds unfinished matches again, and has the same join code.";

static const char join_help[] =
    "Joins a friend's server and takes the open match there, or watches the one that\n"
    "runs. Without HOST it searches this network for two seconds, and asks which\n"
    "server if there are several. Without a terminal it only lists servers; the exit\n"
    "status is 1 if there are none.";

/* Checks everything before a server is started for nothing. */
static bool check_host(const struct command_line *line, int *status)
{
    const struct options *options = &line->options;
    struct position position;
    struct cause cause;

    for (int i = 0; i < line->word_count; i++)
        if (game_open(line->words[i], &position, NULL, &cause) == NULL)
            return args_refuse(status, "host: %s", cause.text);
    if (line->word_count == 0 && (options->color != NULL || options->match.clock != NULL))
        return args_refuse(status, "--color, --clock: only with a GAME");
    return line->word_count <= 1 || isatty(STDIN_FILENO) ||
           args_refuse(status, "host: name one game, where nobody can be asked which");
}

/* Asks which of several games to play, before anything is on the screen; NULL at end of input. */
static const char *ask_game(char *const wanted[], int count)
{
    int row = ask_row("Which game?", (const char *const *)wanted, count);

    return row >= 0 ? wanted[row] : NULL;
}

int host_main(const struct usage_command *command, int argc, char *argv[])
{
    struct command_line line = {.command = command, .text = host_help, .most = -1};
    int status;

    if (!args_read_line(&line, argc, argv, &status) || !check_host(&line, &status))
        return status;
    struct args args = {.host = true, .options = line.options};
    if (line.word_count > 0) {
        args.options.match.game =
            line.word_count == 1 ? line.words[0] : ask_game(line.words, line.word_count);
        args_set_seats(&args.options);
        if (args.options.match.game == NULL)
            return 1;
    }
    return run_client(&args);
}

static bool read_join(struct args *args, const struct usage_command *command, int argc,
                      char *argv[], int *status)
{
    struct command_line line = {.command = command, .text = join_help, .most = 1};

    if (!args_read_line(&line, argc, argv, status))
        return false;
    bool tls = line.options.tls;
    args->options = line.options;
    if (line.word_count > 0)
        args->address = link_address(line.words[0], tls, args->tls_address);
    return line.word_count > 0 || !tls ||
           args_refuse(status, "--tls: only with HOST; a server that is found tells itself");
}

/* Asks for one of the servers. Returns its index; -1 at the end of input. */
static int ask_server(const struct found_list *found)
{
    char lines[FOUND_MAX][FOUND_LINE_MAX];
    const char *rows[FOUND_MAX];

    for (int i = 0; i < found->count; i++) {
        found_describe(&found->list[i], lines[i]);
        rows[i] = lines[i];
    }
    return ask_row("Which one?", rows, found->count);
}

static void print_found(const struct found_list *found)
{
    char line[FOUND_LINE_MAX];

    for (int i = 0; i < found->count; i++) {
        found_describe(&found->list[i], line);
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
    if (terminal && found->count > 1)
        return ask_server(found);
    print_found(found);
    return terminal && found->count == 1 ? 0 : -1;
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
