/* The commands of `ludus-bot ugi`, and what they work on. */
#ifndef LUDUS_BOT_UGI_COMMANDS_H
#define LUDUS_BOT_UGI_COMMANDS_H

#include <sys/queue.h>

#include "client/bot/thinker.h"
#include "ugi_stream.h"

#define UGI_DEFAULT_LEVEL "max"

struct waiting {
    char *line; /* owned */
    STAILQ_ENTRY(waiting) link;
};

struct ugi {
    const struct game *game;
    char variant[VARIANT_NAME_MAX]; /* "" when none was named */
    bool placed;                    /* there is a position: the last one was not refused */
    struct position position;
    struct history history;
    const struct engine *engine;
    long seed; /* where rng begins */
    uint64_t rng;
    struct thinker thinker;
    struct tt tt;                   /* of the thinker; its size is the option Hash */
    int threads;                    /* to search in */
    int64_t started_ms;             /* when the search began */
    bool counts;                    /* the thinker counts for perft */
    bool infinite;                  /* it searches until `stop` */
    struct move kept;               /* its answer, while infinite */
    atomic_bool answered;           /* the thinker is about to end: waiting for it is short */
    STAILQ_HEAD(, waiting) waiting; /* lines, until the thinker is idle */
    struct ugi_stream stream;
};

struct ugi_command {
    const char *verb;
    void (*run)(struct ugi *ugi, char *rest);
    bool idle;   /* waits until the thinker is idle */
    bool urgent; /* goes ahead of lines that wait */
};

/* Finds the command that a line begins with; NULL if there is none. */
const struct ugi_command *ugi_find_command(const char *line);

void ugi_print_error(struct ugi *ugi, const char *text);

/* Sets up the default game and the thinker. */
void ugi_open(struct ugi *ugi);

/* The command `stop`; `rest` may be NULL. Brings the answer of an infinite search. */
void ugi_stop(struct ugi *ugi, char *rest);

/* Waits for the thinker until until_ms, by clock_ms(). Returns whether it is idle. */
bool ugi_await(struct ugi *ugi, int64_t until_ms);

#endif
