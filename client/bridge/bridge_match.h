/*
 * One match of the bridge's player and its engine, from the challenge, which is accepted once the
 * engine is ready, to the end. It holds the last state and the progress of the engine.
 *
 * A match that was running when the player came back is known from its record: engines hear every
 * move, and repetitions count.
 *
 * If the engine fails, the match is given up: declined, aborted or resigned. It then has no engine
 * and waits for the state that ends it.
 */
#ifndef LUDUS_BRIDGE_MATCH_H
#define LUDUS_BRIDGE_MATCH_H

#include <sys/queue.h>

#include "../engine/driver.h"
#include "bridge_options.h"
#include "client/link/match_state.h"
#include "client/link/uplink.h"

/* The progress of a match at the server. */
enum match_stage {
    MATCH_CHALLENGED, /* not accepted yet */
    MATCH_JOINED,     /* accepted, or open: nobody can move */
    MATCH_PLAYING,
    MATCH_OVER /* to be removed */
};

/* What a new match needs. It borrows all pointers. */
struct bridge_match_setup {
    struct uplink *uplink;
    const struct bridge_options *options;
    const struct dialect *dialect; /* that the engine is known to speak */
    struct process_list *engines;
    const struct game *game;
    struct position start; /* of the variant */
};

struct bridge_match {
    char id[MATCH_ID_MAX]; /* serves as #ID of commands, too */
    struct bridge_match_setup setup;
    bool quiet; /* see engine_log() */
    enum match_stage stage;
    int seats_offered; /* MATCH_CHALLENGED: 2 when challenged for both sides */
    bool given_up;
    struct course course;
    bool awaits_record; /* for the moves before the first state, which the engine needs */
    bool owes_move;     /* the player is to move, and the engine has not been asked */
    bool has_moved;     /* a move was sent, and no state has come since */
    int64_t resend_ms;  /* when to send a refused move again; 0: none was refused */
    struct budget budget;
    struct driver driver;
    TAILQ_ENTRY(bridge_match) link;
};
TAILQ_HEAD(bridge_match_list, bridge_match);

/* Finds a match by its id, or NULL. */
struct bridge_match *bridge_match_find(const struct bridge_match_list *matches, const char *id);

/* Counts the matches that have an engine. */
int bridge_match_count(const struct bridge_match_list *matches);

/* Adds a match and starts its engine. The list owns it. NULL with the cause if the engine cannot be
 * started. */
struct bridge_match *bridge_match_add(struct bridge_match_list *matches,
                                      const struct bridge_match_setup *setup, const char *id,
                                      int64_t now_ms, struct cause *cause);

/* Takes a challenge for a seat, or one more, of the match. */
void bridge_match_challenge(struct bridge_match *match);

/* Takes a state of the match. */
void bridge_match_take_state(struct bridge_match *match, const struct match_state *state,
                             int64_t now_ms);

/* Takes the record of the match: the moves before its first state. */
void bridge_match_take_record(struct bridge_match *match, const cJSON *record, int64_t now_ms);

/* Answers an offer: declines a draw, accepts an undo. */
void bridge_match_answer(struct bridge_match *match, enum offer what);

/* Takes the server's refusal, with `cmd` and `code`, of a command about the match. */
void bridge_match_take_error(struct bridge_match *match, const cJSON *error, int64_t now_ms);

/* Handles output and timeouts of the engine. */
void bridge_match_run(struct bridge_match *match, int64_t now_ms);

/* Returns when bridge_match_run() is due even without output. */
int64_t bridge_match_due_ms(const struct bridge_match *match);

/* Removes the match and frees it; its engine is told to quit. */
void bridge_match_remove(struct bridge_match_list *matches, struct bridge_match *match,
                         int64_t now_ms);

#endif
