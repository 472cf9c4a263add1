/*
 * The matches that a bot plays in. It thinks about one at a time, while all clocks run: it chooses
 * the next one, and for how long, so that no clock runs out. Knows no connection.
 */
#ifndef LUDUS_BOT_TURNS_H
#define LUDUS_BOT_TURNS_H

#include <sys/queue.h>

#include "client/bot/thinker.h"
#include "client/link/match_state.h"

/* A match that a bot plays in, as the server told it last. */
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

struct turns {
    const struct engine *engine;
    uint64_t rng;
    int threads;  /* to search in; 0: one */
    struct tt tt; /* of the thinker */
    struct seats seats;
    struct thinker thinker;
    char match[MATCH_ID_MAX]; /* what the thinker was asked about last */
    int64_t begun_ms, end_ms; /* when it began, and when it is to be stopped */
    struct move answer;
    int answered_fd; /* an eventfd: readable when the answer is there */
};

struct plan {
    const struct seat *seat; /* to think about next; NULL: none waits */
    struct limits limits;    /* until when */
};

/* Sets up *turns, which must not move until it is released. False with errno set. */
bool turns_init(struct turns *turns, const struct engine *engine, uint64_t rng);

/* Stops the thinker and removes all matches. */
void turns_clear(struct turns *turns);

/* Frees the rest. Call turns_clear() first. */
void turns_release(struct turns *turns);

/* Starts the thinker on the next waiting seat, unless it is busy. */
void turns_think(struct turns *turns);

/* Stops the thinker if its position is out of date, or if other seats cannot wait. Call it after
 * each change of a seat, and at turns_wake_ms(). */
void turns_check(struct turns *turns);

/* Takes the move when answered_fd is readable. Returns its seat, which then owes none, or NULL if
 * the match has gone on without it. */
struct seat *turns_take(struct turns *turns, struct move *move);

/* Returns when a refused move may be sent again or the thinker must stop, whichever comes first;
 * INT64_MAX: never. */
int64_t turns_wake_ms(const struct turns *turns);

/* Plans from now_ms on. The move that is due first comes first: its state is the oldest or its
 * clock the shortest. It gets as much time as leaves all others their share. The seat `thinking`
 * (or NULL), which the bot has thought about since begun_ms, stays first. */
struct plan plan_turns(const struct seats *seats, const struct seat *thinking, int64_t begun_ms,
                       int64_t now_ms);

#endif
