#include "rate_limit.h"

#include "server.h"
#include "session.h"

enum {
    SECOND_US = 1000000,
    BURST_US = 2 * SECOND_US,      /* commands of two seconds at once */
    CHAT_BURST_US = 10 * SECOND_US /* chat of ten */
};

static const int64_t MINUTE_US = INT64_C(60) * SECOND_US;
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

int64_t rate_limit_chat(struct session *session)
{
    int rate = session->server->limits.chat_rate;

    if (rate == 0)
        return 0;
    return take_or_wait_ms(&session->chat, session->server->now_ms, MINUTE_US / rate,
                           CHAT_BURST_US);
}

int64_t rate_limit_name(struct session *session)
{
    struct origin *origin = rate_limit_origin(session);
    int rate = session->server->limits.address_names;

    if (origin == NULL || rate == 0)
        return 0;
    return take_or_wait_ms(&origin->names, session->server->now_ms, HOUR_US / rate, HOUR_US);
}

void rate_limit_return_name(struct session *session)
{
    struct origin *origin = rate_limit_origin(session);
    int rate = session->server->limits.address_names;

    if (origin != NULL && rate > 0)
        bucket_take(&origin->names, session->server->now_ms, -HOUR_US / rate);
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

bool rate_limit_may_connect(struct server *server, struct origin *origin)
{
    const struct limits *limits = &server->limits;
    bool counts = !origin->loopback || limits->limit_loopback;

    return !server->engine_away &&
           server->session_count + server->visitor_count < limits->connections &&
           (!counts || origin->connections <= limits->address_connections) &&
           may_spend(server, origin, CONNECT_COST);
}

bool rate_limit_may_request(struct server *server, struct origin *origin)
{
    return may_spend(server, origin, REQUEST_COST);
}
