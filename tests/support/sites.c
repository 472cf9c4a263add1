#include "sites.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "server/base/log.h"
#include "server/keep/postgres/postgres.h"
#include "server/play/dispatch.h"
#include "server/play/lifecycle.h"
#include "server/play/presence.h"
#include "test_limits.h"

struct server sites[SITES + 1];
struct client anna, bob, carl, dora;
struct client *const people[VISITORS] = {&anna, &bob, &carl, &dora};
char tokens[VISITORS][TOKEN_TEXT_MAX];

enum { TURNS = 20000, WAIT_MS = 20, ROUNDS = 30, TIMEOUT_S = 600 };

static bool alive[SITES + 1];
static struct keeper *keepers[SITES + 1];
static char conninfo[512];
static FILE *lender; /* runs tests/cluster/lend_postgres.py, which prints the conninfo */
static struct blocking *database;

bool sites_open(const char *test)
{
    char folder[400] = "", command[600];
    struct cause cause = {.text = ""};

    log_set_level(LOG_ERROR); /* and not that there are no standbys */
    if (readlink("/proc/self/exe", folder, sizeof folder - 1) > 0 && strrchr(folder, '/') != NULL)
        *strrchr(folder, '/') = '\0';
    snprintf(command, sizeof command, "exec python3 tests/cluster/lend_postgres.py '%s'", folder);
    lender = popen(command, "r");
    if (!CHECK(lender != NULL && fgets(conninfo, sizeof conninfo, lender) != NULL))
        return false;
    conninfo[strcspn(conninfo, "\n")] = '\0';
    if (strncmp(conninfo, "none ", 5) == 0) {
        printf("%s: SKIPPED: %s\n", test, conninfo + 5);
        return false;
    }
    struct database_address *address = address_new(conninfo, &cause);
    if (address != NULL)
        database = blocking_open(address, &cause);
    address_free(address);
    return CHECK_THAT(database != NULL, "%s", cause.text) && sites_sql("SET search_path = ludus");
}

void sites_close(void)
{
    blocking_close(database);
    if (lender != NULL)
        pclose(lender);
}

const char *sites_conninfo(void)
{
    return conninfo;
}

int sites_sql(const char *format, ...)
{
    char sql[1000];
    struct cause cause;
    int value = -1;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sql, sizeof sql, format, arguments);
    va_end(arguments);
    CHECK_THAT(blocking_run(database, sql, &value, &cause), "%s", cause.text);
    return value;
}

static void end_site(int site)
{
    struct server *server = &sites[site];

    while (!TAILQ_EMPTY(&server->sessions))
        presence_free(TAILQ_FIRST(&server->sessions));
    server_release(server);
    if (keepers[site] != NULL)
        keepers[site]->kind->close(keepers[site]);
    keepers[site] = NULL;
}

static void start_site(int site)
{
    struct limits limits = test_limits;
    struct server *server = &sites[site];
    struct node self = {.id = site};
    struct cause cause;

    server_init(server, &limits);
    server->now_ms = 1000000;
    server->started_ms = 1000;
    server->wall_s = 1700000000;
    house_bots_add_levels(&server->house, "greedy");
    snprintf(self.address, sizeof self.address, "192.0.2.%d:7117", site);
    keepers[site] = keeper_postgres(conninfo, &self, TIMEOUT_S, &cause);
    if (site == 1) /* of whose matches the numbers begin with 1001 */
        sites_sql("SELECT setval('match_number', 1) WHERE NOT EXISTS (SELECT FROM node)");
    CHECK_THAT(keepers[site] != NULL && server_take_up(server, keepers[site], &cause), "%s",
               cause.text);
    server_add_levels(server);
    alive[site] = true;
}

void sites_begin(void)
{
    /* What a site of the test before has asked for may still run, and would lock tables in an order
     * of its own. */
    sites_sql("SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity"
              " WHERE pid <> pg_backend_pid() AND usename = current_user");
    sites_sql("DROP SCHEMA IF EXISTS ludus CASCADE");
    for (int site = 1; site <= SITES; site++)
        start_site(site);
    for (size_t i = 0; i < VISITORS; i++)
        people[i]->peer.session = NULL;
    sites_settle();
}

void site_start_again(int site)
{
    end_site(site);
    start_site(site);
    sites_settle();
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

/* Lets a site do what it can. Returns whether it waits for the database. */
static bool work_at(int site)
{
    struct postgres *postgres = (struct postgres *)keepers[site];

    server_end_turn(&sites[site]);
    postgres->tell_ms = 0; /* news of the lobby waits for nothing */
    keepers[site]->kind->work(keepers[site], sites[site].now_ms);
    if (!postgres_is_busy(postgres))
        postgres_read_behind(postgres);
    return postgres_is_busy(postgres) || !link_is_idle(postgres->writer) ||
           !link_is_idle(postgres->reader) || !STAILQ_EMPTY(&postgres->tells);
}

/* Waits until the database says something to any site. */
static void wait_for_database(void)
{
    struct pollfd descriptors[SITES];
    int count = 0;

    for (int site = 1; site <= SITES; site++)
        if (alive[site])
            descriptors[count++] = (struct pollfd){
                .fd = keepers[site]->kind->descriptor(keepers[site]), .events = POLLIN};
    poll(descriptors, (nfds_t)count, WAIT_MS);
}

/* Notifications come in the order of commits: a site that hears this echo has heard all before. */
static void send_echoes(void)
{
    for (int site = 1; site <= SITES; site++)
        if (alive[site]) {
            sites[site].tally.news_lag_us = 0;
            sites_sql("SELECT pg_notify('ludus%d', 'e 1')", site);
        }
}

static bool echoes_are_heard(void)
{
    bool heard = true;

    for (int site = 1; site <= SITES; site++)
        heard = heard && (!alive[site] || sites[site].tally.news_lag_us != 0);
    return heard;
}

void sites_settle(void)
{
    bool sent = false;

    for (int turns = 0; CHECK(turns < TURNS); turns++) {
        bool waits = false, woken = false;
        for (int site = 1; site <= SITES; site++)
            waits = (alive[site] && work_at(site)) || waits;
        for (size_t i = 0; i < VISITORS; i++)
            woken = wake(people[i]) || woken;
        if (waits || woken) {
            sent = false;
        } else if (!sent) {
            send_echoes();
            sent = true;
        } else if (echoes_are_heard()) {
            return;
        }
        if (!woken)
            wait_for_database();
    }
}

void sites_pass_time(int64_t ms)
{
    for (int site = 1; site <= SITES; site++) {
        sites[site].now_ms += ms;
        if (alive[site])
            server_run_deadlines(&sites[site]);
    }
    sites_settle();
}

void site_make_rounds(int site)
{
    for (int round = 0; round < ROUNDS; round++) {
        server_tick(&sites[site]);
        sites_settle();
    }
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
    sites_sql("SELECT leave(id, epoch) FROM node WHERE id = %d", site);
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
        end_site(site);
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
