/*
 * Lines become commands: looks the verb up, checks what the table of commands says once for all
 * (join code, rate, words, options), finds the match, and runs the handler. A line that needs
 * something that a unit has locked sleeps until it is free.
 */
#ifndef LUDUS_DISPATCH_H
#define LUDUS_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "request.h"

/* Takes one line without its end: any bytes, up to LINE_BYTES_MAX - 1. False when the line has to
 * sleep: give it again when sink.wake() was called. */
bool dispatch_line(struct session *session, const char *line, size_t length);

/* The peer sent a line that is too long: refuses it. False when that has to wait for replies to
 * earlier lines: call it again when sink.wake() was called. */
bool dispatch_too_long(struct session *session);

/* The peer sent something that is work, but no line: counts it like a command, and as an error if
 * it comes too early. False when there were too many errors in a row: close the session. */
bool dispatch_no_line(struct session *session);

/* Goes on with a session that was woken: runs the line that is to run again, if there is one. False
 * when the session sleeps again. */
bool dispatch_resume(struct session *session);

/* The command of that verb (any case), or NULL. */
const struct command *command_find(const char *verb);

/* The command at a place among all, from 1; NULL: there are not so many. */
const struct command *command_at(int number);

#endif
