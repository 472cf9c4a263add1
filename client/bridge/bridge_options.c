#include "bridge_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"
#include "common/usage.h"

enum {
    OPTION_CONNECT = 256,
    OPTION_NAME,
    OPTION_GAMES,
    OPTION_TOKEN,
    OPTION_CODE,
    OPTION_PROTOCOL,
    OPTION_MOVETIME,
    OPTION_MAX_MATCHES,
    OPTION_ENGINE,
    OPTION_RETRY,
    OPTION_TLS,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_VERSION
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
    {OPTION("tls", NULL, "use TLS, as with --connect tls://HOST:PORT"), .code = OPTION_TLS},
    {OPTION("code", "CODE", "the join code, if the server requires one"), .code = OPTION_CODE},
    {OPTION("protocol", "ugi|uci|auto", "what the engine speaks, or auto to find out"),
     .code = OPTION_PROTOCOL, .standard = "auto"},
    {OPTION("movetime", "MS", "milliseconds for each move in matches without a clock"),
     .code = OPTION_MOVETIME, .standard = "1000"},
    {OPTION("max-matches", "N", "matches at a time; further challenges are declined"),
     .code = OPTION_MAX_MATCHES, .standard = "4"},
    {OPTION("option", "NAME=VALUE", "set an option of the engine; may be repeated"),
     .code = OPTION_ENGINE},
    {OPTION("retry", "SECONDS", "how long to try to reconnect"), .code = OPTION_RETRY,
     .standard = "300"},
    {OPTION("quiet", NULL, "log errors only, and drop the engines' standard error"),
     .code = OPTION_QUIET},
    {OPTION("help", NULL, "print this help"), .code = OPTION_HELP},
    {OPTION("version", NULL, "print the version"), .code = OPTION_VERSION},
    {.name = NULL},
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

static bool check_value(const char *option, const char *value, struct cause *cause)
{
    const char *fault = usage_fault(value);

    return fault == NULL || cause_set(cause, "--%s: %s", option, fault);
}

/* A value that becomes one word of a command. */
static bool take_word(const char **word, const char *option, size_t max, struct cause *cause)
{
    if (strlen(optarg) > max || strchr(optarg, ' ') != NULL)
        return cause_set(cause, "%s: '%.40s' is not one word of at most %d bytes", option, optarg,
                         (int)max);
    *word = optarg;
    return true;
}

static bool take_number(long *number, const char *option, long min, long max, struct cause *cause)
{
    if (!number_parse(optarg, strlen(optarg), min, max, number))
        return cause_set(cause, "%s: invalid value '%.40s': write a number from %ld to %ld", option,
                         optarg, min, max);
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
        return cause_set(cause, "--protocol: '%.40s' is neither ugi, uci nor auto", optarg);
    return true;
}

static bool take_engine_option(struct bridge_options *options, struct cause *cause)
{
    if (optarg[0] == '=' || strchr(optarg, '=') == NULL || strlen(optarg) > 1000)
        return cause_set(cause, "--option: '%.40s' is not NAME=VALUE", optarg);
    if (options->program.engine_option_count == ENGINE_OPTIONS_MAX)
        return cause_set(cause, "--option: at most %d", ENGINE_OPTIONS_MAX);
    options->program.engine_options[options->program.engine_option_count++] = optarg;
    return true;
}

static bool take_game(struct bridge_options *options, const char *text, size_t length,
                      struct cause *cause)
{
    struct playable *playable = &options->games[options->game_count];
    struct cause why;
    char word[64];

    if (options->game_count == PLAYABLE_MAX || length >= sizeof word)
        return cause_set(cause, "--games: a word is too long, or there are more than %d",
                         PLAYABLE_MAX);
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    playable->game = game_open(word, &playable->start, NULL, &why);
    if (playable->game == NULL)
        return cause_set(cause, "--games: %.180s", why.text);
    playable->every_variant = strchr(word, ':') == NULL;
    options->game_count++;
    return true;
}

static bool take_games(struct bridge_options *options, struct cause *cause)
{
    const char *text = optarg;

    for (;;) {
        size_t length = strcspn(text, ",");
        if (!take_game(options, text, length, cause))
            return false;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
}

static bool take(struct bridge_options *options, int option, struct cause *cause)
{
    switch (option) {
    case OPTION_CONNECT:
        return take_word(&options->address, "--connect", 300, cause);
    case OPTION_NAME:
        return take_word(&options->name, "--name", 24, cause);
    case OPTION_GAMES:
        return take_games(options, cause);
    case OPTION_TOKEN:
        return take_word(&options->token, "--token", 64, cause);
    case OPTION_CODE:
        return take_word(&options->code, "--code", 128, cause);
    case OPTION_TLS:
        options->tls = true;
        return true;
    case OPTION_PROTOCOL:
        return take_protocol(options, cause);
    case OPTION_MOVETIME:
        return take_number(&options->movetime_ms, "--movetime", 1, 3600000, cause);
    case OPTION_MAX_MATCHES:
        return take_number(&options->matches_max, "--max-matches", 1, 1000, cause);
    case OPTION_ENGINE:
        return take_engine_option(options, cause);
    case OPTION_RETRY:
        return take_number(&options->retry_s, "--retry", 0, 1000000, cause);
    default:
        options->program.quiet = true;
        return true;
    }
}

static bool check_together(const struct bridge_options *options, struct cause *cause)
{
    if (options->name == NULL)
        return cause_set(cause, "--name: missing: see --help");
    if (options->game_count == 0)
        return cause_set(cause, "--games: missing: see --help");
    if (options->program.command[0] == NULL)
        return cause_set(cause, "COMMAND: missing: see --help");
    return true;
}

/* The options that print something and end the program. */
static enum options_result print(int option)
{
    if (option == OPTION_HELP)
        print_help();
    else
        puts("ludus-bridge " LUDUS_VERSION);
    return OPTIONS_DONE;
}

/* Reads the next option of the command line, OPTIONS_RUN when it is good. */
static enum options_result read_option(struct bridge_options *options, int option, const char *name,
                                       char *argv[], struct cause *cause)
{
    char letter[3];

    if (option == ':' || option == '?') {
        cause_set(cause, "%.80s: %s", usage_refused(argv, letter),
                  option == ':' ? "value missing: see --help" : "unknown option: see --help");
        return OPTIONS_BAD;
    }
    if (option == OPTION_HELP || option == OPTION_VERSION)
        return print(option);
    if (optarg != NULL && !check_value(name, optarg, cause))
        return OPTIONS_BAD;
    return take(options, option, cause) ? OPTIONS_RUN : OPTIONS_BAD;
}

static void set_defaults(struct bridge_options *options)
{
    struct cause cause;

    *options = (struct bridge_options){.address = NULL};
    for (const struct usage_row *row = rows; row->name != NULL; row++)
        if (row->standard != NULL) {
            optarg = (char *)row->standard;
            take(options, row->code, &cause);
        }
}

enum options_result bridge_options_read(struct bridge_options *options, int argc, char *argv[],
                                        struct cause *cause)
{
    struct option longs[USAGE_ROWS_MAX];
    int option, row = 0;

    set_defaults(options);
    usage_longs(rows, longs);
    opterr = 0;
    /* + : what follows the command is the engine's. */
    while ((option = getopt_long(argc, argv, "+:", longs, &row)) != -1) {
        enum options_result result = read_option(options, option, rows[row].name, argv, cause);
        if (result != OPTIONS_RUN)
            return result;
    }
    options->address = link_address(options->address, options->tls, options->tls_address);
    options->program.command = argv + optind;
    return check_together(options, cause) ? OPTIONS_RUN : OPTIONS_BAD;
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
