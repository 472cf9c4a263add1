/* ludus: the terminal client of a Ludus server. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>

#include "client.h"
#include "login.h"
#include "menu.h"
#include "options.h"
#include "output.h"
#include "play.h"
#include "screen/full.h"
#include "subcommand.h"

/* Brings the match that the command line asks for to the screen; false when that fails. */
static bool begin(struct client *client, const struct options *options)
{
    if (options->plan.game != NULL)
        return play_open(client, &options->plan);
    if (options->join != NULL)
        return play_join(client, options->join);
    return play_watch(client, options->watch);
}

/* At a terminal in full screen, where it can be. Else line by line: from a pipe one match, or the
 * menu, as the options say; on a terminal the menu follows the
 * match, but for one between two others, which is only watched to its end. */
static void run(struct client *client, const struct options *options)
{
    bool only_watches = options_only_watches(options);
    bool match = options->plan.game != NULL || options->join != NULL || options->watch != NULL;

    login(client, options->name, only_watches);
    if (client->quit)
        return;
    if (match && !begin(client, options)) {
        client->status = 1;
        return;
    }
    if (!options->line && full_run(client))
        return;
    if (match)
        play_run(client);
    bool ends = only_watches && options->plan.game != NULL;
    if (!match || (client->input.interactive && !ends))
        menu_run(client);
}

static int begin_client(int argc, char *argv[])
{
    struct options options;
    struct client client;
    struct cause cause;
    char history[PATH_MAX];
    int status;

    if (!options_read(&options, argc, argv, &status))
        return status;
    umask(077);
    bool kept = identity_path("history", history, &cause);
    client_open(&client, options.address, options.code, kept ? history : NULL);
    client.input.candidate = play_candidate;
    client.input.context = &client;
    run(&client, &options);
    client_close(&client);
    return client.status;
}

int main(int argc, char *argv[])
{
    const struct usage_command *subcommand = usage_find(subcommands, argc > 1 ? argv[1] : NULL);

    output_begin();
    setlocale(LC_CTYPE, ""); /* libedit needs to know how letters are encoded */
    signal(SIGPIPE, SIG_IGN);
    return output_end(subcommand != NULL ? subcommand->run(argc - 1, argv + 1)
                                         : begin_client(argc, argv));
}
