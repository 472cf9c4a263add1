/*
 * Checks the output to a peer: every line is JSON as protocol.md describes it, and true, and every
 * request gets one reply, in order.
 */
#ifndef LUDUS_TOLD_H
#define LUDUS_TOLD_H

#include "common/message.h"
#include "server/play/dispatch.h"
#include "world.h"

/* A request. */
struct asked {
    char id[ID_BYTES_MAX + 1];     /* the id that the reply must have; "": none */
    const struct command *command; /* NULL: unknown verb, or invalid text */
    bool bare;                     /* without arguments */
    bool looks;                    /* it changes nothing */
    bool blank;                    /* no reply, unless it comes too early */
};

enum { DEEDS_MAX = 32 };

/* The result. */
struct told {
    int replies; /* number of requests that were answered */
    int done;    /* number of these without an error, which may have changed something */
    struct deed {
        char match[TABLE_ID_MAX];
        int least, most; /* bounds of the change of its number of plies */
    } deeds[DEEDS_MAX];
    int deed_count;
};

/* Checks the peer's output since the previous call, and drops it. The peer made `count` requests;
 * the replies must come in that order. Only after a single line, sent `alone`, must the output
 * match the present state. Adds to *told. */
void told_take(struct told *told, struct world *world, struct peer *peer, const struct asked *asked,
               int count, bool alone);

#endif
