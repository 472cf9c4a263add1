#include "bridge_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../engine/dialects.h"
#include "client/seating/config_file.h"

enum { OPTION_PROTOCOL = USAGE_OWN, OPTION_ENGINE, OPTION_COMMAND, OPTION_LOG };

static const struct usage_row rows[] = {
    {OPTION("connect", "HOST:PORT", "the server (" LINK_DEFAULT_ADDRESS ")"),
     TO_TEXT(bridge_options, account.address)},
    {OPTION("name", "NAME", "the player's name there"), TO_TEXT(bridge_options, account.name)},
    {OPTION("games", "GAMES",
            "what it plays: GAME or GAME:VARIANT, separated by commas. A UCI\n"
            "or GTP engine plays clobber, with Fairy-Stockfish in every size"),
     TO_TEXT(bridge_options, policy.games)},
    {OPTION("command", "COMMAND", "the engine, with --config rather than at the end"),
     .code = OPTION_COMMAND},
    {OPTION("protocol", "ugi|uci|gtp|auto", "what the engine speaks, or auto to find out"),
     .code = OPTION_PROTOCOL, .standard = "auto"},
    {OPTION("movetime", "MS", "milliseconds for each move in matches without a clock"),
     TO_NUMBER(bridge_options, movetime_ms, 1, 3600000), .standard = "1000"},
    {OPTION("max-matches", "N", "matches at a time; further challenges are declined"),
     TO_NUMBER(bridge_options, policy.matches_max, 1, 1000), .standard = "4"},
    {OPTION("option", "NAME=VALUE", "set an option of the engine; may be repeated"),
     .code = OPTION_ENGINE},
    {OPTION("engine-log", "FILE",
            "log what the engine of each match reads and writes to FILE.MATCH;\n"
            "failed:FILE keeps the logs of matches in which it failed"),
     .code = OPTION_LOG},
    POLICY_ROWS(bridge_options),
    ACCOUNT_ROWS(bridge_options),
    {OPTION("quiet", NULL, "log errors only, and drop the engines' standard error"),
     TO_FLAG(bridge_options, program.quiet)},
    USAGE_LAST_ROWS,
};

static void print_help(void)
{
    puts("Usage: ludus-bridge [OPTION]... --name NAME --games GAMES -- COMMAND [ARG]...\n"
         "Runs a UGI, UCI or GTP engine and seats it at a Ludus server as a player, who accepts\n"
         "challenges to its games. Each match has an engine process of its own.\n");
    usage_print_rows(rows);
    puts("\n"
         "Example:\n"
         "  ludus-bridge --name fairy --games clobber -- fairy-stockfish");
}

static bool take_protocol(struct bridge_options *options, struct cause *cause)
{
    options->dialect = dialect_find(optarg);
    return options->dialect != NULL || strcasecmp(optarg, "auto") == 0 ||
           cause_set(cause, "'%.40s' is neither ugi, uci, gtp nor auto", optarg);
}

/* Splits the value in place, at spaces. */
static bool take_command(struct bridge_options *options, struct cause *cause)
{
    const char *word;
    int count = 0;

    while ((word = strsep(&optarg, " ")) != NULL) {
        if (word[0] == '\0')
            continue;
        if (count == COMMAND_WORDS_MAX)
            return cause_set(cause, "more than %d words", COMMAND_WORDS_MAX);
        options->command[count++] = (char *)word;
    }
    options->command[count] = NULL;
    return true;
}

static bool take(void *context, int code, struct cause *cause)
{
    struct bridge_options *options = context;

    switch (code) {
    case OPTION_PROTOCOL:
        return take_protocol(options, cause);
    case OPTION_COMMAND:
        return take_command(options, cause);
    case OPTION_LOG:
        trace_plan_read(&options->program.trace, optarg);
        return true;
    default: /* OPTION_ENGINE */
        return program_add_option(&options->program, optarg, cause);
    }
}

/* Names what the command line must have and has not, or returns NULL. */
static const char *missing(const struct bridge_options *options)
{
    if (options->account.name == NULL)
        return "--name";
    if (options->policy.games == NULL)
        return "--games";
    return options->program.command[0] == NULL ? "COMMAND" : NULL;
}

static int fail(const char *why)
{
    fprintf(stderr, "ludus-bridge: %s\n", why);
    return EXIT_USAGE;
}

/* Checks what was read, and takes the command, which ends the command line. */
static int check(struct bridge_options *options, char *rest[])
{
    struct cause cause;

    options->program.command = rest[0] != NULL ? rest : options->command;
    if (missing(options) != NULL) {
        cause_set(&cause, "%s: missing: see --help", missing(options));
        return fail(cause.text);
    }
    bool good = account_check(&options->account, &cause) && policy_check(&options->policy, &cause);
    return good ? USAGE_READ : fail(cause.text);
}

int bridge_options_read(struct bridge_options *options, int argc, char *argv[])
{
    static const char order[] = "+:"; /* what follows the command is the engine's */
    struct cause cause;

    *options = (struct bridge_options){.policy = {.only_games = true}};
    options->arguments = config_file_add(rows, order, &argc, argv, &cause);
    if (options->arguments == NULL) {
        fprintf(stderr, "ludus-bridge: --config: %s\n", cause.text);
        return EXIT_USAGE;
    }
    int status = usage_read("ludus-bridge", rows, order, argc, options->arguments, take, options);
    if (status == USAGE_HELP) {
        print_help();
        return 0;
    }
    return status == USAGE_READ ? check(options, options->arguments + optind) : status;
}

void bridge_options_release(struct bridge_options *options, char *argv[])
{
    account_release(&options->account);
    if (options->arguments != argv)
        free(options->arguments);
}
