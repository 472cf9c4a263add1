/*
 * Commands: a table row each, in families by file (cmd_session.c, cmd_people.c, cmd_lobby.c,
 * cmd_match.c).
 * What can be checked from the row (the join code, the number of words, the options) is
 * checked once before the handler runs; `help` is printed from the rows.
 */
#ifndef LUDUS_COMMAND_H
#define LUDUS_COMMAND_H

#include "common/message.h"
#include "server.h"
#include "session.h"
#include "status.h"
#include "wire_reply.h"

enum {
    REPLY_ROWS_MAX = 200, /* of `list`, `who`, `history`, and `top` of one variant */
    ROWS_A_COMMAND = 10,  /* count like a command more */
    ROWS_A_LOOK_UP = 80   /* are as much work as looking for something in the store */
};

/* One command being handled. */
struct request {
    struct server *server;
    struct session *session;
    struct player *player; /* the session's, as it was when the command came */
    const struct command *command;
    struct message *message;
    struct arguments arguments; /* unused where the command takes free text: message->rest */
    struct wire reply;          /* the reply, as far as it is written */
    bool replied;               /* it was sent */
    struct cause cause;
    int rows;         /* of a list in the reply, or as much work as so many */
    int64_t retry_ms; /* with STATUS_RATE_LIMITED: when to try again */
};

struct command {
    const char *verb;
    const char *usage;   /* the arguments, as help shows them */
    const char *summary; /* one line for people */
    const char *options; /* as arguments_parse() takes them; NULL: the rest is free text */
    int min, max;        /* words, options not counted; with free text 1 means not empty */
    bool before_code;    /* may be used without the join code */
    bool joins_turn;     /* changes matches only, and may share a turn with others (turn.h) */
    int cost;            /* counts like so many commands against the rate: about its work, without
                          * what rows of a list cost (ROWS_A_COMMAND) */
    /* Does what the command asks: checks, changes, replies, announces, in that order. On an
     * error nothing has changed and nothing was sent; *cause may say more than the code. */
    enum status (*run)(struct request *request);
};

/* The families, each ended by a row without verb, and the list of families ended by NULL. */
extern const struct command session_commands[], people_commands[], lobby_commands[],
    match_commands[];
extern const struct command *const command_families[];

/* The command of that verb (any case), or NULL. */
const struct command *command_find(const char *verb);

/* The place of a command among all, from 1; 0 for NULL. */
int command_number(const struct command *command);

/* Runs one parsed line with the command that its verb names, or NULL: exactly one reply is sent. */
void command_run(struct session *session, const struct command *command, struct message *message);

/* Sends an error reply: `verb` and `id` may be NULL, `text` NULL for the code's own sentence. */
void command_error(struct session *session, const char *id, const char *verb, enum status status,
                   const char *text);

/* The same in two steps, where others are to be told theirs before anyone is closed for the number
 * of his errors: that may open a turn. */
void command_tell_error(struct session *session, const char *id, const char *verb,
                        enum status status, const char *text);
void command_close_erring(struct session *session);

/* The same for a line that comes too early: `rate-limited`, with the time to wait. */
void command_error_rate(struct session *session, const char *id, const char *verb,
                        int64_t retry_ms);

/* Drops what was written of a reply, and begins one in the session's present format. */
const struct wire *request_begin(struct request *request);

/* Sends the reply, before anything is announced. Where a handler returns without, it is sent
 * then; a handler that has changed something does not leave it to that. */
void request_reply(struct request *request);

/* Writes `ok` and sends it. */
void request_ok(struct request *request, struct ok ok);

/* Sets the sentence and returns the status. */
enum status request_fail(struct request *request, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails with RATE_LIMITED: what is too frequent may be tried again after so long. */
enum status request_too_early(struct request *request, const char *what, int64_t retry_ms);

/* Reads an option that has two values, in any case: *is_first tells which was given, and is left
 * alone when none was. Fails with BAD_ARGUMENTS. */
enum status request_choice(struct request *request, const char *option, const char *first,
                           const char *second, bool *is_first);

/*
 * Finds the match that a command is about: the one named, or, with id NULL, the only one that
 * comes into question: a match in which the player sits and whose status is in `wanted` (bits
 * 1 << enum match_status), running ones before open ones before the latest that is over.
 * Failing these, with `watched`, the only one that the session watches.
 * What is due at the match by now, such as the fall of a flag, happens first.
 * Fails with UNKNOWN_MATCH or AMBIGUOUS_MATCH.
 */
enum status request_match(struct request *request, const char *id, unsigned wanted, bool watched,
                          struct table **table);

/* Whether a match may be opened that `opener` is answerable for, and where he was then: an origin,
 * or NULL where that does not count. Fails with LIMIT_REACHED or SERVER_BUSY. */
enum status request_may_open(struct request *request, const struct player *opener,
                             const struct origin *origin);

#endif
