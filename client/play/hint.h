/*
 * A move that a bot would play. Each hint runs `ludus-bot ugi`, from the directory of this program
 * or else from PATH.
 */
#ifndef LUDUS_HINT_H
#define LUDUS_HINT_H

#include <limits.h>

#include "client/engine/driver.h"

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

/* The descriptor to poll while it thinks; -1: none. */
int hint_descriptor(const struct hint *hint);

/* When hint_step() is due in any case, by client_now_ms(), so that a hanging bot fails; INT64_MAX:
 * never. */
int64_t hint_due_ms(const struct hint *hint);

/* Call this when the descriptor is readable or the time is due. Returns true at the end: with a
 * legal move in *move and *found, or with the cause. */
bool hint_step(struct hint *hint, struct move *move, bool *found, struct cause *cause);

/* Stops thinking at once. Does nothing after the end. */
void hint_end(struct hint *hint);

#endif
