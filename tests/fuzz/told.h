/*
 * What a peer is told: that every line is JSON as protocol.md describes it, and true, and that what
 * was asked is answered, each by one reply and in order.
 */
#ifndef LUDUS_TOLD_H
#define LUDUS_TOLD_H

#include "common/message.h"
#include "server/command.h"
#include "world.h"

/* What was asked. */
struct asked {
    char id[ID_BYTES_MAX + 1];     /* that the reply must have; "": none */
    const struct command *command; /* NULL: no such verb, or no clean text */
    bool looks;                    /* nothing changes by it */
    bool blank;                    /* no reply, unless it comes too early */
};

enum { DEEDS_MAX = 32 };

/* What came of it. */
struct told {
    int replies; /* so many of what was asked have been answered */
    int done;    /* so many of them without an error, and may have changed something */
    struct deed {
        char match[TABLE_ID_MAX];
        bool undone; /* moves were taken back; else one was played */
    } deeds[DEEDS_MAX];
    int deed_count;
};

/* Looks at all that the peer was told since the last time, and forgets it. It has asked `count`
 * things; the replies must come in that order. Only when all came of one line, which was sent
 * `alone`, is what was told still so. Adds to *told. */
void told_take(struct told *told, struct world *world, struct peer *peer, const struct asked *asked,
               int count, bool alone);

#endif
