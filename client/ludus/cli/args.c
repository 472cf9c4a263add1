#include "args.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/ludus/talk/match_words.h"
#include "common/text.h"

/* The row of that number, or the first that begins so; -1 for none. */
static int find_answer(const char *answer, const char *const rows[], int count)
{
    long number;

    if (number_parse(answer, strlen(answer), 1, count, &number))
        return (int)number - 1;
    for (int i = 0; i < count; i++)
        if (strncasecmp(answer, rows[i], strlen(answer)) == 0)
            return i;
    return -1;
}

int ask_row(const char *question, const char *const rows[], int count)
{
    char line[64];
    int row = -1;

    for (int i = 0; i < count; i++)
        printf("  %d  %s\n", i + 1, rows[i]);
    while (row < 0) {
        printf("%s [1] ", question);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL)
            return -1;
        line[strcspn(line, "\n")] = '\0';
        row = line[0] != '\0' ? find_answer(line, rows, count) : 0;
    }
    return row;
}

const struct option_row args_rows[] = {
    CONNECT_ROW,
    {OPTION("name", "NAME",
            "your name there; the same name comes back to its\n"
            "matches"),
     TO_WORD(options, name), .spare = true},
    TLS_ROW,
    CODE_ROW,
    {OPTION("device", "CODE", "the code that `ludus device` shows; with --name"),
     TO_WORD(options, device), .not_in_file = true},
    {OPTION("play", "GAME[:VARIANT]", "open a match"), TO_WORD(options, match.game)},
    VS_ROW,
    COLOR_ROW,
    {OPTION("white", "SEAT", "who plays white, as for --vs; without you, you watch"),
     TO_WORD(options, match.white)},
    {OPTION("black", "SEAT", "who plays black, as for --vs"), TO_WORD(options, match.black)},
    CLOCK_ROW,
    POSITION_ROW,
    RATED_ROW,
    UNRATED_ROW,
    {OPTION("join", "MATCH", "take the open seat of a match"), TO_WORD(options, join)},
    {OPTION("watch", "MATCH", "watch a match"), TO_WORD(options, watch)},
    LINE_ROW,
    LANGUAGE_ROW,
    {OPTION("help", NULL, "print this help; each COMMAND has its own --help"), .kind = OPTION_HELP,
     .not_in_file = true},
    {OPTION("version", NULL, "print the version"), .kind = OPTION_VERSION, .not_in_file = true},
    {.name = NULL},
};

static void print_help(const struct usage_command *commands)
{
    puts(_("Usage: ludus [OPTION]...\n"
           "       ludus [OPTION]... COMMAND [ARGUMENT]... [OPTION]...\n"
           "Plays the games of a Ludus server in the terminal: in full screen, where F1\n"
           "lists the keys, or line by line in the server's own words, which `help` lists.\n"
           "Without --play, --join or --watch full screen shows a menu.\n"));
    usage_print_rows(args_rows);
    puts(_("\n--vs, --color, --white, --black, --clock, --position, --rated and --unrated need\n"
           "--play.\n"
           "\n"
           "A COMMAND is one of:\n"));
    usage_print_commands(commands);
    usage_print_games();
    puts(_("\n"
           "Examples:\n"
           "  ludus --play clobber:5x6 --vs bot:greedy\n"
           "  ludus --play shakti --vs open --clock 5m+5\n"
           "  ludus --connect example.org:7117 --name anna --join 12\n"
           "  ludus record 12 --pgn >12.pgn; ludus replay 12.pgn"));
}

bool args_refuse(int *status, const char *format, ...)
{
    va_list args;

    fputs("ludus: ", stderr);
    va_start(args, format);
    vfprintf(stderr, text_translated(format), args);
    va_end(args);
    fputs(_(": see --help\n"), stderr);
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

enum { DOUBTFUL_BELOW_MS = 60000 };

/* Writes the clock as the protocol has it. Few seconds may be meant as minutes: then it says what
 * it has understood. */
static bool check_clock(const char **clock, int *status)
{
    static char sent[CLOCK_WORDS_MAX]; /* for as long as the command line lives */
    const char *typed = *clock;
    struct time_control control;
    struct cause cause;

    if (!clock_option_read(typed, sent, &cause))
        return args_refuse(status, "--clock: %s", cause.text);
    *clock = sent;
    time_control_parse(sent, &control, &cause);
    if (control.base_ms < DOUBTFUL_BELOW_MS && typed[strspn(typed, "0123456789.+")] == '\0') {
        size_t base = strcspn(typed, "+");
        fprintf(stderr, _("ludus: --clock %s: %g seconds a side; for minutes write %.*sm%s\n"),
                typed, (double)control.base_ms / 1000, (int)base, typed, typed + base);
    }
    return true;
}

/* A rating range as the protocol has it. */
static bool check_rating(const char *rating, int *status)
{
    const char *dash = strchr(rating, '-');
    long low, high;

    if (dash != NULL && number_parse(rating, (size_t)(dash - rating), 0, INT_MAX, &low) &&
        number_parse(dash + 1, strlen(dash + 1), low, INT_MAX, &high))
        return true;
    return args_refuse(status, "--rating: '%.40s' is not LOW-HIGH, such as 1400-1600", rating);
}

/* Checks a value that is one of several words. */
static bool check_choice(const char *option, const char *value, const char *const words[],
                         int *status)
{
    char text[MEANT_TEXT_MAX], list[80] = "";
    struct meant_word meant;

    if (value == NULL)
        return true;
    meant_begin(&meant, value);
    for (int i = 0; words[i] != NULL; i++) {
        const char *between = i == 0 ? "" : words[i + 1] != NULL ? ", " : _(" or ");
        if (strcasecmp(value, words[i]) == 0)
            return true;
        meant_try(&meant, words[i]);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", between, words[i]);
    }
    return args_refuse(status, "--%s: '%.40s' is not %s%s", option, value, list,
                       meant_text(&meant, "", text));
}

/* Refuses a value with a blank in it, which the server would take for two words. */
static bool check_word(const char *option, const char *value, int *status)
{
    return value == NULL || value[strcspn(value, " \t")] == '\0' ||
           args_refuse(status, "--%s: '%.40s' has a blank in it", option, value);
}

static bool check_words_of(const struct options *options, int *status)
{
    const struct {
        const char *option, *value;
    } words[] = {{"play", options->match.game},   {"white", options->match.white},
                 {"black", options->match.black}, {"vs", options->vs},
                 {"join", options->join},         {"watch", options->watch},
                 {"ply", options->ply},           {"from", options->since},
                 {"game", options->game}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!check_word(words[i].option, words[i].value, status))
            return false;
    return true;
}

/* Checks what can be checked before there is a server, and notes what follows for the match. */
static bool check_options(struct options *options, int *status)
{
    static const char *const colors[] = {"white", "black", "random", NULL};
    static const char *const bots[] = {"yes", "no", "only", NULL};

    if (options->rated && options->unrated)
        return args_refuse(status, "--rated, --unrated: only one of them");
    options->match.rated = options->rated ? RATED_YES : options->unrated ? RATED_NO : RATED_USUAL;
    return check_words_of(options, status) &&
           check_choice("color", options->color, colors, status) &&
           check_choice("bots", options->bots, bots, status) &&
           (options->rating == NULL || check_rating(options->rating, status)) &&
           (options->match.clock == NULL || check_clock(&options->match.clock, status)) &&
           (options->name == NULL || check_name(options->name, status));
}

/* Refuses the arguments of a subcommand, and says what it takes. */
static bool refuse_words(const struct usage_command *command, const char *why, int *status)
{
    const char *word = command->word, *arguments = command->arguments;

    if (arguments[0] == '\0')
        return args_refuse(status, "%s: %s (it takes none)", word, why);
    return args_refuse(status, "%s: %s (ludus %s %s)", word, why, word, arguments);
}

static bool check_words(const struct command_line *line, int *status)
{
    const struct usage_command *command = line->command;

    if (line->word_count < line->least)
        return refuse_words(command, _("arguments are missing"), status);
    if (line->most >= 0 && line->word_count > line->most) {
        char why[96];
        snprintf(why, sizeof why, _("unexpected argument '%.60s'"), line->words[line->most]);
        utf8_clean(why);
        return refuse_words(command, why, status);
    }
    for (int i = 0; i < line->word_count; i++) {
        if (line->words[i][0] == '\0')
            return refuse_words(command, _("an argument is empty"), status);
        if (option_fault(line->words[i]) != NULL)
            return args_refuse(status, "%s: %s", command->word, option_fault(line->words[i]));
    }
    return true;
}

enum { WORD_MAX = 64 }; /* bytes with the final NUL; no option is as long */

/* Whether a word such as --clock=5 is an option of these rows. */
static bool has_option(const struct option_row *rows, const char *word)
{
    char name[WORD_MAX];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    return option_find(rows, name) != NULL;
}

/* Whether a subcommand takes an argument of the option's name: --game, and "GAME[:VARIANT]". */
static bool takes_as_argument(const struct usage_command *command, const char *word)
{
    size_t length = strcspn(word + 2, "=");

    for (const char *at = command->arguments; length > 0 && *at != '\0'; at++) {
        bool begins = at == command->arguments || !isalpha((unsigned char)at[-1]);
        if (begins && strncasecmp(at, word + 2, length) == 0 && !isalpha((unsigned char)at[length]))
            return true;
    }
    return false;
}

/* Refuses an option that is none here, where it is clear what was meant: one of the program as a
 * whole, as in `ludus --connect HOST join`, or an argument. What is nearest by its letters would
 * lead astray. */
static bool check_foreign(const struct usage_command *command, int argc, char *argv[], int *status)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        if (strncmp(word, "--", 2) != 0 || has_option(command->rows, word) ||
            (!has_option(args_rows, word) && !takes_as_argument(command, word)))
            continue;
        return args_refuse(status, "%.*s: not an option of %s: write ludus %s%s%s",
                           (int)strcspn(word, "="), word, command->word, command->word,
                           command->arguments[0] != '\0' ? " " : "", command->arguments);
    }
    return true;
}

bool args_read_line(struct command_line *line, int argc, char *argv[], int *status)
{
    if (!check_foreign(line->command, argc, argv, status))
        return false;
    *status =
        options_read("ludus", line->command->rows, OPTIONS_ANYWHERE, argc, argv, &line->options);
    if (*status == OPTIONS_HELP) {
        usage_print_command("ludus", line->command, line->text);
        *status = 0;
    }
    line->words = argv + optind;
    line->word_count = argc - optind;
    return *status == OPTIONS_RUN && check_words(line, status) &&
           check_options(&line->options, status);
}

bool args_check_blanks(const struct command_line *line, int *status)
{
    const struct usage_command *command = line->command;

    for (int i = 0; i < line->word_count; i++)
        if (line->words[i][strcspn(line->words[i], " \t")] != '\0')
            return args_refuse(status, "%s: '%.40s' has a blank in it (ludus %s %s)", command->word,
                               line->words[i], command->word, command->arguments);
    return true;
}

bool args_name_server(const struct options *options)
{
    return options->connect != NULL || options->tls || options->code != NULL;
}

bool args_check_seats(const struct options *options, int *status)
{
    bool seats = options->match.white != NULL || options->match.black != NULL;
    bool sides = options->vs != NULL || options->color != NULL;

    return !seats || !sides ||
           args_refuse(status, "--white, --black: not together with --vs or --color");
}

static bool check_together(struct options *options, int *status)
{
    bool seats = options->match.white != NULL || options->match.black != NULL;
    bool sides = options->vs != NULL || options->color != NULL;

    if ((options->match.game != NULL) + (options->join != NULL) + (options->watch != NULL) > 1)
        return args_refuse(status, "--play, --join, --watch: only one of them");
    if (options->match.game == NULL &&
        (seats || sides || options->match.clock != NULL || options->match.position != NULL ||
         options->rated || options->unrated))
        return args_refuse(status, "--vs, --color, --clock, --position, --rated, --unrated, "
                                   "--white, --black: only with --play");
    if (options->device != NULL && options->name == NULL)
        return args_refuse(status, "--device: needs --name, the name on the other device");
    return args_check_seats(options, status) && check_options(options, status);
}

void args_set_seats(struct options *options)
{
    const char *color = options->color != NULL ? options->color : "white";
    bool black = strcasecmp(color, "random") == 0 ? play_random_color() == BLACK
                                                  : strcasecmp(color, "black") == 0;
    const char *opponent = options->vs != NULL ? options->vs : "open";

    if (options->match.white != NULL || options->match.black != NULL)
        return;
    options->match.white = black ? opponent : "me";
    options->match.black = black ? "me" : opponent;
}

/* Refuses a word that belongs to no option. */
static bool refuse_argument(const struct usage_command *commands, const char *word, int *status)
{
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
    *status = options_read("ludus", args_rows, OPTIONS_ANYWHERE, argc, argv, options);
    if (*status == OPTIONS_HELP) {
        print_help(commands);
        *status = 0;
    }
    if (*status != OPTIONS_RUN ||
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
