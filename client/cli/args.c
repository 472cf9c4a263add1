#include "args.h"

#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

#include "common/time_control.h"

const struct usage_row args_rows[] = {
    CONNECT_ROW,
    {OPTION("name", "NAME",
            "your name there; the same name comes back to its\n"
            "matches"),
     TO_TEXT(options, name)},
    TLS_ROW,
    CODE_ROW,
    {OPTION("play", "GAME[:VARIANT]", "open a match"), TO_TEXT(options, match.game)},
    {OPTION("vs", "SEAT",
            "your opponent: me (both sides, one keyboard), open\n"
            "(anyone who joins, the default), bot:LEVEL or a NAME"),
     TO_TEXT(options, vs)},
    COLOR_ROW,
    {OPTION("white", "SEAT", "who plays white, as for --vs; without you, you watch"),
     TO_TEXT(options, match.white)},
    {OPTION("black", "SEAT", "who plays black, as for --vs"), TO_TEXT(options, match.black)},
    CLOCK_ROW,
    POSITION_ROW,
    {OPTION("join", "MATCH", "take the open seat of a match"), TO_TEXT(options, join)},
    {OPTION("watch", "MATCH", "watch a match"), TO_TEXT(options, watch)},
    LINE_ROW,
    {OPTION("help", NULL, "print this help; each COMMAND has its own --help"), .code = USAGE_HELP},
    {OPTION("version", NULL, "print the version"), .code = USAGE_VERSION},
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

static bool check_name(const char *name, int *status)
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

static bool check_color(const char *color, int *status)
{
    return strcasecmp(color, "white") == 0 || strcasecmp(color, "black") == 0 ||
           args_refuse(status, "--color: '%s' is neither white nor black", color);
}

static bool check_clock(const char *clock, int *status)
{
    struct time_control control;
    struct cause cause;

    return time_control_parse(clock, &control, &cause) ||
           args_refuse(status, "--clock: %s", cause.text);
}

/* Checks what can be checked before there is a server. */
static bool check_options(const struct options *options, int *status)
{
    return (options->color == NULL || check_color(options->color, status)) &&
           (options->match.clock == NULL || check_clock(options->match.clock, status)) &&
           (options->name == NULL || check_name(options->name, status));
}

static bool check_words(const struct command_line *line, int *status)
{
    const char *word = line->command->word;

    if (line->word_count < line->least)
        return args_refuse(status, "%s: arguments are missing: %s", word, line->command->arguments);
    if (line->most >= 0 && line->word_count > line->most)
        return args_refuse(status, "%s: unexpected argument", line->words[line->most]);
    for (int i = 0; i < line->word_count; i++)
        if (usage_fault(line->words[i]) != NULL)
            return args_refuse(status, "%s: %s", word, usage_fault(line->words[i]));
    return true;
}

bool args_read_line(struct command_line *line, int argc, char *argv[], int *status)
{
    *status = usage_read("ludus", line->command->rows, ":", argc, argv, NULL, &line->options);
    if (*status == USAGE_HELP) {
        usage_print_command("ludus", line->command, line->text);
        *status = 0;
    }
    line->words = argv + optind;
    line->word_count = argc - optind;
    return *status == USAGE_READ && check_words(line, status) &&
           check_options(&line->options, status);
}

static bool check_together(const struct options *options, int *status)
{
    bool seats = options->match.white != NULL || options->match.black != NULL;
    bool sides = options->vs != NULL || options->color != NULL;

    if ((options->match.game != NULL) + (options->join != NULL) + (options->watch != NULL) > 1)
        return args_refuse(status, "--play, --join, --watch: only one of them");
    if (options->match.game == NULL &&
        (seats || sides || options->match.clock != NULL || options->match.position != NULL))
        return args_refuse(
            status, "--vs, --color, --clock, --position, --white, --black: only with --play");
    if (seats && sides)
        return args_refuse(status, "--white, --black: not together with --vs or --color");
    return check_options(options, status);
}

void args_set_seats(struct options *options)
{
    bool black = options->color != NULL && strcasecmp(options->color, "black") == 0;
    const char *opponent = options->vs != NULL ? options->vs : "open";

    if (options->match.white != NULL || options->match.black != NULL)
        return;
    options->match.white = black ? opponent : "me";
    options->match.black = black ? "me" : opponent;
}

/* Refuses a word that belongs to no option: a misplaced command, or none at all. */
static bool refuse_argument(const struct usage_command *commands, const char *word, int *status)
{
    if (usage_find(commands, word) != NULL)
        return args_refuse(status, "%s: a command comes first: ludus %s, then its options", word,
                           word);
    const struct usage_command *nearest = usage_nearest(commands, word);
    if (nearest != NULL)
        return args_refuse(status, "%s: unknown command (did you mean %s?)", word, nearest->word);
    return args_refuse(status, "%s: unknown command", word);
}

bool args_read(struct args *args, const struct usage_command *commands, int argc, char *argv[],
               int *status)
{
    struct options *options = &args->options;

    *args = (struct args){.host = false};
    *status = usage_read("ludus", args_rows, ":", argc, argv, NULL, options);
    if (*status == USAGE_HELP) {
        print_help(commands);
        *status = 0;
    }
    if (*status != USAGE_READ ||
        (optind < argc && !refuse_argument(commands, argv[optind], status)) ||
        !check_together(options, status))
        return false;
    args->address = link_address(options->connect, options->tls, args->tls_address);
    if (options->match.game != NULL)
        args_set_seats(options);
    return true;
}

bool args_only_watches(const struct args *args)
{
    const struct new_match *match = &args->options.match;

    return args->options.watch != NULL ||
           (match->white != NULL && match->black != NULL && strcasecmp(match->white, "me") != 0 &&
            strcasecmp(match->black, "me") != 0);
}
