#include "args.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

#include "common/time_control.h"

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
    LINE,
    TLS,
    HELP,
    VERSION,
    CODES
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

static bool check_value(const char *option, const char *value, int *status)
{
    const char *fault = usage_fault(value);

    return fault == NULL || args_refuse(status, "--%s: %s", option, fault);
}

/* Reads options into values[] up to the first whose code is in the set `ends`, which is returned;
 * -1 at the end, -2 after bad usage. */
static int read_values(const struct usage_row *rows, unsigned ends, int argc, char *argv[],
                       const char *values[], int *status)
{
    struct option longs[USAGE_ROWS_MAX];
    char letter[3];
    int code, row;

    usage_longs(rows, longs);
    opterr = 0;
    while ((code = getopt_long(argc, argv, ":", longs, &row)) != -1) {
        if (code == ':' || code == '?') {
            args_refuse(status, "%s: %s", usage_refused(argv, letter),
                        code == ':' ? "value missing" : "unknown option");
            return -2;
        }
        if ((ends >> code & 1) != 0)
            return code;
        if (optarg != NULL && !check_value(longs[row].name, optarg, status))
            return -2;
        values[code] = optarg != NULL ? optarg : "";
    }
    return -1;
}

bool args_read_rows(const struct usage_command *command, int help, const char *text, int argc,
                    char *argv[], const char *values[], int *status)
{
    int end = read_values(command->rows, 1U << help, argc, argv, values, status);

    if (end != help)
        return end == -1;
    usage_print_command("ludus", command, text);
    *status = 0;
    return false;
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

bool args_check_color(const char *color, int *status)
{
    return strcasecmp(color, "white") == 0 || strcasecmp(color, "black") == 0 ||
           args_refuse(status, "--color: '%s' is neither white nor black", color);
}

bool args_check_clock(const char *clock, int *status)
{
    struct time_control control;
    struct cause cause;

    return time_control_parse(clock, &control, &cause) ||
           args_refuse(status, "--clock: %s", cause.text);
}

static bool check_together(const char *const values[CODES], int *status)
{
    bool seats = values[WHITE_SEAT] != NULL || values[BLACK_SEAT] != NULL;
    bool sides = values[VS] != NULL || values[COLOR] != NULL;
    const char *color = values[COLOR];

    if ((values[PLAY] != NULL) + (values[JOIN] != NULL) + (values[WATCH] != NULL) > 1)
        return args_refuse(status, "--play, --join, --watch: only one of them");
    if (values[PLAY] == NULL &&
        (seats || sides || values[CLOCK] != NULL || values[POSITION] != NULL))
        return args_refuse(
            status, "--vs, --color, --clock, --position, --white, --black: only with --play");
    if (seats && sides)
        return args_refuse(status, "--white, --black: not together with --vs or --color");
    return (color == NULL || args_check_color(color, status)) &&
           (values[CLOCK] == NULL || args_check_clock(values[CLOCK], status)) &&
           (values[NAME] == NULL || args_check_name(values[NAME], status));
}

/* Assigns the seats: those given by name, or mine by colour and the other to the opponent. */
static void set_seats(struct new_match *new_match, const char *const values[CODES])
{
    bool black = values[COLOR] != NULL && strcasecmp(values[COLOR], "black") == 0;
    const char *opponent = values[VS] != NULL ? values[VS] : "open";
    bool given = values[WHITE_SEAT] != NULL || values[BLACK_SEAT] != NULL;

    new_match->white = given ? values[WHITE_SEAT] : black ? opponent : "me";
    new_match->black = given ? values[BLACK_SEAT] : black ? "me" : opponent;
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

bool args_read(struct args *args, const struct usage_command *commands, int argc, char *argv[],
               int *status)
{
    const char *values[CODES] = {NULL};
    int end = read_values(args_rows, 1U << HELP | 1U << VERSION, argc, argv, values, status);

    if (end != -1)
        return end >= 0 && tell(commands, end, status);
    if ((optind < argc && !refuse_argument(commands, argv[optind], status)) ||
        !check_together(values, status))
        return false;
    *args = (struct args){
        .name = values[NAME],
        .code = values[CODE],
        .join = values[JOIN],
        .watch = values[WATCH],
        .line = values[LINE] != NULL,
        .new_match = {.game = values[PLAY], .clock = values[CLOCK], .position = values[POSITION]}};
    args->address = link_address(values[CONNECT], values[TLS] != NULL, args->tls_address);
    if (args->new_match.game != NULL)
        set_seats(&args->new_match, values);
    return true;
}

bool args_only_watches(const struct args *args)
{
    const struct new_match *new_match = &args->new_match;

    return args->watch != NULL ||
           (new_match->white != NULL && new_match->black != NULL &&
            strcasecmp(new_match->white, "me") != 0 && strcasecmp(new_match->black, "me") != 0);
}
