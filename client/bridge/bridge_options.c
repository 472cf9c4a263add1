#include "bridge_options.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/usage.h"

enum {
    OPTION_CONNECT = USAGE_OWN,
    OPTION_NAME,
    OPTION_GAMES,
    OPTION_TOKEN,
    OPTION_CODE,
    OPTION_PROTOCOL,
    OPTION_ENGINE
};

static const struct usage_row rows[] = {
    {OPTION("connect", "HOST:PORT", "the server (" LINK_DEFAULT_ADDRESS ")"),
     .code = OPTION_CONNECT},
    {OPTION("name", "NAME", "the player's name there"), .code = OPTION_NAME},
    {OPTION("games", "GAMES",
            "what it plays: GAME or GAME:VARIANT, separated by commas. A UCI\n"
            "engine plays clobber, with Fairy-Stockfish in every size"),
     .code = OPTION_GAMES},
    {OPTION("token", "TOKEN", "the token of the name, to come back to it"), .code = OPTION_TOKEN},
    {OPTION("tls", NULL, "use TLS, as with --connect tls://HOST:PORT"),
     TO_FLAG(bridge_options, tls)},
    {OPTION("code", "CODE", "the join code, if the server requires one"), .code = OPTION_CODE},
    {OPTION("protocol", "ugi|uci|auto", "what the engine speaks, or auto to find out"),
     .code = OPTION_PROTOCOL, .standard = "auto"},
    {OPTION("movetime", "MS", "milliseconds for each move in matches without a clock"),
     TO_NUMBER(bridge_options, movetime_ms, 1, 3600000), .standard = "1000"},
    {OPTION("max-matches", "N", "matches at a time; further challenges are declined"),
     TO_NUMBER(bridge_options, matches_max, 1, 1000), .standard = "4"},
    {OPTION("option", "NAME=VALUE", "set an option of the engine; may be repeated"),
     .code = OPTION_ENGINE},
    {OPTION("retry", "SECONDS", "how long to try to reconnect"),
     TO_NUMBER(bridge_options, retry_s, 0, 1000000), .standard = "300"},
    {OPTION("quiet", NULL, "log errors only, and drop the engines' standard error"),
     TO_FLAG(bridge_options, program.quiet)},
    USAGE_LAST_ROWS,
};

static void print_help(void)
{
    puts("Usage: ludus-bridge [OPTION]... --name NAME --games GAMES -- COMMAND [ARG]...\n"
         "Runs a UGI or UCI engine and seats it at a Ludus server as a player, who accepts\n"
         "challenges to its games. Each match has an engine process of its own.\n");
    usage_print_rows(rows);
    puts("\n"
         "Example:\n"
         "  ludus-bridge --name fairy --games clobber -- fairy-stockfish");
}

/* A value that becomes one word of a command. */
static bool take_word(const char **word, size_t max, struct cause *cause)
{
    if (strlen(optarg) > max || strchr(optarg, ' ') != NULL)
        return cause_set(cause, "'%.40s' is not one word of at most %d bytes", optarg, (int)max);
    *word = optarg;
    return true;
}

static bool take_protocol(struct bridge_options *options, struct cause *cause)
{
    if (strcasecmp(optarg, "ugi") == 0)
        options->dialect = &ugi;
    else if (strcasecmp(optarg, "uci") == 0)
        options->dialect = &uci;
    else if (strcasecmp(optarg, "auto") == 0)
        options->dialect = NULL;
    else
        return cause_set(cause, "'%.40s' is neither ugi, uci nor auto", optarg);
    return true;
}

static bool take_game(struct bridge_options *options, const char *word, struct cause *cause)
{
    struct playable *playable = &options->games[options->game_count];

    if (options->game_count == PLAYABLE_MAX)
        return cause_set(cause, "more than %d", PLAYABLE_MAX);
    playable->game = game_open(word, &playable->start, NULL, cause);
    if (playable->game == NULL)
        return false;
    playable->every_variant = strchr(word, ':') == NULL;
    options->game_count++;
    return true;
}

/* Splits the value in place. */
static bool take_games(struct bridge_options *options, struct cause *cause)
{
    const char *word;

    while ((word = strsep(&optarg, ",")) != NULL)
        if (!take_game(options, word, cause))
            return false;
    return true;
}

static bool take(void *context, int code, struct cause *cause)
{
    struct bridge_options *options = context;

    switch (code) {
    case OPTION_CONNECT:
        return take_word(&options->address, 300, cause);
    case OPTION_NAME:
        return take_word(&options->name, 24, cause);
    case OPTION_GAMES:
        return take_games(options, cause);
    case OPTION_TOKEN:
        return take_word(&options->token, 64, cause);
    case OPTION_CODE:
        return take_word(&options->code, 128, cause);
    case OPTION_PROTOCOL:
        return take_protocol(options, cause);
    default: /* OPTION_ENGINE */
        return program_add_option(&options->program, optarg, cause);
    }
}

/* Names what the command line must have and has not, or returns NULL. */
static const char *missing(const struct bridge_options *options)
{
    if (options->name == NULL)
        return "--name";
    if (options->game_count == 0)
        return "--games";
    return options->program.command[0] == NULL ? "COMMAND" : NULL;
}

int bridge_options_read(struct bridge_options *options, int argc, char *argv[])
{
    *options = (struct bridge_options){.address = NULL};
    /* + : what follows the command is the engine's. */
    int status = usage_read("ludus-bridge", rows, "+:", argc, argv, take, options);

    if (status == USAGE_HELP) {
        print_help();
        return 0;
    }
    options->address = link_address(options->address, options->tls, options->tls_address);
    options->program.command = argv + optind;
    if (status != USAGE_READ || missing(options) == NULL)
        return status;
    fprintf(stderr, "ludus-bridge: %s: missing: see --help\n", missing(options));
    return EXIT_USAGE;
}

bool bridge_options_have_game(const struct bridge_options *options, const struct game *game,
                              const struct position *start)
{
    for (int i = 0; i < options->game_count; i++) {
        const struct playable *playable = &options->games[i];
        if (playable->game == game &&
            (playable->every_variant || memcmp(&playable->start, start, sizeof *start) == 0))
            return true;
    }
    return false;
}
