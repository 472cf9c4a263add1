#include "socket.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "../link.h"
#include "bot.h"
#include "common/move.h"
#include "common/utf8.h"
#include "eval.h"
#include "seat.h"
#include "thinker.h"

enum {
    MOVE_MS = 1000,         /* for a move in a match without clock */
    GREETING_MS = 10000,    /* the server greets within this time */
    SILENCE_MS = 120000,    /* it pings every 30 s: after so much silence it is gone */
    AGAIN_MS = 1000,        /* before a refused move is sent again, if the server names no time */
    AGAIN_MAX_MS = 60000,   /* ... and if it does, at most */
    RETRY_FIRST_MS = 250,   /* before the first try to connect again; doubled each time, up to */
    RETRY_LONGEST_MS = 8000 /* this */
};

/* How a conversation ended. */
enum ending { GOES_ON, DONE, FAILED, LOST };

struct bot {
    const struct socket_options *options;
    struct link link;
    enum ending ending;
    bool greeted, welcomed; /* the server has said hello; and has taken the bot's name */
    bool joined;            /* the match of --join */
    int64_t heard_ms;
    char name[64];
    char token[64]; /* "" as long as there is none */
    struct seats seats;
    uint64_t rng;
    struct thinker thinker;
    char thought_match[MATCH_ID_MAX]; /* what the thinker is busy with */
    struct move answer;
    int answered_fd; /* an eventfd: readable when the answer is there */
};

static void print(const struct bot *bot, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void tell(struct bot *bot, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a line for people; nothing the server says reaches the terminal unchecked. */
static void print(const struct bot *bot, const char *format, ...)
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

static void fail(struct bot *bot, const char *what, const char *why)
{
    struct cause cause;

    cause_set(&cause, "%s", why != NULL ? why : "no reason given");
    bot_error(what, "%s", cause.text);
    bot->ending = FAILED;
}

/* Sends a line to the server. */
static void tell(struct bot *bot, const char *format, ...)
{
    char line[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (!link_send(&bot->link, "%s", line) && bot->ending == GOES_ON)
        bot->ending = LOST;
}

/* In the thinker's thread. */
static void take_answer(void *context, struct move move)
{
    struct bot *bot = context;

    bot->answer = move;
    eventfd_write(bot->answered_fd, 1);
}

/* Takes the next seat that waits for a move, if there is time for it. */
static void think(struct bot *bot)
{
    const struct seat *seat = NULL;
    int64_t now_ms = clock_ms();

    if (bot->thinker.busy)
        return;
    TAILQ_FOREACH (seat, &bot->seats, link)
        if (seat->owes_move && seat->not_before_ms <= now_ms)
            break;
    if (seat == NULL)
        return;
    struct question question = {.game = seat->game,
                                .position = seat->position,
                                .history = seat->history,
                                .limits = NO_LIMITS,
                                .rng = &bot->rng};
    question.limits.deadline_ms = seat->left_ms >= 0
                                      ? clock_deadline_ms(seat->left_ms, seat->increment_ms)
                                      : now_ms + MOVE_MS;
    memcpy(bot->thought_match, seat->match, sizeof bot->thought_match);
    thinker_start(&bot->thinker, bot->options->engine, &question);
}

/* Whether the thinker is busy with what this seat still waits for. */
static bool is_thought_of(const struct bot *bot, const struct seat *seat)
{
    return seat->owes_move && strcmp(bot->thought_match, seat->match) == 0 &&
           memcmp(&bot->thinker.question.position, &seat->position, sizeof seat->position) == 0;
}

/* Sends the answer, unless the match has gone on without it. The id tells a refusal's match. */
static void send_answer(struct bot *bot)
{
    char text[MOVE_TEXT_MAX];
    eventfd_t count;

    eventfd_read(bot->answered_fd, &count);
    thinker_wait(&bot->thinker);
    struct seat *seat = seats_find(&bot->seats, bot->thought_match);
    if (seat == NULL || !is_thought_of(bot, seat))
        return;
    move_format(&seat->position, bot->answer, text);
    tell(bot, "#%s move %s %s ply=%d", seat->match, seat->match, text, seat->ply);
    seat->owes_move = false;
}

static void say_hello(struct bot *bot)
{
    const struct socket_options *options = bot->options;

    if (options->secret != NULL)
        tell(bot, "hello bot:%s token=%s bot=yes", options->engine->name, options->secret);
    else
        tell(bot, "hello %s%s%s%s%s bot=yes client=ludus-bot/" LUDUS_VERSION, options->name,
             bot->token[0] != '\0' ? " token=" : "", bot->token,
             options->code != NULL ? " code=" : "", options->code != NULL ? options->code : "");
}

/* The bot is in: what it does first. */
static void begin(struct bot *bot)
{
    bot->welcomed = true;
    tell(bot, "set legal=off");
    print(bot, "connected to %s as %s", bot->options->address, bot->name);
    if (bot->options->join != NULL && !bot->joined)
        tell(bot, "#join join %s", bot->options->join);
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
        fail(bot, bot->options->address, "this server wants a join code: give --name and --code");
    else
        begin(bot);
}

static void on_ok(struct bot *bot, const cJSON *message)
{
    const char *command = json_text(message, "cmd"), *token = json_text(message, "token");

    if (command == NULL)
        return;
    if (strcmp(command, "join") == 0)
        bot->joined = true;
    if (strcmp(command, "hello") != 0)
        return;
    take_name(bot, message);
    if (token != NULL && strcmp(token, bot->token) != 0) {
        snprintf(bot->token, sizeof bot->token, "%s", token);
        print(bot, "token: %s", token);
    }
    begin(bot);
}

/* A server that has started anew knows no names: then the one this bot had is free. */
static bool may_start_anew(const struct bot *bot, const char *code)
{
    return strcmp(code, "bad-token") == 0 && bot->token[0] != '\0' && bot->options->token == NULL &&
           bot->options->secret == NULL;
}

/* A move was refused: it is tried again if only the time was wrong. */
static void on_move_refused(struct bot *bot, struct seat *seat, const char *code,
                            const cJSON *message)
{
    const cJSON *retry = cJSON_GetObjectItemCaseSensitive(message, "retry_ms");

    if (strcmp(code, "rate-limited") == 0 || strcmp(code, "server-busy") == 0 ||
        strcmp(code, "internal") == 0) {
        int64_t wait_ms = AGAIN_MS;
        if (cJSON_IsNumber(retry) && retry->valuedouble >= 0)
            wait_ms = retry->valuedouble < AGAIN_MAX_MS ? retry->valueint : AGAIN_MAX_MS;
        seat->owes_move = true;
        seat->not_before_ms = clock_ms() + wait_ms;
    } else if (strcmp(code, "illegal-move") == 0) {
        /* The two sides disagree about the rules: better to give up than to be waited for. */
        bot_error(seat->match, "the server takes a move for illegal: the bot resigns");
        tell(bot, "resign %s", seat->match);
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
    } else if (strcmp(command, "hello") == 0) {
        fail(bot, "hello", text);
    } else if (id != NULL && strcmp(id, "join") == 0) {
        fail(bot, "join", text);
    } else if (id != NULL && strcmp(command, "move") == 0) {
        struct seat *seat = seats_find(&bot->seats, id);
        if (seat != NULL)
            on_move_refused(bot, seat, code, message);
    }
}

/* Answers what the other side of a match offers. */
static void answer_offer(struct bot *bot, const char *match, const char *what)
{
    const struct seat *seat = seats_find(&bot->seats, match);

    if (strcmp(what, "undo") == 0 || strcmp(what, "rematch") == 0) {
        tell(bot, "%s %s", what, match);
    } else if (strcmp(what, "draw") == 0 && seat != NULL && seat->status == SEAT_PLAYING) {
        int value = evaluate(seat->game, &seat->position);
        bool to_move = (seat->colors & 1u << seat->position.side) != 0;
        bool better = to_move ? value > 0 : value < 0;
        tell(bot, "%s %s", better ? "decline" : "draw", match);
    }
}

/* Whether the color named in an offer is the bot's own; then it needs no answer. */
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
    struct seat *seat = seats_find(&bot->seats, read->match);
    const char *result = json_text(state, "result"), *reason = json_text(state, "reason");

    if (seat == NULL)
        return;
    print(bot, "match %s: over, %s %s", read->match, result != NULL ? result : "*",
          reason != NULL ? reason : "");
    seats_remove(&bot->seats, seat);
}

static void on_state(struct bot *bot, const cJSON *state)
{
    static const char *const colors[] = {"nobody", "white", "black", "both sides"};
    struct seat read;
    struct cause cause;

    if (!seat_read(&read, state, &cause)) {
        bot_error("state", "%s", cause.text);
        return;
    }
    bool is_new = seats_find(&bot->seats, read.match) == NULL;
    if (read.colors == 0)
        return;
    if (read.status == SEAT_OVER) {
        on_over(bot, &read, state);
    } else {
        struct seat *seat = seats_update(&bot->seats, &read);
        if (is_new)
            print(bot, "match %s: %s, playing %s", seat->match, seat->game->name,
                  colors[seat->colors]);
        if (is_new)
            answer_old_offers(bot, state, seat->match);
    }
    const struct seat *thought_of = seats_find(&bot->seats, bot->thought_match);
    if (thought_of == NULL || !is_thought_of(bot, thought_of))
        thinker_stop(&bot->thinker);
}

/* Takes every challenge to a game that it knows. */
static void on_challenge(struct bot *bot, const cJSON *challenge)
{
    const char *match = json_text(challenge, "match"), *game = json_text(challenge, "game");

    if (match_id_is_valid(match) && game != NULL)
        tell(bot, "%s %s", game_find(game, strlen(game)) != NULL ? "join" : "decline", match);
}

static void on_ping(struct bot *bot, const cJSON *message)
{
    (void)message;
    tell(bot, "ping");
}

static void on_bye(struct bot *bot, const cJSON *message)
{
    const char *reason = json_text(message, "reason");

    if (bot->options->secret != NULL || reason == NULL || strcmp(reason, "quit") == 0)
        bot->ending = DONE;
    else if (strcmp(reason, "replaced") == 0 || strcmp(reason, "too-many-errors") == 0)
        fail(bot, "bye", reason); /* to come back would do harm */
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

static void handle(struct bot *bot, const cJSON *message)
{
    const char *type = json_text(message, "type");

    for (size_t i = 0; type != NULL && i < sizeof handlers / sizeof handlers[0]; i++)
        if (strcmp(handlers[i].type, type) == 0)
            handlers[i].run(bot, message);
}

static void hear(struct bot *bot)
{
    cJSON *message;

    bot->heard_ms = clock_ms();
    if (!link_read(&bot->link))
        bot->ending = LOST;
    while (bot->ending == GOES_ON && (message = link_next(&bot->link)) != NULL) {
        handle(bot, message);
        cJSON_Delete(message);
    }
}

/* How long poll() may wait; -1: the server is silent for too long. */
static int wait_ms(const struct bot *bot)
{
    int64_t now_ms = clock_ms();
    int64_t until_ms = bot->heard_ms + (bot->greeted ? SILENCE_MS : GREETING_MS);
    const struct seat *seat;

    if (until_ms <= now_ms)
        return -1;
    TAILQ_FOREACH (seat, &bot->seats, link)
        if (seat->owes_move && seat->not_before_ms > now_ms && seat->not_before_ms < until_ms)
            until_ms = seat->not_before_ms;
    return (int)(until_ms - now_ms);
}

/* From the greeting to the end of one connection. */
static void converse(struct bot *bot)
{
    bot->ending = GOES_ON;
    bot->greeted = bot->welcomed = false;
    bot->heard_ms = clock_ms();
    while (bot->ending == GOES_ON) {
        struct pollfd fds[] = {{.fd = bot->link.fd, .events = POLLIN},
                               {.fd = bot->answered_fd, .events = POLLIN}};
        think(bot);
        int timeout_ms = wait_ms(bot);
        if (timeout_ms < 0)
            bot->ending = LOST;
        else if (poll(fds, 2, timeout_ms) < 0 && errno != EINTR)
            fail(bot, "poll", strerror(errno));
        if (fds[1].revents != 0)
            send_answer(bot);
        if (fds[0].revents != 0 && bot->ending == GOES_ON)
            hear(bot);
    }
    link_close(&bot->link);
}

/* Forgets what belonged to the connection that has ended. */
static void forget(struct bot *bot)
{
    struct seat *seat;
    eventfd_t count;

    if (bot->thinker.busy) {
        thinker_stop(&bot->thinker);
        thinker_wait(&bot->thinker);
        eventfd_read(bot->answered_fd, &count);
    }
    while ((seat = TAILQ_FIRST(&bot->seats)) != NULL)
        seats_remove(&bot->seats, seat);
}

/* Waits and connects, until that works or would come too late. */
static bool come_back(struct bot *bot, int64_t give_up_ms, int *pause_ms)
{
    struct cause cause = {"there is no time left to try again"};

    while (clock_ms() + *pause_ms <= give_up_ms) {
        const struct timespec pause = {*pause_ms / 1000, *pause_ms % 1000 * 1000000L};
        nanosleep(&pause, NULL);
        *pause_ms = *pause_ms * 2 < RETRY_LONGEST_MS ? *pause_ms * 2 : RETRY_LONGEST_MS;
        if (link_connect(&bot->link, bot->options->address, &cause))
            return true;
    }
    fail(bot, "connect", cause.text);
    return false;
}

/* Whether a lost connection is to be made again; if not, bot->ending is what it comes to. */
static bool may_come_back(struct bot *bot, bool was_welcome)
{
    if (bot->options->secret != NULL)
        bot->ending = DONE; /* the server starts another */
    else if (!was_welcome)
        fail(bot, bot->options->address, "the connection ended before the bot was let in");
    else if (bot->options->name == NULL)
        bot->ending = DONE; /* a guest's matches ended with it */
    return bot->ending == LOST;
}

static void play(struct bot *bot)
{
    bool was_welcome = false;
    int64_t give_up_ms = 0;
    int pause_ms = RETRY_FIRST_MS;

    for (;;) {
        converse(bot);
        forget(bot);
        if (bot->welcomed) {
            was_welcome = true;
            give_up_ms = clock_ms() + bot->options->retry_s * 1000;
            pause_ms = RETRY_FIRST_MS;
        }
        if (bot->ending != LOST || !may_come_back(bot, was_welcome))
            return;
        print(bot, "lost the connection to %s", bot->options->address);
        if (!come_back(bot, give_up_ms, &pause_ms))
            return;
    }
}

int socket_play(const struct socket_options *options)
{
    struct bot bot = {.options = options, .rng = options->rng, .answered_fd = -1};
    struct cause cause;

    TAILQ_INIT(&bot.seats);
    bot.thinker.done = take_answer;
    bot.thinker.context = &bot;
    snprintf(bot.token, sizeof bot.token, "%s", options->token != NULL ? options->token : "");
    bot.answered_fd = eventfd(0, EFD_CLOEXEC);
    if (bot.answered_fd < 0) {
        bot_error("eventfd", "%s", strerror(errno));
        return EXIT_FAILURE;
    }
    if (!link_connect(&bot.link, options->address, &cause))
        fail(&bot, "connect", cause.text);
    else
        play(&bot);
    thinker_release(&bot.thinker);
    close(bot.answered_fd);
    return bot.ending == DONE ? EXIT_SUCCESS : EXIT_FAILURE;
}
