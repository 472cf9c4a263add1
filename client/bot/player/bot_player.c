/* The server is not trusted: invalid messages are ignored. */
#include "bot_player.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/bot/bot.h"
#include "client/bot/search/guide.h"
#include "client/engine/stop_signal.h"
#include "client/link/json_read.h"
#include "client/link/uplink.h"
#include "client/seating/engagement.h"
#include "common/move.h"
#include "common/utf8.h"
#include "turns.h"

enum {
    AGAIN_MS = 1000,     /* before a refused move is sent again, if the server gives no time */
    AGAIN_MAX_MS = 60000 /* ... and if it does, at most */
};

struct bot_player {
    const struct bot_player_options *options;
    struct uplink uplink;
    struct turns turns;
    int stop_fd; /* see stop_signal.h; -1: a house bot, which any signal ends */
    struct engagement engagement;
    int asked;                     /* joins and rematches without a reply: matches to come */
    char challenged[MATCH_ID_MAX]; /* the match joined last */
    bool joined;                   /* the match of --join */
    bool failed;                   /* for a reason that was printed */
};

/* Prints a line, made safe for a terminal, unless the player is quiet. */
__attribute__((format(printf, 2, 3))) static void print(const struct bot_player *player,
                                                        const char *format, ...)
{
    char line[512];
    va_list args;

    if (player->options->quiet)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    utf8_clean(line);
    printf("%s\n", line);
}

/* Prints an error and ends the player. */
static void fail(struct bot_player *player, const struct cause *why)
{
    fprintf(stderr, "ludus-bot: %s\n", why->text);
    player->failed = true;
    uplink_close(&player->uplink);
}

/* Sends the move that the thinker found, if it is still wanted. */
static void send_move(struct bot_player *player)
{
    char text[MOVE_TEXT_MAX];
    struct move move;
    const struct seat *seat = turns_take(&player->turns, &move);

    if (seat == NULL)
        return;
    move_format(&seat->position, move, text);
    /* A refusal echoes the id, and so names the match. */
    uplink_send(&player->uplink, "#%s move %s %s ply=%d", seat->match, seat->match, text,
                seat->ply);
}

/* Sends a command that leads to a match. */
static void ask_for_match(struct bot_player *player, const char *command, const char *match)
{
    player->asked++;
    uplink_send(&player->uplink, "%s %s", command, match);
}

static void on_welcome(struct bot_player *player)
{
    const struct bot_player_options *options = player->options;
    struct uplink *uplink = &player->uplink;
    struct cause cause;

    if (uplink->code_needed && uplink->hello.name[0] == '\0') {
        cause_set(&cause, "%.100s: this server wants a join code: give --name and --code",
                  uplink->address);
        fail(player, &cause);
        return;
    }
    uplink_send(uplink, "set legal=off");
    if (options->secret == NULL && !account_keep(&options->account, uplink, &cause))
        bot_error("token", "%s (not kept: %s)", uplink->hello.token, cause.text);
    print(player, "connected to %s as %s", uplink->servers.at, uplink->name);
    if (options->join != NULL && !player->joined && !player->engagement.leaves)
        ask_for_match(player, "#join join", options->join);
    engagement_begin(&player->engagement);
}

/* Notes the reply to a command that asks for a match. The first state follows an `ok`. */
static void on_match_reply(struct bot_player *player, const cJSON *message)
{
    const char *cmd = json_text_or(message, "cmd", "");

    if (player->asked > 0 && (strcmp(cmd, "join") == 0 || strcmp(cmd, "rematch") == 0))
        player->asked--;
}

static void on_ok(struct bot_player *player, const cJSON *message)
{
    on_match_reply(player, message);
    if (strcmp(json_text_or(message, "id", ""), "join") == 0)
        player->joined = true;
}

/* Sends a refused move again later if the refusal was temporary. */
static void on_move_refused(struct bot_player *player, struct seat *seat, const cJSON *message)
{
    const char *code = json_text_or(message, "code", "");
    int64_t wait_ms = json_ms(message, "retry_ms");

    if (refusal_may_pass(code)) {
        if (wait_ms < 0)
            wait_ms = AGAIN_MS;
        seat->owes_move = true;
        seat->not_before_ms = clock_ms() + (wait_ms < AGAIN_MAX_MS ? wait_ms : AGAIN_MAX_MS);
    } else if (strcmp(code, "illegal-move") == 0) {
        /* Server and bot disagree about the rules: resign rather than keep the opponent waiting. */
        bot_error(seat->match, "the server takes a move for illegal: the bot resigns");
        uplink_send(&player->uplink, "resign %s", seat->match);
    }
}

static void on_error(struct bot_player *player, const cJSON *message)
{
    const char *id = json_text_or(message, "id", "");
    struct cause cause;

    on_match_reply(player, message);
    if (strcmp(id, "join") == 0) {
        cause_set(&cause, "join: %.150s", json_text_or(message, "message", "no reason given"));
        fail(player, &cause);
    } else if (policy_decline_failed(message)) {
        uplink_send(&player->uplink, "decline %s", id);
    } else if (strcmp(json_text_or(message, "cmd", ""), "move") == 0) {
        struct seat *seat = seats_find(&player->turns.seats, id);
        if (seat != NULL)
            on_move_refused(player, seat, message);
    }
}

/* Whether the bot agrees to a draw: only in a game that can be drawn, and when it is behind. */
static bool takes_draw(const struct seat *seat)
{
    int value = evaluate(seat->game, &seat->position);
    bool to_move = (seat->colors & 1u << seat->position.side) != 0;

    return seat->game != &clobber && (to_move ? value < 0 : value > 0);
}

/* Counts the matches that the bot plays in, and those to come. */
static int count_matches(const struct bot_player *player)
{
    const struct seat *seat;
    int count = player->asked;

    TAILQ_FOREACH (seat, &player->turns.seats, link)
        count++;
    return count;
}

static void answer_rematch(struct bot_player *player, const char *match)
{
    struct cause cause;

    if (!player->engagement.leaves &&
        policy_has_room(&player->options->policy, count_matches(player), &cause))
        ask_for_match(player, "rematch", match);
    else
        uplink_send(&player->uplink, "decline %s", match);
}

/* Answers an offer of the opponent. */
static void answer_offer(struct bot_player *player, const char *match, enum offer what)
{
    const struct seat *seat = seats_find(&player->turns.seats, match);

    if (what == OFFER_REMATCH)
        answer_rematch(player, match);
    else if (what == OFFER_UNDO)
        uplink_send(&player->uplink, "undo %s", match);
    else if (seat != NULL && seat->status == STATE_PLAYING)
        uplink_send(&player->uplink, "%s %s", takes_draw(seat) ? "draw" : "decline", match);
}

static void on_offer(struct bot_player *player, const cJSON *message)
{
    struct match_offer offer;

    if (match_offer_read(&offer, message) && offer.open &&
        strcmp(offer.from, player->uplink.name) != 0)
        answer_offer(player, offer.match, offer.what);
}

static void on_over(struct bot_player *player, const struct match_state *state)
{
    struct seat *seat = seats_find(&player->turns.seats, state->match);

    if (seat == NULL)
        return;
    print(player, "match %s: over, %s %s", state->match, state->result, state->reason);
    seats_remove(&player->turns.seats, seat);
}

/* Forgets a match that the bot has been kicked out of. */
static void on_seat_lost(struct bot_player *player, const struct match_state *state)
{
    struct seat *seat = seats_find(&player->turns.seats, state->match);

    if (seat == NULL)
        return;
    print(player, "match %s: the seat was freed", state->match);
    seats_remove(&player->turns.seats, seat);
}

/* Takes the state of a match that is not over. If the match is new, answers its offers, which were
 * made while the bot was away. */
static void on_seat(struct bot_player *player, const struct seat *read,
                    const struct match_state *state)
{
    static const char *const colors[] = {NULL, "white", "black", "both sides"};
    bool is_new = seats_find(&player->turns.seats, read->match) == NULL;
    const struct seat *seat = seats_update(&player->turns.seats, read);

    if (!is_new)
        return;
    print(player, "match %s: %s, playing %s", seat->match, seat->game->name, colors[seat->colors]);
    for (enum offer what = OFFER_DRAW; what < OFFER_KINDS; what++)
        if (match_state_asked(state, what))
            answer_offer(player, seat->match, what);
}

static void on_state(struct bot_player *player, const cJSON *message)
{
    struct match_state state;
    struct seat read;
    struct cause cause;

    if (!match_state_read(&state, message, clock_ms(), &cause) ||
        !seat_read(&read, &state, &cause)) {
        bot_error("state", "%s", cause.text);
        return;
    }
    if (read.colors == 0)
        on_seat_lost(player, &state);
    else if (read.status == STATE_OVER)
        on_over(player, &state);
    else
        on_seat(player, &read, &state);
    turns_check(&player->turns);
}

/* Accepts a challenge unless --accept-games and the like refuse it. One for the second seat of a
 * match follows the first, and asks for no other match. */
static void on_challenge(struct bot_player *player, const cJSON *challenge)
{
    const char *match = json_text(challenge, "match"), *why = "later";
    int matches = count_matches(player);
    struct cause cause;

    if (!match_id_is_valid(match))
        return;
    if (matches > 0 && strcmp(match, player->challenged) == 0)
        matches--;
    cause_set(&cause, "the bot is about to end");
    if (!player->engagement.leaves)
        why = policy_refusal(&player->options->policy, challenge, matches, &cause);
    if (why == NULL) {
        ask_for_match(player, "join", match);
        snprintf(player->challenged, sizeof player->challenged, "%s", match);
        return;
    }
    print(player, "match %s: declined: %s", match, cause.text);
    uplink_send(&player->uplink, "#%s decline %s %s", match, match, why);
}

/* Hears what becomes of --seek and --tournament. */
static void watch_engagement(struct bot_player *player, const cJSON *message)
{
    struct cause cause;
    enum engagement_event event = engagement_take(&player->engagement, message, clock_ms(), &cause);

    if (event == ENGAGEMENT_REFUSED)
        fail(player, &cause);
    else if (event == ENGAGEMENT_WAITS)
        print(player, "%s: trying again", cause.text);
}

static void on_message(struct bot_player *player, const cJSON *message)
{
    static const struct {
        const char *type;
        void (*run)(struct bot_player *player, const cJSON *message);
    } handlers[] = {
        {"ok", on_ok},       {"error", on_error},         {"state", on_state},
        {"offer", on_offer}, {"challenge", on_challenge},
    };
    const char *type = json_text_or(message, "type", "");

    watch_engagement(player, message);
    for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
        if (strcmp(handlers[i].type, type) == 0)
            handlers[i].run(player, message);
}

/* A house bot does not come back, as the server starts another. */
static void set_up_house(struct uplink *uplink, const struct bot_player_options *options)
{
    struct hello *hello = &uplink->hello;

    snprintf(uplink->address, sizeof uplink->address, "%s", options->account.address);
    hello->bot = true;
    snprintf(hello->name, sizeof hello->name, "bot:%s", options->engine->name);
    snprintf(hello->token, sizeof hello->token, "%s", options->secret);
}

static bool set_up(struct bot_player *player)
{
    const struct bot_player_options *options = player->options;
    struct cause cause;

    if (options->secret != NULL)
        set_up_house(&player->uplink, options);
    else if (!account_set_up(&options->account, &player->uplink, "ludus-bot/" LUDUS_VERSION,
                             &cause)) {
        fprintf(stderr, "ludus-bot: %s\n", cause.text);
        return false;
    }
    return true;
}

static void take_loss(struct bot_player *player)
{
    turns_clear(&player->turns);
    player->asked = 0;
    if (player->uplink.stage == UPLINK_DOWN)
        print(player, "lost the connection to %s", player->uplink.servers.at);
}

static void take_events(struct bot_player *player)
{
    struct uplink *uplink = &player->uplink;
    enum uplink_event event;
    cJSON *message;

    while ((event = uplink_next(uplink, clock_ms(), &message)) != UPLINK_NOTHING) {
        if (event == UPLINK_MESSAGE)
            on_message(player, message);
        else if (event == UPLINK_WELCOME)
            on_welcome(player);
        else if (event == UPLINK_REFUSED)
            uplink_close(uplink);
        else
            take_loss(player);
        cJSON_Delete(message);
    }
}

/* Counts the matches that run. */
static int count_running(const struct bot_player *player)
{
    const struct seat *seat;
    int count = 0;

    TAILQ_FOREACH (seat, &player->turns.seats, link)
        count += seat->status == STATE_PLAYING;
    return count;
}

/* Goes on with seeking, with the tournament, or with leaving. */
static void pursue(struct bot_player *player)
{
    int matches = count_running(player);

    engagement_tick(&player->engagement, matches, clock_ms());
    if (player->uplink.stage == UPLINK_ENDED || !engagement_is_over(&player->engagement, matches))
        return;
    uplink_send(&player->uplink, "quit");
    player->uplink.cause.text[0] = '\0';
    uplink_close(&player->uplink);
}

static void turn(struct bot_player *player)
{
    int tries = player->uplink.tries;
    struct pollfd fds[] = {{.fd = player->uplink.link.fd, .events = POLLIN},
                           {.fd = player->turns.answered_fd, .events = POLLIN},
                           {.fd = player->stop_fd, .events = POLLIN}};

    turns_think(&player->turns);
    turns_check(&player->turns);
    int64_t due_ms = sooner_ms(uplink_due_ms(&player->uplink), turns_wake_ms(&player->turns));
    due_ms = sooner_ms(due_ms, engagement_due_ms(&player->engagement));
    if (poll(fds, 3, until_ms(due_ms)) > 0) {
        if (fds[2].revents != 0)
            stop_signal_read(player->stop_fd);
        if (fds[1].revents != 0)
            send_move(player);
        if (fds[0].revents != 0)
            uplink_receive(&player->uplink, clock_ms());
    }
    uplink_tick(&player->uplink, clock_ms());
    /* Later attempts rarely fail for another reason. */
    if (tries == 0 && player->uplink.tries > 0 && player->uplink.stage == UPLINK_DOWN)
        print(player, "%s: trying for %ld s", player->uplink.cause.text,
              player->options->account.retry_s);
    take_events(player);
    pursue(player);
}

/* Whether the end of the connection is the end of the bot, and no failure. */
static bool ends_in_order(const struct bot_player *player)
{
    const struct uplink *uplink = &player->uplink;

    if (player->options->secret != NULL)
        return uplink->was_in || uplink->answer == HELLO_NONE;
    return uplink->cause.text[0] == '\0' ||
           (uplink->was_in && !uplink->comes_back && farewell(uplink->bye) == NULL);
}

static int play(struct bot_player *player)
{
    struct uplink *uplink = &player->uplink;

    uplink_open(uplink, clock_ms());
    while (uplink->stage != UPLINK_ENDED)
        turn(player);
    turns_clear(&player->turns);
    if (player->failed)
        return EXIT_FAILURE;
    if (ends_in_order(player))
        return EXIT_SUCCESS;
    fprintf(stderr, "ludus-bot: %s\n", uplink->cause.text);
    return EXIT_FAILURE;
}

int bot_player_run(const struct bot_player_options *options)
{
    struct bot_player player = {
        .options = options, .stop_fd = -1, .engagement = {.policy = &options->policy}};

    player.engagement.uplink = &player.uplink;
    if (options->secret == NULL)
        player.stop_fd = stop_signal_watch();
    if (!turns_init(&player.turns, options->engine, (uint64_t)options->seed)) {
        bot_error("eventfd", "%s", strerror(errno));
        return EXIT_FAILURE;
    }
    player.turns.threads = options->threads;
    int status = set_up(&player) ? play(&player) : EXIT_FAILURE;
    uplink_close(&player.uplink);
    turns_release(&player.turns);
    if (player.stop_fd >= 0)
        close(player.stop_fd);
    return status;
}
