/*
 * From a line to its answer: finds the command, checks what its row says (join code, rate, words,
 * options), finds or loads what it needs, and runs its handler (cmd_*.c). A line that needs
 * something that a unit has locked, or that only the keeper has, sleeps until it is there.
 *
 * A handler gets a request. One that changes something edits drafts in the request's unit and
 * writes its reply; the unit is concluded and settled, and the reply and the events go out once it
 * is kept. One that only reads, or that changes what no keeper keeps, answers at once.
 */
#ifndef LUDUS_DISPATCH_H
#define LUDUS_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "common/message.h"
#include "server.h"
#include "server/base/status.h"
#include "server/keep/unit.h"
#include "server/wire/wire.h"
#include "session.h"

enum {
    REPLY_ROWS_MAX = 200,       /* of `list`, `who`, `history`, and `top` of one variant */
    ROWS_A_COMMAND = 10,        /* count like a command more */
    ROWS_FROM_MAX = 1000000000, /* that from= passes over */
    BYTES_A_ROW = 50,           /* of a record, which may be long, count like a row */
    ROWS_A_LOOK_UP = 80         /* are as much work as looking for something in the store */
};

/* The cost of a command against the rate limit, in proportion to its work: 1, 2 and 5. Rows of a
 * list are extra. */
enum cost {
    COST_PLAIN, /* little beside the line itself */
    COST_BOARD, /* goes through a position, or changes who sits at a match */
    COST_OPENS  /* opens or joins something that lasts */
};

/* The match that a command is about: request->table, unless stated otherwise. */
enum match_argument {
    MATCH_NONE,
    MATCH_FIRST,     /* the first word */
    MATCH_OPTIONAL,  /* the first word, if there are as many words as there may be */
    MATCH_OR_SQUARE, /* as MATCH_OPTIONAL, but a single word may name either */
    MATCH_OR_LOBBY,  /* the first word, unless it is `lobby` or `tournament` */
    MATCH_RECORD     /* the first word, over or not: request->record */
};

/* Sets of matches, as bits 1 << enum match_status. Where a line names none, they say which come
 * into question. */
enum {
    MATCHES_PLAYING = 1u << MATCH_PLAYING,
    MATCHES_UNFINISHED = MATCHES_PLAYING | 1u << MATCH_OPEN,
    MATCHES_OVER = 1u << MATCH_OVER,
    MATCHES_ANY = MATCHES_UNFINISHED | MATCHES_OVER,
    MATCHES_WATCHED = 1u << (MATCH_OVER + 1) /* failing these, the only one that is watched */
};

struct request;

/* A row of the table of commands. Dispatch checks the first half, finds or loads what the second
 * half names, sleeping as long as that takes, and runs the handler once. */
struct command {
    const char *verb;
    const char *usage;   /* the arguments, as help shows them; NULL: none */
    const char *summary; /* one line for people */
    const char *options; /* as arguments_parse() takes them; NULL: none */
    int min, max;        /* words, options not counted; with free text 1 means not empty */
    bool free_text;      /* the rest of the line is not split into words */
    bool before_code;    /* may be used without the join code */
    enum cost cost;
    bool keeps; /* it adds to what is kept, rather than change it */

    /* Reads the words and checks what needs no look-up, before anything is found; may set
     * request->plies_max. NULL: nothing. Called again after each sleep. */
    enum status (*check)(struct request *request);
    enum match_argument match;
    unsigned wanted; /* which match is meant where the line names none */
    bool edits;      /* it only edits drafts; the match, if it names one, must be free for that */
    const char *players[2]; /* options that name a player, whom request->players then has; "" is the
                             * first word, unless it is the only one and names a game */
    bool opens;             /* a match: the lobby must have a number for it */
    /* Finds what else is needed; NULL: nothing. It may refuse; it sets request->tournament, a lock
     * to wait for, and a question to the keeper, as the handler needs them. Called again after each
     * sleep. */
    enum status (*find)(struct request *request);

    /* Does what the command asks. On an error nothing has been sent; what it has drafted is
     * dropped; request->cause may say more than the code. */
    enum status (*run)(struct request *request);
};

/* The families of commands, by file, each ended by a row without verb. */
extern const struct command session_commands[], people_commands[], lobby_commands[],
    match_commands[], review_commands[], seek_commands[], tournament_commands[], puzzle_commands[],
    help_commands[];

struct request {
    struct server *server;
    struct session *session;
    struct pending_line *line;
    struct player *player; /* the session's, as it was when the command came */
    const struct command *command;
    struct message *message;
    struct arguments arguments; /* unused where the command takes free text: message->rest */
    int64_t arrived_ms;         /* when the line came, by which clocks are charged */

    const char *match_id;       /* as the line names it; NULL: it names none */
    struct table *table;        /* the match; NULL: the command needs none */
    const struct table *record; /* with MATCH_RECORD; perhaps a copy from the keeper */
    int plies_max; /* set by check(): a match that the keeper has to read may have; 0: any number */
    struct player *players[2];     /* as the row names them; NULL: not named, or unknown */
    const char *unknown_player;    /* the first name that nobody has; the handler refuses it */
    struct tournament *tournament; /* set by find() */
    struct lock *lock;             /* set by find(): the line sleeps until it is free */
    struct question question;      /* set by find(): for the keeper, if `asks` */
    bool asks;
    bool is_opened;              /* once=KEY has opened a match, whatever else the line says */
    const struct look_up *found; /* the answer, until the line is answered; NULL: asked nothing */
    enum sleep_reason sleeps;    /* the line has to sleep, and runs again */

    struct unit *unit; /* what it changes; NULL: nothing so far */
    struct wire reply; /* the reply that is being written */
    bool replied;      /* it was sent */
    struct cause cause;
    int rows;         /* of a list in the reply, or work that is worth as much */
    int64_t retry_ms; /* with STATUS_RATE_LIMITED: when to try again */
};

/* The unit of the request; a new one if there is none yet. */
struct unit *request_unit(struct request *request);

/* The draft of request->table. */
struct table *request_edit(struct request *request);

/* Returns whether the keeper has more than memory, so that what is not found there must be looked
 * up. */
bool request_is_shared(const struct request *request);

/* Drops what was written of a reply, and begins one in the session's present format. */
const struct wire *request_begin(struct request *request);

/* Writes `ok` as the reply. Returns STATUS_OK. */
enum status request_ok(struct request *request, struct ok ok);

/* Sends the reply now, before something is announced. Only without a unit; else, and where a
 * handler returns without, it is sent later. */
void request_send(struct request *request);

/* Sets the sentence and returns the status. */
enum status request_fail(struct request *request, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails with RATE_LIMITED: what is too frequent may be tried again after so long. */
enum status request_too_early(struct request *request, const char *what, int64_t retry_ms);

/* Refuses a request while the server keeps no more for its address. */
enum status request_may_keep(struct request *request);

/* Reads an option that has two values, in any case: *is_first tells which was given, and is left
 * alone when none was. Fails with BAD_ARGUMENTS. */
enum status request_choice(struct request *request, const char *option, const char *first,
                           const char *second, bool *is_first);

/* Reads max=N: in how many matches at once the player takes part, at least 1; *most stays as it is
 * without it. Fails with BAD_ARGUMENTS. */
enum status request_matches_max(struct request *request, int *most);

/* Reads from=N: how many rows of a list to pass over. Fails with BAD_ARGUMENTS. */
enum status request_from(struct request *request, struct row_filter *filter);

/* Reads GAME or GAME:VARIANT, and where it starts. Fails with UNKNOWN_GAME or UNKNOWN_VARIANT. */
enum status request_start(struct request *request, const char *word, const struct game **game,
                          struct position *start);

/* Reads GAME or GAME:VARIANT, the first word, and position=, which may be given instead of where it
 * starts. Fails with UNKNOWN_GAME, UNKNOWN_VARIANT or BAD_POSITION. */
enum status request_position(struct request *request, const struct game **game,
                             struct position *start);

/* Reads GAME or GAME:VARIANT as a filter. Fails with UNKNOWN_GAME or UNKNOWN_VARIANT. */
enum status request_game(struct request *request, const char *word, struct row_filter *filter);

/* Finds the tournament with that id, for `find`, also one that was opened at another server just
 * now: then the line may have to sleep, and there is none yet. */
enum status request_find_tournament(struct request *request, const char *id);

/* Reads code=WORD, which a new match or tournament is to need: NULL if there is none. Fails with
 * BAD_ARGUMENTS. */
enum status request_read_word(struct request *request, const char **word);

/* Fails with RATE_LIMITED while the address waits after wrong codes; `what` says of which. A
 * session that has given none waits no longer than CODE_WAIT_MAX_MS from its beginning: the guesses
 * of others at its address do not keep it out. */
enum status request_may_try_code(struct request *request, const char *what);
/* Counts a wrong code. */
void request_wrong_code(struct request *request);

/* Checks code=WORD of who joins `what` of this id by `command`, which needs the word, or "".
 * Fails with CODE_NEEDED and BAD_CODE. Wrong words count as wrong join codes of their address. */
enum status request_check_word(struct request *request, const char *needed, const char *what,
                               const char *id, const char *command);

/* Reads an option yes or no as 1 or 2; 0 without it. Fails with BAD_ARGUMENTS. */
enum status request_yes_or_no(struct request *request, const char *option, int *choice);

/* Finds the only match that comes into question where none is named: one in which the player sits,
 * running ones before open ones before the latest that is over. Fails with UNKNOWN_MATCH or
 * AMBIGUOUS_MATCH. */
enum status request_only_match(struct request *request, unsigned wanted, struct table **table);

/* Checks whether the session may watch one more match. Fails with LIMIT_REACHED. */
enum status request_may_watch(struct request *request);

/* Checks whether a match may be opened that `opener` is answerable for, and where they were then:
 * an origin, or NULL where that does not count. Fails with LIMIT_REACHED or SERVER_BUSY. */
enum status request_may_open(struct request *request, const struct player *opener,
                             const struct origin *origin);

/* Call it when nothing but this can refuse the match: on a full server, ends one whose people are
 * all away. Fails with SERVER_BUSY. */
enum status request_make_room(struct request *request, const struct player *opener,
                              const struct origin *origin);

/* Returns whether the player can ever come: a house bot that the keeper remembers may be none of
 * this server's. */
bool request_can_come(const struct request *request, const struct player *player);

/* --- For the network, the tests and the metrics --- */

/* Takes one line without its end: any bytes, up to LINE_BYTES_MAX - 1. False when the line has to
 * sleep: give it again when sink.wake() was called. */
bool dispatch_line(struct session *session, const char *line, size_t length);

/* The peer sent a line that is too long: refuses it. False when that has to wait for replies to
 * earlier lines: call it again when sink.wake() was called. */
bool dispatch_too_long(struct session *session);

/* The peer sent something that is work, but no line: counts it like commands, and as an error if
 * it comes too early. False when there were too many errors in a row: close the session. */
bool dispatch_no_line(struct session *session);

/* Goes on with a session that was woken: runs the line that is to run again, if there is one. False
 * when the session sleeps again. */
bool dispatch_resume(struct session *session);

/* Returns the command of that verb (any case), or NULL. */
const struct command *command_find(const struct server *server, const char *verb);

/* Returns the command at a place among all, from 1; NULL: there are fewer. */
const struct command *command_at(const struct server *server, int number);

#endif
