/* The command line of the client, and questions before there is a client. */
#ifndef LUDUS_ARGS_H
#define LUDUS_ARGS_H

#include "client/ludus/talk/play.h"
#include "common/usage.h"

/* Prints the rows with numbers from 1, and asks for one by its number or its first letters; the
 * first row is the default. Returns the index from 0; -1 at the end of input. */
int ask_row(const char *question, const char *const rows[], int count);

/* The options of all command lines of the client. Texts are borrowed from argv; NULL: not given. */
struct options {
    const char *connect, *code, *name, *device;
    const char *language; /* taken out before the others are read: language_option() */
    bool tls;
    struct new_match match; /* --play names the game, --private hides it */
    const char *vs, *color;
    const char *join, *watch, *ply;
    const char *pace;          /* between states, in seconds */
    const char *rating, *bots; /* of an opponent to seek */
    bool rated, unrated;
    bool json, plain, pgn, times, svg, cast; /* the form of the output */
    bool all, line, no_qr, new_code, daily;
    long movetime_ms;         /* of a review, for each position */
    long from, limit;         /* rows of a list to pass over, and to print; 0: all */
    const char *since, *game; /* what an export begins with, and is limited to */
};

/* Rows that several tables of options share. */
/* clang-format off */
#define CONNECT_ROW {OPTION("connect", "HOST:PORT", "the server (localhost:7117)"), TO_WORD(options, connect), .spare = true}
#define TLS_ROW {OPTION("tls", NULL, "use TLS, as with --connect tls://HOST:PORT"), TO_FLAG(options, tls), .spare = true}
#define CODE_ROW {OPTION("code", "CODE", "the join code, if the server requires one"), TO_WORD(options, code), .spare = true}
#define COLOR_ROW {OPTION("color", "SIDE", "your side: white, black or random (white)"), TO_WORD(options, color)}
#define CLOCK_ROW \
    {OPTION("clock", "BASE+INC", "play with clocks: BASE seconds a side, INC more a\n" \
                                 "move; 5m+3 and 5:00+3 are 5 minutes"), TO_WORD(options, match.clock)}
#define VS_ROW \
    {OPTION("vs", "SEAT", \
            "your opponent: me (both sides, one keyboard), open\n" \
            "(anyone who joins, the default), bot:LEVEL or a NAME"), \
     TO_WORD(options, vs)}
#define POSITION_ROW {OPTION("position", "POSITION", "start from this position"), TO_WORD(options, match.position)}
#define RATED_ROW \
    {OPTION("rated", NULL, \
            "count the match for the ratings (by default not\n" \
            "against house bots)"), \
     TO_FLAG(options, rated)}
#define UNRATED_ROW {OPTION("unrated", NULL, "do not count the match for the ratings"), TO_FLAG(options, unrated)}
#define LINE_ROW {OPTION("line", NULL, "the server's text, line by line, not full screen"), TO_FLAG(options, line)}
#define LANGUAGE_ROW {OPTION("language", "LANG", "the language of the texts: en, pt ..."), TO_WORD(options, language)}
#define HELP_ROW {OPTION("help", NULL, "print this help"), .kind = OPTION_HELP, .not_in_file = true}
/* clang-format on */

/* The command line of a subcommand. All texts are borrowed. */
struct command_line {
    const struct usage_command *command;
    const char *text; /* for --help: lines that describe the subcommand */
    int least, most;  /* how many arguments it takes; most < 0: any number */
    struct options options;
    char **words; /* its arguments */
    int word_count;
};

/* What to play, and where. */
struct args {
    struct options options; /* match.game is NULL when no match is to be opened */
    const char *address;
    struct new_seek seek;               /* game NULL: nothing to seek */
    char tls_address[LINK_ADDRESS_MAX]; /* storage for the address with --tls */
    bool host;                          /* start a server for friends and play there */
    bool join_open;                     /* take the match that is open there */
};

/* The options of the client without a subcommand. */
extern const struct option_row args_rows[];

/* Reads the command line and reports errors on standard error. Returns false when the program must
 * end now, with the exit status in *status: 0 after --help and --version, 2 after bad usage. */
bool args_read(struct args *args, const struct usage_command *commands, int argc, char *argv[],
               int *status);

/* Whether the options name a server, or give what belongs to one. */
bool args_name_server(const struct options *options);

/* Checks the options that set the seats of a match. False with *status set after bad usage. */
bool args_check_seats(const struct options *options, int *status);

/* Assigns the seats of the match to open, unless they were given by name: mine by --color, and the
 * other to --vs. */
void args_set_seats(struct options *options);

/* Plays in full screen or in line mode, as the options say; returns the exit status. */
int run_client(const struct args *args);

/* Whether the player only watches: they have no seat in the match to open, or asked to watch
 * one. */
bool args_only_watches(const struct args *args);

/* Reads the options and arguments of a subcommand into *line, whose first members the caller has
 * set. Returns false when the program must end now, as args_read() does. */
bool args_read_line(struct command_line *line, int argc, char *argv[], int *status);

/* Refuses an argument with a blank in it, which the server would take for two. */
bool args_check_blanks(const struct command_line *line, int *status);

/* Reports bad usage on standard error, sets *status to 2 and returns false. */
bool args_refuse(int *status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
