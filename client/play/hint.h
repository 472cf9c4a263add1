/*
 * What a bot would play: `ludus-bot ugi`, run for one move and let go. It is the one beside this
 * program, or else the one in PATH.
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
    struct talk talk;
    struct course course;
};

/* Begins to think about a position. The hint must stay where it is, and be no other's at work.
 * False with the cause when the bot cannot be run. */
bool hint_begin(struct hint *hint, const struct game *game, const struct position *position,
                struct cause *cause);

/* What to wait for while it thinks; -1: nothing. */
int hint_descriptor(const struct hint *hint);

/* When hint_step() is due even if nothing comes, of client_now_ms(): a bot that hangs has failed
 * then. INT64_MAX: never. */
int64_t hint_due_ms(const struct hint *hint);

/* Goes on; to be called when there is something to read there, or it is due. True when it has
 * ended: with a legal move in *move, or else with the cause. */
bool hint_step(struct hint *hint, struct move *move, bool *found, struct cause *cause);

/* Ends it at once. May be called again. */
void hint_end(struct hint *hint);

#endif
