/*
 * A player's connection to a server: connects, reads the greeting, says hello, answers pings,
 * notices a dead server, and comes back with its token when the connection is lost.
 *
 * It belongs to whatever loop its owner has. The owner waits until uplink->link.fd can be read or
 * uplink_due_ms() has come, calls uplink_receive() or uplink_tick(), and then uplink_next() until
 * there is nothing left. Connecting, alone, waits for the network. Times are now_ms of one
 * monotonic clock.
 *
 * It knows nothing of matches. It borrows nothing but hello.program, so that it can be copied.
 */
#ifndef LUDUS_UPLINK_H
#define LUDUS_UPLINK_H

#include <stdint.h>

#include "backoff.h"
#include "hello.h"
#include "link.h"

enum uplink_stage {
    UPLINK_ENDED, /* not opened yet; or for good, `cause` says why: "" when the owner wanted it */
    UPLINK_DOWN,  /* not connected; the next try is due at uplink_due_ms() */
    UPLINK_CONNECTED, /* waits for the greeting */
    UPLINK_GREETED,   /* waits to be let in */
    UPLINK_IN         /* let in, or a guest */
};

enum uplink_event {
    UPLINK_NOTHING,
    UPLINK_WELCOME, /* let in, the first time or again */
    UPLINK_REFUSED, /* hello was refused, with `answer` and `cause`: ask again or close */
    UPLINK_MESSAGE, /* a message that is the owner's business */
    UPLINK_LOST     /* the connection is gone: see `stage` */
};

struct uplink {
    /* Set by the owner before uplink_open(), with all else zero, or later. */
    char address[LINK_ADDRESS_MAX];
    struct hello hello; /* `token` becomes the one that the server gives */
    bool comes_back;
    int64_t retry_ms; /* for so long it tries to come back */

    /* For the owner to look at. */
    struct link link;
    enum uplink_stage stage;
    enum hello_answer answer; /* to the last hello */
    struct cause cause;
    char name[HELLO_NAME_MAX]; /* that the server has given, a guest's too */
    bool new_token;            /* with the last welcome */
    bool code_needed;          /* by the greeting */
    char bye[32];              /* the reason that the server gave for closing; "": none */
    int tries;                 /* that have failed since the connection was lost */

    bool broken; /* uplink_next() will tell of the loss */
    bool was_in, asked;
    int64_t in_ms;    /* when it was let in */
    int64_t heard_ms; /* when something last came, */
    int64_t asked_ms; /* and when the server was then asked for a sign of life */
    int64_t wait_ms;  /* until when the greeting or an answer to hello must come; 0: for neither */
    int64_t try_ms, give_up_ms;
    struct backoff backoff;
};

/* Begins; the next uplink_tick() connects. If nobody is there, that is the end: it waits only for a
 * server that let it in before. */
void uplink_open(struct uplink *uplink, int64_t now_ms);

bool uplink_is_up(const struct uplink *uplink);

/* Says hello, as it does by itself after a greeting if there is a name. */
void uplink_hello(struct uplink *uplink, int64_t now_ms);

/* Sends a line, formatted as by printf; uplink_next() tells of a failure. */
void uplink_send(struct uplink *uplink, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads what has come, waiting if nothing has. */
void uplink_receive(struct uplink *uplink, int64_t now_ms);

/* Connects, or asks a silent server for a sign of life, when that is due. */
void uplink_tick(struct uplink *uplink, int64_t now_ms);

/* When uplink_tick() is due; INT64_MAX: never. */
int64_t uplink_due_ms(const struct uplink *uplink);

/* What has happened. *message belongs to the caller with UPLINK_MESSAGE, and is NULL otherwise. */
enum uplink_event uplink_next(struct uplink *uplink, int64_t now_ms, cJSON **message);

/* Closes the connection, and does not come back. May be called again. */
void uplink_close(struct uplink *uplink);

#endif
