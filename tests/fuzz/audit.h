/*
 * What must be true of a server between two lines: that what it counts and lists fits together,
 * that every match is what its moves make of it, and how it may differ from what it was before.
 */
#ifndef LUDUS_AUDIT_H
#define LUDUS_AUDIT_H

#include "server/server.h"

enum { AUDIT_TABLES_MAX = 64 };

/* What counts of a server, at one moment. */
struct audit {
    uint64_t digest; /* of all that people can notice */
    int count;
    struct audited {
        char id[TABLE_ID_MAX];
        enum match_status status;
        int plies;
        struct outcome outcome;
        struct position position;
    } tables[AUDIT_TABLES_MAX]; /* unfinished ones and those that are kept */
};

/* Takes it, and requires that the server is sound. */
void audit_take(struct audit *audit, const struct server *server);

/* What a line may have done to the matches. */
struct deed {
    const char *moved;  /* the match in which a move was played, or NULL */
    int ply;            /* its new ply */
    const char *undone; /* the match in which moves were taken back, or NULL */
};

/* Requires that nothing else has happened to the moves of any match, and that what is over stays as
 * it is. */
void audit_compare(const struct audit *before, const struct audit *after, const struct deed *deed);

#endif
