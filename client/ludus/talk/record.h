/*
 * Matches as they were played: the server's records as PGN, files of PGN, and the moves so far of
 * the match on the screen, which states keep up to date.
 */
#ifndef LUDUS_RECORD_H
#define LUDUS_RECORD_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "client/link/match_state.h"
#include "common/pgn.h"
#include "common/text.h"

/* What a record does not tell; texts are borrowed, NULL: not known. */
struct record_about {
    const char *site;          /* the address of the server */
    const char *event, *round; /* of a tournament */
    bool with_times;           /* to write the time of each move */
};

/* Writes the reply to `record` as PGN (common/pgn.h); the caller frees the text. NULL with the
 * cause when the reply makes no sense or the game is unknown here. */
char *record_pgn(const cJSON *reply, const struct record_about *about, struct cause *cause);

/* Reads a file, or standard input for "-". False with the cause when it cannot be read or
 * pgn_read() refuses it. */
bool record_read_file(const char *path, struct pgn_file *file, struct cause *cause);

/* Reads the reply to `record` as a file of one match, which has passed pgn_check(). False with the
 * cause. */
bool record_read_reply(const cJSON *reply, struct pgn_file *file, struct cause *cause);

/* Whether the record is of a match that was over, aborted or not. */
bool record_is_over(const struct pgn_match *match);

/* The position after that many moves of a match that has passed pgn_check(). */
struct position record_position(const struct pgn_match *match, int ply);

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
