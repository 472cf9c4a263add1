/*
 * ludus-bridge: seats an engine that speaks UGI, UCI or GTP at a Ludus server. One player at the
 * server, and an engine for each of its matches, in one poll() loop.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/driver.h"
#include "../engine/engine_loop.h"
#include "bridge_match.h"
#include "client/link/json_read.h"
#include "client/seating/account.h"
#include "client/seating/engagement.h"

struct bridge {
    struct bridge_options *options;
    struct driver probe; /* the engine on trial; later it knows what the engine can do */
    struct uplink uplink;
    struct bridge_match_list matches;
    struct engine_loop loop; /* with the engines of the matches and of the probe */
    bool announced;          /* the token was printed */
    struct engagement engagement;
    int rematches_sent; /* accepted, and not confirmed yet: matches to come */
};

/* Returns when the next timeout is due. */
static int64_t due_ms(const struct bridge *bridge)
{
    const struct bridge_match *match;
    int64_t due = sooner_ms(uplink_due_ms(&bridge->uplink), engagement_due_ms(&bridge->engagement));

    if (bridge->probe.engine != NULL)
        due = sooner_ms(due, bridge->probe.deadline_ms);
    TAILQ_FOREACH (match, &bridge->matches, link)
        due = sooner_ms(due, bridge_match_due_ms(match));
    return due;
}

/* Counts the matches that run, or will. */
static int count_matches(const struct bridge *bridge)
{
    return bridge_match_count(&bridge->matches) + bridge->rematches_sent;
}

/* Adds a match of a game and variant (NULL: the default). NULL with the cause, and a word for
 * `decline`, if the bridge does not play it or its engine does not start. */
static struct bridge_match *add_match(struct bridge *bridge, const char *id, const char *game,
                                      const char *variant, const char **why, struct cause *cause)
{
    struct bridge_match_setup setup = {.uplink = &bridge->uplink,
                                       .options = bridge->options,
                                       .dialect = bridge->probe.dialect,
                                       .engines = &bridge->loop.engines,
                                       .game = game_find(game, strlen(game))};

    *why = "game";
    if (setup.game == NULL) {
        cause_set(cause, "an unknown game");
        return NULL;
    }
    if (!setup.game->start(variant, &setup.start, cause))
        return NULL;
    if (!game_list_has(&bridge->options->policy.game_list, setup.game, &setup.start)) {
        cause_set(cause, "--games does not have it");
        return NULL;
    }
    if (!dialect_can_play(bridge->probe.dialect, &bridge->probe.profile, setup.game, &setup.start,
                          cause))
        return NULL;
    *why = "later";
    return bridge_match_add(&bridge->matches, &setup, id, bridge->loop.now_ms, cause);
}

static void take_challenge(struct bridge *bridge, const cJSON *message)
{
    const char *id = json_text(message, "match"), *why = "later";
    struct cause cause;

    if (!match_id_is_valid(id))
        return;
    struct bridge_match *match = bridge_match_find(&bridge->matches, id);
    cause_set(&cause, "the bridge is about to end");
    if (match == NULL && !bridge->engagement.leaves)
        why = policy_refusal(&bridge->options->policy, message, count_matches(bridge), &cause);
    if (match == NULL && why == NULL)
        match = add_match(bridge, id, json_text_or(message, "game", ""),
                          json_text(message, "variant"), &why, &cause);
    if (match != NULL) {
        bridge_match_challenge(match);
        return;
    }
    engine_log(bridge->loop.quiet, LOG_INFO, cause.text, "match=%s declined why=", id);
    uplink_send(&bridge->uplink, "#%s decline %s %s", id, id, why);
}

/* Answers the offer of a rematch, in a match that may be gone. */
static void take_rematch(struct bridge *bridge, const char *id)
{
    struct cause cause;

    cause_set(&cause, "the bridge is about to end");
    if (!bridge->engagement.leaves &&
        policy_has_room(&bridge->options->policy, count_matches(bridge), &cause)) {
        bridge->rematches_sent++;
        uplink_send(&bridge->uplink, "#%s rematch %s", id, id);
    } else {
        engine_log(bridge->loop.quiet, LOG_INFO, cause.text, "match=%s rematch declined why=", id);
        uplink_send(&bridge->uplink, "#%s decline %s", id, id);
    }
}

static void take_offer(struct bridge *bridge, const cJSON *message)
{
    struct match_offer offer;

    if (!match_offer_read(&offer, message) || !offer.open)
        return;
    struct bridge_match *match = bridge_match_find(&bridge->matches, offer.match);
    if (offer.what == OFFER_REMATCH)
        take_rematch(bridge, offer.match);
    else if (match != NULL)
        bridge_match_answer(match, offer.what);
}

/* Adds the match of a state. Those that the server opens, for --seek and --tournament, come on top
 * of --max-matches. NULL with the cause. */
static struct bridge_match *add_known(struct bridge *bridge, const struct match_state *state,
                                      struct cause *cause)
{
    const struct policy *policy = &bridge->options->policy;
    const char *variant = state->variant[0] != '\0' ? state->variant : NULL, *why;
    int paired = (policy->seek != NULL) + (policy->tournament != NULL);

    if (!policy_has_room(policy, bridge_match_count(&bridge->matches) - paired, cause))
        return NULL;
    return add_match(bridge, state->match, state->game, variant, &why, cause);
}

/* Takes the state of an unknown match: a rematch, one that the server paired, or one from before
 * the connection was lost, with offers that nobody has answered. */
static void take_new_state(struct bridge *bridge, const struct match_state *state)
{
    struct cause cause;

    if (state->status == STATE_OVER || !match_state_seated(state))
        return;
    struct bridge_match *match = add_known(bridge, state, &cause);
    if (match == NULL) {
        engine_log(bridge->loop.quiet, LOG_WARN, cause.text,
                   "match=%s resigned why=", state->match);
        uplink_send(&bridge->uplink, "%s %s", state->status == STATE_PLAYING ? "resign" : "abort",
                    state->match);
        return;
    }
    bridge_match_take_state(match, state, bridge->loop.now_ms);
    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        if (match_state_asked(state, what))
            bridge_match_answer(match, what);
}

static void take_state(struct bridge *bridge, const cJSON *message)
{
    struct match_state state;
    struct cause cause;

    if (!match_state_read(&state, message, bridge->loop.now_ms, &cause)) {
        engine_log(bridge->loop.quiet, LOG_WARN, cause.text, "state refused why=");
        return;
    }
    struct bridge_match *match = bridge_match_find(&bridge->matches, state.match);
    if (match != NULL)
        bridge_match_take_state(match, &state, bridge->loop.now_ms);
    else
        take_new_state(bridge, &state);
}

static void take_record(struct bridge *bridge, const cJSON *message)
{
    const char *id = json_text(message, "match");
    struct bridge_match *match = id != NULL ? bridge_match_find(&bridge->matches, id) : NULL;

    if (match != NULL)
        bridge_match_take_record(match, message, bridge->loop.now_ms);
}

/* Replies carry the match as their id. */
static void take_reply(struct bridge *bridge, const cJSON *message, bool is_error)
{
    const char *cmd = json_text(message, "cmd"), *id = json_text(message, "id");
    const char *code = json_text(message, "code");

    if (cmd != NULL && strcmp(cmd, "rematch") == 0 && bridge->rematches_sent > 0)
        bridge->rematches_sent--;
    if (!is_error)
        return;
    engine_log(bridge->loop.quiet, LOG_INFO, json_text(message, "message"),
               "refused cmd=%s why=", cmd != NULL && match_id_is_valid(cmd) ? cmd : "?");
    if (policy_decline_failed(message))
        uplink_send(&bridge->uplink, "decline %s", id);
    struct bridge_match *match = id != NULL ? bridge_match_find(&bridge->matches, id) : NULL;
    if (match != NULL && cmd != NULL && code != NULL)
        bridge_match_take_error(match, message, bridge->loop.now_ms);
}

/* Hears what becomes of --seek and --tournament. */
static void watch_engagement(struct bridge *bridge, const cJSON *message)
{
    struct cause cause;
    enum engagement_event event =
        engagement_take(&bridge->engagement, message, bridge->loop.now_ms, &cause);

    if (event == ENGAGEMENT_REFUSED) {
        uplink_close(&bridge->uplink);
        bridge->uplink.cause = cause;
    } else if (event == ENGAGEMENT_WAITS) {
        engine_log(bridge->loop.quiet, LOG_WARN, cause.text, "refused, trying again why=");
    }
}

static void take_message(struct bridge *bridge, const cJSON *message)
{
    static const struct {
        const char *type;
        void (*take)(struct bridge *bridge, const cJSON *message);
    } events[] = {{"challenge", take_challenge},
                  {"offer", take_offer},
                  {"state", take_state},
                  {"record", take_record}};
    const char *type = json_text_or(message, "type", "");

    watch_engagement(bridge, message);
    if (strcmp(type, "ok") == 0 || strcmp(type, "error") == 0)
        take_reply(bridge, message, strcmp(type, "error") == 0);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (strcmp(type, events[i].type) == 0)
            events[i].take(bridge, message);
}

/* Keeps the token, or else prints it. Scripts wait for the line that says who plays where. */
static void take_welcome(struct bridge *bridge)
{
    const struct uplink *uplink = &bridge->uplink;
    struct cause cause;

    uplink_send(&bridge->uplink, "set legal=off"); /* the bridge knows the rules itself */
    engine_log(bridge->loop.quiet, LOG_INFO, uplink->servers.at,
               "connected name=%s at=", uplink->hello.name);
    engagement_begin(&bridge->engagement);
    bool kept = account_keep(&bridge->options->account, uplink, &cause);
    if (bridge->announced && (kept || !uplink->new_token))
        return;
    printf("ludus-bridge: %s plays at %s", uplink->hello.name, uplink->address);
    if (!kept) {
        engine_log(bridge->loop.quiet, LOG_WARN, cause.text, "token not kept why=");
        printf(", token %s", uplink->hello.token);
    }
    putchar('\n');
    fflush(stdout);
    bridge->announced = true;
}

static void remove_all_matches(struct bridge *bridge)
{
    while (!TAILQ_EMPTY(&bridge->matches))
        bridge_match_remove(&bridge->matches, TAILQ_FIRST(&bridge->matches), bridge->loop.now_ms);
    bridge->rematches_sent = 0;
}

/* After a reconnection the server sends the states of all matches again. */
static void take_loss(struct bridge *bridge)
{
    engine_log(bridge->loop.quiet, LOG_WARN, bridge->uplink.bye,
               "connection lost retry_s=%ld bye=", bridge->options->account.retry_s);
    remove_all_matches(bridge);
}

static void run_uplink(struct bridge *bridge, bool ready)
{
    struct uplink *uplink = &bridge->uplink;
    int tries = uplink->tries;
    enum uplink_event event;
    cJSON *message;

    if (ready)
        uplink_receive(uplink, bridge->loop.now_ms);
    uplink_tick(uplink, bridge->loop.now_ms);
    if (tries == 0 && uplink->tries > 0 &&
        uplink->stage == UPLINK_DOWN) /* later attempts rarely fail for another reason */
        engine_log(bridge->loop.quiet, LOG_WARN, uplink->cause.text,
                   "not connected retry_s=%ld why=", bridge->options->account.retry_s);
    while ((event = uplink_next(uplink, bridge->loop.now_ms, &message)) != UPLINK_NOTHING) {
        if (event == UPLINK_MESSAGE)
            take_message(bridge, message);
        else if (event == UPLINK_WELCOME)
            take_welcome(bridge);
        else if (event == UPLINK_REFUSED)
            uplink_close(uplink);
        else
            take_loss(bridge);
        cJSON_Delete(message);
    }
}

static void run_matches(struct bridge *bridge)
{
    struct bridge_match *match, *next;

    for (match = TAILQ_FIRST(&bridge->matches); match != NULL; match = next) {
        next = TAILQ_NEXT(match, link);
        bridge_match_run(match, bridge->loop.now_ms);
        if (match->stage == MATCH_OVER)
            bridge_match_remove(&bridge->matches, match, bridge->loop.now_ms);
    }
}

/* Counts the matches that cannot be left alone: those that run, and those whose engine is about to
 * accept them. */
static int count_running(const struct bridge *bridge)
{
    const struct bridge_match *match;
    int count = 0;

    TAILQ_FOREACH (match, &bridge->matches, link)
        count += match->stage == MATCH_CHALLENGED || match->stage == MATCH_PLAYING;
    return count;
}

/* One turn of the loop. */
static void turn(struct bridge *bridge)
{
    run_uplink(bridge, engine_loop_wait(&bridge->loop, bridge->uplink.link.fd, due_ms(bridge)));
    run_matches(bridge);
    engagement_tick(&bridge->engagement, count_running(bridge), bridge->loop.now_ms);
}

/* Whether the engine can play everything in --games. */
static bool check_games(const struct bridge *bridge, struct cause *cause)
{
    const struct game_list *list = &bridge->options->policy.game_list;

    for (int i = 0; i < list->count; i++)
        if (!dialect_can_play(bridge->probe.dialect, &bridge->probe.profile, list->items[i].game,
                              &list->items[i].start, cause))
            return false;
    return true;
}

/* Runs the engine once, to learn what it can do before the player appears at the server. */
static bool try_engine(struct bridge *bridge, struct cause *cause)
{
    struct driver *probe = &bridge->probe;
    enum driver_event event = DRIVER_NOTHING;

    if (!driver_start(probe, &bridge->options->program, "trial", bridge->options->dialect,
                      &bridge->loop.engines, bridge->loop.now_ms, cause))
        return false;
    while (event == DRIVER_NOTHING && !engine_loop_is_to_end()) {
        turn(bridge);
        event = driver_next(probe, bridge->loop.now_ms);
    }
    driver_end(probe, event == DRIVER_HAS_FAILED, bridge->loop.now_ms);
    if (event == DRIVER_HAS_FAILED)
        return cause_set(cause, "%.60s: %.130s", bridge->options->program.command[0],
                         probe->cause.text);
    if (event == DRIVER_NOTHING)
        return true;
    engine_log(bridge->loop.quiet, LOG_INFO, probe->profile.name,
               "engine dialect=%s name=", bridge->probe.dialect->name);
    bridge->options->program.trace.is_optional = true; /* matches count more than their logs */
    return check_games(bridge, cause);
}

static bool open_uplink(struct bridge *bridge, struct cause *cause)
{
    if (!account_set_up(&bridge->options->account, &bridge->uplink, "ludus-bridge/" LUDUS_VERSION,
                        cause))
        return false;
    uplink_open(&bridge->uplink, bridge->loop.now_ms);
    return true;
}

static bool is_over(const struct bridge *bridge)
{
    return engagement_is_over(&bridge->engagement, count_running(bridge));
}

static bool play(struct bridge *bridge, struct cause *cause)
{
    if (!try_engine(bridge, cause))
        return false;
    if (engine_loop_is_to_end())
        return true;
    if (!open_uplink(bridge, cause))
        return false;
    while (!is_over(bridge) && bridge->uplink.stage != UPLINK_ENDED)
        turn(bridge);
    *cause = bridge->uplink.cause;
    return is_over(bridge);
}

/* Ends all engines, by force if necessary. */
static void shut_down(struct bridge *bridge)
{
    remove_all_matches(bridge);
    uplink_send(&bridge->uplink, "quit");
    uplink_close(&bridge->uplink);
    engine_loop_close(&bridge->loop);
}

/* Tests the engine, connects and plays until a signal or a failure. */
static bool run(struct bridge_options *options, struct cause *cause)
{
    struct bridge bridge = {.options = options,
                            .uplink = {.link = {.fd = -1}},
                            .engagement = {.policy = &options->policy}};

    bridge.engagement.uplink = &bridge.uplink;
    if (!engine_loop_open(&bridge.loop, options->program.quiet))
        return cause_set(cause, "%s", strerror(errno));
    TAILQ_INIT(&bridge.matches);
    bool good = play(&bridge, cause);
    shut_down(&bridge);
    return good;
}

int main(int argc, char *argv[])
{
    struct bridge_options options;
    struct cause cause;

    link_use_xmalloc();
    int status = bridge_options_read(&options, argc, argv);
    if (status == USAGE_READ) {
        status = run(&options, &cause) ? 0 : 1;
        if (status != 0)
            fprintf(stderr, "ludus-bridge: %s\n", cause.text);
    }
    bridge_options_release(&options, argv);
    return usage_end("ludus-bridge", status);
}
