/*
 * The matches that a bot plays in, and whose turn it is to be thought about: one at a time,
 * as schedule.h says. Knows no connection.
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

/* Sets up; *turns must stay where it is until released. False with errno set. */
bool turns_init(struct turns *turns, const struct engine *engine, uint64_t rng);

/* Ends the thinking and forgets all matches. */
void turns_clear(struct turns *turns);

/* Frees what is left after turns_clear(). */
void turns_release(struct turns *turns);

/* Begins to think about the next seat that waits, unless the thinker is busy. */
void turns_think(struct turns *turns);

/* Tells the thinker to stop when what it thinks about is out of date, or others who have come
 * meanwhile cannot wait. To be called after every change of a seat, and at turns_wake_ms(). */
void turns_check(struct turns *turns);

/* Takes the answer, when answered_fd is readable. Returns the seat that it is a move for, which
 * then owes none any more; NULL when the match has gone on without it. */
struct seat *turns_take(struct turns *turns, struct move *move);

/* When the first seat that may not move yet may do so, or the thinker is to be stopped; INT64_MAX
 * if there is nothing to wait for. */
int64_t turns_wake_ms(const struct turns *turns);

#endif
