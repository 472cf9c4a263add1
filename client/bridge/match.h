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
#include "client/link/match_state.h"
#include "connection.h"

/* How far a match has come at the server, as far as the bridge knows. */
enum match_stage {
    MATCH_CHALLENGED, /* not accepted yet */
    MATCH_JOINED,     /* accepted, or open: nobody can move */
    MATCH_PLAYING,
    MATCH_OVER /* to be removed */
};

struct match {
    char id[MATCH_ID_MAX];
    enum match_stage stage;
    int seats_offered; /* MATCH_CHALLENGED: 2 when challenged for both sides */
    bool given_up;
    unsigned colors; /* the player's: bits 1 << WHITE, 1 << BLACK */
    const struct game *game;
    struct position start; /* of the variant */
    struct course course;
    bool owes_move;    /* it is his turn, and the engine was not asked yet */
    bool has_moved;    /* a move was sent, and no state came since */
    int64_t resend_ms; /* when to send the move again that was refused for now; 0: none was */
    struct budget budget;
    struct talk talk;
    TAILQ_ENTRY(match) link;
};
TAILQ_HEAD(match_list, match);

/* The match of that id, or NULL. */
struct match *match_find(const struct match_list *matches, const char *id);

/* How many of them are going on with an engine. */
int match_count(const struct match_list *matches);

/* Adds a match and starts its engine, in the dialect that the engine is known to speak. The list
 * owns it. Returns NULL with the cause when the engine cannot be started. */
struct match *match_add(struct match_list *matches, const char *id, const struct game *game,
                        const struct position *start, const struct options *options,
                        const struct dialect *dialect, struct process_list *engines, int64_t now_ms,
                        struct cause *cause);

/* The player is challenged for a seat, or one more, of the match. */
void match_challenge(struct match *match, struct connection *connection);

/* Takes a `state` of the match. */
void match_take_state(struct match *match, const cJSON *state, struct connection *connection,
                      int64_t now_ms);

/* Answers what the other side offers: "draw" is declined, "undo" accepted. */
void match_answer(struct match *match, const char *what, struct connection *connection);

/* Takes the server's refusal, with `cmd` and `code`, of a command about the match. */
void match_take_error(struct match *match, const cJSON *error, struct connection *connection,
                      int64_t now_ms);

/* Goes on with the engine: hears what it says, lets time pass. */
void match_run(struct match *match, struct connection *connection, int64_t now_ms);

/* When match_run() is due even if the engine says nothing. */
int64_t match_due_ms(const struct match *match);

/* Removes the match and frees it; its engine is told to quit. */
void match_remove(struct match_list *matches, struct match *match, int64_t now_ms);

#endif
