#include "socket.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/bot/bot.h"
#include "client/link/backoff.h"
#include "talk.h"

enum {
    GREETING_MS = 10000, /* the server greets within this time */
    PING_MS = 60000,     /* after so much silence it is asked whether it is there, */
    SILENCE_MS = 90000   /* and after so much it is gone */
};

static void hear(struct bot *bot)
{
    cJSON *message;

    bot->heard_ms = clock_ms();
    bot->pinged = false;
    if (!link_read(&bot->link))
        bot->ending = LOST;
    while (bot->ending == GOES_ON && (message = link_next(&bot->link)) != NULL) {
        talk_handle(bot, message);
        cJSON_Delete(message);
    }
}

/* How long poll() may wait. */
static int wait_ms(const struct bot *bot)
{
    int64_t most_ms = !bot->greeted ? GREETING_MS : bot->pinged ? SILENCE_MS : PING_MS;
    int64_t until_ms = bot->heard_ms + most_ms, wake_ms = turns_wake_ms(&bot->turns);
    int64_t left_ms = (wake_ms < until_ms ? wake_ms : until_ms) - clock_ms();

    return left_ms > 0 ? (int)left_ms : 0;
}

/* Asks a silent server whether it is still there, once. */
static void check_silence(struct bot *bot)
{
    int64_t silent_ms = clock_ms() - bot->heard_ms;

    if (silent_ms >= (bot->greeted ? SILENCE_MS : GREETING_MS)) {
        bot->ending = LOST;
    } else if (silent_ms >= PING_MS && bot->greeted && !bot->pinged) {
        bot->pinged = true;
        talk_tell(bot, "ping");
    }
}

/* From the greeting to the end of one connection. */
static void converse(struct bot *bot)
{
    bot->ending = GOES_ON;
    bot->greeted = bot->welcomed = bot->pinged = false;
    bot->heard_ms = clock_ms();
    while (bot->ending == GOES_ON) {
        struct pollfd fds[] = {{.fd = bot->link.fd, .events = POLLIN},
                               {.fd = bot->turns.answered_fd, .events = POLLIN}};
        turns_think(&bot->turns);
        turns_check(&bot->turns);
        if (poll(fds, 2, wait_ms(bot)) < 0 && errno != EINTR)
            talk_fail(bot, "poll", strerror(errno));
        if (fds[1].revents != 0)
            talk_move(bot);
        if (fds[0].revents != 0 && bot->ending == GOES_ON)
            hear(bot);
        if (bot->ending == GOES_ON)
            check_silence(bot);
    }
    link_close(&bot->link);
    turns_clear(&bot->turns);
}

/* Waits and connects, until that works or would come too late. */
static bool come_back(struct bot *bot, int64_t give_up_ms, struct backoff *backoff)
{
    struct cause cause = {"there is no time left to try again"};

    for (;;) {
        int64_t now_ms = clock_ms();
        int pause_ms = backoff_next_ms(backoff, now_ms);
        const struct timespec pause = {pause_ms / 1000, pause_ms % 1000 * 1000000L};
        if (now_ms + pause_ms > give_up_ms)
            break;
        nanosleep(&pause, NULL);
        if (link_connect(&bot->link, bot->options->address, &cause))
            return true;
    }
    talk_fail(bot, "connect", cause.text);
    return false;
}

/* Whether a lost connection is to be made again; if not, bot->ending is what it comes to. */
static bool may_come_back(struct bot *bot, bool was_welcome)
{
    if (bot->options->secret != NULL)
        bot->ending = DONE; /* the server starts another */
    else if (!was_welcome)
        talk_fail(bot, bot->options->address, "the connection ended before the bot was let in");
    else if (bot->options->name == NULL)
        bot->ending = DONE; /* a guest's matches ended with it */
    return bot->ending == LOST;
}

static void play(struct bot *bot)
{
    bool was_welcome = false;
    struct backoff backoff = {0, 0};
    int64_t give_up_ms = 0;

    for (;;) {
        int64_t begun_ms = clock_ms();
        converse(bot);
        if (bot->welcomed) {
            was_welcome = true;
            give_up_ms = clock_ms() + bot->options->retry_s * 1000;
            backoff_begin(&backoff, clock_ms(), clock_ms() - begun_ms);
        }
        if (bot->ending != LOST || !may_come_back(bot, was_welcome))
            return;
        talk_print(bot, "lost the connection to %s", bot->options->address);
        if (!come_back(bot, give_up_ms, &backoff))
            return;
    }
}

int socket_play(const struct socket_options *options)
{
    struct bot bot = {.options = options};
    struct cause cause;

    snprintf(bot.token, sizeof bot.token, "%s", options->token != NULL ? options->token : "");
    if (!turns_init(&bot.turns, options->engine, options->rng)) {
        bot_error("eventfd", "%s", strerror(errno));
        return EXIT_FAILURE;
    }
    bot.turns.threads = options->threads;
    if (link_connect(&bot.link, options->address, &cause))
        play(&bot);
    else
        talk_fail(&bot, "connect", cause.text);
    turns_release(&bot.turns);
    return bot.ending == DONE ? EXIT_SUCCESS : EXIT_FAILURE;
}
