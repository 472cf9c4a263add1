/*
 * Play for the load generator: many matches at once, one or several for each pair of connections,
 * with random moves out of `legal` in the states. A new match of the pair replaces each finished
 * one.
 *
 * A pair sends its next move when everyone at the match, watchers included, has the state after the
 * last one. With several matches the move goes to the next of these, so a pair has at most one move
 * on its way. The further windows of a player only read: they count as everyone at the match does.
 * With `pipeline` both players send questions along with the move, the mover before it, and the
 * next move also waits for the answers.
 */
#ifndef LUDUS_LOAD_PLAY_H
#define LUDUS_LOAD_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "load_samples.h"

enum {
    PIPELINE_MAX = 64,
    QUESTION_BYTES = 96 /* of a line, at most */
};

struct load_options {
    const char *address; /* HOST:PORT[,HOST:PORT]... */
    bool websocket;
    const char *game; /* GAME[:VARIANT] */
    long matches;     /* at a time, a multiple of */
    long share;       /* of these for each pair of connections; 1 with watchers */
    long watchers;    /* a match */
    long windows;     /* of each player, who moves in the first one; 1 or more */
    long seconds;     /* of play; 0: until all moves are made */
    long moves;       /* in all; 0: until the time is up */
    long pid;         /* of the server; 0: unknown */
    long seed;
    long pipeline;  /* questions that each player sends with every move; 0: none */
    bool ask_state; /* the questions are `state`, otherwise `ping` */
};

/* The result. Times run from the first move sent to the last state read; connecting and opening the
 * first matches do not count. */
struct load_result {
    int64_t moves, matches_over;
    int64_t took_ns;
    int64_t server_cpu_ns;            /* 0 without a pid */
    int64_t own_cpu_ns;               /* of the generator */
    int64_t received_bytes;           /* by all connections together */
    int64_t answers;                  /* to questions */
    int64_t server_resident_bytes;    /* at the end of the play; 0 without a pid */
    struct samples players, watchers; /* from sending a move until they all have the state */
    int errors;                       /* the run ends with the first */
    char error[1200];                 /* the error */
};

/* Connects, plays and disconnects; unfinished matches stay on the server. Release the result with
 * load_release(). */
void load_play(const struct load_options *options, struct load_result *result);
void load_release(struct load_result *result);

#endif
