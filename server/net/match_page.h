/*
 * What a link to a match leads to: a page of HTML, which tells programs that show links who plays
 * and how it stands, and takes people to the match on the page for browsers; and its board as a
 * picture.
 *
 * Anybody who has the id of a match may see it, as with `record`. A server with a join code shows
 * none: its pages say nothing of any match, and lead to where the code can be given.
 */
#ifndef LUDUS_MATCH_PAGE_H
#define LUDUS_MATCH_PAGE_H

#include "http.h"

struct look_up;
struct origin;
struct server;

/* A visitor who asks for matches. */
struct match_asker {
    struct server *server; /* borrowed, as is the origin */
    struct origin *origin;
    bool over_tls;             /* they speak TLS with this server, */
    bool behind_proxy;         /* or with a proxy that is to be believed */
    void (*wake)(void *asker); /* a match that had to be looked up is there, or is not */
    void *waker;               /* for wake() */
    struct look_up *look_up;   /* owned; NULL: none */
};

/* Makes the view that a link asks for (http.h); `asker` is a struct match_asker. */
bool match_page_make(void *asker, const struct match_link *link, struct match_view *view);

/* Drops what was looked up, or still is. */
void match_asker_leave(struct match_asker *asker);

#endif
