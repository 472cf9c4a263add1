/*
 * The relay of a night: a process between the bots of a course and the server. A bot connects to a
 * port of its own; its lines go on to the server, and those of the server back. What a bot does
 * there, half a line or a million, costs nobody else anything; commands that reach beyond the bot's
 * own matches, such as those about tokens, are refused.
 *
 *     bot ── its port, the relay ── the server          run.c ── events, last lines ── the relay
 *
 * The relay sees illegal moves. Where the course has it so, it plays a move at random for a bot
 * that sends one, that takes too long, or whose connection ends when it is to move: it keeps the
 * bot's connection to the server until the bot is back. It never waits for anybody.
 */
#ifndef LUDUS_COURSE_RELAY_H
#define LUDUS_COURSE_RELAY_H

#include <stdbool.h>
#include <sys/types.h>

#include "client/link/link.h"
#include "common/text.h"
#include "course_folder.h"

/* What a bot may send in a night, in megabytes; beyond, its port is closed. */
enum { RELAY_SENT_MB = 8, RELAY_LINES = 40 };

/* How it works in a night; borrowed until relay_start() returns. */
struct relay_plan {
    int server_port; /* on loopback */
    bool plays;      /* moves at random */
    long move_s;     /* what a move may take; 0: any time */
    /* The move at random in a match at a ply follows from these words, the match and the ply. */
    const char *seed;
    /* The file that takes a line for each: {"match","ply","move","bot","why"}, before it is sent.
     */
    const char *random_path;
    const struct course_folder *course; /* its bots, by their numbers */
};

struct relay {
    pid_t pid;        /* 0: none */
    struct link link; /* to its process */
    cJSON *events;    /* an array of those that have come; owned */
};

/* Starts the process, which does not outlive this one. False with the cause; either way
 * relay_stop() must follow. */
bool relay_start(struct relay *relay, const struct relay_plan *plan, struct cause *cause);
void relay_stop(struct relay *relay);

/* From now on a bot connects to this listening socket, which is taken over; connections that it has
 * stay. -1: it is out, and all of its connections end. False with the cause: the relay has ended.
 */
bool relay_listen(struct relay *relay, int bot, int fd, struct cause *cause);

/* Returns the last lines that a bot has sent and read, RELAY_LINES at most, as an array of texts,
 * owned by the caller; NULL with the cause. */
cJSON *relay_last(struct relay *relay, int bot, struct cause *cause);

/* Reads what the process has said; call it when relay->link.fd is readable. False with the cause.
 */
bool relay_read(struct relay *relay, struct cause *cause);

/* Returns the next event, owned by the caller, or NULL. Each has `event` and `bot`:
 *   illegal   the first illegal move in a match: `match`, `ply`, `position`, `move`, `why`, `last`
 *   random    a move was played for the bot: `match`, `ply`, `move`, `why`
 *   lost      it has lost on time or as it was away: `match`, `ply`, `position`, `reason`, `last`
 *   flood     it has sent more than RELAY_SENT_MB, and is out */
cJSON *relay_event(struct relay *relay);

#endif
