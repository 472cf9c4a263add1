#include "args.h"

#include <sys/stat.h>

#include "client/lines/menu.h"
#include "client/play/play.h"
#include "client/play/player_command.h"
#include "client/screen/full.h"
#include "client/talk/client.h"
#include "client/talk/event.h"
#include "client/talk/hosting.h"
#include "client/talk/login.h"
#include "client/talk/sitting.h"

/* Advice for a player whose friend's server does not answer. */
static const char friend_is_away[] =
    "ask your friend whether the server still runs, and for the line it shows.\n"
    "Both machines must be on one network, and a firewall must let TCP to it through.\n"
    "`ludus join` alone looks for servers on this network.";

/* Brings the match named on the command line to the screen; false when that fails. */
static bool begin(struct client *client, const struct args *args)
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

/* Runs line mode. Input from a pipe gets one match or the menu. On a terminal the menu follows the
 * match, except when the player only watches two others. */
static void run_lines(struct client *client, const struct args *args, enum beginning beginning,
                      struct seeking *seeking)
{
    bool match = names_match(args) || client->view.match[0] != '\0';
    bool ends = args_only_watches(args) && args->options.match.game != NULL;

    event_begin(client);
    if (args->host)
        hosting_print_code(client);
    if (match)
        match_lines_run(client);
    if (!match || (input_is_typed(&client->input) && !ends))
        menu_run(client, beginning, seeking);
}

/* Whether a private server will do where no other answers: the player named neither a server nor a
 * match of one. */
static bool plays_alone(const struct args *args)
{
    const struct options *options = &args->options;

    return !args->host && !args->join_open && args->seek.game == NULL && options->connect == NULL &&
           !options->tls && options->join == NULL && options->watch == NULL;
}

static void run(struct client *client, const struct args *args)
{
    enum beginning beginning = BEGIN_MENU;
    struct seeking seeking;

    client->no_qr = args->options.no_qr;
    if (args->host && !hosting_start(client, args->options.new_code))
        return;
    login(client, &(struct login_terms){.name = args->options.name,
                                        .guest = args_only_watches(args),
                                        .alone = plays_alone(args),
                                        .advice = args->join_open ? friend_is_away : NULL});
    if (client->quit)
        return;
    bool good = args->seek.game == NULL || seeking_begin(&seeking, client, &args->seek);
    if (!good || (names_match(args) && !begin(client, args))) {
        client->status = 1;
        return;
    }
    if (!names_match(args))
        beginning = beginning_of(client, args);
    if (args->options.line || !full_run(client, beginning, &seeking))
        run_lines(client, args, beginning, &seeking);
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
    client.input.candidate = player_command_candidate;
    client.input.context = &client;
    run(&client, args);
    if (client.status == 0)
        login_tell_way_back(&client);
    client_close(&client);
    hosting_end(&client);
    return client.status;
}
