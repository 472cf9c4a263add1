#include "four_peers.h"

#include <stdio.h>

#include "check.h"

const struct limits four_limits = {.unfinished = 1000,
                                   .watchers = 100,
                                   .first_line_s = 86400,
                                   .connections = 10,
                                   .names = 10,
                                   .matches = 10,
                                   .finished = 10,
                                   .errors = 10,
                                   .idle_s = 60};

void skip_all(struct peer peers[PEERS])
{
    for (int i = 0; i < PEERS; i++)
        skip(&peers[i]);
}

void open_matches(struct fixture *fixture, struct peer peers[PEERS])
{
    static const char *const names[] = {"anna", "bob", "carl", "dora"};
    char line[64];

    for (int i = 0; i < PEERS; i++) {
        open_peer(&fixture->server, &peers[i]);
        snprintf(line, sizeof line, "hello %s", names[i]);
        CHECK(say(&peers[i], line));
        fixture_settle(fixture);
    }
    for (int i = 0; i < PEERS; i += 2) {
        CHECK(say(&peers[i], "new clobber:3x3"));
        fixture_settle(fixture);
        snprintf(line, sizeof line, "join %d", 1 + i / 2);
        CHECK(say(&peers[i + 1], line));
        fixture_settle(fixture);
    }
    skip_all(peers);
}
