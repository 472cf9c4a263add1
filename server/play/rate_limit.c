#include "rate_limit.h"

#include <assert.h>

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

bool rate_limit_is_for(const struct server *server, const struct origin *origin)
{
    return origin != NULL && (!origin->loopback || server->limits.limit_loopback);
}

struct origin *rate_limit_origin(const struct session *session)
{
    return rate_limit_is_for(session->server, session->origin) ? session->origin : NULL;
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

enum { ACCOUNTS_MAX = 3 };

/* The accounts that one thing is taken from, such as those of an address and the networks around
 * it. */
struct accounts {
    struct account {
        struct bucket *bucket;
        int64_t cost_us, burst_us; /* see bucket.h */
    } list[ACCOUNTS_MAX];
    int count;
};

/* Adds an account, unless the bucket is NULL, or the cost 0: it is unlimited. */
static void add_account(struct accounts *accounts, struct bucket *bucket, int64_t cost_us,
                        int64_t burst_us)
{
    if (bucket == NULL || cost_us == 0)
        return;
    assert(accounts->count < ACCOUNTS_MAX);
    accounts->list[accounts->count++] = (struct account){bucket, cost_us, burst_us};
}

/* Adds an account of which so many a minute are taken, ten seconds' worth at once. */
static void add_talk(struct accounts *accounts, struct bucket *bucket, int rate)
{
    add_account(accounts, bucket, rate > 0 ? MINUTE_US / rate : 0, TALK_BURST_US);
}

/* Returns the milliseconds until all accounts have what it costs; 0: now. */
static int64_t wait_for_all_ms(const struct accounts *accounts, int64_t now_ms)
{
    int64_t wait_ms = 0;

    for (int i = 0; i < accounts->count; i++) {
        const struct account *account = &accounts->list[i];
        int64_t own_ms =
            bucket_wait_ms(account->bucket, now_ms, account->cost_us, account->burst_us);
        wait_ms = own_ms > wait_ms ? own_ms : wait_ms;
    }
    return wait_ms;
}

/* Takes what it costs from all accounts; `times` -1 gives it back. */
static void take_from_all(const struct accounts *accounts, int64_t now_ms, int times)
{
    for (int i = 0; i < accounts->count; i++)
        bucket_take(accounts->list[i].bucket, now_ms, accounts->list[i].cost_us * times);
}

/* Takes what it costs, or tells how long until all accounts have it. */
static int64_t take_or_wait_ms(const struct accounts *accounts, int64_t now_ms)
{
    int64_t wait_ms = wait_for_all_ms(accounts, now_ms);

    if (wait_ms == 0)
        take_from_all(accounts, now_ms, 1);
    return wait_ms;
}

int64_t rate_limit_chat(struct session *session, struct table *table)
{
    const struct limits *limits = &session->server->limits;
    struct origin *origin = rate_limit_origin(session);
    struct accounts accounts = {.count = 0};

    add_talk(&accounts, &session->chat, limits->chat_rate);
    if (table_seats_of(table, session->player) == SEATS_NONE) {
        add_talk(&accounts, &table->chat, limits->watch_chat);
        add_talk(&accounts, origin != NULL ? &origin->chat : NULL, limits->watch_chat);
    }
    return take_or_wait_ms(&accounts, session->server->now_ms);
}

/* The accounts of a player and of the address that challenges them, which has half as much. */
static struct accounts challenge_accounts(struct session *session, struct player *player)
{
    int rate = session->server->limits.challenges;
    struct origin *origin = rate_limit_origin(session);
    struct accounts accounts = {.count = 0};

    add_talk(&accounts, &player->challenges, rate);
    add_talk(&accounts, origin != NULL ? &origin->challenges : NULL, (rate + 1) / 2);
    return accounts;
}

int64_t rate_limit_challenge(struct session *session, struct player *player)
{
    const struct accounts accounts = challenge_accounts(session, player);

    return take_or_wait_ms(&accounts, session->server->now_ms);
}

void rate_limit_return_challenge(struct session *session, struct player *player)
{
    const struct accounts accounts = challenge_accounts(session, player);

    take_from_all(&accounts, session->server->now_ms, -1);
}

static struct accounts join_accounts(struct session *session)
{
    struct origin *origin = rate_limit_origin(session);
    struct accounts accounts = {.count = 0};

    if (origin != NULL && session->player->kind == PLAYER_GUEST)
        add_talk(&accounts, &origin->joins, session->server->limits.guest_joins);
    return accounts;
}

int64_t rate_limit_join(struct session *session)
{
    const struct accounts accounts = join_accounts(session);

    return take_or_wait_ms(&accounts, session->server->now_ms);
}

void rate_limit_return_join(struct session *session)
{
    const struct accounts accounts = join_accounts(session);

    take_from_all(&accounts, session->server->now_ms, -1);
}

/* The accounts of an address and of the networks around it, which have more. */
static struct accounts name_accounts(struct session *session)
{
    int rate = session->server->limits.address_names;
    struct accounts accounts = {.count = 0};

    for (struct origin *at = rate_limit_origin(session); at != NULL; at = at->wider)
        add_account(&accounts, &at->names, rate > 0 ? HOUR_US / rate / at->scale : 0, HOUR_US);
    return accounts;
}

int64_t rate_limit_name(struct session *session)
{
    const struct accounts accounts = name_accounts(session);

    return take_or_wait_ms(&accounts, session->server->now_ms);
}

void rate_limit_return_name(struct session *session)
{
    const struct accounts accounts = name_accounts(session);

    take_from_all(&accounts, session->server->now_ms, -1);
}

/* The accounts of bytes, each of which holds as much as a day brings. */
static struct accounts byte_accounts(const struct session *session, int bytes)
{
    int64_t bytes_a_day = session->server->limits.address_kept * INT64_C(1000000);
    struct accounts accounts = {.count = 0};

    for (struct origin *at = rate_limit_origin(session); at != NULL && bytes_a_day > 0;
         at = at->wider)
        add_account(&accounts, &at->kept, bytes * DAY_US / bytes_a_day / at->scale, DAY_US);
    return accounts;
}

int64_t rate_limit_keep_wait_ms(const struct session *session)
{
    const struct accounts accounts = byte_accounts(session, KEPT_AT_ONCE);

    return wait_for_all_ms(&accounts, session->server->now_ms);
}

void rate_limit_keep(struct session *session, int bytes)
{
    const struct accounts accounts = byte_accounts(session, bytes);

    take_from_all(&accounts, session->server->now_ms, 1);
}

bool rate_limit_log(const struct server *server, struct origin *origin, enum log_event event)
{
    static const char *const names[] = {"hello", "opened", "started", "over", "closed"};
    struct accounts accounts = {.count = 0};

    if (!rate_limit_is_for(server, origin))
        return true;
    add_account(&accounts, &origin->logged[event], DAY_US / LOG_LINES_A_DAY, DAY_US);
    bool muted = take_or_wait_ms(&accounts, server->now_ms) > 0;
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
    int rate = server->limits.address_rate;
    struct accounts accounts = {.count = 0};

    if (!rate_limit_is_for(server, origin))
        return true;
    add_account(&accounts, &origin->commands, rate > 0 ? commands * (int64_t)SECOND_US / rate : 0,
                ORIGIN_BURST_US);
    return take_or_wait_ms(&accounts, server->now_ms) == 0;
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
    if (!rate_limit_is_for(server, origin))
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
