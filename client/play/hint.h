/*
 * A move that a bot would play. Each hint runs `ludus-bot ugi`, from the directory of this program
 * or else from PATH.
 */
#ifndef LUDUS_HINT_H
#define LUDUS_HINT_H

#include <limits.h>

#include "client/engine/driver.h"
#include "client/talk/client.h"

struct hint {
    bool thinking;
    char path[PATH_MAX];
    char *command[3];
    struct program program;
    struct process_list engines;
    struct driver driver;
    struct course course;
};

/* Begins to think about a position. The hint must not move, and must not be thinking already. False
 * with the cause when the bot cannot be run. */
bool hint_begin(struct hint *hint, const struct game *game, const struct position *position,
                struct cause *cause);

/* What the client waits for meanwhile, a hanging bot included: then ready() has to call
 * hint_step(). */
struct waiting hint_waiting(const struct hint *hint, void (*ready)(void *context), void *context);

/* Returns true at the end: with a
 * legal move in *move and *found, or with the cause. */
bool hint_step(struct hint *hint, struct move *move, bool *found, struct cause *cause);

/* Stops thinking at once. Does nothing after the end. */
void hint_end(struct hint *hint);

/* In line mode: thinks for a second and says the move, or why there is none. Ctrl-C stops it. */
void hint_give(struct client *client);

#endif
