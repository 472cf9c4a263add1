/*
 * An engine in memory, which several servers of one test share as they would share PostgreSQL: it
 * has what is kept, finds units stale, answers later, and tells each server what the others do.
 * Nothing happens but in engine_work().
 */
#ifndef LUDUS_ENGINE_FAKE_H
#define LUDUS_ENGINE_FAKE_H

#include "server/keep/keeper.h"

enum { ENGINE_NODES_MAX = 4, ENGINE_ASKED_MAX = 16, ENGINE_SEEKS_MAX = 64 };

struct engine_event;
struct engine;

/* A server's side of it. */
struct engine_node {
    struct keeper keeper; /* for the server; first */
    struct engine *engine;
    int id;
    bool alive;
    struct players *players; /* the server's, borrowed */
    struct lobby *lobby;
    struct batch *batch; /* that the server awaits, borrowed; NULL: none */
    struct look_up *asked[ENGINE_ASKED_MAX];
    int asked_count;
    TAILQ_HEAD(engine_events, engine_event) events;
};

/* A seek that is offered to all servers. */
struct engine_seek {
    int node;
    int64_t number, match; /* match 0: it waits */
    char *text;            /* owned */
    TAILQ_ENTRY(engine_seek) link;
};

struct engine {
    struct origins origins;
    struct players players; /* what is kept */
    struct lobby lobby;
    struct nodes list; /* of the servers that are alive */
    struct engine_node nodes[ENGINE_NODES_MAX];
    TAILQ_HEAD(engine_seeks, engine_seek) seeks;
    int64_t now_ms; /* set by the test */
};

void engine_init(struct engine *engine);
void engine_release(struct engine *engine);

/* Adds a server, 1 to ENGINE_NODES_MAX. The others are told. Returns its keeper. */
struct keeper *engine_add(struct engine *engine, int id);

/* A server is dead. The others are told. */
void engine_bury(struct engine *engine, int id);

/* Tells one server all seeks, as after a connection came back. */
void engine_tell_seeks(struct engine *engine, int id);

/* Answers and tells one server. Returns whether there was anything. */
bool engine_work(struct engine *engine, int id);

#endif
