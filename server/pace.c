#include "pace.h"

#include "server.h"
#include "session.h"

enum {
    SECOND_US = 1000000,
    BURST_US = 2 * SECOND_US,      /* commands of two seconds at once */
    CHAT_BURST_US = 10 * SECOND_US /* chat of ten */
};

/* The account of its address, or NULL where that does not count. */
static struct bucket *shared_bucket(const struct session *session)
{
    const struct limits *limits = &session->server->limits;
    struct origin *origin = session->origin;

    if (origin == NULL || limits->address_rate == 0 ||
        (origin->loopback && !limits->limit_loopback))
        return NULL;
    return &origin->commands;
}

int64_t pace_wait_ms(const struct session *session, int64_t cost)
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

void pace_count(struct session *session, int commands)
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

int64_t pace_count_chat(struct session *session)
{
    int64_t now_ms = session->server->now_ms, rate = session->server->limits.chat_rate;

    if (rate == 0)
        return 0;
    int64_t cost_us = INT64_C(60) * SECOND_US / rate;
    int64_t wait_ms = bucket_wait_ms(&session->chat, now_ms, cost_us, CHAT_BURST_US);
    if (wait_ms == 0)
        bucket_take(&session->chat, now_ms, cost_us);
    return wait_ms;
}
