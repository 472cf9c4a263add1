/*
 * A request: one command being handled, and what handlers (cmd_*.c) do with it.
 *
 * A command that changes something edits drafts in the request's unit and writes its reply; the
 * dispatcher (dispatch.h) concludes the unit and has it settled, and the reply and the events go
 * out once it is kept. A command that only reads, or that changes what no keeper keeps, answers at
 * once.
 */
#ifndef LUDUS_REQUEST_H
#define LUDUS_REQUEST_H

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

/* The way in which a command names the match that it changes. Those that change one edit drafts
 * only. */
enum match_argument {
    MATCH_UNCHANGED, /* it changes none; the handler looks for one, if it needs any */
    MATCH_NEW,       /* it opens one */
    MATCH_FIRST,     /* the first word */
    MATCH_OPTIONAL   /* the first word, if there are as many words as there may be */
};

struct request;

/* A row of the table of commands. */
struct command {
    const char *verb;
    const char *usage;   /* the arguments, as help shows them; NULL: none */
    const char *summary; /* one line for people */
    const char *options; /* as arguments_parse() takes them; NULL: none */
    int min, max;        /* words, options not counted; with free text 1 means not empty */
    bool free_text;      /* the rest of the line is not split into words */
    bool before_code;    /* may be used without the join code */
    enum match_argument match;
    unsigned wanted; /* with MATCH_OPTIONAL: the matches that come into question, see below */
    enum cost cost;
    bool keeps; /* it adds to what is kept, rather than change it */
    /* Does what the command asks. On an error nothing has been sent; what it has drafted is
     * dropped; request->cause may say more than the code. */
    enum status (*run)(struct request *request);
};

/* The families of commands, by file, each ended by a row without verb. */
extern const struct command session_commands[], people_commands[], lobby_commands[],
    seat_commands[], watch_commands[], match_commands[], review_commands[], seek_commands[],
    tournament_commands[];

struct request {
    struct server *server;
    struct session *session;
    struct player *player; /* the session's, as it was when the command came */
    const struct command *command;
    struct message *message;
    struct arguments arguments; /* unused where the command takes free text: message->rest */
    struct table *table;        /* the match it names, free to be changed; NULL: it names none */
    struct unit *unit;          /* what it changes; NULL: nothing so far */
    struct wire reply;          /* the reply, as far as it is written */
    bool replied;               /* it was sent */
    struct lock *blocked;       /* set: the line has to sleep until this is free, and run again */
    bool waits_for_own;         /* set: until what the session's earlier lines change is settled */
    bool waits_for_answer;      /* set: until the session's look-up is answered */
    int64_t arrived_ms;         /* when the line came, by which clocks are charged */
    struct cause cause;
    int rows;         /* of a list in the reply, or as much work as so many */
    int64_t retry_ms; /* with STATUS_RATE_LIMITED: when to try again */
};

/* The unit of the request; a new one if there is none yet. */
struct unit *request_unit(struct request *request);

/* The draft of request->table. */
struct table *request_edit(struct request *request);

/* Asks the keeper. Returns the answer, which is the session's until its line is answered; or NULL:
 * the line has to sleep, and gets the answer when it runs again. Failures are logged. */
const struct look_up *request_look_up(struct request *request, const struct question *question);

/* Whether the keeper has more than memory, so that what is not found there must be looked up. */
bool request_is_shared(const struct request *request);

/* Asks the keeper for a list. *found is NULL where the line has to sleep or the status is not OK.
 */
enum status request_rows(struct request *request, const struct question *question,
                         const struct look_up **found);

/* Finds a player by name, here or in the keeper: *player is NULL if there is none, or where the
 * line has to sleep (request->waits_for_answer). Fails with INTERNAL. */
enum status request_find_player(struct request *request, const char *name, struct player **player);

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

/* Reads an option that has two values, in any case: *is_first tells which was given, and is left
 * alone when none was. Fails with BAD_ARGUMENTS. */
enum status request_choice(struct request *request, const char *option, const char *first,
                           const char *second, bool *is_first);

/* Reads from=N: how many rows of a list to pass over. Fails with BAD_ARGUMENTS. */
enum status request_from(struct request *request, struct row_filter *filter);

/* Reads GAME or GAME:VARIANT, and where it starts. Fails with UNKNOWN_GAME or UNKNOWN_VARIANT. */
enum status request_start(struct request *request, const char *word, const struct game **game,
                          struct position *start);

/* Reads GAME or GAME:VARIANT as a filter. Fails with UNKNOWN_GAME or UNKNOWN_VARIANT. */
enum status request_game(struct request *request, const char *word, struct row_filter *filter);

/* Reads an option yes or no as 1 or 2; 0 without it. Fails with BAD_ARGUMENTS. */
enum status request_yes_or_no(struct request *request, const char *option, int *choice);

/* Sets of matches, as bits 1 << enum match_status. */
enum {
    MATCHES_PLAYING = 1u << MATCH_PLAYING,
    MATCHES_UNFINISHED = MATCHES_PLAYING | 1u << MATCH_OPEN,
    MATCHES_OVER = 1u << MATCH_OVER,
    MATCHES_ANY = MATCHES_UNFINISHED | MATCHES_OVER
};

/*
 * Finds the match that a command is about: the one named, or, with id NULL, the only one that
 * comes into question: a match in which the player sits and whose status is in `wanted`, running
 * ones before open ones before the latest that is over. Failing these, with `watched`, the only one
 * that the session watches. *table is NULL where the line has to sleep (request->waits_for_answer).
 * Fails with UNKNOWN_MATCH, AMBIGUOUS_MATCH or INTERNAL.
 */
enum status request_match(struct request *request, const char *id, unsigned wanted, bool watched,
                          struct table **table);

/* Finds a match by its id, over or not, for its record: here or in the keeper. *table is NULL where
 * the line has to sleep. Fails with UNKNOWN_MATCH or INTERNAL. */
enum status request_record(struct request *request, const char *id, const struct table **table);

/* Whether the session may watch one more match. Fails with LIMIT_REACHED. */
enum status request_may_watch(struct request *request);

/* Whether a match may be opened that `opener` is answerable for, and where they were then: an
 * origin, or NULL where that does not count. The line may have to sleep
 * (request->waits_for_answer). Fails with LIMIT_REACHED, SERVER_BUSY or INTERNAL. */
enum status request_may_open(struct request *request, const struct player *opener,
                             const struct origin *origin);

/* Call it when nothing but this can refuse the match: on a full server, ends one whose people are
 * all away. Fails with SERVER_BUSY. */
enum status request_make_room(struct request *request, const struct player *opener,
                              const struct origin *origin);

/* Whether the player can ever come: a house bot that the keeper remembers may be none of this
 * server's. */
bool request_can_come(const struct request *request, const struct player *player);

#endif
