#include "talk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/bot/bot.h"
#include "client/bot/eval/eval.h"
#include "client/link/json_read.h"
#include "common/move.h"
#include "common/utf8.h"

enum {
    AGAIN_MS = 1000,     /* before a refused move is sent again, if the server names no time */
    AGAIN_MAX_MS = 60000 /* ... and if it does, at most */
};

void talk_print(const struct bot *bot, const char *format, ...)
{
    char line[512];
    va_list args;

    if (bot->options->quiet)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    utf8_clean(line);
    printf("%s\n", line);
}

void talk_fail(struct bot *bot, const char *what, const char *why)
{
    struct cause cause;

    cause_set(&cause, "%s", why != NULL ? why : "no reason given");
    bot_error(what, "%s", cause.text);
    bot->ending = FAILED;
}

void talk_tell(struct bot *bot, const char *format, ...)
{
    char line[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (!link_send(&bot->link, "%s", line) && bot->ending == GOES_ON)
        bot->ending = LOST;
}

void talk_move(struct bot *bot)
{
    char text[MOVE_TEXT_MAX];
    struct move move;
    const struct seat *seat = turns_take(&bot->turns, &move);

    if (seat == NULL)
        return;
    move_format(&seat->position, move, text);
    /* The id tells which match a refusal is about. */
    talk_tell(bot, "#%s move %s %s ply=%d", seat->match, seat->match, text, seat->ply);
}

static void say_hello(struct bot *bot)
{
    const struct socket_options *options = bot->options;

    if (options->secret != NULL)
        talk_tell(bot, "hello bot:%s token=%s bot=yes", options->engine->name, options->secret);
    else
        talk_tell(bot, "hello %s%s%s%s%s bot=yes client=ludus-bot/" LUDUS_VERSION, options->name,
                  bot->token[0] != '\0' ? " token=" : "", bot->token,
                  options->code != NULL ? " code=" : "",
                  options->code != NULL ? options->code : "");
}

/* The bot is in: what it does first. */
static void begin(struct bot *bot)
{
    bot->welcomed = bot->known = true;
    talk_tell(bot, "set legal=off");
    talk_print(bot, "connected to %s as %s", bot->options->address, bot->name);
    if (bot->options->join != NULL && !bot->joined)
        talk_tell(bot, "#join join %s", bot->options->join);
}

static void take_name(struct bot *bot, const cJSON *message)
{
    const char *name = json_text(message, "name");

    if (name != NULL)
        snprintf(bot->name, sizeof bot->name, "%s", name);
}

static void on_hello(struct bot *bot, const cJSON *message)
{
    bot->greeted = true;
    take_name(bot, message);
    if (bot->options->secret != NULL || bot->options->name != NULL)
        say_hello(bot);
    else if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(message, "code")))
        talk_fail(bot, bot->options->address,
                  "this server wants a join code: give --name and --code");
    else
        begin(bot);
}

static void on_ok(struct bot *bot, const cJSON *message)
{
    const char *command = json_text(message, "cmd"), *token = json_text(message, "token");
    const char *id = json_text(message, "id");

    if (id != NULL && strcmp(id, "join") == 0)
        bot->joined = true;
    if (command == NULL || strcmp(command, "hello") != 0)
        return;
    take_name(bot, message);
    if (token != NULL && strcmp(token, bot->token) != 0) {
        snprintf(bot->token, sizeof bot->token, "%s", token);
        talk_print(bot, "token: %s", token);
    }
    begin(bot);
}

/* A server that has started anew knows no names: then the one this bot had is free. */
static bool may_start_anew(const struct bot *bot, const char *code)
{
    return strcmp(code, "bad-token") == 0 && bot->token[0] != '\0' && bot->options->token == NULL &&
           bot->options->secret == NULL;
}

static bool may_pass(const char *code)
{
    return strcmp(code, "rate-limited") == 0 || strcmp(code, "server-busy") == 0 ||
           strcmp(code, "internal") == 0;
}

/* A move was refused: it is tried again if only the time was wrong. */
static void on_move_refused(struct bot *bot, struct seat *seat, const char *code,
                            const cJSON *message)
{
    const cJSON *retry = cJSON_GetObjectItemCaseSensitive(message, "retry_ms");

    if (may_pass(code)) {
        int64_t wait_ms = AGAIN_MS;
        if (cJSON_IsNumber(retry) && retry->valuedouble >= 0)
            wait_ms = retry->valuedouble < AGAIN_MAX_MS ? retry->valueint : AGAIN_MAX_MS;
        seat->owes_move = true;
        seat->not_before_ms = clock_ms() + wait_ms;
    } else if (strcmp(code, "illegal-move") == 0) {
        /* The two sides disagree about the rules: better to give up than to be waited for. */
        bot_error(seat->match, "the server takes a move for illegal: the bot resigns");
        talk_tell(bot, "resign %s", seat->match);
    }
}

static void on_error(struct bot *bot, const cJSON *message)
{
    const char *code = json_text(message, "code"), *command = json_text(message, "cmd");
    const char *id = json_text(message, "id"), *text = json_text(message, "message");

    if (code == NULL || command == NULL)
        return;
    if (strcmp(command, "hello") == 0 && may_start_anew(bot, code)) {
        bot->token[0] = '\0';
        say_hello(bot);
    } else if (strcmp(command, "hello") == 0 && bot->known && may_pass(code)) {
        bot->ending = LOST; /* it was let in before, and will be */
    } else if (strcmp(command, "hello") == 0) {
        talk_fail(bot, "hello", text);
    } else if (id != NULL && strcmp(id, "join") == 0) {
        talk_fail(bot, "join", text);
    } else if (id != NULL && strcmp(command, "move") == 0) {
        struct seat *seat = seats_find(&bot->turns.seats, id);
        if (seat != NULL)
            on_move_refused(bot, seat, code, message);
    }
}

/* Whether the bot agrees to a draw: only in a game that can be drawn, and when it is behind. */
static bool takes_draw(const struct seat *seat)
{
    int value = evaluate(seat->game, &seat->position);
    bool to_move = (seat->colors & 1u << seat->position.side) != 0;

    return seat->game != &clobber && (to_move ? value < 0 : value > 0);
}

/* Answers what the other side of a match offers. */
static void answer_offer(struct bot *bot, const char *match, const char *what)
{
    const struct seat *seat = seats_find(&bot->turns.seats, match);

    if (strcmp(what, "undo") == 0 || strcmp(what, "rematch") == 0) {
        talk_tell(bot, "%s %s", what, match);
    } else if (strcmp(what, "draw") == 0 && seat != NULL && seat->status == SEAT_PLAYING) {
        talk_tell(bot, "%s %s", takes_draw(seat) ? "draw" : "decline", match);
    }
}

/* Whether the offer is the bot's own; then it needs no answer. */
static bool is_own(const struct bot *bot, const cJSON *offer)
{
    const char *from = json_text(offer, "from");

    return from == NULL || strcmp(from, bot->name) == 0;
}

static void on_offer(struct bot *bot, const cJSON *offer)
{
    const char *match = json_text(offer, "match"), *what = json_text(offer, "what");

    if (match_id_is_valid(match) && what != NULL && !is_own(bot, offer) &&
        cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(offer, "open")))
        answer_offer(bot, match, what);
}

/* Answers the offers that were made while the bot was away. */
static void answer_old_offers(struct bot *bot, const cJSON *state, const char *match)
{
    const cJSON *offer;

    cJSON_ArrayForEach (offer, cJSON_GetObjectItemCaseSensitive(state, "offers")) {
        const char *what = json_text(offer, "what");
        if (what != NULL && !is_own(bot, offer))
            answer_offer(bot, match, what);
    }
}

static void on_over(struct bot *bot, const struct seat *read, const cJSON *state)
{
    struct seat *seat = seats_find(&bot->turns.seats, read->match);
    const char *result = json_text(state, "result"), *reason = json_text(state, "reason");

    if (seat == NULL)
        return;
    talk_print(bot, "match %s: over, %s %s", read->match, result != NULL ? result : "*",
               reason != NULL ? reason : "");
    seats_remove(&bot->turns.seats, seat);
}

static void on_state(struct bot *bot, const cJSON *state)
{
    static const char *const colors[] = {NULL, "white", "black", "both sides"};
    struct seat read;
    struct cause cause;

    if (!seat_read(&read, state, &cause)) {
        bot_error("state", "%s", cause.text);
        return;
    }
    bool is_new = seats_find(&bot->turns.seats, read.match) == NULL;
    if (read.colors == 0)
        return;
    if (read.status == SEAT_OVER) {
        on_over(bot, &read, state);
    } else {
        struct seat *seat = seats_update(&bot->turns.seats, &read);
        if (is_new) {
            talk_print(bot, "match %s: %s, playing %s", seat->match, seat->game->name,
                       colors[seat->colors]);
            answer_old_offers(bot, state, seat->match);
        }
    }
    turns_check(&bot->turns);
}

/* Takes every challenge to a game that it knows. */
static void on_challenge(struct bot *bot, const cJSON *challenge)
{
    const char *match = json_text(challenge, "match"), *game = json_text(challenge, "game");

    if (match_id_is_valid(match) && game != NULL)
        talk_tell(bot, "%s %s", game_find(game, strlen(game)) != NULL ? "join" : "decline", match);
}

static void on_ping(struct bot *bot, const cJSON *message)
{
    (void)message;
    talk_tell(bot, "ping");
}

static void on_bye(struct bot *bot, const cJSON *message)
{
    const char *reason = json_text(message, "reason");

    if (bot->options->secret != NULL || reason == NULL || strcmp(reason, "quit") == 0)
        bot->ending = DONE;
    else if (strcmp(reason, "replaced") == 0 || strcmp(reason, "too-many-errors") == 0)
        talk_fail(bot, "bye", reason); /* to come back would do harm */
    else
        bot->ending = LOST;
}

static const struct {
    const char *type;
    void (*run)(struct bot *bot, const cJSON *message);
} handlers[] = {
    {"hello", on_hello},         {"ok", on_ok},       {"error", on_error}, {"state", on_state},
    {"challenge", on_challenge}, {"offer", on_offer}, {"ping", on_ping},   {"bye", on_bye},
};

void talk_handle(struct bot *bot, const cJSON *message)
{
    const char *type = json_text(message, "type");

    for (size_t i = 0; type != NULL && i < sizeof handlers / sizeof handlers[0]; i++)
        if (strcmp(handlers[i].type, type) == 0)
            handlers[i].run(bot, message);
}
