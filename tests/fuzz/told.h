/*
 * What a peer is told after a line: that every line is JSON as protocol.md describes it, and true,
 * and that exactly one of them is the reply.
 */
#ifndef LUDUS_TOLD_H
#define LUDUS_TOLD_H

#include "common/message.h"
#include "server/command.h"
#include "world.h"

/* What was asked. */
struct asked {
    const char *id;                /* that the reply must have; NULL: none */
    const char *verb;              /* as written; NULL: the line had none */
    const struct command *command; /* NULL: no such verb */
};

/* What came of it. */
struct told {
    int replies;
    bool refused;                                   /* by an error */
    bool timed_out;                                 /* an error that says when to try again */
    char code[32];                                  /* of the error */
    char moved[TABLE_ID_MAX], undone[TABLE_ID_MAX]; /* matches; "" for none */
    int ply;                                        /* after the move */
};

/* Looks at all that the peer was told since the last time, and forgets it. asked NULL: it sent
 * nothing, so nothing may be a reply. */
void told_take(struct told *told, struct world *world, struct peer *peer,
               const struct asked *asked);

#endif
