/*
 * Reviews of finished matches, and analyses of positions. The first review of a match stays its
 * review: the keeper has it, with the match. Each is made by a child process, `ludus-bot review`,
 * that gets the match as PGN and prints a line of words for each ply. A position is a match that
 * begins there, of one move if one is to be judged, and of none. A few run at a time and a few may
 * wait; the latest that are done stay in memory.
 *
 * Knows processes and the keeper, but no sockets and no event loop: the loop tells it when children
 * have ended and, every second, what time it is. Lines that wait for a review sleep in the queue of
 * its lock.
 */
#ifndef LUDUS_REVIEWS_H
#define LUDUS_REVIEWS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "common/buffer.h"
#include "server/base/lock.h"
#include "server/keep/keeper.h"
#include "server/model/origin.h"
#include "server/model/table.h"
#include "server/wire/wire.h"

enum {
    REVIEWS_AT_ONCE = 2,
    REVIEWS_WAITING = 4,   /* beside those that run */
    REVIEWS_OF_ORIGIN = 3, /* of both, asked for from one address */
    REVIEWS_HERE = 16,     /* in memory */
    ANALYSES_HERE = 64,
    REVIEW_PLIES_MAX = 500, /* of a match; as PGN it fits into a pipe */
    REVIEW_PLY_BYTES = 80,  /* about what the keeper has for each */
    REVIEW_MOST_MS = 240000 /* that the child may take: it thinks for nodes, not for a time */
};

/* What a review is about, as it is found again: the id of a match; or the game, its position and
 * the move. */
enum { REVIEW_SUBJECT_MAX = 224 };

enum review_state {
    REVIEW_ASKED, /* the keeper, whether it has one */
    REVIEW_WAITS,
    REVIEW_RUNS,
    REVIEW_DONE,
    REVIEW_FAILED
};

struct review_jobs;

struct review_job {
    struct review_jobs *jobs;
    char subject[REVIEW_SUBJECT_MAX];
    bool is_analysis;
    enum review_state state;
    struct origin_key asker; /* the widest network around; zeroed: its limits do not hold */
    struct lock lock;        /* taken until it is done or has failed */
    struct look_up *look_up; /* owned: the question to the keeper; NULL: answered */
    bool is_new;             /* the keeper has none, and is to get it */
    bool has_no_bot;         /* it has failed as nobody here reviews */
    char *pgn;               /* owned: the match, until it starts */
    int count;               /* plies, and one for the end */
    struct review_row *rows; /* owned, one a ply */
    pid_t pid;               /* 0: no child */
    int output;              /* of the child; -1: none */
    struct buffer unread;
    int64_t end_ms; /* when to kill it, or to forget that it has failed */
    TAILQ_ENTRY(review_job) link;
};

struct review_jobs {
    TAILQ_HEAD(review_list, review_job) jobs; /* the oldest first */
    int counts[REVIEW_FAILED + 1];            /* by state */
    int kept[2];                              /* that are done: of matches, of positions */
};

void review_jobs_init(struct review_jobs *jobs);

/* The review of a match, or the analysis of a position, in any state, or NULL. */
struct review_job *review_jobs_find(const struct review_jobs *jobs, const char *subject);

/* Returns whether another one may be added. */
bool review_jobs_have_room(const struct review_jobs *jobs);

/* Returns whether an address, which may be NULL, has less than its share of those that run or wait.
 */
bool review_jobs_have_share(const struct review_jobs *jobs, const struct origin *origin);

/* Adds a review of a match of at most REVIEW_PLIES_MAX plies, for an address or NULL: the keeper's,
 * or else one that starts with the next review_jobs_work(), and that the keeper gets if `keeps`. */
struct review_job *review_jobs_add(struct review_jobs *jobs, struct keeper *keeper,
                                   const struct table *table, const struct origin *origin,
                                   bool keeps);

/* Adds the analysis of a position and, unless that is NULL, of a move there; as above. */
struct review_job *review_jobs_add_position(struct review_jobs *jobs, const struct game *game,
                                            const struct position *position,
                                            const struct move *move, const struct origin *origin);

/* Writes what an analysis is found by. */
void review_subject(const struct game *game, const struct position *position,
                    const struct move *move, char subject[REVIEW_SUBJECT_MAX]);

/* Takes what the children have written, ends those that take too long, forgets old reviews, and
 * starts what waits, by this program; NULL: there is none, and what waits fails. */
void review_jobs_work(struct review_jobs *jobs, struct keeper *keeper, const char *program,
                      int64_t now_ms);

/* Kills all children and frees everything. */
void review_jobs_release(struct review_jobs *jobs);

#endif
