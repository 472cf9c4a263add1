/* `ludus-bot --connect`: the options of a bot that plays on a server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot_player.h"
#include "client/bot/bot.h"
#include "client/seating/config_file.h"

enum { OPTION_HOUSE = OPTIONS_OWN };

enum { SECRET_MAX = 64 };

const struct usage_row connect_rows[] = {
    {OPTION("connect", "HOST:PORT", "the server"), TO_TEXT(bot_player_options, account.address)},
    {OPTION("name", "NAME",
            "play under this name and accept every challenge;\nwithout it, play as a guest"),
     TO_TEXT(bot_player_options, account.name)},
    {OPTION("level", "LEVEL", "how to play"), .code = OPTION_LEVEL, .standard = DEFAULT_LEVEL},
    {OPTION("join", "MATCH", "take the open seat of this match"),
     TO_TEXT(bot_player_options, join)},
    POLICY_ROWS(bot_player_options),
    {OPTION("accept-games", "GAMES",
            "decline challenges to other games: GAME or GAME:VARIANT,\nseparated by commas"),
     TO_TEXT(bot_player_options, policy.games)},
    {OPTION("max-matches", "N", "matches at a time; further challenges are declined"),
     TO_NUMBER(bot_player_options, policy.matches_max, 1, 1000), .standard = "100"},
    ACCOUNT_ROWS(bot_player_options),
    {OPTION("house", "LEVEL",
            "be the house bot bot:LEVEL, whose secret is the first\n"
            "line of standard input; for servers only"),
     .code = OPTION_HOUSE},
    {OPTION("threads", "N", "threads to think in, 1 to 16"),
     TO_NUMBER(bot_player_options, threads, 1, THREADS_MAX), .standard = "1"},
    {OPTION("seed", "N", "repeat the same random choices every time"),
     TO_NUMBER(bot_player_options, seed, 0, LONG_MAX)},
    {OPTION("quiet", NULL, "print errors only"), TO_FLAG(bot_player_options, quiet)},
    USAGE_LAST_ROWS,
};

static int print_help(void)
{
    puts("Usage: ludus-bot --connect HOST:PORT [OPTION]...\n"
         "       ludus-bot ugi [OPTION]...\n"
         "       ludus-bot gauntlet [OPTION]... PLAYER PLAYER...\n"
         "       ludus-bot solve [OPTION]... clobber:WxH|\"POSITION\"\n"
         "Plays on a Ludus server; is an engine (ugi); plays engines against each other\n"
         "(gauntlet); proves who wins a position of Clobber (solve). Each has its own --help.\n");
    usage_print_rows(connect_rows);
    return bot_print_levels();
}

static bool take_option(void *context, int code, struct cause *cause)
{
    struct bot_player_options *options = context;

    if (code == OPTION_HOUSE)
        options->house = options->quiet = true;
    return bot_take_level(&options->engine, cause);
}

/* Reads the secret of a house bot. */
static bool read_secret(char secret[SECRET_MAX])
{
    if (fgets(secret, SECRET_MAX, stdin) == NULL || secret[0] == '\n')
        return bot_error("--house", "no secret on standard input");
    secret[strcspn(secret, "\r\n")] = '\0';
    return true;
}

/* Whether the options go together. */
static bool check_options(struct bot_player_options *options)
{
    struct cause cause;

    if (options->account.address == NULL)
        return bot_error("--connect", "no server given: see --help");
    if (options->policy.tournament != NULL && options->account.name == NULL)
        return bot_error("--tournament", "guests cannot take part: give --name");
    if (account_check(&options->account, &cause) && policy_check(&options->policy, &cause))
        return true;
    fprintf(stderr, "ludus-bot: %s\n", cause.text);
    return false;
}

/* Plays with these options and arguments. Returns the exit status. */
static int run(struct bot_player_options *options, int argc, char **argv)
{
    char secret[SECRET_MAX];

    if (optind < argc) {
        bot_error(argv[optind], "unknown command: see --help");
        return EXIT_USAGE;
    }
    if (!check_options(options) || (options->house && !read_secret(secret)))
        return EXIT_USAGE;
    options->secret = options->house ? secret : NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    return bot_player_run(options);
}

int connect_main(int argc, char **argv)
{
    struct bot_player_options options = {.seed = bot_seed()};
    struct cause cause;
    char **all = config_file_add(connect_rows, ":", &argc, argv, &cause);

    if (all == NULL) {
        bot_error("--config", "%s", cause.text);
        return EXIT_USAGE;
    }
    int status = usage_read("ludus-bot", connect_rows, ":", argc, all, take_option, &options);
    if (status == USAGE_HELP)
        status = print_help();
    else if (status == USAGE_READ)
        status = run(&options, argc, all);
    account_release(&options.account);
    if (all != argv)
        free(all);
    return status;
}
