/*
 * One server for the tests of a program, and its people: Anna and Bob, who play, and Carl. Each
 * test starts the server anew, and ends it with fixture_end().
 */
#ifndef LUDUS_TWO_PLAYERS_H
#define LUDUS_TWO_PLAYERS_H

#include "fixture.h"

extern struct fixture fixture;
extern struct server *const server;
extern struct peer anna, bob, carl;

/* Starts the server; begin_with_two() also lets Anna and Bob enter. shared: as fixture_begin(). */
void begin(bool shared);
void begin_with_two(bool shared);

/* Ends the turn, and lets a shared keeper answer everything. */
void settle(void);

/* Sends a line that must not sleep, and settles what it changes. */
void ask(struct peer *peer, const char *line);

/* Connects under a name. */
void enter(struct peer *peer, const char *name);

/* The match, which there must be. */
const struct match *match_of(const char *id);

/* Anna opens a match as white with that line, and Bob joins it. */
void start_match(const char *opening);

/* Plays the first legal moves of a match between Anna and Bob. */
void play(const char *id, int plies);

/* Starts matches 1 to `matches` with a clock, each after some plies. */
void start_timed(int matches, int plies);

/* Lets time pass, in which nothing happens. */
void pass_ms(int64_t ms);

/* Lets a second pass, and fires the deadlines. */
void tick(void);

#endif
