/* Counts since the start of the server, for `stats` and metrics.h. They only grow. */
#ifndef LUDUS_TALLY_H
#define LUDUS_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/game.h"
#include "status.h"

enum {
    TALLY_COMMANDS_MAX = 64,
    TALLY_STATUSES = STATUS_INTERNAL + 1,
    TALLY_GAMES_MAX = 16,
    TALLY_BUCKETS = 9,
    TALLY_HTTP_CLASSES = 5
};

struct tally {
    /* Replies by command (numbered from 1; 0: a line without one) and result. */
    uint64_t replies[TALLY_COMMANDS_MAX][TALLY_STATUSES];
    uint64_t busy_us[TALLY_COMMANDS_MAX];                       /* of the loop, by command */
    uint64_t moves[TALLY_GAMES_MAX], finished[TALLY_GAMES_MAX]; /* in the order of games[] */
    uint64_t private_moves, private_finished;                   /* of private matches among these */
    uint64_t connections, commands;
    uint64_t refused;                  /* connections */
    uint64_t http[TALLY_HTTP_CLASSES]; /* answers to browsers, by the first digit of their status,
                                          from 1 */
    uint64_t commits_failed;
    uint64_t stale_units; /* another server was first */
    uint64_t kept_units;  /* by a database, in `commits` batches */
    int64_t news_lag_us;  /* how long the last notification of a database took; 0: none yet */
    uint64_t commits, commits_us;           /* those that succeeded, and their time */
    uint64_t commits_within[TALLY_BUCKETS]; /* those that took at most tally_bucket_us */
};

/* The upper bounds of the buckets, in microseconds. */
extern const int64_t tally_bucket_us[TALLY_BUCKETS];

/* Counts a reply to the command of that number. */
void tally_reply(struct tally *tally, int command, enum status status);

/* Counts the time that the loop was busy with a line that had the command of that number. */
void tally_busy(struct tally *tally, int command, int64_t busy_us);

/* Counts a move or a finished match of a game. */
void tally_game(uint64_t counts[TALLY_GAMES_MAX], const struct game *game);

/* Returns the sum of counts. */
uint64_t tally_sum(const uint64_t *counts, int count);

/* Returns how many replies were errors. */
uint64_t tally_errors(const struct tally *tally);

/* Returns the microseconds of a clock that only goes forward. */
int64_t tally_now_us(void);

/* Counts a transaction of the store. */
void tally_commit(struct tally *tally, bool good, int64_t took_us);

#endif
