/*
 * One of the matches that the load generator plays: what is said in it and what is awaited. The
 * connections are read elsewhere (load_play.c), which hands over line by line.
 */
#ifndef LUDUS_LOAD_PAIRING_H
#define LUDUS_LOAD_PAIRING_H

#include "load_crowd.h"
#include "load_play.h"

enum { NAME_MAX_BYTES = 32, MATCH_MAX_BYTES = 64, MOVE_MAX_BYTES = 16 };

struct peer {
    struct wire *wire; /* borrowed from the crowd */
    struct pairing *pairing;
    char name[NAME_MAX_BYTES]; /* empty for watchers, who are guests */
    int seen_ply;              /* of the newest state of this match; -1: none yet */
};

enum phase {
    NAMING,    /* until both players have their names */
    OPENING,   /* until the match has its id */
    GATHERING, /* until the watchers watch */
    STARTING,  /* until all have the first state */
    READY,     /* waits for the other matches, once */
    PLAYING,   /* a move is on its way */
    RESTING    /* the end */
};

/* Two players, who play one match after the other, and those who watch. */
struct pairing {
    struct load *load;
    struct peer *peers; /* white, black, then the watchers */
    enum phase phase;
    char match[MATCH_MAX_BYTES];
    int ply;              /* of the state that is awaited */
    long players_awaited; /* who do not have it */
    long watchers_awaited;
    long answers_awaited;      /* to the questions that went out with the move */
    bool over;                 /* that state ends the match */
    struct peer *mover;        /* who may move after it */
    char move[MOVE_MAX_BYTES]; /* and the move picked for him */
    uint64_t rng;
    int64_t sent_ns;
};

struct load {
    const struct load_options *options;
    struct load_result *result;
    struct crowd crowd;
    struct peer *peers; /* one for each connection */
    struct pairing *pairings;
    long ready, resting;
    bool playing, stopping, failed;
    int64_t moves_sent;
};

/* Notes what went wrong; only the first failure is kept, and ends the run. */
void load_fail(struct load *load, const char *format, ...) __attribute__((format(printf, 2, 3)));
void peer_fail(struct peer *peer, const char *what, const char *shown);

/* Sends a command, which fails the run when it cannot. */
void peer_say(struct peer *peer, const char *verb, const char *rest);

/* Does what comes next when all at the match have its state: waits for the others until
 * load->playing, then sends a move, opens a new match, or rests when the run is to end. */
void pairing_go_on(struct pairing *pairing);

/* Handles a line from the server, which came at load->crowd.heard_ns. */
void peer_hear(struct peer *peer, const char *line);

#endif
