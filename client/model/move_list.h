/* The moves of a match so far, as texts, and the position that they began at. Filled from the
 * server's record, kept up by its states. */
#ifndef LUDUS_MOVE_LIST_H
#define LUDUS_MOVE_LIST_H

#include <cjson/cJSON.h>

#include "client/link/match_state.h"
#include "common/pgn.h"

struct history {
    char match[MATCH_ID_MAX];
    bool known;                    /* else the record is to be asked for */
    char start[POSITION_TEXT_MAX]; /* "": not known */
    int count;
    struct move_text moves[PGN_PLIES_MAX];
};

/* Follows a state: a move more, moves taken back, or another match. What does not follow makes it
 * unknown. */
void history_follow(struct history *history, const struct match_state *view);

/* Takes the server's reply to `record`. */
void history_read(struct history *history, const cJSON *reply);

/* The position after that many moves. False, with the cause, where the moves so far are not known
 * here, or make no sense. */
bool history_position(const struct history *history, const struct match_state *view, int ply,
                      struct position *position, struct cause *cause);

#endif
