/*
 * Servers that share a lobby: three of them in one process, on a PostgreSQL that the test starts,
 * and four people who visit them. Sites are counted from 1, like their nodes.
 */
#ifndef LUDUS_SITES_H
#define LUDUS_SITES_H

#include "fixture.h"

enum { SITES = 3, VISITORS = 4 };

/* A client, with its line that sleeps. */
struct client {
    struct peer peer;
    char line[256];
    bool sleeps;
    int site;
};

extern struct server sites[SITES + 1];
extern struct client anna, bob, carl, dora;
extern struct client *const people[VISITORS];
extern char tokens[VISITORS][TOKEN_TEXT_MAX]; /* by which they come back */

/* Starts PostgreSQL. False where there is none: then the test is skipped. */
bool sites_open(const char *test);
void sites_close(void);

/* The connection string of the database. */
const char *sites_conninfo(void);

/* Runs a statement; returns the number in its first row, -1: there is none. */
int sites_sql(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Starts all sites, without anybody; ends them. */
void sites_begin(void);
void sites_end(void);

/* Lets everything happen until nobody waits for anything, and all that was told is heard. */
void sites_settle(void);

/* Lets time pass at the servers, but not at the database, and fires their deadlines. */
void sites_pass_time(int64_t ms);

/* Calls all that a server does from time to time. */
void site_make_rounds(int site);

/* A site ends without a word, as after kill -9; the database is told. */
void site_kill(int site);

/* Starts a site that was killed. */
void site_start_again(int site);

/* Connects to a site. */
void visit(struct client *client, int site);

/* Connects to a site and takes a name there. */
void enter(struct client *client, int site, const char *name);

/* Comes back to the name at a site, with the output from the greeting on. */
void come_back(struct client *client, int site, const char *name);

void hang_up(struct client *client);

/* Sends a line; more may follow before sites_settle(). */
void send_line(struct client *client, const char *line);

/* Sends a line that is answered. */
void ask(struct client *client, const char *line);

/* Drops everybody's output so far. */
void skip_all(void);

/* Starts all sites, and Anna at site 1 plays white against Bob at site 2. */
void start_match(const char *opening);

#define GETS(client, text)                                                                         \
    CHECK_THAT(count(&(client).peer, text) == 1, "%s: %s", text, (client).peer.output)
#define GETS_NOT(client, text)                                                                     \
    CHECK_THAT(count(&(client).peer, text) == 0, "%s: %s", text, (client).peer.output)

#endif
