/*
 * A move that a bot would play. Each hint runs `ludus-bot ugi`, from the directory of this program
 * or else from PATH.
 */
#ifndef LUDUS_HINT_H
#define LUDUS_HINT_H

#include <limits.h>

#include "client/engine/driver.h"
#include "client/model/move_reason.h"
#include "client/model/played.h"
#include "client/talk/client.h"

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
    struct program program;
    struct process_list engines;
    struct driver driver;
    struct course course;
};

/* Begins to think about the match on the screen while the client waits; the end calls done(), which
 * may be NULL. The bot also learns the moves played, where they are known, as it must not repeat
 * positions. The caller sets the client and done(). The hint must not move, and must not be
 * thinking already. False with hint->cause when the bot cannot be run, or it is not the player's
 * turn. */
bool hint_begin(struct hint *hint, const struct played *played);

/* Writes in a few words what the move found does. */
void hint_reason(const struct hint *hint, char text[MOVE_REASON_MAX]);

/* Stops thinking at once, without done(). Does nothing after the end. */
void hint_end(struct hint *hint);

/* In line mode: thinks for a second and says the move, or why there is none. Ctrl-C stops it. */
void hint_give(struct client *client);

#endif
