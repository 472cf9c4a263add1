/* The moves of a match so far, and the position before the first. The server's record fills the
 * list; states keep it up to date. */
#ifndef LUDUS_PLAYED_H
#define LUDUS_PLAYED_H

#include <cjson/cJSON.h>

#include "client/link/match_state.h"
#include "common/pgn.h"

struct played {
    char match[MATCH_ID_MAX];
    bool known;                    /* else the record must be asked for */
    char start[POSITION_TEXT_MAX]; /* "": unknown */
    int count;
    struct move_text moves[PGN_PLIES_MAX];
};

/* Follows a state: a new move, moves taken back, or another match. A state that does not follow
 * makes the list unknown. */
void played_follow(struct played *played, const struct match_state *view);

/* Fills the list from a reply to `record`. */
void played_read(struct played *played, const cJSON *reply);

/* The position after that many moves. False with the cause when the moves are unknown or make no
 * sense. */
bool played_position(const struct played *played, const struct match_state *view, int ply,
                     struct position *position, struct cause *cause);

#endif
