/*
 * The play of the load generator: so many matches at once, each between two connections of its
 * own, or several between the same two, with moves picked at random from the `legal` of the states
 * that come. A match that is over makes room for a new one of the same two.
 *
 * The next move is sent when all at the match, watchers too, have the state after the last one, and
 * those who play several matches send it in the next of these: two connections have at most one
 * move on its way. With `pipeline` both players send questions at
 * the same time as the move, the mover before it, and the next move waits for the answers, too.
 */
#ifndef LUDUS_LOAD_PLAY_H
#define LUDUS_LOAD_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "load_samples.h"

enum {
    PIPELINE_MAX = 64,
    QUESTION_BYTES = 96 /* of a line at most */
};

struct load_options {
    const char *address; /* HOST:PORT */
    const char *game;    /* GAME[:VARIANT] */
    long matches;        /* at a time, a multiple of */
    long share;          /* those between the same two connections; 1 with watchers */
    long watchers;       /* a match */
    long seconds;        /* of play; 0: until the moves are made */
    long moves;          /* in all; 0: until the time is up */
    long pid;            /* of the server; 0: not known */
    long seed;
    long pipeline;  /* questions that each player sends ahead with every move; 0: none */
    bool ask_state; /* they are `state`, else `ping` */
};

/* What came of it. Times are of the play alone, from the first move sent to the last state read,
 * without the connecting and the opening of the first matches. */
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
    char error[1200];                 /* what came */
};

/* Connects, plays and disconnects; matches that are not over are left to the server. What the
 * result holds is released with load_release(). */
void load_play(const struct load_options *options, struct load_result *result);
void load_release(struct load_result *result);

#endif
