/* The moves of a match so far, as texts, and the position that they began at. Filled from the
 * server's record, kept up by its states. */
#ifndef LUDUS_PLAYED_H
#define LUDUS_PLAYED_H

#include <cjson/cJSON.h>

#include "client/link/match_state.h"
#include "common/pgn.h"

struct played {
    char match[MATCH_ID_MAX];
    bool known;                    /* else the record is to be asked for */
    char start[POSITION_TEXT_MAX]; /* "": not known */
    int count;
    struct move_text moves[PGN_PLIES_MAX];
};

/* Follows a state: a move more, moves taken back, or another match. What does not follow makes it
 * unknown. */
void played_follow(struct played *played, const struct match_state *view);

/* Takes the server's reply to `record`. */
void played_read(struct played *played, const cJSON *reply);

/* The position after that many moves. False, with the cause, where the moves so far are not known
 * here, or make no sense. */
bool played_position(const struct played *played, const struct match_state *view, int ply,
                     struct position *position, struct cause *cause);

#endif
