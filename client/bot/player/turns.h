/*
 * The matches that a bot plays in. It thinks about one at a time, while all clocks run: it chooses
 * the next one, and for how long, so that no clock runs out. Knows no connection.
 */
#ifndef LUDUS_BOT_TURNS_H
#define LUDUS_BOT_TURNS_H

#include "client/bot/thinker.h"
#include "seat.h"

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
