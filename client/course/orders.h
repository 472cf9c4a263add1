/*
 * The way by which the teacher tells a running `ludus course run` something: the socket
 * DIR/control, which only its user can reach. A request is a line, and so is the answer.
 */
#ifndef LUDUS_COURSE_ORDERS_H
#define LUDUS_COURSE_ORDERS_H

#include <stdbool.h>

#include "common/text.h"

enum { ORDER_MAX = 256 };

/* Listens in the folder of a course. Returns the socket; -1 with the cause. */
int orders_listen(const char *dir, struct cause *cause);

/* Takes the next request, and waits a moment for its line. Returns the socket for the answer; -1:
 * there is none. */
int orders_take(int listener, char line[ORDER_MAX]);

/* Answers a request, and closes its socket. */
void orders_answer(int fd, bool good, const char *text);

/* Sends a line to the course that runs in a folder, and prints its answer. False with the cause: it
 * does not run, or refuses. */
bool orders_send(const char *dir, const char *line, struct cause *cause);

#endif
