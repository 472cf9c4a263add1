/*
 * What must be true of a server between two lines: that what it counts and lists fits together,
 * that every match is what its moves make of it, and how it may differ from what it was before.
 */
#ifndef LUDUS_AUDIT_H
#define LUDUS_AUDIT_H

#include "server/server.h"
#include "told.h"

enum { AUDIT_TABLES_MAX = 64 };

/* What counts of a server, at one moment. */
struct audit {
    uint64_t digest; /* of all that people can notice, in any order */
    int count;
    struct audited {
        char id[TABLE_ID_MAX];
        enum match_status status;
        int plies;
        struct outcome outcome;
        struct position position;
        bool has_guest;         /* somebody who cannot come back */
    } tables[AUDIT_TABLES_MAX]; /* unfinished ones and those that are kept */
};

/* Takes it, and requires that the server is sound. settled: what was due has happened. */
void audit_take(struct audit *audit, const struct server *server, bool settled);

/* Requires that the moves of the matches are those of before, but for what was done, as it was
 * told; and that what is over stays as it is. */
void audit_compare(const struct audit *before, const struct audit *after, const struct told *told);

/* The same for a server that was started again: every match goes on, but those of guests. */
void audit_compare_restarted(const struct audit *before, const struct audit *after);

#endif
