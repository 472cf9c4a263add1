/*
 * Turns: what changes in one turn of the event loop is one transaction of the store, and nobody
 * is told of it before it is kept.
 *
 * Who is about to change a match, its people or a player says so first (turn_touch() and its
 * like). That opens the turn; from then on all output is held back. turn_end(), which the loop
 * calls when it has handled what was there, writes what has changed and then lets the output go.
 * When writing fails, everything is put back as it was, the output is dropped, and each command of
 * the turn is answered with `internal`. Commands that cannot take part in a turn wait for its end
 * (turn_must_wait()), so none can see or tell what is not kept yet.
 *
 * Without a store no turn is ever open, and all of this costs nothing.
 */
#ifndef LUDUS_TURN_H
#define LUDUS_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TURN_BYTES_MAX = 4 << 20 }; /* once so much output is held back, no more commands join */

struct command;
struct player;
struct rating_change;
struct server;
struct session;
struct table;

struct change;
struct held_output;
struct held_request;

/* The command that is being run. */
struct running {
    struct session *session; /* NULL: none */
    const char *id, *verb;   /* borrowed; id may be NULL */
    bool noted;              /* it is among the requests of the turn */
};

struct turn {
    bool open;
    bool failing;           /* the store failed last time */
    struct change *changes; /* owned, as are the other arrays */
    struct held_output *outputs;
    struct held_request *requests;
    uint64_t **counts; /* borrowed counters: each has one of this turn */
    char *bytes;       /* of the outputs */
    int change_count, change_capacity;
    int output_count, output_capacity;
    int request_count, request_capacity;
    int count_count, count_capacity;
    size_t length, capacity; /* of bytes */
    struct running running;
};

/* The table is about to change. False, with nothing done, when memory ran out: then it must not. */
bool turn_touch(struct server *server, struct table *table);

/* The table was opened just now. False when memory ran out: the table is gone again. */
bool turn_opened(struct server *server, struct table *table);

/* The player's row (name, kind, token, last seen) is about to change. False as above. */
bool turn_touch_player(struct server *server, struct player *player);

/* The session is about to end its watch of a table, because it sits down there. False as above. */
bool turn_unwatch(struct server *server, struct session *session, struct table *table);

/* A match was rated: what that has changed, by colour. Its table was touched before. False when
 * memory ran out: then the ratings are as they were. */
bool turn_rated(struct server *server, struct table *table, const struct rating_change *changes);

/* Whether a command (NULL: a line that is none) has to wait for the end of the turn. If not, there
 * is room to note it. */
bool turn_must_wait(struct server *server, const struct command *command);

/* A command begins and ends. What is changed in between, or until turn_answered(), is answered
 * with `internal` when it cannot be kept. The texts are borrowed until the end. */
void turn_begin_command(struct server *server, struct session *session, const char *id,
                        const char *verb);
void turn_answered(struct server *server);
void turn_end_command(struct server *server);

/* Holds output back while a turn is open. False when there is none: write it. Where there is no
 * memory to hold it, the session is lost (session_lose()). */
bool turn_hold(struct server *server, struct session *session, const char *bytes, size_t length);

/* Logs a line once what it tells of is kept. */
void turn_log(struct server *server, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Counts one in a counter of the server, which is taken back if the turn is undone. NULL counts
 * nowhere. */
void turn_count(struct server *server, uint64_t *counter);

/* Ends the turn, if one is open. */
void turn_end(struct server *server);

/* The running command, which has changed and told nothing yet, cannot share the turn: ends the turn
 * without it. */
void turn_end_before(struct server *server);

/* The session is about to be closed or freed: ends the turn, if it holds something of it. */
void turn_end_for(struct server *server, const struct session *session);

/* Frees what it holds; no turn may be open. */
void turn_release(struct turn *turn);

#endif
