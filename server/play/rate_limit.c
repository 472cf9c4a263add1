#include "rate_limit.h"

#include "server.h"
#include "server/base/log.h"
#include "session.h"

enum {
    SECOND_US = 1000000,
    BURST_US = 2 * SECOND_US,      /* commands of two seconds at once */
    SHARE = 10,                    /* the last tenth of all places is for networks */
    FEW = 10,                      /* that have less than so many */
    KEPT_AT_ONCE = 1000,           /* bytes, more than one command has kept */
    LOG_LINES_A_DAY = 10000,       /* about one event, for one address */
    TALK_BURST_US = 10 * SECOND_US /* chat and challenges of ten */
};

static const int64_t MINUTE_US = INT64_C(60) * SECOND_US;
static const int64_t DAY_US = INT64_C(86400) * SECOND_US;
static const int64_t HOUR_US = INT64_C(3600) * SECOND_US; /* new names of an hour at once */

struct origin *rate_limit_origin(const struct session *session)
{
    struct origin *origin = session->origin;

    if (origin == NULL || (origin->loopback && !session->server->limits.limit_loopback))
        return NULL;
    return origin;
}

/* The account of its address, or NULL where that does not count. */
static struct bucket *shared_bucket(const struct session *session)
{
    struct origin *origin = rate_limit_origin(session);

    return origin != NULL && session->server->limits.address_rate > 0 ? &origin->commands : NULL;
}

int64_t rate_limit_wait_ms(const struct session *session, int64_t cost)
{
    const struct limits *limits = &session->server->limits;
    const struct bucket *shared = shared_bucket(session);
    int64_t now_ms = session->server->now_ms, own_ms = 0, shared_ms = 0;

    if (session->trusted)
        return 0;
    if (limits->rate > 0)
        own_ms =
            bucket_wait_ms(&session->commands, now_ms, cost * SECOND_US / limits->rate, BURST_US);
    if (shared != NULL)
        shared_ms = bucket_wait_ms(shared, now_ms, cost * SECOND_US / limits->address_rate,
                                   ORIGIN_BURST_US);
    return own_ms > shared_ms ? own_ms : shared_ms;
}

void rate_limit_count(struct session *session, int commands)
{
    const struct limits *limits = &session->server->limits;
    struct bucket *shared = shared_bucket(session);
    int64_t now_ms = session->server->now_ms;

    session->spent += commands;
    if (limits->rate > 0)
        bucket_take(&session->commands, now_ms, commands * (int64_t)SECOND_US / limits->rate);
    if (shared != NULL)
        bucket_take(shared, now_ms, commands * (int64_t)SECOND_US / limits->address_rate);
}

/* Takes what it costs, or tells how long until that is there. */
static int64_t take_or_wait_ms(struct bucket *bucket, int64_t now_ms, int64_t cost_us,
                               int64_t burst_us)
{
    int64_t wait_ms = bucket_wait_ms(bucket, now_ms, cost_us, burst_us);

    if (wait_ms == 0)
        bucket_take(bucket, now_ms, cost_us);
    return wait_ms;
}

/* One of the accounts that something is taken from; a rate of 0 is unlimited. */
struct account {
    struct bucket *bucket; /* NULL: none */
    int rate;              /* a minute, ten seconds' worth at once */
};

/* Takes one from all accounts, or tells how long until all have it. */
static int64_t take_from_all(const struct account accounts[], int count, int64_t now_ms)
{
    int64_t wait_ms = 0;

    for (int i = 0; i < count; i++) {
        if (accounts[i].bucket == NULL || accounts[i].rate == 0)
            continue;
        int64_t own_ms =
            bucket_wait_ms(accounts[i].bucket, now_ms, MINUTE_US / accounts[i].rate, TALK_BURST_US);
        wait_ms = own_ms > wait_ms ? own_ms : wait_ms;
    }
    for (int i = 0; i < count && wait_ms == 0; i++)
        if (accounts[i].bucket != NULL && accounts[i].rate > 0)
            bucket_take(accounts[i].bucket, now_ms, MINUTE_US / accounts[i].rate);
    return wait_ms;
}

int64_t rate_limit_chat(struct session *session, struct table *table)
{
    const struct limits *limits = &session->server->limits;
    struct origin *origin = rate_limit_origin(session);
    bool watches = table_seats_of(table, session->player) == SEATS_NONE;
    const struct account accounts[] = {
        {&session->chat, limits->chat_rate},
        {watches ? &table->chat : NULL, limits->watch_chat},
        {watches && origin != NULL ? &origin->chat : NULL, limits->watch_chat}};

    return take_from_all(accounts, 3, session->server->now_ms);
}

enum { CHALLENGE_ACCOUNTS = 2 };

/* The accounts of a player and of the address that challenges them, which has half as much. */
static void challenge_accounts(struct session *session, struct player *player,
                               struct account accounts[CHALLENGE_ACCOUNTS])
{
    int rate = session->server->limits.challenges;
    struct origin *origin = rate_limit_origin(session);

    accounts[0] = (struct account){&player->challenges, rate};
    accounts[1] = (struct account){origin != NULL ? &origin->challenges : NULL, (rate + 1) / 2};
}

int64_t rate_limit_challenge(struct session *session, struct player *player)
{
    struct account accounts[CHALLENGE_ACCOUNTS];

    challenge_accounts(session, player, accounts);
    return take_from_all(accounts, CHALLENGE_ACCOUNTS, session->server->now_ms);
}

void rate_limit_return_challenge(struct session *session, struct player *player)
{
    struct account accounts[CHALLENGE_ACCOUNTS];

    challenge_accounts(session, player, accounts);
    for (int i = 0; i < CHALLENGE_ACCOUNTS; i++)
        if (accounts[i].bucket != NULL && accounts[i].rate > 0)
            bucket_take(accounts[i].bucket, session->server->now_ms, -MINUTE_US / accounts[i].rate);
}

static struct account join_account(const struct session *session)
{
    struct origin *origin = rate_limit_origin(session);
    bool counts = origin != NULL && session->player->kind == PLAYER_GUEST;

    return (struct account){counts ? &origin->joins : NULL, session->server->limits.guest_joins};
}

int64_t rate_limit_join(struct session *session)
{
    const struct account account = join_account(session);

    return take_from_all(&account, 1, session->server->now_ms);
}

void rate_limit_return_join(struct session *session)
{
    const struct account account = join_account(session);

    if (account.bucket != NULL && account.rate > 0)
        bucket_take(account.bucket, session->server->now_ms, -MINUTE_US / account.rate);
}

int64_t rate_limit_name(struct session *session)
{
    struct origin *origin = rate_limit_origin(session);
    int64_t cost_us = HOUR_US, now_ms = session->server->now_ms, wait_ms = 0;

    if (session->server->limits.address_names == 0)
        return 0;
    cost_us /= session->server->limits.address_names;
    for (const struct origin *at = origin; at != NULL; at = at->wider) {
        int64_t own_ms = bucket_wait_ms(&at->names, now_ms, cost_us / at->scale, HOUR_US);
        wait_ms = own_ms > wait_ms ? own_ms : wait_ms;
    }
    for (struct origin *at = origin; at != NULL && wait_ms == 0; at = at->wider)
        bucket_take(&at->names, now_ms, cost_us / at->scale);
    return wait_ms;
}

void rate_limit_return_name(struct session *session)
{
    int rate = session->server->limits.address_names;

    if (rate == 0)
        return;
    for (struct origin *at = rate_limit_origin(session); at != NULL; at = at->wider)
        bucket_take(&at->names, session->server->now_ms, -HOUR_US / rate / at->scale);
}

/* Returns the cost of bytes to an account that holds as much as a day brings. */
static int64_t byte_us(const struct session *session, const struct origin *origin, int bytes)
{
    return bytes * DAY_US / (session->server->limits.address_kept * INT64_C(1000000)) /
           origin->scale;
}

int64_t rate_limit_keep_wait_ms(const struct session *session)
{
    int64_t wait_ms = 0, now_ms = session->server->now_ms;

    if (session->server->limits.address_kept == 0)
        return 0;
    for (const struct origin *at = rate_limit_origin(session); at != NULL; at = at->wider) {
        int64_t own_ms =
            bucket_wait_ms(&at->kept, now_ms, byte_us(session, at, KEPT_AT_ONCE), DAY_US);
        wait_ms = own_ms > wait_ms ? own_ms : wait_ms;
    }
    return wait_ms;
}

void rate_limit_keep(struct session *session, int bytes)
{
    if (session->server->limits.address_kept == 0)
        return;
    for (struct origin *at = rate_limit_origin(session); at != NULL; at = at->wider)
        bucket_take(&at->kept, session->server->now_ms, byte_us(session, at, bytes));
}

bool rate_limit_log(const struct server *server, struct origin *origin, enum log_event event)
{
    static const char *const names[] = {"hello", "opened", "started", "over", "closed"};

    if (origin == NULL || (origin->loopback && !server->limits.limit_loopback))
        return true;
    bool muted = take_or_wait_ms(&origin->logged[event], server->now_ms, DAY_US / LOG_LINES_A_DAY,
                                 DAY_US) > 0;
    if (muted && !origin->muted[event])
        log_line(LOG_WARN, "event=muted of=%s", names[event]);
    origin->muted[event] = muted;
    return !muted;
}

/* To connect, or to answer a browser, is as much work as so many commands. */
enum { CONNECT_COST = 10, REQUEST_COST = 2 };

/* Takes what counts as so many commands from the account of an address, if it has that. */
static bool may_spend(struct server *server, struct origin *origin, int commands)
{
    const struct limits *limits = &server->limits;

    if ((origin->loopback && !limits->limit_loopback) || limits->address_rate == 0)
        return true;
    return take_or_wait_ms(&origin->commands, server->now_ms,
                           commands * (int64_t)SECOND_US / limits->address_rate,
                           ORIGIN_BURST_US) == 0;
}

bool rate_limit_leaves_share(int used, int limit, int by_network)
{
    return by_network < FEW || used < limit - limit / SHARE;
}

static int connection_count(const struct server *server)
{
    return server->session_count + server->visitor_count;
}

bool rate_limit_is_full(const struct server *server)
{
    return connection_count(server) >= server->limits.connections;
}

bool rate_limit_may_connect(struct server *server, struct origin *origin)
{
    const struct limits *limits = &server->limits;

    if (server->engine_away)
        return false;
    if (origin->loopback && !limits->limit_loopback)
        return true;
    for (const struct origin *at = origin; at != NULL; at = at->wider)
        if (at->connections > limits->address_connections * at->scale)
            return false;
    return rate_limit_leaves_share(connection_count(server), limits->connections,
                                   origin_widest(origin)->connections - 1) &&
           may_spend(server, origin, CONNECT_COST);
}

bool rate_limit_may_request(struct server *server, struct origin *origin)
{
    return may_spend(server, origin, REQUEST_COST);
}
