/*
 * The server as a whole: beginning, passing time, other limits, end. The event loop and the tests
 * call these.
 */
#ifndef LUDUS_LIFECYCLE_H
#define LUDUS_LIFECYCLE_H

#include "server.h"

/* Begins a server that keeps everything in memory only (keeper_none()). */
void server_init(struct server *server, const struct limits *limits);

/* Applies other limits from now on. */
void server_set_limits(struct server *server, const struct limits *limits);

/* Goes on with what the keeper has: its players, and every match as it stood. From then on
 * everything is kept by it; it is borrowed. The server must be new, and its time that of now, from
 * when clocks go on. Guests cannot come back, so their unfinished matches are aborted. False with
 * the cause. */
bool server_take_up(struct server *server, struct keeper *keeper, struct cause *cause);

/* Adds the house bots' names, so that bot:LEVEL can be given a seat. */
void server_add_levels(struct server *server);

/* Sets the time. The tick comes every second: a gap of three means that the server stood still
 * (it was stopped, or its disk held it up), and that time is charged to nobody. */
void server_pass_time(struct server *server, int64_t now_ms, time_t wall_s);

/* Saves together everything that was handled, then tells it. The loop calls this before it waits
 * again. */
void server_end_turn(struct server *server);

/* Pings and closes silent sessions, starts house bots that are due, and looks after reviews. Called
 * every second. */
void server_tick(struct server *server);

/* Takes note of children that have ended: house bots, reviews. */
void server_reap(struct server *server);

/* When something is to happen at a match by itself, such as a flag falling: the nearest time, or
 * -1. Any line may change it. */
int64_t server_next_deadline_ms(const struct server *server);

/* Handles all deadlines of matches that have expired. */
void server_run_deadlines(struct server *server);

/* Returns whether the keeper has everything. */
bool server_is_settled(const struct server *server);

/* Says bye to everyone. */
void server_shutdown(struct server *server);

/* Frees everything but the keeper; there may be no sessions left. */
void server_release(struct server *server);

#endif
