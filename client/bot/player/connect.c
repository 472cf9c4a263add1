/* `ludus-bot --connect`: the options of a bot on a server. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bot_player.h"
#include "client/bot/bot.h"
#include "client/link/link.h"
#include "common/number.h"

enum {
    OPTION_CONNECT = OPTIONS_OWN,
    OPTION_NAME,
    OPTION_TOKEN,
    OPTION_CODE,
    OPTION_TLS,
    OPTION_JOIN,
    OPTION_HOUSE,
    OPTION_RETRY,
    OPTION_THREADS,
    OPTION_QUIET
};

enum { RETRY_S = 60, RETRY_MAX_S = 86400, SECRET_MAX = 64 };

const struct usage_row connect_rows[] = {
    {"connect", "HOST:PORT", "the server", OPTION_CONNECT},
    {"name", "NAME",
     "play under this name and accept every challenge;\n"
     "without it, play as a guest",
     OPTION_NAME},
    {"level", "LEVEL", "how to play (default " DEFAULT_LEVEL ")", OPTION_LEVEL},
    {"join", "MATCH", "take the open seat of this match", OPTION_JOIN},
    {"token", "TOKEN", "the token of the name, to come back to it", OPTION_TOKEN},
    {"tls", NULL, "use TLS, as with --connect tls://HOST:PORT", OPTION_TLS},
    {"code", "CODE", "the join code, if the server requires one", OPTION_CODE},
    {"retry", "SECONDS",
     "how long a bot with a name tries to reconnect\n"
     "(default 60)",
     OPTION_RETRY},
    {"house", "LEVEL",
     "be the house bot bot:LEVEL, whose secret is the first\n"
     "line of standard input; for servers only",
     OPTION_HOUSE},
    {"threads", "N", "threads to think in, 1 to 16 (default 1)", OPTION_THREADS},
    {"seed", "N", "repeat the same random choices every time", OPTION_SEED},
    {"quiet", NULL, "print errors only", OPTION_QUIET},
    {"help", NULL, "print this help", OPTION_HELP},
    {"version", NULL, "print the version", OPTION_VERSION},
    {.name = NULL},
};

static int print_help(void)
{
    puts("Usage: ludus-bot --connect HOST:PORT [OPTION]...\n"
         "       ludus-bot ugi [OPTION]...\n"
         "       ludus-bot gauntlet [OPTION]... PLAYER PLAYER\n"
         "       ludus-bot solve [OPTION]... clobber:WxH|\"POSITION\"\n"
         "Plays on a Ludus server; is an engine (ugi); plays engines against each other\n"
         "(gauntlet); proves who wins a position of Clobber (solve). Each has its own --help.\n");
    return bot_print_help(connect_rows);
}

/* NULL is the value of an option without one. */
static bool check_value(const char *option, const char *value)
{
    const char *fault = value != NULL ? usage_fault(value) : NULL;
    char name[32];

    if (fault == NULL)
        return true;
    snprintf(name, sizeof name, "--%s", option);
    bot_error(name, "%s", fault);
    return false;
}

static bool take_retry(const char *value, int *retry_s)
{
    long number;

    if (!number_parse(value, strlen(value), 0, RETRY_MAX_S, &number)) {
        bot_error("--retry", "invalid value '%s': write 0 to %d seconds", value, RETRY_MAX_S);
        return false;
    }
    *retry_s = (int)number;
    return true;
}

static bool take_threads(const char *value, int *threads)
{
    long number;

    if (!number_parse(value, strlen(value), 1, THREADS_MAX, &number)) {
        bot_error("--threads", "invalid value '%s': write a number from 1 to %d", value,
                  THREADS_MAX);
        return false;
    }
    *threads = (int)number;
    return true;
}

static bool take_option(struct bot_player_options *options, int code)
{
    switch (code) {
    case OPTION_CONNECT:
        options->address = optarg;
        return true;
    case OPTION_NAME:
        options->name = optarg;
        return true;
    case OPTION_TOKEN:
        options->token = optarg;
        return true;
    case OPTION_CODE:
        options->code = optarg;
        return true;
    case OPTION_TLS:
        options->tls = true;
        return true;
    case OPTION_JOIN:
        options->join = optarg;
        return true;
    case OPTION_QUIET:
        options->quiet = true;
        return true;
    case OPTION_THREADS:
        return take_threads(optarg, &options->threads);
    case OPTION_RETRY:
        return take_retry(optarg, &options->retry_s);
    case OPTION_SEED:
        return bot_take_seed(optarg, &options->rng);
    default: /* OPTION_LEVEL, OPTION_HOUSE */
        return bot_take_level(optarg, &options->engine);
    }
}

/* Reads the secret of a house bot. */
static bool read_secret(char secret[SECRET_MAX])
{
    if (fgets(secret, SECRET_MAX, stdin) != NULL && secret[0] != '\n') {
        secret[strcspn(secret, "\r\n")] = '\0';
        return true;
    }
    bot_error("--house", "no secret on standard input");
    return false;
}

int connect_main(int argc, char **argv)
{
    struct bot_player_options options = {
        .engine = engine_find(DEFAULT_LEVEL), .rng = bot_seed(), .retry_s = RETRY_S};
    struct option longs[USAGE_ROWS_MAX];
    char secret[SECRET_MAX], tls_address[LINK_ADDRESS_MAX];
    bool house = false;
    int code, row;

    usage_longs(connect_rows, longs);
    while ((code = getopt_long(argc, argv, ":", longs, &row)) != -1) {
        if (code == OPTION_HELP)
            return print_help();
        if (code == OPTION_VERSION)
            return bot_print_version();
        if (code == '?' || code == ':')
            return bot_bad_option(code, argv);
        if (!check_value(longs[row].name, optarg) || !take_option(&options, code))
            return EXIT_USAGE;
        house = house || code == OPTION_HOUSE;
    }
    if (optind < argc) {
        bot_error(argv[optind], "unknown command: see --help");
        return EXIT_USAGE;
    }
    if (options.address == NULL) {
        bot_error("--connect", "which server? See --help");
        return EXIT_USAGE;
    }
    options.address = link_address(options.address, options.tls, tls_address);
    if (options.token != NULL && options.name == NULL) {
        bot_error("--token", "a token belongs to a name: give --name");
        return EXIT_USAGE;
    }
    if (house && !read_secret(secret))
        return EXIT_USAGE;
    if (house) {
        options.secret = secret;
        options.quiet = true;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    return bot_player_run(&options);
}
