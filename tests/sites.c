#include "sites.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "test_limits.h"

struct engine engine;
struct server sites[SITES + 1];
struct client anna, bob, carl, dora;
struct client *const people[VISITORS] = {&anna, &bob, &carl, &dora};
char tokens[VISITORS][TOKEN_TEXT_MAX];

static bool alive[SITES + 1];

void sites_begin(void)
{
    struct limits limits = test_limits;
    struct cause cause;

    engine_init(&engine);
    for (int site = 1; site <= SITES; site++) {
        struct server *server = &sites[site];
        server_init(server, &limits);
        server->now_ms = 1000000;
        server->started_ms = 1000;
        server->wall_s = 1700000000;
        house_bots_add_levels(&server->house, "greedy");
        CHECK(server_take_up(server, engine_add(&engine, site), &cause));
        server_add_levels(server);
        alive[site] = true;
    }
    engine.now_ms = 1000000;
    for (size_t i = 0; i < VISITORS; i++)
        people[i]->peer.session = NULL;
}

/* Lets a client go on that was woken. Returns whether it was. */
static bool wake(struct client *client)
{
    if (client->peer.session == NULL || !client->peer.woken || !alive[client->site])
        return false;
    client->peer.woken = false;
    if (dispatch_resume(client->peer.session) && client->sleeps)
        client->sleeps = !say(&client->peer, client->line);
    return true;
}

void sites_settle(void)
{
    bool goes_on = true;

    for (int turns = 0; goes_on && CHECK(turns < 200); turns++) {
        goes_on = false;
        for (int site = 1; site <= SITES; site++) {
            if (!alive[site])
                continue;
            server_end_turn(&sites[site]);
            goes_on = engine_work(&engine, site) || goes_on;
        }
        for (size_t i = 0; i < VISITORS; i++)
            goes_on = wake(people[i]) || goes_on;
    }
}

void sites_pass_time(int64_t ms)
{
    engine.now_ms += ms;
    for (int site = 1; site <= SITES; site++) {
        sites[site].now_ms += ms;
        if (alive[site])
            server_run_deadlines(&sites[site]);
    }
    sites_settle();
}

void send_line(struct client *client, const char *line)
{
    snprintf(client->line, sizeof client->line, "%s", line);
    client->sleeps = !say(&client->peer, line);
}

void ask(struct client *client, const char *line)
{
    send_line(client, line);
    sites_settle();
    CHECK_THAT(!client->sleeps, "'%s' sleeps", line);
}

void skip_all(void)
{
    for (size_t i = 0; i < VISITORS; i++)
        skip(&people[i]->peer);
}

void visit(struct client *client, int site)
{
    client->site = site;
    client->sleeps = false;
    open_peer(&sites[site], &client->peer);
}

/* The token in the output. */
static void read_token(const struct client *client, char token[TOKEN_TEXT_MAX])
{
    const char *at = strstr(client->peer.output, "\"token\":\"");

    token[0] = '\0';
    if (CHECK_THAT(at != NULL, "%s", client->peer.output))
        snprintf(token, TOKEN_TEXT_MAX, "%s", at + strlen("\"token\":\""));
    token[strcspn(token, "\"")] = '\0';
}

void enter(struct client *client, int site, const char *name)
{
    char line[64];

    visit(client, site);
    snprintf(line, sizeof line, "hello %s", name);
    ask(client, line);
    for (size_t i = 0; i < VISITORS; i++)
        if (people[i] == client)
            read_token(client, tokens[i]);
    skip_all();
}

void come_back(struct client *client, int site, const char *name)
{
    char line[256];

    for (size_t i = 0; i < VISITORS; i++)
        if (people[i] == client)
            snprintf(line, sizeof line, "hello %.32s token=%s", name, tokens[i]);
    visit(client, site);
    skip(&client->peer);
    ask(client, line);
}

void hang_up(struct client *client)
{
    presence_free(client->peer.session);
    client->peer.session = NULL;
    sites_settle();
}

void site_kill(int site)
{
    alive[site] = false;
    engine_bury(&engine, site);
    sites_settle();
}

void sites_end(void)
{
    for (int site = 1; site <= SITES; site++) {
        struct server *server = &sites[site];
        while (!TAILQ_EMPTY(&server->sessions))
            presence_free(TAILQ_FIRST(&server->sessions));
        if (alive[site])
            sites_settle();
    }
    for (int site = 1; site <= SITES; site++)
        server_release(&sites[site]);
    engine_release(&engine);
}

void start_match(const char *opening)
{
    char line[64];

    sites_begin();
    enter(&anna, 1, "anna");
    enter(&bob, 2, "bob");
    ask(&anna, opening);
    snprintf(line, sizeof line, "join %lld", (long long)sites[1].lobby.opened);
    ask(&bob, line);
    GETS(bob, "\"you\":\"black\"");
    skip_all();
}
