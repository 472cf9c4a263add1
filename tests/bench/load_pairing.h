/*
 * Two players of the load generator: what is said in their matches and what is awaited. The
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

/* A match of the two. */
struct bout {
    char match[MATCH_MAX_BYTES];
    int ply;                   /* of the newest state, or of the one that is awaited */
    bool over;                 /* that state ends the match */
    struct peer *mover;        /* who may move after it */
    char move[MOVE_MAX_BYTES]; /* and the move picked for him */
};

/* Two players, who move in their matches in turn and begin a new one where one is over, and those
 * who watch. */
struct pairing {
    struct load *load;
    struct peer *peers; /* white, black, then the watchers */
    enum phase phase;
    struct bout *bouts;   /* options->share of them */
    struct bout *bout;    /* the one whose state is awaited */
    long players_awaited; /* who do not have it */
    long watchers_awaited;
    long answers_awaited; /* to the questions that went out with the move */
    uint64_t rng;
    int64_t sent_ns;
};

struct load {
    const struct load_options *options;
    struct load_result *result;
    struct crowd crowd;
    struct peer *peers; /* one for each connection */
    struct pairing *pairings;
    struct bout *bouts; /* of all pairings */
    long pairing_count, ready, resting;
    bool playing, stopping, failed;
    int64_t moves_sent;
};

/* Notes what went wrong; only the first failure is kept, and ends the run. */
void load_fail(struct load *load, const char *format, ...) __attribute__((format(printf, 2, 3)));
void peer_fail(struct peer *peer, const char *what, const char *shown);

/* Sends a command, which fails the run when it cannot. */
void peer_say(struct peer *peer, const char *verb, const char *rest);

/* Does what comes next when all at the match have its state: opens the next match; with all of them
 * open waits for the others until load->playing; then sends a move in the next match, opens a new
 * one for one that is over, or rests when the run is to end. */
void pairing_go_on(struct pairing *pairing);

/* Handles a line from the server, which came at load->crowd.heard_ns. */
void peer_hear(struct peer *peer, const char *line);

#endif
