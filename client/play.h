/*
 * Playing and watching: brings a match to the screen, and keeps at it until it is over or left.
 */
#ifndef LUDUS_PLAY_H
#define LUDUS_PLAY_H

#include "client.h"

/* A match to open; seats and position as the server's `new` takes them. All are borrowed. */
struct plan {
    const char *game;          /* GAME or GAME:VARIANT */
    const char *white, *black; /* NULL: not said */
    const char *clock;         /* BASE+INC in seconds; NULL: none */
    const char *position;      /* NULL: the start position */
};

/* Opens a match, takes a seat in one, or looks at one; then it is on the screen. False when the
 * server refuses, which is told. */
bool play_open(struct client *client, const struct plan *plan);
bool play_join(struct client *client, const char *match);
bool play_watch(struct client *client, const char *match);

/* Plays (or watches) the match on the screen until it is over, was left, or the program ends. */
void play_run(struct client *client);

/* Does what a line says that was typed in a match: a move or a command. */
void play_line(struct client *client, const char *line);

/* What Tab completes in a match: the legal moves, then the commands; context is the client. */
const char *play_candidate(const void *context, int index);

#endif
