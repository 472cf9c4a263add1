/*
 * A server on PostgreSQL, which is played by libpq_fake.h: what the database does where a test does
 * not say otherwise, and what it tells of matches.
 */
#ifndef LUDUS_POSTGRES_STAGE_H
#define LUDUS_POSTGRES_STAGE_H

#include "fixture.h"
#include "libpq_fake.h"

struct stage {
    struct server server;
    struct keeper *keeper;
    struct peer anna, carl, eve; /* a guest */
};

/* What the database knows of this server: changed by its calls, and by tests. */
extern struct own_row {
    int64_t epoch, number;
    bool runs_late; /* the call that broke has run after all */
    const char *stale;
} own_row;

/* The database answers as it should. */
void stage_answers(void);

/* Starts the server, on answers that the test may have changed. Whether it is ready. */
bool stage_start(struct stage *stage, struct cause *cause);

/* All of that, with two players, who are there. */
void stage_begin(struct stage *stage);
void stage_end(struct stage *stage);

/* Lets everything go on that can. */
void stage_work(struct stage *stage);

/* Lets time pass, and the server tick once. */
void stage_pass(struct stage *stage, int64_t ms);

/* Sends a line and lets it be answered. False when it still sleeps. */
bool stage_say(struct stage *stage, struct peer *peer, const char *line);

/* Of a token that no test knows. */
#define BOBS_HASH "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"

/* A row of a match of anna and bob, who is at server 2, for LIBPQ_ROWS. */
struct match_row {
    int number, version;
    const char *status, *log, *seeks;
    const char *game, *start, *result, *reason, *once, *bob, *opened_s, *ended; /* NULL: usual */
    bool timed, alone; /* bob has not joined */
    int turn_age_ms;   /* 0: 1000 */
};

/* Logs of such a match: opened, joined, after a move, after two. */
#define OPEN_LOG    "s 0 0 -1 -1 0 "
#define PLAYING_LOG OPEN_LOG "\ns 0 0 -1 -1 0 "
#define MOVED_LOG   PLAYING_LOG "\nm 1 7 -1 -1 0 a2a1"
#define TWICE_LOG   MOVED_LOG "\nm 2 9 -1 -1 0 b2b1 e30 pa1b1"

/* Valid until the next four such calls. */
const char *match_row_text(const struct match_row *row);

/* Opens match 1001 of anna, which bob joins at server 2. */
void meet_bob(struct stage *stage);

#define GETS(peer, text) CHECK_THAT(count(&(peer), text) > 0, "no '%s' in %s", text, (peer).output)
#define GETS_NOT(peer, text)                                                                       \
    CHECK_THAT(count(&(peer), text) == 0, "'%s' in %s", text, (peer).output)

#endif
