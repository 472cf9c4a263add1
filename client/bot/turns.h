/*
 * The turns of a bot in its matches. It thinks about one at a time, while all clocks run: it
 * chooses the next one, and for how long, so that no clock runs out. Knows no connection.
 */
#ifndef LUDUS_BOT_TURNS_H
#define LUDUS_BOT_TURNS_H

#include "client/bot/search/engine.h"
#include "client/seating/bot_client.h"

struct turns {
    const struct engine *engine;
    uint64_t rng;
    int threads;                          /* to search in; 0: one */
    struct tt tt;                         /* of the thinker */
    const struct bot_match_list *matches; /* borrowed */
    struct thinker thinker;
    struct history history;   /* of the position in question */
    char match[MATCH_ID_MAX]; /* what the thinker was asked about last */
    int64_t begun_ms, end_ms; /* when it began, and when it is to be stopped */
    struct move answer;
    struct bot_thought thought; /* of the thinker: behind the answer */
    int answered_fd;            /* an eventfd: readable when the answer is there */
};

struct turn_plan {
    const struct bot_match *match; /* to think about next; NULL: none waits */
    struct search_limits limits;   /* until when */
};

/* Sets up *turns, which must not move until it is released. False with errno set. */
bool turns_init(struct turns *turns, const struct engine *engine, uint64_t rng,
                const struct bot_match_list *matches);

/* Stops the thinker, waits for it, and frees the rest. */
void turns_release(struct turns *turns);

/* Starts the thinker on the next waiting match, unless it is busy. */
void turns_think(struct turns *turns);

/* Stops the thinker if its position is out of date, or if other matches cannot wait. Call it after
 * each change of a match, and at turns_due_ms(). */
void turns_check(struct turns *turns);

/* Takes the move when answered_fd is readable. Returns its match, which waits for it, or NULL if
 * the match has gone on without it. */
struct bot_match *turns_fetch(struct turns *turns, struct move *move);

/* Returns when the thinker must stop; INT64_MAX: it does not think. */
int64_t turns_due_ms(const struct turns *turns);

/* Plans from now_ms on. The move that is due first comes first: its state is the oldest or its
 * clock the shortest. It gets as much time as leaves all others their share. The match `thinking`
 * (or NULL), which the bot has thought about since begun_ms, stays first. */
struct turn_plan plan_turns(const struct bot_match_list *matches, const struct bot_match *thinking,
                            int64_t begun_ms, int64_t now_ms);

#endif
