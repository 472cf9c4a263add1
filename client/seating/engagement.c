#include "engagement.h"

#include <string.h>

#include "client/engine/stop_signal.h"
#include "client/link/json_read.h"

enum {
    AT_ONCE_MS = 1,
    AGAIN_MS = 1000, /* before a refused command is sent again, if the server gives no time */
    AGAIN_MAX_MS = 3600000, /* ... and if it does, at most */
    FULL_MS = 30000,        /* ... and if it has no room */
    PLAYERS_MAX = 1000      /* of a tournament, by the protocol */
};

static const char *const ids[ASKS] = {
    [ASK_SEEK] = "seek",     [ASK_WATCH] = "watch", [ASK_SHOW] = "show", [ASK_JOIN] = "tournament",
    [ASK_UNSEEK] = "unseek", [ASK_LEAVE] = "leave", [ASK_IDLE] = "idle",
};

static void plan_ask(struct engagement *engagement, enum ask ask)
{
    engagement->due_ms[ask] = AT_ONCE_MS;
}

/* Reads the standings from the first row on. */
static void plan_show(struct engagement *engagement)
{
    engagement->row = 1;
    plan_ask(engagement, ASK_SHOW);
}

/* Drops the commands that are due, and the replies to those that were sent. */
static void forget_asks(struct engagement *engagement)
{
    memset(engagement->due_ms, 0, sizeof engagement->due_ms);
    memset(engagement->awaits, 0, sizeof engagement->awaits);
    engagement->is_idle = false;
}

/* Takes no more matches. A tournament that is over need not be left. */
static void stop_engaging(struct engagement *engagement, bool tournament_runs)
{
    forget_asks(engagement);
    engagement->leaves = true;
    if (engagement->policy->seek != NULL)
        plan_ask(engagement, ASK_UNSEEK);
    if (engagement->policy->tournament != NULL && tournament_runs)
        plan_ask(engagement, ASK_LEAVE);
}

bool engagement_leaves(struct engagement *engagement)
{
    if (stop_signal_wanted() != STOP_NOT && !engagement->leaves)
        stop_engaging(engagement, true);
    return engagement->leaves;
}

void engagement_begin(struct engagement *engagement)
{
    if (engagement_leaves(engagement)) {
        stop_engaging(engagement, true);
        return;
    }
    forget_asks(engagement);
    if (engagement->policy->seek != NULL)
        plan_ask(engagement, ASK_SEEK);
    if (engagement->policy->tournament != NULL)
        plan_ask(engagement, ASK_WATCH);
}

/* Takes a refusal. One that may pass has the command sent again. */
static enum engagement_event handle_refusal(struct engagement *engagement, enum ask ask,
                                            const cJSON *message, int64_t now_ms,
                                            struct cause *cause)
{
    const char *code = json_text_or(message, "code", "");
    bool is_full = strcmp(code, "limit-reached") == 0;
    int64_t wait_ms = json_ms(message, "retry_ms");

    cause_set(cause, "--%s: %.150s", ask == ASK_SEEK ? "seek" : "tournament",
              json_text_or(message, "message", "no reason given"));
    if (is_full || refusal_may_pass(code)) {
        if (wait_ms < 0)
            wait_ms = is_full ? FULL_MS : AGAIN_MS;
        engagement->due_ms[ask] = now_ms + (wait_ms < AGAIN_MAX_MS ? wait_ms : AGAIN_MAX_MS);
        if (!is_full && wait_ms < FULL_MS)
            return ENGAGEMENT_NOTHING;
        uplink_send(engagement->uplink, "ping"); /* many errors in a row end the connection */
        if (ask == ASK_WATCH)
            plan_show(engagement);
        return ENGAGEMENT_WAITS;
    }
    /* Whatever the server has against leaving, it is asked no more. */
    engagement->is_idle = ask == ASK_IDLE;
    return engagement->leaves ? ENGAGEMENT_NOTHING : ENGAGEMENT_REFUSED;
}

/* Whether these rows of the standings have the bot. */
static bool takes_part(const struct engagement *engagement, const cJSON *players)
{
    const cJSON *player;

    cJSON_ArrayForEach (player, players)
        if (strcmp(json_text_or(player, "name", ""), engagement->uplink->name) == 0)
            return !json_true(player, "left");
    return false;
}

static bool is_our_tournament(const struct engagement *engagement, const cJSON *message)
{
    const char *tournament = engagement->policy->tournament;

    return tournament != NULL && strcmp(json_text_or(message, "type", ""), "tournament") == 0 &&
           strcmp(json_text_or(message, "tournament", ""), tournament) == 0;
}

/* Takes a page of the tournament: joins unless the bot takes part already. */
static enum engagement_event handle_page(struct engagement *engagement, const cJSON *message,
                                         struct cause *cause)
{
    const struct policy *policy = engagement->policy;
    const cJSON *players = json_member(message, "players");
    int rows = cJSON_GetArraySize(players);

    if (policy->only_games && !policy_has_game(policy, message)) {
        cause_set(cause, "--tournament: --games does not have %.24s:%.24s",
                  json_text_or(message, "game", "?"), json_text_or(message, "variant", "?"));
        return ENGAGEMENT_REFUSED;
    }
    if (takes_part(engagement, players))
        return ENGAGEMENT_NOTHING;
    engagement->row += rows;
    bool has_more = engagement->row <= json_int_or(message, "total_players", 0);
    plan_ask(engagement,
             rows > 0 && has_more && engagement->row <= PLAYERS_MAX ? ASK_SHOW : ASK_JOIN);
    return ENGAGEMENT_NOTHING;
}

/* Returns the command that a message answers, or ASKS. */
static enum ask find_asked(const struct engagement *engagement, const cJSON *message)
{
    const char *id = json_text_or(message, "id", "");
    enum ask ask = 0;

    while (ask < ASKS && (!engagement->awaits[ask] || strcmp(ids[ask], id) != 0))
        ask++;
    return ask;
}

enum engagement_event engagement_hear(struct engagement *engagement, const cJSON *message,
                                      int64_t now_ms, struct cause *cause)
{
    const char *type = json_text_or(message, "type", ""),
               *status = json_text_or(message, "status", "");
    bool leaves = engagement_leaves(engagement);
    enum ask ask = find_asked(engagement, message);

    if (is_our_tournament(engagement, message) && !leaves &&
        (strcmp(status, "over") == 0 || strcmp(status, "aborted") == 0)) {
        stop_engaging(engagement, false);
        return ENGAGEMENT_NOTHING;
    }
    if (ask == ASKS)
        return ENGAGEMENT_NOTHING;
    engagement->awaits[ask] = false;
    if (strcmp(type, "error") == 0)
        return handle_refusal(engagement, ask, message, now_ms, cause);
    if (ask == ASK_SHOW && is_our_tournament(engagement, message))
        return handle_page(engagement, message, cause);
    if (ask == ASK_WATCH)
        plan_show(engagement);
    if (ask == ASK_IDLE)
        engagement->is_idle = true;
    return ENGAGEMENT_NOTHING;
}

static void send_ask(struct engagement *engagement, enum ask ask)
{
    const struct policy *policy = engagement->policy;
    const char *id = ids[ask], *tournament = policy->tournament;
    struct uplink *uplink = engagement->uplink;

    engagement->due_ms[ask] = 0;
    engagement->awaits[ask] = true;
    if (ask == ASK_SEEK)
        uplink_send(uplink, "#%s seek %s%s%s repeat=yes max=%ld", id, policy->seek,
                    policy->clock != NULL ? " clock=" : "",
                    policy->clock != NULL ? policy->clock : "", policy->matches_max);
    else if (ask == ASK_UNSEEK)
        uplink_send(uplink, "#%s unseek", id);
    else if (ask == ASK_IDLE)
        uplink_send(uplink, "#%s ping", id);
    else if (ask == ASK_WATCH)
        uplink_send(uplink, "#%s watch tournament %s", id, tournament);
    else if (ask == ASK_SHOW)
        uplink_send(uplink, "#%s tournament show %s players=%d", id, tournament, engagement->row);
    else
        uplink_send(uplink, "#%s tournament %s %s", id, ask == ASK_JOIN ? "join" : "leave",
                    tournament);
}

/* Whether a command is due or has not been answered. */
static bool has_asks(const struct engagement *engagement)
{
    for (enum ask ask = 0; ask < ASKS; ask++)
        if (engagement->due_ms[ask] != 0 || engagement->awaits[ask])
            return true;
    return false;
}

void engagement_tick(struct engagement *engagement, int matches, int64_t now_ms)
{
    bool leaves = engagement_leaves(engagement);

    if (engagement->uplink->stage != UPLINK_IN)
        return;
    if (matches > 0)
        engagement->is_idle = false;
    else if (leaves && !engagement->is_idle && !has_asks(engagement))
        plan_ask(engagement, ASK_IDLE);
    /* A bot that leaves and has come back does not know yet whether its matches run. */
    engagement->plays = matches > 0 || (engagement->plays && leaves && !engagement->is_idle);
    for (enum ask ask = 0; ask < ASKS; ask++)
        if (engagement->due_ms[ask] != 0 && now_ms >= engagement->due_ms[ask])
            send_ask(engagement, ask);
}

int64_t engagement_due_ms(const struct engagement *engagement)
{
    int64_t due_ms = INT64_MAX;

    for (enum ask ask = 0; ask < ASKS && engagement->uplink->stage == UPLINK_IN; ask++)
        if (engagement->due_ms[ask] != 0 && engagement->due_ms[ask] < due_ms)
            due_ms = engagement->due_ms[ask];
    return due_ms;
}

bool engagement_is_over(const struct engagement *engagement, int matches)
{
    if (stop_signal_wanted() == STOP_NOW || !engagement->leaves)
        return stop_signal_wanted() == STOP_NOW;
    if (engagement->uplink->stage == UPLINK_IN)
        return engagement->is_idle && matches == 0;
    return !engagement->plays;
}
