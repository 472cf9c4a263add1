#include "bridge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../engine/driver.h"
#include "../engine/poll_set.h"
#include "../engine/signals.h"
#include "connection.h"
#include "match.h"

struct bridge {
    const struct options *options;
    struct talk probe; /* with the engine when it is tried out; later it says what it is */
    struct connection connection;
    struct match_list matches;
    struct process_list engines; /* of the matches, of the probe, and those that are leaving */
    int rematches_sent;          /* accepted, and not confirmed yet: matches to come */
    int64_t now_ms;
    int signal_fd;
    struct poll_set polled;
};

static int fail(const char *why)
{
    fprintf(stderr, "ludus-bridge: %s\n", why);
    return 1;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* When something is to be done even if nothing comes. */
static int64_t due_ms(const struct bridge *bridge)
{
    const struct match *match;
    int64_t due = processes_due_ms(&bridge->engines);

    if (bridge->probe.engine != NULL)
        due = earlier(due, talk_due_ms(&bridge->probe));
    if (bridge->connection.options != NULL)
        due = earlier(due, connection_due_ms(&bridge->connection));
    TAILQ_FOREACH (match, &bridge->matches, link)
        due = earlier(due, match_due_ms(match));
    return due;
}

/* Waits for signals, the server and the engines. Notes in each engine whether it is ready;
 * returns whether the server is. */
static bool wait_for_input(struct bridge *bridge)
{
    const int fds[] = {bridge->signal_fd, bridge->connection.link.fd};
    bool ready[2];

    if (!poll_set_wait(&bridge->polled, &bridge->engines, fds, ready, 2, due_ms(bridge)))
        exit(fail("memory: there is no more"));
    bridge->now_ms = process_clock_ms();
    if (ready[0])
        signals_clear(bridge->signal_fd);
    return ready[1];
}

/* Whether there is an engine free for one more match of this kind; if not, the cause says why. */
static bool has_room(const struct bridge *bridge, struct cause *cause)
{
    if (match_count(&bridge->matches) + bridge->rematches_sent >= bridge->options->matches_max)
        return cause_set(cause, "as many matches as --max-matches allows");
    return true;
}

/* The game that a message is about, if it is among those that are played. */
static bool read_game(const struct bridge *bridge, const cJSON *message, const struct game **game,
                      struct position *start, struct cause *cause)
{
    const char *name = json_text(message, "game"), *variant = json_text(message, "variant");

    *game = name != NULL ? game_find(name, strlen(name)) : NULL;
    if (*game == NULL)
        return cause_set(cause, "an unknown game");
    if (!(*game)->start(variant, start, cause))
        return false;
    if (!options_have_game(bridge->options, *game, start))
        return cause_set(cause, "--games does not have it");
    return talk_can_play(&bridge->probe, *game, start, cause);
}

/* Adds a match that a message tells of. NULL with the cause when that cannot be. */
static struct match *add_match(struct bridge *bridge, const char *id, const cJSON *message,
                               struct cause *cause)
{
    const struct game *game;
    struct position start;

    if (!read_game(bridge, message, &game, &start, cause))
        return NULL;
    return match_add(&bridge->matches, id, game, &start, bridge->options, bridge->probe.dialect,
                     &bridge->engines, bridge->now_ms, cause);
}

static void take_challenge(struct bridge *bridge, const char *id, const cJSON *message)
{
    struct match *match = match_find(&bridge->matches, id);
    struct cause cause;

    if (match == NULL && has_room(bridge, &cause))
        match = add_match(bridge, id, message, &cause);
    if (match != NULL) {
        match_challenge(match, &bridge->connection);
        return;
    }
    engine_log(&bridge->options->program.log, LOG_INFO, cause.text, "match=%s declined why=", id);
    connection_send(&bridge->connection, "#%s decline %s", id, id);
}

/* What is offered in a match that is there, or was: a match for a rematch is over. */
static void take_offer(struct bridge *bridge, const char *id, const cJSON *message)
{
    const char *what = json_text(message, "what");
    struct match *match = match_find(&bridge->matches, id);
    struct cause cause;

    if (what == NULL || !cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(message, "open")))
        return;
    if (strcmp(what, "rematch") != 0) {
        if (match != NULL)
            match_answer(match, what, &bridge->connection);
    } else if (has_room(bridge, &cause)) {
        bridge->rematches_sent++;
        connection_send(&bridge->connection, "#%s rematch %s", id, id);
    } else {
        engine_log(&bridge->options->program.log, LOG_INFO, cause.text,
                   "match=%s rematch declined why=", id);
        connection_send(&bridge->connection, "#%s decline %s", id, id);
    }
}

/* On coming back, offers that nobody has answered are in the state. */
static void take_standing_offers(struct bridge *bridge, struct match *match, const cJSON *state)
{
    const cJSON *offer;

    cJSON_ArrayForEach (offer, cJSON_GetObjectItemCaseSensitive(state, "offers")) {
        const char *what = json_text(offer, "what");
        if (what != NULL)
            match_answer(match, what, &bridge->connection);
    }
}

static void take_state(struct bridge *bridge, const char *id, const cJSON *message)
{
    struct match *match = match_find(&bridge->matches, id);
    const char *status = json_text(message, "status");
    struct cause cause;

    if (match != NULL) {
        match_take_state(match, message, &bridge->connection, bridge->now_ms);
        return;
    }
    /* A rematch begins, or the player has come back to a match that waits for him. */
    if (status == NULL || strcmp(status, "over") == 0 || json_text(message, "you") == NULL)
        return;
    match = add_match(bridge, id, message, &cause);
    if (match == NULL) {
        bool playing = strcmp(status, "playing") == 0;
        engine_log(&bridge->options->program.log, LOG_WARN, cause.text,
                   "match=%s resigned why=", id);
        connection_send(&bridge->connection, "%s %s", playing ? "resign" : "abort", id);
        return;
    }
    match_take_state(match, message, &bridge->connection, bridge->now_ms);
    take_standing_offers(bridge, match, message);
}

/* Answers to commands carry the match as their id. */
static void take_reply(struct bridge *bridge, const cJSON *message, bool is_error)
{
    const char *cmd = json_text(message, "cmd"), *id = json_text(message, "id");
    const char *code = json_text(message, "code");

    if (cmd != NULL && strcmp(cmd, "rematch") == 0 && bridge->rematches_sent > 0)
        bridge->rematches_sent--;
    if (!is_error)
        return;
    engine_log(&bridge->options->program.log, LOG_INFO, json_text(message, "message"),
               "refused cmd=%s why=", cmd != NULL && match_id_is_valid(cmd) ? cmd : "?");
    struct match *match = id != NULL ? match_find(&bridge->matches, id) : NULL;
    if (match != NULL && cmd != NULL && code != NULL)
        match_take_error(match, message, &bridge->connection, bridge->now_ms);
}

static void take_message(struct bridge *bridge, const cJSON *message)
{
    static const struct {
        const char *type;
        void (*take)(struct bridge *bridge, const char *id, const cJSON *message);
    } events[] = {{"challenge", take_challenge}, {"offer", take_offer}, {"state", take_state}};
    const char *type = json_text(message, "type"), *id = json_text(message, "match");

    if (connection_handle(&bridge->connection, message))
        return;
    if (strcmp(type, "ok") == 0 || strcmp(type, "error") == 0)
        take_reply(bridge, message, strcmp(type, "error") == 0);
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (strcmp(type, events[i].type) == 0 && match_id_is_valid(id))
            events[i].take(bridge, id, message);
}

static void run_connection(struct bridge *bridge, bool ready)
{
    struct connection *connection = &bridge->connection;
    cJSON *message;

    if (connection->options == NULL)
        return;
    if (ready)
        connection_receive(connection, bridge->now_ms);
    while (connection_is_up(connection) && (message = link_next(&connection->link)) != NULL) {
        take_message(bridge, message);
        cJSON_Delete(message);
    }
    connection_tick(connection, bridge->now_ms);
}

static void run_matches(struct bridge *bridge)
{
    struct match *match, *next;

    for (match = TAILQ_FIRST(&bridge->matches); match != NULL; match = next) {
        next = TAILQ_NEXT(match, link);
        match_run(match, &bridge->connection, bridge->now_ms);
        if (match->stage == MATCH_OVER)
            match_remove(&bridge->matches, match, bridge->now_ms);
    }
}

static void remove_all_matches(struct bridge *bridge)
{
    while (!TAILQ_EMPTY(&bridge->matches))
        match_remove(&bridge->matches, TAILQ_FIRST(&bridge->matches), bridge->now_ms);
    bridge->rematches_sent = 0;
}

/* One turn of the loop. */
static void turn(struct bridge *bridge)
{
    /* Before waiting: the signal of an engine that has ended may have come earlier. */
    processes_reap(&bridge->engines, bridge->now_ms, &bridge->options->program.log);
    bool server_ready = wait_for_input(bridge);
    run_connection(bridge, server_ready);
    run_matches(bridge);
    /* What the server still knows of, it tells when the player comes back. */
    if (connection_drop_broken(&bridge->connection, bridge->now_ms))
        remove_all_matches(bridge);
}

/* Whether the engine can be asked to play all that --games says. */
static bool check_games(const struct bridge *bridge, struct cause *cause)
{
    const struct options *options = bridge->options;

    for (int i = 0; i < options->game_count; i++)
        if (!talk_can_play(&bridge->probe, options->games[i].game, &options->games[i].start, cause))
            return false;
    return true;
}

/* Runs the engine once, to learn what it is before the server is told that there is a player. */
static bool try_engine(struct bridge *bridge, struct cause *cause)
{
    struct talk *probe = &bridge->probe;
    enum talk_event event = TALK_NOTHING;

    if (!talk_start(probe, &bridge->options->program, bridge->options->dialect, &bridge->engines,
                    bridge->now_ms, cause))
        return false;
    while (event == TALK_NOTHING && !signals_ask_to_end()) {
        turn(bridge);
        if (probe->engine->ready)
            talk_receive(probe);
        talk_tick(probe, bridge->now_ms);
        event = talk_next(probe, bridge->now_ms);
    }
    talk_end(probe, event == TALK_HAS_FAILED, bridge->now_ms);
    if (event == TALK_HAS_FAILED)
        return cause_set(cause, "%.60s: %.130s", bridge->options->program.command[0],
                         probe->cause.text);
    if (event == TALK_NOTHING)
        return true;
    engine_log(&bridge->options->program.log, LOG_INFO, probe->profile.name,
               "engine dialect=%s name=", bridge->probe.dialect->name);
    return check_games(bridge, cause);
}

static bool play(struct bridge *bridge, struct cause *cause)
{
    if (!try_engine(bridge, cause))
        return false;
    if (signals_ask_to_end())
        return true;
    if (!connection_open(&bridge->connection, bridge->options, bridge->now_ms, cause))
        return signals_ask_to_end();
    while (!signals_ask_to_end() && !bridge->connection.failed)
        turn(bridge);
    if (bridge->connection.failed)
        *cause = bridge->connection.cause;
    return !bridge->connection.failed;
}

/* Ends all engines, which takes no longer than it takes to kill them. */
static void shut_down(struct bridge *bridge)
{
    remove_all_matches(bridge);
    connection_close(&bridge->connection);
    processes_reap(&bridge->engines, bridge->now_ms, &bridge->options->program.log);
    while (!TAILQ_EMPTY(&bridge->engines)) {
        wait_for_input(bridge);
        processes_reap(&bridge->engines, bridge->now_ms, &bridge->options->program.log);
    }
    poll_set_release(&bridge->polled);
}

int bridge_run(const struct options *options)
{
    struct bridge bridge = {.options = options, .connection = {.link = {.fd = -1}}};
    struct cause cause;

    bridge.signal_fd = signals_open();
    if (bridge.signal_fd < 0)
        return fail(strerror(errno));
    TAILQ_INIT(&bridge.matches);
    TAILQ_INIT(&bridge.engines);
    bridge.now_ms = process_clock_ms();
    bool good = play(&bridge, &cause);
    shut_down(&bridge);
    return good ? 0 : fail(cause.text);
}
