#include "args.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/time_control.h"

/* Values that only make sense together. */
struct words {
    const char *vs, *color, *white, *black;
};

enum {
    CONNECT,
    NAME,
    CODE,
    PLAY,
    JOIN,
    WATCH,
    VS,
    COLOR,
    WHITE_SEAT,
    BLACK_SEAT,
    CLOCK,
    POSITION,
    TEXTS, /* the ones above take a value */
    LINE = TEXTS,
    TLS,
    HELP,
    VERSION
};

const struct usage_row args_rows[] = {
    {OPTION("connect", "HOST:PORT", "the server (" LINK_DEFAULT_ADDRESS ")"), .code = CONNECT},
    {OPTION("name", "NAME",
            "your name there; the same name comes back to its\n"
            "matches"),
     .code = NAME},
    {OPTION("tls", NULL, "use TLS, as with --connect tls://HOST:PORT"), .code = TLS},
    {OPTION("code", "CODE", "the join code, if the server requires one"), .code = CODE},
    {OPTION("play", "GAME[:VARIANT]", "open a match"), .code = PLAY},
    {OPTION("vs", "SEAT",
            "your opponent: me (both sides at this keyboard), open\n"
            "(anyone who joins, the default), bot:LEVEL or a NAME"),
     .code = VS},
    {OPTION("color", "white|black", "your side (white)"), .code = COLOR},
    {OPTION("white", "SEAT", "who plays white, as for --vs; without you, you watch"),
     .code = WHITE_SEAT},
    {OPTION("black", "SEAT", "who plays black, as for --vs"), .code = BLACK_SEAT},
    {OPTION("clock", "BASE+INC", "play with clocks: BASE seconds a side, INC more a move"),
     .code = CLOCK},
    {OPTION("position", "POSITION", "start from this position"), .code = POSITION},
    {OPTION("join", "MATCH", "take the open seat of a match"), .code = JOIN},
    {OPTION("watch", "MATCH", "watch a match"), .code = WATCH},
    {OPTION("line", NULL, "work line by line instead of in full screen"), .code = LINE},
    {OPTION("help", NULL, "print this help; each COMMAND has its own --help"), .code = HELP},
    {OPTION("version", NULL, "print the version"), .code = VERSION},
    {.name = NULL},
};

static void print_help(const struct usage_command *commands)
{
    puts("Usage: ludus [OPTION]...\n"
         "       ludus COMMAND [ARGUMENT]... [OPTION]...\n"
         "Plays the games of a Ludus server in the terminal: in full screen, where F1\n"
         "lists the keys, or line by line. Without --play, --join or --watch it shows a\n"
         "menu.\n");
    usage_print_rows(args_rows);
    puts("\n--vs, --color, --white, --black, --clock and --position need --play.\n"
         "\n"
         "A COMMAND is one of:\n");
    usage_print_commands(commands);
    puts("\n"
         "Examples:\n"
         "  ludus --play clobber:5x6 --vs bot:greedy\n"
         "  ludus --play shakti --vs open --clock 300+5\n"
         "  ludus --connect example.org:7117 --name anna --join 12\n"
         "  ludus record 12 --pgn >12.pgn; ludus replay 12.pgn");
}

bool args_refuse(int *status, const char *format, ...)
{
    va_list args;

    fputs("ludus: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs(": see --help\n", stderr);
    *status = 2;
    return false;
}

bool args_refuse_word(int option, char *argv[], int *status)
{
    char letter[3];

    return args_refuse(status, "%s: %s", usage_refused(argv, letter),
                       option == ':' ? "value missing" : "unknown option");
}

bool args_check_value(const char *option, const char *value, int *status)
{
    const char *fault = usage_fault(value);

    return fault == NULL || args_refuse(status, "--%s: %s", option, fault);
}

bool args_read_rows(const struct usage_command *command, int help, const char *text, int argc,
                    char *argv[], const char *values[], int *status)
{
    struct option longs[USAGE_ROWS_MAX];
    int code, row;

    usage_longs(command->rows, longs);
    opterr = 0;
    while ((code = getopt_long(argc, argv, ":", longs, &row)) != -1) {
        if (code == help) {
            usage_print_command("ludus", command, text);
            *status = 0;
            return false;
        }
        if (code == ':' || code == '?')
            return args_refuse_word(code, argv, status);
        if (optarg != NULL && !args_check_value(longs[row].name, optarg, status))
            return false;
        values[code] = optarg != NULL ? optarg : "";
    }
    return true;
}

bool args_check_argument(const char *what, const char *value, int *status)
{
    const char *fault = usage_fault(value);

    return fault == NULL || args_refuse(status, "%s: %s", what, fault);
}

bool args_check_name(const char *name, int *status)
{
    if (strcasecmp(name, "me") == 0 || strcasecmp(name, "open") == 0)
        return args_refuse(status,
                           "--name: '%s' cannot be a name: as a seat, `me` is yourself "
                           "and `open` anyone who joins",
                           name);
    return identity_is_name(name) ||
           args_refuse(status, "--name: a name is 1 to 24 of A-Z a-z 0-9 _ -, and does not "
                               "begin with guest-");
}

bool args_check_clock(const char *clock, int *status)
{
    struct time_control control;
    struct cause cause;

    return time_control_parse(clock, &control, &cause) ||
           args_refuse(status, "--clock: %s", cause.text);
}

static bool check_together(const struct args *args, const struct words *words, int *status)
{
    const struct new_match *new_match = &args->new_match;
    bool seats = words->white != NULL || words->black != NULL;

    if ((new_match->game != NULL) + (args->join != NULL) + (args->watch != NULL) > 1)
        return args_refuse(status, "--play, --join, --watch: only one of them");
    if (new_match->game == NULL && (seats || words->vs != NULL || words->color != NULL ||
                                    new_match->clock != NULL || new_match->position != NULL))
        return args_refuse(
            status, "--vs, --color, --clock, --position, --white, --black: only with --play");
    if (seats && (words->vs != NULL || words->color != NULL))
        return args_refuse(status, "--white, --black: not together with --vs or --color");
    if (words->color != NULL && strcasecmp(words->color, "white") != 0 &&
        strcasecmp(words->color, "black") != 0)
        return args_refuse(status, "--color: '%s' is neither white nor black", words->color);
    return (new_match->clock == NULL || args_check_clock(new_match->clock, status)) &&
           (args->name == NULL || args_check_name(args->name, status));
}

/* Assigns the seats: those given by name, or mine by colour and the other to the opponent. */
static void set_seats(struct new_match *new_match, const struct words *words)
{
    bool black = words->color != NULL && strcasecmp(words->color, "black") == 0;
    const char *opponent = words->vs != NULL ? words->vs : "open";

    if (words->white != NULL || words->black != NULL) {
        new_match->white = words->white;
        new_match->black = words->black;
    } else {
        new_match->white = black ? opponent : "me";
        new_match->black = black ? "me" : opponent;
    }
}

static bool tell(const struct usage_command *commands, int option, int *status)
{
    if (option == HELP)
        print_help(commands);
    else
        puts("ludus " LUDUS_VERSION);
    *status = 0;
    return false;
}

/* Refuses a word that belongs to no option: a misplaced command, or none at all. */
static bool refuse_argument(const struct usage_command *commands, const char *word, int *status)
{
    if (usage_find(commands, word) != NULL)
        return args_refuse(status, "%s: a command comes first: ludus %s, then its options", word,
                           word);
    return args_refuse(status, "%s: unknown command", word);
}

static bool read_words(struct args *args, struct words *words, const struct usage_command *commands,
                       int argc, char *argv[], int *status)
{
    const char **const values[TEXTS] = {[CONNECT] = &args->address,
                                        [NAME] = &args->name,
                                        [CODE] = &args->code,
                                        [PLAY] = &args->new_match.game,
                                        [JOIN] = &args->join,
                                        [WATCH] = &args->watch,
                                        [VS] = &words->vs,
                                        [COLOR] = &words->color,
                                        [WHITE_SEAT] = &words->white,
                                        [BLACK_SEAT] = &words->black,
                                        [CLOCK] = &args->new_match.clock,
                                        [POSITION] = &args->new_match.position};
    struct option longs[USAGE_ROWS_MAX];
    bool tls = false;
    int option, row;

    usage_longs(args_rows, longs);
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", longs, &row)) != -1) {
        if (option == HELP || option == VERSION)
            return tell(commands, option, status);
        if (option == ':' || option == '?')
            return args_refuse_word(option, argv, status);
        if (option < TEXTS && !args_check_value(longs[row].name, optarg, status))
            return false;
        if (option < TEXTS)
            *values[option] = optarg;
        args->line = args->line || option == LINE;
        tls = tls || option == TLS;
    }
    args->address = link_address(args->address, tls, args->tls_address);
    return optind == argc || refuse_argument(commands, argv[optind], status);
}

bool args_read(struct args *args, const struct usage_command *commands, int argc, char *argv[],
               int *status)
{
    struct words words = {NULL, NULL, NULL, NULL};

    *args = (struct args){.address = NULL};
    if (!read_words(args, &words, commands, argc, argv, status) ||
        !check_together(args, &words, status))
        return false;
    if (args->new_match.game != NULL)
        set_seats(&args->new_match, &words);
    return true;
}

bool args_only_watches(const struct args *args)
{
    const struct new_match *new_match = &args->new_match;

    return args->watch != NULL ||
           (new_match->white != NULL && new_match->black != NULL &&
            strcasecmp(new_match->white, "me") != 0 && strcasecmp(new_match->black, "me") != 0);
}
