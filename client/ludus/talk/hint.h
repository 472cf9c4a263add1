/*
 * A hint: what a bot of this machine, `ludus-bot`, would play in the match on the screen. It thinks
 * while the client waits.
 */
#ifndef LUDUS_HINT_H
#define LUDUS_HINT_H

#include <limits.h>

#include "client.h"
#include "client/engine/driver.h"
#include "record.h"

struct hint {
    struct client *client; /* borrowed, as is the context */
    void (*done)(void *context);
    void *context;
    bool thinking;
    bool found; /* at the end: the move is legal; else the cause says why there is none */
    struct move move;
    struct cause cause;
    char path[PATH_MAX];
    char *command[3];
    struct engine_program program;
    struct process_list engines;
    struct driver driver;
    struct course course;
};

/* Tells the server of the hint if the match counts for the ratings, which it no longer does then;
 * and begins to think. The end calls done(). The bot also learns the moves played, where they are
 * known, as it must not repeat positions. The caller sets the client and done(). The hint must not
 * move, and must not be thinking already. False with hint->cause: it is not the player's turn, or
 * the bot cannot be run; "": the server allows none, which was shown, or the connection was lost.
 */
bool hint_begin(struct hint *hint, const struct played *played);

/* Stops thinking at once, without done(). Does nothing after the end. */
void hint_end(struct hint *hint);

#endif
