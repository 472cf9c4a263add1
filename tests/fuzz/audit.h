/*
 * Invariants of a server between two lines: its counts and lists agree, every match follows from
 * its moves, and only permitted changes have happened since the previous audit.
 */
#ifndef LUDUS_AUDIT_H
#define LUDUS_AUDIT_H

#include "server/play/server.h"
#include "told.h"

enum { AUDIT_TABLES_MAX = 64 };

/* A snapshot of the server's state. */
struct audit {
    uint64_t digest; /* of everything visible to people, independent of order */
    int count;
    struct audited {
        char id[TABLE_ID_MAX];
        enum match_status status;
        int plies;
        struct outcome outcome;
        struct position position;
        bool has_guest;         /* a player that cannot come back */
        bool vacant;            /* nobody has one of the seats */
    } tables[AUDIT_TABLES_MAX]; /* unfinished ones, and finished ones that the server keeps */
};

/* Takes a snapshot and requires that the server is sound. settled: everything due has happened. */
void audit_take(struct audit *audit, const struct server *server, bool settled);

/* Requires that matches have changed only by the actions that were announced, and that finished
 * matches are unchanged. */
void audit_compare(const struct audit *before, const struct audit *after, const struct told *told);

/* Requires that a restarted server has all matches but those of guests, and that these continue. */
void audit_compare_restarted(const struct audit *before, const struct audit *after);

#endif
