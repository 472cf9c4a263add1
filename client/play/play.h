/* Brings a match to the screen: opens one, joins one, or watches one. */
#ifndef LUDUS_PLAY_H
#define LUDUS_PLAY_H

#include "client/talk/client.h"

/* A match to open, in the terms of the server's `new`. All texts are borrowed. */
struct new_match {
    const char *game;          /* GAME or GAME:VARIANT */
    const char *white, *black; /* NULL: not given */
    const char *clock;         /* BASE+INC in seconds; NULL: none */
    const char *position;      /* NULL: the start position */
    bool hidden;               /* in no list */
};

enum { NEW_LINE_MAX = 1024 }; /* bytes with the final NUL */
/* Writes the command that opens the match. One that does not fit is too long for the server, too.
 */
void play_write_new(const struct new_match *new_match, char line[NEW_LINE_MAX]);

/* Open a match, join one, or watch one, and bring it to the screen. False when the server refuses,
 * which is shown. */
bool play_open(struct client *client, const struct new_match *new_match);
bool play_join(struct client *client, const char *match);
bool play_watch(struct client *client, const char *match);

#endif
