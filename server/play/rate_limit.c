#include "rate_limit.h"

#include <assert.h>

#include "server.h"
#include "server/base/log.h"
#include "session.h"

enum {
    SECOND_US = 1000000,
    BURST_US = 2 * SECOND_US,       /* commands of two seconds at once */
    SHARE = 10,                     /* the last tenth of all places is for networks */
    FEW = 10,                       /* of which they have fewer */
    KEPT_AT_ONCE = 1000,            /* bytes, more than one command has kept */
    LOG_LINES_A_DAY = 10000,        /* about one event, for one address */
    TALK_BURST_US = 10 * SECOND_US, /* chat and challenges of ten */
    DRAWN_A_SECOND = 5,
    DRAWN_BURST_US = 6 * SECOND_US, /* thirty pictures at once */
    TIME_SHARE = 4, /* a session or address may use one quarter of the loop's time */
    TURN_US = 500   /* and a network this much of each turn */
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

enum { BUCKETS_MAX = 4 };

/* The buckets that one thing is taken from, such as those of an address and its networks. */
struct buckets {
    struct charge {
        struct bucket *bucket;
        int64_t cost_us, burst_us; /* see limits.h */
    } list[BUCKETS_MAX];
    int count;
};

/* Adds a bucket, unless it is NULL, or the cost 0: that is unlimited. */
static void add_bucket(struct buckets *buckets, struct bucket *bucket, int64_t cost_us,
                       int64_t burst_us)
{
    if (bucket == NULL || cost_us == 0)
        return;
    assert(buckets->count < BUCKETS_MAX);
    buckets->list[buckets->count++] = (struct charge){bucket, cost_us, burst_us};
}

/* Adds a bucket for `rate` a minute, ten seconds' worth at once. */
static void add_talk(struct buckets *buckets, struct bucket *bucket, int rate)
{
    add_bucket(buckets, bucket, rate > 0 ? MINUTE_US / rate : 0, TALK_BURST_US);
}

/* Returns the milliseconds until all buckets have what it costs; 0: now. */
static int64_t wait_for_all_ms(const struct buckets *buckets, int64_t now_ms)
{
    int64_t wait_ms = 0;

    for (int i = 0; i < buckets->count; i++) {
        const struct charge *charge = &buckets->list[i];
        int64_t own_ms = bucket_wait_ms(charge->bucket, now_ms, charge->cost_us, charge->burst_us);
        wait_ms = own_ms > wait_ms ? own_ms : wait_ms;
    }
    return wait_ms;
}

/* Takes what it costs from all buckets, which owe as much as they can hold at most; `times` -1
 * gives it back. */
static void take_from_all(const struct buckets *buckets, int64_t now_ms, int times)
{
    for (int i = 0; i < buckets->count; i++) {
        const struct charge *charge = &buckets->list[i];
        bucket_take(charge->bucket, now_ms, charge->cost_us * times, charge->burst_us);
    }
}

/* Takes what it costs and returns 0, or returns how long until all buckets have it. */
static int64_t take_or_wait_ms(const struct buckets *buckets, int64_t now_ms)
{
    int64_t wait_ms = wait_for_all_ms(buckets, now_ms);

    if (wait_ms == 0)
        take_from_all(buckets, now_ms, 1);
    return wait_ms;
}

/* Adds those of an address and its networks, of which wider ones have more. */
static void add_address_commands(struct buckets *buckets, const struct limits *limits,
                                 struct origin *origin, int commands)
{
    for (; origin != NULL && limits->address_rate > 0; origin = origin->wider)
        add_bucket(buckets, &origin->commands,
                   commands * (int64_t)SECOND_US / limits->address_rate / origin->scale,
                   ORIGIN_BURST_US);
}

/* The buckets of commands: the session's own, its address', and its networks'. House bots have
 * none. */
static struct buckets command_buckets(struct session *session, int commands)
{
    const struct limits *limits = &session->server->limits;
    struct buckets buckets = {.count = 0};

    if (!session->trusted && limits->rate > 0)
        add_bucket(&buckets, &session->commands, commands * (int64_t)SECOND_US / limits->rate,
                   BURST_US);
    if (!session->trusted)
        add_address_commands(&buckets, limits, rate_limit_origin(session), commands);
    return buckets;
}

int64_t rate_limit_take_commands(struct session *session, int commands)
{
    const struct buckets buckets = command_buckets(session, commands);
    int64_t wait_ms = take_or_wait_ms(&buckets, session->server->now_ms);

    if (wait_ms == 0)
        session->spent += commands;
    return wait_ms;
}

void rate_limit_count(struct session *session, int commands)
{
    const struct buckets buckets = command_buckets(session, commands);

    session->spent += commands;
    take_from_all(&buckets, session->server->now_ms, 1);
}

/* What time costs beyond what the line was charged as a command. */
static int64_t time_cost_us(int64_t busy_us, int64_t charged_us)
{
    int64_t more_us = busy_us * TIME_SHARE - charged_us;

    return more_us > 0 ? more_us : 0;
}

static void count_turn(const struct server *server, struct origin *origin, int64_t busy_us)
{
    struct origin *network = origin_widest(origin);

    if (network->turn != server->turn)
        network->turn_us = 0;
    network->turn = server->turn;
    network->turn_us += busy_us;
}

void rate_limit_count_time(struct session *session, int64_t before_us, int64_t busy_us,
                           int commands)
{
    struct buckets buckets = command_buckets(session, commands);
    struct origin *network = rate_limit_origin(session);

    for (int i = 0; i < buckets.count; i++) {
        struct charge *charge = &buckets.list[i];
        charge->cost_us = time_cost_us(before_us + busy_us, charge->cost_us) -
                          time_cost_us(before_us, charge->cost_us);
    }
    take_from_all(&buckets, session->server->now_ms, 1);
    if (network != NULL)
        count_turn(session->server, network, busy_us);
}

void rate_limit_count_handling(const struct server *server, struct origin *origin, int64_t busy_us)
{
    if (rate_limit_is_for(server, origin))
        count_turn(server, origin, busy_us);
}

bool rate_limit_turn_is_used(const struct server *server, const struct origin *origin)
{
    if (!rate_limit_is_for(server, origin))
        return false;
    const struct origin *network = origin_widest(origin);
    return network->turn == server->turn && network->turn_us >= TURN_US;
}

/* Returns the bucket that counts where the limits of an address hold: that of the player, who has a
 * name and so shares it with nobody behind the same address, or else that of the address. */
static struct bucket *own_bucket(const struct session *session, struct bucket *of_player,
                                 struct bucket *of_address)
{
    return session->player->kind == PLAYER_GUEST ? of_address : of_player;
}

int64_t rate_limit_chat(struct session *session, struct table *table)
{
    const struct limits *limits = &session->server->limits;
    struct origin *origin = rate_limit_origin(session);
    struct buckets buckets = {.count = 0};

    add_talk(&buckets, &session->player->chat, limits->chat_rate);
    if (table_seats_of(table, session->player) == SEATS_NONE) {
        add_talk(&buckets, &table->chat, limits->watch_chat);
        if (origin != NULL)
            add_talk(&buckets, own_bucket(session, &session->player->watch_chat, &origin->chat),
                     limits->watch_chat);
    }
    return take_or_wait_ms(&buckets, session->server->now_ms);
}

/* The buckets of a kind, see rate_limit.h. */
static struct buckets buckets_of(struct session *session, enum rate_kind kind,
                                 struct player *player)
{
    const struct limits *limits = &session->server->limits;
    struct origin *origin = rate_limit_origin(session);
    struct buckets buckets = {.count = 0};

    switch (kind) {
    case RATE_CHALLENGE: /* an address has half as much as the player who is challenged */
        add_talk(&buckets, &player->challenges, limits->challenges);
        if (origin != NULL)
            add_talk(&buckets, &origin->challenges, (limits->challenges + 1) / 2);
        break;
    case RATE_JOIN:
        if (origin != NULL)
            add_talk(&buckets, own_bucket(session, &session->player->joins, &origin->joins),
                     limits->guest_joins);
        break;
    case RATE_NAME: /* wider networks have more */
        for (struct origin *at = origin; at != NULL && limits->address_names > 0; at = at->wider)
            add_bucket(&buckets, &at->names, HOUR_US / limits->address_names / at->scale, HOUR_US);
        break;
    }
    return buckets;
}

int64_t rate_limit_take(struct session *session, enum rate_kind kind, struct player *player)
{
    const struct buckets buckets = buckets_of(session, kind, player);

    return take_or_wait_ms(&buckets, session->server->now_ms);
}

void rate_limit_give_back(struct session *session, enum rate_kind kind, struct player *player)
{
    const struct buckets buckets = buckets_of(session, kind, player);

    take_from_all(&buckets, session->server->now_ms, -1);
}

/* The buckets of bytes, each of which holds as much as a day brings. */
static struct buckets byte_buckets(const struct session *session, int bytes)
{
    int64_t bytes_a_day = session->server->limits.address_kept * INT64_C(1000000);
    struct buckets buckets = {.count = 0};

    for (struct origin *at = rate_limit_origin(session); at != NULL && bytes_a_day > 0;
         at = at->wider)
        add_bucket(&buckets, &at->kept, bytes * DAY_US / bytes_a_day / at->scale, DAY_US);
    return buckets;
}

int64_t rate_limit_keep_wait_ms(const struct session *session)
{
    const struct buckets buckets = byte_buckets(session, KEPT_AT_ONCE);

    return wait_for_all_ms(&buckets, session->server->now_ms);
}

void rate_limit_keep(struct session *session, int bytes)
{
    const struct buckets buckets = byte_buckets(session, bytes);

    take_from_all(&buckets, session->server->now_ms, 1);
}

static bool take_log_line(const struct server *server, struct log_share *share,
                          enum log_event event)
{
    static const char *const names[] = {"hello", "opened", "started", "over", "closed"};
    struct buckets buckets = {.count = 0};

    add_bucket(&buckets, &share->lines[event], DAY_US / LOG_LINES_A_DAY, DAY_US);
    bool muted = take_or_wait_ms(&buckets, server->now_ms) > 0;
    if (muted && !share->muted[event])
        log_line(LOG_WARN, "event=muted of=%s", names[event]);
    share->muted[event] = muted;
    return !muted;
}

bool rate_limit_log(const struct server *server, struct origin *origin, enum log_event event)
{
    return !rate_limit_is_for(server, origin) || take_log_line(server, &origin->log, event);
}

bool rate_limit_log_match(const struct server *server, const struct table *table,
                          enum log_event event)
{
    struct tournament *tournament =
        tournaments_find_number(&server->lobby.tournaments, table->tournament);

    if (tournament != NULL)
        return !tournament->plan.has_address || take_log_line(server, &tournament->log, event);
    return rate_limit_log(server, table->origin, event);
}

/* A connection, or an answer to a browser, is as much work as these numbers of commands. */
enum { CONNECT_COST = 10, REQUEST_COST = 2 };

/* Counts work of an address, unless that has used up its rate. */
static bool may_spend(struct server *server, struct origin *origin, int commands)
{
    struct buckets buckets = {.count = 0};

    if (!rate_limit_is_for(server, origin))
        return true;
    add_address_commands(&buckets, &server->limits, origin, commands);
    return take_or_wait_ms(&buckets, server->now_ms) == 0;
}

/* Returns whether a network that has `by_network` of `used` places may take one more: the last ones
 * of the limit are for networks that have few. */
static bool leaves_share(int used, int limit, int by_network)
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

    if (server->database_away)
        return false;
    if (!rate_limit_is_for(server, origin))
        return true;
    for (const struct origin *at = origin; at != NULL; at = at->wider)
        if (at->connections > limits->address_connections * at->scale)
            return false;
    return leaves_share(connection_count(server), limits->connections,
                        origin_widest(origin)->connections - 1) &&
           may_spend(server, origin, CONNECT_COST);
}

bool rate_limit_may_request(struct server *server, struct origin *origin)
{
    return may_spend(server, origin, REQUEST_COST);
}

bool rate_limit_may_send_record(struct server *server, struct origin *origin)
{
    return may_spend(server, origin, RECORD_COST);
}

bool rate_limit_may_draw(struct server *server, struct origin *origin)
{
    struct buckets buckets = {.count = 0};

    if (!rate_limit_is_for(server, origin))
        return true;
    add_bucket(&buckets, &origin_widest(origin)->drawn, SECOND_US / DRAWN_A_SECOND, DRAWN_BURST_US);
    return take_or_wait_ms(&buckets, server->now_ms) == 0;
}

void rate_limit_count_request(struct server *server, struct origin *origin, int commands,
                              int64_t busy_us)
{
    struct buckets buckets = {.count = 0};

    if (!rate_limit_is_for(server, origin))
        return;
    add_address_commands(&buckets, &server->limits, origin, commands);
    for (int i = 0; i < buckets.count; i++)
        buckets.list[i].cost_us += time_cost_us(busy_us, buckets.list[i].cost_us);
    take_from_all(&buckets, server->now_ms, 1);
    count_turn(server, origin, busy_us);
}

enum opening_limit opening_limit(const struct server *server, const struct player *opener,
                                 const struct origin *origin, const struct origin **full)
{
    const struct lobby *lobby = &server->lobby;
    int most = server->limits.unfinished;
    int used = lobby->open + lobby->playing + lobby->opening;
    int own = origin != NULL ? origin_widest(origin)->unfinished : 0;
    const struct origin *of = origin; /* the first address or network that has too many matches */

    while (of != NULL && of->unfinished < server->limits.address_matches * of->scale)
        of = of->wider;
    if (full != NULL)
        *full = of;
    if (opener != NULL && opener->unfinished >= server->limits.matches)
        return OPENING_OF_PLAYER;
    if (of != NULL)
        return OPENING_OF_ADDRESS;
    if (!leaves_share(used, most, own))
        return OPENING_SHARE;
    return used < most ? OPENING_FREE : OPENING_FULL;
}
