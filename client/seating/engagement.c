#include "engagement.h"

#include <string.h>

#include "client/link/json_read.h"

enum { AGAIN_MS = 1000 }; /* if the server does not say when */

void engagement_begin(struct engagement *engagement, struct uplink *uplink)
{
    const struct policy *policy = engagement->policy;

    engagement->again_ms = 0;
    if (policy->seek != NULL)
        uplink_send(uplink, "#seek seek %s%s%s repeat=yes", policy->seek,
                    policy->clock != NULL ? " clock=" : "",
                    policy->clock != NULL ? policy->clock : "");
    if (policy->tournament == NULL)
        return;
    uplink_send(uplink, "#tournament tournament join %s", policy->tournament);
    uplink_send(uplink, "watch tournament %s", policy->tournament);
    /* It may have ended while the bot was away. */
    uplink_send(uplink, "tournament show %s", policy->tournament);
}

static enum engagement_event take_refusal(struct engagement *engagement, const cJSON *message,
                                          int64_t now_ms, struct cause *cause)
{
    const char *id = json_text_or(message, "id", ""), *code = json_text_or(message, "code", "");

    if (strcmp(id, "seek") != 0 && strcmp(id, "tournament") != 0)
        return ENGAGEMENT_NOTHING;
    if (refusal_may_pass(code)) {
        int64_t wait_ms = json_ms(message, "retry_ms");
        engagement->again_ms = now_ms + (wait_ms >= 0 && wait_ms < 60000 ? wait_ms : AGAIN_MS);
        return ENGAGEMENT_NOTHING;
    }
    /* A tournament in which the bot takes part already, or that is over, as `show` will tell. */
    if (strcmp(id, "tournament") == 0 && strcmp(code, "not-allowed") == 0)
        return ENGAGEMENT_NOTHING;
    cause_set(cause, "%s: %.150s", id, json_text_or(message, "message", "no reason given"));
    return ENGAGEMENT_REFUSED;
}

enum engagement_event engagement_take(struct engagement *engagement, const cJSON *message,
                                      int64_t now_ms, struct cause *cause)
{
    const char *type = json_text_or(message, "type", ""),
               *tournament = engagement->policy->tournament;
    const char *status = json_text_or(message, "status", "");

    if (strcmp(type, "error") == 0)
        return take_refusal(engagement, message, now_ms, cause);
    if (strcmp(type, "tournament") != 0 || tournament == NULL ||
        strcmp(json_text_or(message, "tournament", ""), tournament) != 0)
        return ENGAGEMENT_NOTHING;
    bool is_over = strcmp(status, "over") == 0 || strcmp(status, "aborted") == 0;
    return is_over ? ENGAGEMENT_OVER : ENGAGEMENT_NOTHING;
}

void engagement_tick(struct engagement *engagement, struct uplink *uplink, int64_t now_ms)
{
    if (engagement->again_ms != 0 && now_ms >= engagement->again_ms)
        engagement_begin(engagement, uplink);
}

int64_t engagement_due_ms(const struct engagement *engagement)
{
    return engagement->again_ms != 0 ? engagement->again_ms : INT64_MAX;
}

void engagement_end(struct engagement *engagement, struct uplink *uplink)
{
    engagement->again_ms = 0;
    if (engagement->policy->seek != NULL)
        uplink_send(uplink, "unseek");
    if (engagement->policy->tournament != NULL)
        uplink_send(uplink, "tournament leave %s", engagement->policy->tournament);
}
