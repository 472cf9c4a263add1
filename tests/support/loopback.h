/*
 * A player's connection and the server's end of it, on loopback sockets and with a simulated clock.
 * The test says what the server says, and checks what it hears.
 */
#ifndef LUDUS_LOOPBACK_H
#define LUDUS_LOOPBACK_H

#include "client/link/uplink.h"

#define GREETING "{\"type\":\"hello\",\"proto\":1,\"name\":\"guest-1\",\"code\":false}"
#define WELCOME  "{\"type\":\"ok\",\"cmd\":\"hello\",\"name\":\"gus\",\"token\":\"t0k3n\"}"

enum { LOOPBACK_START_MS = 1000 };

/* Both ends. */
struct loopback {
    struct uplink uplink;
    int listener, peer; /* of the server; -1: none */
    int64_t now_ms;
    cJSON *message; /* of the last event, or NULL */
};

/* Listens on a free port. Returns the socket, for the caller to close. */
int loopback_listen(int *port);

/* Connects a bot of that name, or a guest if it is "", to a server of its own. */
void loopback_open(struct loopback *wire, const char *name);

void loopback_close(struct loopback *wire);

/* Accepts the connection, which asks for the greeting by a blank line. */
void loopback_accept(struct loopback *wire);

/* Returns the next event at the player's end. */
enum uplink_event loopback_next(struct loopback *wire);

/* Sends a line from the server and returns the resulting event. */
enum uplink_event loopback_say(struct loopback *wire, const char *line);

/* Closes the server's end and returns the resulting event. */
enum uplink_event loopback_hang_up(struct loopback *wire);

/* Lets time pass until something is due. */
void loopback_pass_time(struct loopback *wire);

/* Checks the next line to the server; "": there is none. */
#define HEAR(wire, want) loopback_hear_at(__FILE__, __LINE__, wire, want)
void loopback_hear_at(const char *file, int line, struct loopback *wire, const char *want);

#endif
