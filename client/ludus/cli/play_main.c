#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "args.h"
#include "client/ludus/lan/search.h"
#include "client/ludus/screen/full.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/event.h"
#include "client/ludus/talk/hosting.h"
#include "client/ludus/talk/login.h"
#include "client/ludus/talk/play.h"
#include "common/game.h"
#include "line_mode.h"
#include "subcommands.h"

/* Advice for a player whose friend's server does not answer. */
static const char friend_is_away[] =
    N_("ask your friend whether the server still runs, and for the line it shows.\n"
       "Both machines must be on one network, and a firewall must let TCP to it through.\n"
       "`ludus join` alone looks for servers on this network.");

/* Brings the match named on the command line to the screen; false when that fails. */
static bool begin_match(struct client *client, const struct args *args)
{
    if (args->options.match.game != NULL)
        return play_open(client, &args->options.match);
    if (args->options.join != NULL)
        return play_join(client, args->options.join);
    return play_watch(client, args->options.watch);
}

static bool names_match(const struct args *args)
{
    return args->options.match.game != NULL || args->options.join != NULL ||
           args->options.watch != NULL;
}

/* The first question when no match is on the screen. */
static enum beginning beginning_of(struct client *client, const struct args *args)
{
    if (args->join_open)
        return play_join_any(client);
    if (args->seek.game != NULL)
        return client->go ? BEGIN_MENU : BEGIN_SEEK;
    return args->host && sitting_count(client) == 0 ? BEGIN_HOST : BEGIN_MENU;
}

/* Whether a private server will do where no other answers: the player named neither a server nor a
 * match of one. */
static bool plays_alone(const struct args *args)
{
    const struct options *options = &args->options;

    return !args->host && !args->join_open && args->seek.game == NULL && options->connect == NULL &&
           !options->tls && options->join == NULL && options->watch == NULL;
}

static void run_player(struct client *client, const struct args *args)
{
    enum beginning beginning = BEGIN_MENU;
    struct seeking seeking;

    client->no_qr = args->options.no_qr;
    if (args->host && !hosting_start(client, args->options.new_code))
        return;
    login(client,
          &(struct login_terms){.name = args->options.name,
                                .device = args->options.device,
                                .guest = args->options.name == NULL && args_only_watches(args),
                                .unnamed = !args->host && !args->join_open &&
                                           !args_name_server(&args->options),
                                .alone = plays_alone(args),
                                .advice = args->join_open ? friend_is_away : NULL});
    if (client->quit)
        return;
    client->asks = "";
    bool good = (args->seek.game == NULL || seeking_begin(&seeking, client, &args->seek)) &&
                (!names_match(args) || begin_match(client, args));
    client->asks = NULL;
    if (!good) {
        client->status = 1;
        return;
    }
    if (!names_match(args))
        beginning = beginning_of(client, args);
    if (args->options.line || !full_run(client, beginning, &seeking))
        line_mode_run(client, beginning);
}

static const struct client_handlers handlers = {.message = event_handle,
                                                .lost = login_again,
                                                .claim_due = event_tell_claim,
                                                .interrupted = hosting_interrupted};

int run_client(const struct args *args)
{
    struct client client;
    struct cause cause;
    char history[PATH_MAX];

    umask(077);
    bool kept = identity_path("history", history, &cause);
    client_open(&client, &handlers, args->address, args->options.code, kept ? history : NULL);
    run_player(&client, args);
    if (client.status == 0)
        login_tell_way_back(&client);
    client_close(&client);
    hosting_end(&client);
    return client.status;
}

/* clang-format off */
const struct option_row seek_rows[] = {
    CONNECT_ROW,
    TLS_ROW,
    CODE_ROW,
    {OPTION("name", "NAME", "your name there; guests play unrated"), TO_WORD(options, name)},
    CLOCK_ROW,
    {OPTION("color", "SIDE", "your side: white, black or random (random)"), TO_WORD(options, color)},
    {OPTION("rating", "LOW-HIGH", "opponents with a rating from LOW to HIGH only"), TO_WORD(options, rating)},
    {OPTION("bots", "yes|no|only", "accept bots as opponents"), TO_WORD(options, bots), .standard = "yes"},
    UNRATED_ROW,
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};
/* clang-format on */

static const char help[] =
    N_("Waits until the server has found an opponent, and plays the match. The other player\n"
       "seeks the same game, variant, clock and kind of match. The menu follows; it has\n"
       "\"Find an opponent\", too.");

int seek_main(const struct usage_command *command, int argc, char *argv[])
{
    struct command_line line = {.command = command, .text = help, .least = 1, .most = 1};
    struct args args = {.host = false};
    int status;

    if (!args_read_line(&line, argc, argv, &status))
        return status;
    const char *color = line.options.color;
    bool random = color != NULL && strcasecmp(color, "random") == 0;
    args.options = line.options;
    args.address = link_address(line.options.connect, line.options.tls, args.tls_address);
    args.seek = (struct new_seek){.game = line.words[0],
                                  .clock = line.options.match.clock,
                                  .color = random ? NULL : line.options.color,
                                  .rating = line.options.rating,
                                  .bots = line.options.bots,
                                  .unrated = line.options.unrated};
    return run_client(&args);
}

const struct option_row host_rows[] = {
    {OPTION("name", "NAME", "your name"), TO_WORD(options, name)},
    COLOR_ROW,
    CLOCK_ROW,
    UNRATED_ROW,
    {OPTION("new-code", NULL, "make a new join code (normally it stays the same)"),
     TO_FLAG(options, new_code)},
    {OPTION("no-qr", NULL, "show no QR code of the address for browsers"), TO_FLAG(options, no_qr)},
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};

const struct option_row join_rows[] = {
    {OPTION("code", "CODE", "the join code, which your friend tells you"), TO_WORD(options, code)},
    {OPTION("name", "NAME", "your name there"), TO_WORD(options, name)},
    {OPTION("tls", NULL, "use TLS, as with tls://HOST"), TO_FLAG(options, tls)},
    LINE_ROW,
    HELP_ROW,
    {.name = NULL},
};

static const char host_help[] =
    N_("Starts a server on this network until you quit, prints what your friend types\n"
       "to join, and opens a match in which the other seat is free. With several GAMEs,\n"
       "or none, it asks which. The server ends when you quit; the next `ludus host`\n"
       "finds unfinished matches again, and has the same join code.");

static const char join_help[] =
    N_("Joins a friend's server and takes the open match there, or watches the one that\n"
       "runs. Without HOST it searches this network for two seconds, and asks which\n"
       "server if there are several. Without a terminal it only lists servers; the exit\n"
       "status is 1 if there are none.");

/* Checks everything before a server is started for nothing. */
static bool check_host(const struct command_line *line, int *status)
{
    const struct options *options = &line->options;
    struct position position;
    struct cause cause;

    for (int i = 0; i < line->word_count; i++)
        if (game_open(line->words[i], &position, NULL, &cause) == NULL)
            return args_refuse(status, "host: %s", cause.text);
    if (line->word_count == 0 &&
        (options->color != NULL || options->match.clock != NULL || options->unrated))
        return args_refuse(status, "--color, --clock, --unrated: only with a GAME");
    return line->word_count <= 1 || isatty(STDIN_FILENO) ||
           args_refuse(status, "host: name one game, where nobody can be asked which");
}

/* Asks which of several games to play, before anything is on the screen; NULL at end of input. */
static const char *ask_hosted_game(char *const wanted[], int count)
{
    int row = ask_row(_("Which game?"), (const char *const *)wanted, count);

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
            line.word_count == 1 ? line.words[0] : ask_hosted_game(line.words, line.word_count);
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

/* Finds the server to go to. Returns its index; -1 ends the program with *status. */
static int find_server(struct found_list *found, int *status)
{
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);

    if (terminal)
        printf(_("Looking for servers on this network, %d seconds ...\n"), SEARCH_MS / 1000);
    fflush(stdout);
    lan_search(found, SEARCH_MS);
    *status = found->count == 0;
    if (found->count == 0)
        fputs(_("ludus: join: no server was found on this network. Your friend starts one by\n"
                "`ludus host`; if it runs, type what it shows: ludus join HOST --code CODE\n"),
              stderr);
    if (terminal && found->count > 1) {
        /* Ask for one of the servers. */
        char lines[FOUND_MAX][FOUND_LINE_MAX];
        const char *rows[FOUND_MAX];

        for (int i = 0; i < found->count; i++) {
            found_describe(&found->list[i], lines[i]);
            rows[i] = lines[i];
        }
        return ask_row(_("Which one?"), rows, found->count);
    }
    char line[FOUND_LINE_MAX];
    for (int i = 0; i < found->count; i++) {
        found_describe(&found->list[i], line);
        puts(line);
    }
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
