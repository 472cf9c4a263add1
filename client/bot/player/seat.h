/*
 * A seat: a match that a bot plays in, as the server told it last. Knows no connection.
 */
#ifndef LUDUS_BOT_SEAT_H
#define LUDUS_BOT_SEAT_H

#include <sys/queue.h>

#include "client/bot/base/search_question.h"
#include "client/link/match_state.h"

struct seat {
    char match[MATCH_ID_MAX];
    enum state_status status;
    unsigned colors; /* the bot's: bits 1 << WHITE, 1 << BLACK; 0: it only watches */
    const struct game *game;
    struct position position;
    int ply;
    int64_t left_ms, increment_ms; /* of the side to move, at told_ms; left_ms -1: no clock */
    int64_t told_ms;               /* by clock_ms(): when this was read */

    struct history history; /* owned; of the plies from first_ply on */
    int first_ply;
    bool owes_move;        /* it is the bot's turn, and no move was sent yet */
    int64_t not_before_ms; /* when the move may be sent, after a temporary refusal */
    TAILQ_ENTRY(seat) link;
};
TAILQ_HEAD(seats, seat);

/* Sets all members before the history from a state, and zeroes the others. False with the cause if
 * its game is unknown or its position invalid. */
bool seat_read(struct seat *seat, const struct match_state *state, struct cause *cause);

/* Finds the seat in a match, or NULL. */
struct seat *seats_find(const struct seats *seats, const char *match);

/* Adds the seat, or updates the one in that match. It moves to the end of the list, so that the
 * seats that wait longest stand first. Returns the seat; the list owns it. */
struct seat *seats_update(struct seats *seats, const struct seat *read);

void seats_remove(struct seats *seats, struct seat *seat);

#endif
