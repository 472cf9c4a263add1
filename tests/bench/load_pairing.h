/*
 * Two players of the load generator: the dialogue of their matches. load_play.c reads the
 * connections and hands the lines over.
 */
#ifndef LUDUS_LOAD_PAIRING_H
#define LUDUS_LOAD_PAIRING_H

#include "load_crowd.h"
#include "load_play.h"

enum { NAME_MAX_BYTES = 32, MATCH_MAX_BYTES = 64, MOVE_MAX_BYTES = 16 };

struct peer {
    struct wire *wire; /* borrowed from the crowd */
    struct pairing *pairing;
    char name[NAME_MAX_BYTES]; /* of the player; empty for watchers, which are guests */
    int seen_ply;              /* of the newest state of this match; -1: none yet */
};

enum phase {
    NAMING,    /* until both players have their names, in all their windows */
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
    char move[MOVE_MAX_BYTES]; /* and the move picked for them */
};

/* Two players with their further windows, and their watchers. The players move in their matches in
 * turn, and replace each finished match by a new one. */
struct pairing {
    struct load *load;
    struct peer
        *peers; /* white, black, white's next window, black's, and so on; then the watchers */
    enum phase phase;
    struct bout *bouts;   /* options->share of them */
    struct bout *bout;    /* the one whose state they await */
    long players_awaited; /* windows without that state */
    long watchers_awaited;
    long answers_awaited; /* to the questions sent with the move */
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

/* Records a failure. Only the first one is kept; it ends the run. */
void load_fail(struct load *load, const char *format, ...) __attribute__((format(printf, 2, 3)));
void peer_fail(struct peer *peer, const char *what, const char *shown);

/* Sends a command; failure to send ends the run. */
void peer_say(struct peer *peer, const char *verb, const char *rest);

/* Takes the next step when everyone at the match has its state. Before load->playing: opens the
 * next match, or waits for the other pairings. Then: moves in the next match, replaces a finished
 * one, or rests when the run is to end. */
void pairing_go_on(struct pairing *pairing);

/* Handles a line from the server that arrived at load->crowd.heard_ns. */
void peer_hear(struct peer *peer, const char *line);

#endif
