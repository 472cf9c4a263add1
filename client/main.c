/* ludus: the terminal client of a Ludus server. */
#include <locale.h>
#include <signal.h>

#include "client/cli/args.h"
#include "client/cli/run.h"
#include "client/cli/subcommands.h"
#include "client/term/output.h"

static const struct usage_command subcommands[] = {
    {"host", "[GAME[:VARIANT]]...", "hosts a friend: starts a server, and plays there", host_rows,
     host_main},
    {"join", "[HOST[:PORT]]", "finds a friend's server, and plays there", join_rows, join_main},
    {"list", "", "lists open and running matches", ask_rows, ask_main},
    {"who", "", "lists who is connected", ask_rows, ask_main},
    {"top", "[GAME[:VARIANT]]", "lists the best players", ask_rows, ask_main},
    {"history", "[NAME]", "lists finished matches of a player", ask_rows, ask_main},
    {"games", "", "lists the games of the server", ask_rows, ask_main},
    {"stats", "", "prints the counters of the server", ask_rows, ask_main},
    {"new", "GAME[:VARIANT]", "opens a match and prints its number", new_rows, new_main},
    {"state", "MATCH", "prints a match as it stands", watch_rows, watch_main},
    {"watch", "MATCH|lobby", "prints a match as it goes on, or the lobby", watch_rows, watch_main},
    {"moves", "MATCH [SQUARE]", "lists legal moves", ask_rows, ask_main},
    {"move", "MATCH MOVE", "plays a move", move_rows, move_main},
    {"say", "MATCH TEXT...", "says something to all at a match", say_rows, say_main},
    {"record", "MATCH", "prints the record of a match, as JSON or PGN", record_rows, record_main},
    {"replay", "FILE", "steps through the matches of a PGN file", replay_rows, replay_main},
    {.word = NULL},
};

static int begin_client(int argc, char *argv[])
{
    struct args args;
    int status;

    if (!args_read(&args, subcommands, argc, argv, &status))
        return status;
    return run_client(&args);
}

int main(int argc, char *argv[])
{
    const struct usage_command *subcommand = usage_find(subcommands, argc > 1 ? argv[1] : NULL);

    output_begin();
    setlocale(LC_CTYPE, ""); /* libedit needs to know how letters are encoded */
    signal(SIGPIPE, SIG_IGN);
    return output_end(subcommand != NULL ? subcommand->run(subcommand, argc - 1, argv + 1)
                                         : begin_client(argc, argv));
}
