/*
 * Servers that share a lobby: three of them in one process, on an engine in memory (engine_fake.h),
 * and four people who visit them. Sites are counted from 1, like their nodes.
 */
#ifndef LUDUS_SITES_H
#define LUDUS_SITES_H

#include "engine_fake.h"
#include "fixture.h"

enum { SITES = 3, VISITORS = 4 };

/* A client, with its line that sleeps. */
struct client {
    struct peer peer;
    char line[256];
    bool sleeps;
    int site;
};

extern struct engine engine;
extern struct server sites[SITES + 1];
extern struct client anna, bob, carl, dora;
extern struct client *const people[VISITORS];
extern char tokens[VISITORS][TOKEN_TEXT_MAX]; /* by which they come back */

/* Starts all sites, without anybody; ends them. */
void sites_begin(void);
void sites_end(void);

/* Lets everything happen that is due. */
void sites_settle(void);

/* Lets time pass, for the engine, too, and what is due then happen. */
void sites_pass_time(int64_t ms);

/* A site ends without a word, as after kill -9; the engine finds out. */
void site_kill(int site);

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
