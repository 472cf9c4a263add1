/*
 * One match of the bridge's player, with an engine of its own: from the challenge, which is
 * accepted once the engine is ready, to the end. The server knows all about a match, so what is
 * kept here is what the last state told, and how far the engine is.
 *
 * A match whose engine fails is given up: declined or resigned. Then it has no engine any more,
 * and waits for the state that says that it is over.
 */
#ifndef LUDUS_BRIDGE_MATCH_H
#define LUDUS_BRIDGE_MATCH_H

#include <sys/queue.h>

#include "../engine/driver.h"
#include "bridge_options.h"
#include "client/link/match_state.h"
#include "client/link/uplink.h"

/* How far a match has come at the server, as far as the bridge knows. */
enum match_stage {
    MATCH_CHALLENGED, /* not accepted yet */
    MATCH_JOINED,     /* accepted, or open: nobody can move */
    MATCH_PLAYING,
    MATCH_OVER /* to be removed */
};

struct bridge_match {
    char id[MATCH_ID_MAX]; /* serves as #ID of commands, too */
    struct uplink *uplink; /* borrowed */
    const struct log *log; /* borrowed */
    enum match_stage stage;
    int seats_offered; /* MATCH_CHALLENGED: 2 when challenged for both sides */
    bool given_up;
    const struct game *game;
    struct position start; /* of the variant */
    struct course course;
    bool owes_move;    /* it is the player's turn, and the engine was not asked yet */
    bool has_moved;    /* a move was sent, and no state came since */
    int64_t resend_ms; /* when to send the move again that was refused for now; 0: none was */
    struct budget budget;
    struct driver driver;
    TAILQ_ENTRY(bridge_match) link;
};
TAILQ_HEAD(bridge_match_list, bridge_match);

/* What a new match needs. All pointers are borrowed for as long as it lasts. */
struct bridge_match_setup {
    struct uplink *uplink;
    const struct bridge_options *options;
    const struct dialect *dialect; /* that the engine is known to speak */
    struct process_list *engines;
    const struct game *game;
    struct position start;
};

/* The match of that id, or NULL. */
struct bridge_match *bridge_match_find(const struct bridge_match_list *matches, const char *id);

/* How many of them are going on with an engine. */
int bridge_match_count(const struct bridge_match_list *matches);

/* Adds a match and starts its engine. The list owns it. Returns NULL with the cause when the engine
 * cannot be started. */
struct bridge_match *bridge_match_add(struct bridge_match_list *matches,
                                      const struct bridge_match_setup *setup, const char *id,
                                      int64_t now_ms, struct cause *cause);

/* The player is challenged for a seat, or one more, of the match. */
void bridge_match_challenge(struct bridge_match *match);

/* Takes a state of the match. */
void bridge_match_take_state(struct bridge_match *match, const struct match_state *state,
                             int64_t now_ms);

/* Answers what the other side offers: declines a draw, accepts an undo. */
void bridge_match_answer(struct bridge_match *match, enum offer what);

/* Takes the server's refusal, with `cmd` and `code`, of a command about the match. */
void bridge_match_take_error(struct bridge_match *match, const cJSON *error, int64_t now_ms);

/* Goes on with the engine: hears what it says, lets time pass. */
void bridge_match_run(struct bridge_match *match, int64_t now_ms);

/* When bridge_match_run() is due even if the engine says nothing. */
int64_t bridge_match_due_ms(const struct bridge_match *match);

/* Removes the match and frees it; its engine is told to quit. */
void bridge_match_remove(struct bridge_match_list *matches, struct bridge_match *match,
                         int64_t now_ms);

#endif
