/*
 * The outcome of a request. Each code but STATUS_OK is an error code of the protocol, with its word
 * and a sentence in one table. A function that returns an error has changed nothing.
 */
#ifndef LUDUS_STATUS_H
#define LUDUS_STATUS_H

enum status {
    STATUS_OK,
    STATUS_UNKNOWN_COMMAND,
    STATUS_BAD_ARGUMENTS,
    STATUS_LINE_TOO_LONG,
    STATUS_BAD_ENCODING,
    STATUS_NAME_TAKEN,
    STATUS_BAD_NAME,
    STATUS_BAD_TOKEN,
    STATUS_BAD_CODE,
    STATUS_CODE_NEEDED,
    STATUS_UNKNOWN_GAME,
    STATUS_UNKNOWN_VARIANT,
    STATUS_BAD_POSITION,
    STATUS_UNKNOWN_MATCH,
    STATUS_UNKNOWN_PLAYER,
    STATUS_UNKNOWN_TOURNAMENT,
    STATUS_SEAT_TAKEN,
    STATUS_NOT_A_PLAYER,
    STATUS_NOT_YOUR_TURN,
    STATUS_ILLEGAL_MOVE,
    STATUS_STALE_PLY,
    STATUS_MATCH_OVER,
    STATUS_MATCH_NOT_STARTED,
    STATUS_MATCH_ARCHIVED,
    STATUS_NOTHING_TO_ANSWER,
    STATUS_NOT_ALLOWED,
    STATUS_AMBIGUOUS_MATCH,
    STATUS_RATE_LIMITED,
    STATUS_LIMIT_REACHED,
    STATUS_SERVER_BUSY,
    STATUS_INTERNAL
};

/* Returns the word on the wire, such as "illegal-move"; "ok" for STATUS_OK. */
const char *status_word(enum status status);

/* Returns a sentence for people, to use when there is no exact cause. */
const char *status_sentence(enum status status);

#endif
