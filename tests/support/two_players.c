#include "two_players.h"

#include <stdio.h>

#include "check.h"
#include "common/move.h"
#include "server/play/lifecycle.h"
#include "test_limits.h"

struct fixture fixture;
struct server *const server = &fixture.server;
struct peer anna, bob, carl;

void begin(bool shared)
{
    struct limits limits = test_limits;

    limits.matches = 1000;
    limits.errors = 10;
    limits.abandon_days = 1;
    fixture_begin(&fixture, &limits, shared);
}

void settle(void)
{
    fixture_settle(&fixture);
}

void ask(struct peer *peer, const char *line)
{
    CHECK_THAT(say(peer, line), "'%s' sleeps", line);
    settle();
}

void enter(struct peer *peer, const char *name)
{
    char line[64];

    open_peer(server, peer);
    snprintf(line, sizeof line, "hello %s", name);
    ask(peer, line);
    skip(peer);
}

void begin_with_two(bool shared)
{
    begin(shared);
    enter(&anna, "anna");
    enter(&bob, "bob");
}

const struct match *match_of(const char *id)
{
    return &lobby_find(&server->lobby, id)->match;
}

void start_match(const char *opening)
{
    char line[64];

    ask(&anna, opening);
    snprintf(line, sizeof line, "join %lld", (long long)server->lobby.opened);
    ask(&bob, line);
    skip(&anna);
    skip(&bob);
}

void play(const char *id, int plies)
{
    const struct match *match = match_of(id);
    struct move moves[MOVES_MAX];
    char text[MOVE_TEXT_MAX], line[64];

    for (int i = 0; i < plies; i++) {
        match->game->legal(&match->position, moves);
        move_format(&match->position, moves[0], text);
        snprintf(line, sizeof line, "move %s %s", id, text);
        ask(match->position.side == WHITE ? &anna : &bob, line);
    }
    skip(&anna);
    skip(&bob);
}

void start_timed(int matches, int plies)
{
    char id[TABLE_ID_MAX];

    for (int i = 1; i <= matches; i++) {
        start_match("new clobber:5x6 clock=10+0");
        snprintf(id, sizeof id, "%d", i);
        play(id, plies);
    }
}

void pass_ms(int64_t ms)
{
    server->now_ms += ms;
    server->wall_s += ms / 1000;
}

void tick(void)
{
    pass_ms(1000);
    server_tick(server);
    server_run_deadlines(server);
    settle();
}
