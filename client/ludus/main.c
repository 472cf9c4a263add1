/* ludus: the terminal client of a Ludus server. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client/link/link.h"
#include "client/ludus/cli/args.h"
#include "client/ludus/cli/subcommands.h"
#include "client/ludus/term/settings.h"

static int help_main(const struct usage_command *command, int argc, char *argv[]);

static const struct usage_command subcommands[] = {
    {"host", "[GAME[:VARIANT]]...", N_("start a server for a friend, and play there"), host_rows,
     host_main},
    {"join", "[HOST[:PORT]]", N_("find a friend's server, and play there"), join_rows, join_main},
    {"seek", "GAME[:VARIANT]", N_("let the server find an opponent, and play"), seek_rows,
     seek_main},
    {"list", "", N_("list open and running matches"), list_rows, script_main},
    {"who", "", N_("list connected players"), list_rows, script_main},
    {"top", "[GAME[:VARIANT]]", N_("list the best players"), ask_rows, script_main},
    {"history", "[NAME]", N_("list a player's finished matches"), list_rows, script_main},
    {"inbox", "", N_("list the matches where it is your move"), inbox_rows, script_main},
    {"games", "", N_("list the games of the server"), ask_rows, script_main},
    {"stats", "", N_("print the counters of the server"), ask_rows, script_main},
    {"new", "GAME[:VARIANT]", N_("open a match and print its id"), new_rows, script_main},
    {"state", "MATCH", N_("print a match"), state_rows, script_main},
    {"watch", "MATCH|lobby", N_("print a match, or the lobby, as it changes"), watch_rows,
     script_main},
    {"moves", "MATCH [SQUARE]", N_("list legal moves"), ask_rows, script_main},
    {"move", "MATCH MOVE", N_("play a move"), move_rows, script_main},
    {"draw", "MATCH", N_("offer a draw, or accept it"), device_rows, script_main},
    {"undo", "MATCH", N_("ask to take back a move, or accept that"), device_rows, script_main},
    {"resign", "MATCH", N_("give up a match"), device_rows, script_main},
    {"hint", "[MATCH]", N_("print what a bot would play"), hint_rows, hint_main},
    {"say", "MATCH TEXT...", N_("chat in a match"), say_rows, script_main},
    {"record", "MATCH", N_("print the record of a match as JSON or PGN"), record_rows, script_main},
    {"share", "MATCH", N_("print a match to send to others"), share_rows, share_main},
    {"export", "", N_("print the finished matches as lines of JSON"), export_rows, export_main},
    {"display", "TEXT...", N_("show your name in your own letters"), device_rows, script_main},
    {"device", "", N_("make a code to play under your name elsewhere"), device_rows, script_main},
    {"tournament", "ACTION [ID]...", N_("tournaments: join, run, watch, export"), tournament_rows,
     tournament_main},
    {"course", "ACTION DIR [NAME]...", N_("set up a course of bots, play it, report"), course_rows,
     course_main},
    {"rules", "[GAME]", N_("print the rules of a game"), rules_rows, rules_main},
    {"learn", "[GAME]", N_("learn a game, a move at a time"), learn_rows, learn_main},
    {"puzzle", "[GAME [N]]", N_("find the move that wins"), puzzle_rows, puzzle_main},
    {"replay", "FILE", N_("step through the matches of a PGN file"), replay_rows, replay_main},
    {"review", "FILE|MATCH", N_("show where a match was lost"), review_file_rows, review_file_main},
    {"help", "[COMMAND]", N_("print this help, or that of a command"), rules_rows, help_main},
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

/* Prints the help of the command named, or else of the program; refuses an unknown one, and a word
 * too many. */
static int help_main(const struct usage_command *command, int argc, char *argv[])
{
    static char program[] = "ludus", option[] = "--help";
    char *words[] = {program, option, NULL};
    const struct usage_command *about = usage_find(subcommands, argc > 1 ? argv[1] : NULL);

    if (about == NULL && argc > 1 && argv[1][0] != '-')
        return begin_client(argc, argv);
    if (about != NULL && argc > 2) {
        int status;
        args_refuse(&status, "help: unexpected argument '%.40s' (ludus help %s)", argv[2],
                    command->arguments);
        return status;
    }
    if (about == NULL || about == command)
        return begin_client(2, words);
    words[0] = (char *)about->word;
    return about->run(about, 2, words);
}

/* Replaces each closed standard file by one that cannot be used, so that no connection takes its
 * number. A new file gets the lowest free number. It is opened the wrong way round, so that reading
 * or writing fails. */
static void output_begin(void)
{
    static const int ways[] = {O_WRONLY, O_RDONLY, O_RDWR};

    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", ways[fd]) < 0)
            return;
}

/* Chooses the language: by --language, which all subcommands take, or else by the settings, or else
 * by the environment. What the settings name may be gone. */
static bool language_begin(int *argc, char *argv[], int *status)
{
    const char *wanted = language_option(argc, argv);
    struct settings settings;
    struct cause cause;

    if (wanted != NULL && wanted[0] != '\0') {
        if (language_choose(wanted, &cause))
            return true;
        language_choose(NULL, &cause);
        return args_refuse(status, "--language: %s", cause.text);
    }
    settings_load(&settings);
    if (settings.language[0] == '\0' || !language_choose(settings.language, &cause))
        language_choose(NULL, &cause);
    return wanted == NULL || args_refuse(status, "--language: value missing: LANG");
}

int main(int argc, char *argv[])
{
    int status;

    link_use_xmalloc();
    output_begin();
    if (!language_begin(&argc, argv, &status))
        return status;
    const struct usage_command *subcommand =
        usage_bring_forward(args_rows, subcommands, &argc, argv);

    signal(SIGPIPE, SIG_IGN);
    return usage_end("ludus", subcommand != NULL ? subcommand->run(subcommand, argc - 1, argv + 1)
                                                 : begin_client(argc, argv));
}
