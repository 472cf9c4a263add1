/*
 * `ludus --line`: lines go to the server as they are typed, and its own text format comes back. The
 * program adds what netcat lacks: line editing, the name with its token, and coming back.
 */
#ifndef LUDUS_LINE_MODE_H
#define LUDUS_LINE_MODE_H

#include "client/ludus/talk/client.h"

/* Call this after login. Shows the player's matches and what `beginning` asks for, then passes
 * lines on until the player quits, or until a match that they only watch is over. */
void line_mode_run(struct client *client, enum beginning beginning);

#endif
