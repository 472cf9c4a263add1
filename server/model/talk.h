/*
 * The latest chat of a match, in memory only: who comes late, or comes back, reads what was said.
 * Knows no sessions and no matches.
 */
#ifndef LUDUS_TALK_H
#define LUDUS_TALK_H

#include <stdbool.h>
#include <stddef.h>

#include "player.h"

enum {
    TALK_LINES_MAX = 50,  /* of one match */
    TALK_BYTES_MAX = 8192 /* of their texts */
};

/* Who talks: the players of a match, or those who watch it. */
enum room { ROOM_PLAYERS, ROOM_WATCHERS };

/* "players" or "watchers". */
const char *room_name(enum room room);

/* Reads such a name. False: it is none. */
bool room_parse(const char *name, size_t length, enum room *room);

struct talk_line {
    enum room room;
    char from[NAME_TEXT_MAX];
    const char *text; /* owned by its talk; borrowed where a line is only said */
};

/* All zero: nothing was said. */
struct talk {
    struct talk_line *lines; /* owned, the oldest first */
    int count;
    size_t bytes;
};

/* Keeps a copy of a line; the oldest ones go where there are too many. */
void talk_add(struct talk *talk, const struct talk_line *line);

/* Frees all lines. */
void talk_release(struct talk *talk);

#endif
