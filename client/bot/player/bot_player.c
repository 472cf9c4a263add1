#include "bot_player.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "client/bot/bot.h"

static void copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from != NULL ? from : "");
}

/* A house bot does not come back, as the server starts another. A guest's matches end with the
 * connection. */
static void set_up(struct uplink *uplink, const struct bot_player_options *options)
{
    struct hello *hello = &uplink->hello;

    copy(uplink->address, sizeof uplink->address, options->address);
    uplink->retry_ms = options->retry_s * INT64_C(1000);
    hello->bot = true;
    if (options->secret != NULL) {
        snprintf(hello->name, sizeof hello->name, "bot:%s", options->engine->name);
        copy(hello->token, sizeof hello->token, options->secret);
        return;
    }
    uplink->comes_back = options->name != NULL;
    hello->program = "ludus-bot/" LUDUS_VERSION;
    copy(hello->name, sizeof hello->name, options->name);
    copy(hello->token, sizeof hello->token, options->token);
    copy(hello->code, sizeof hello->code, options->code);
}

/* How long poll() may wait. */
static int wait_ms(const struct bot_player *player)
{
    int64_t due_ms = uplink_due_ms(&player->uplink), wake_ms = turns_wake_ms(&player->turns);
    int64_t now_ms = clock_ms();

    if (wake_ms < due_ms)
        due_ms = wake_ms;
    if (due_ms <= now_ms)
        return 0;
    return due_ms - now_ms < INT_MAX ? (int)(due_ms - now_ms) : INT_MAX;
}

static void take_loss(struct bot_player *player)
{
    turns_clear(&player->turns);
    if (player->uplink.stage == UPLINK_DOWN)
        talk_print(player, "lost the connection to %s", player->uplink.address);
}

static void take_events(struct bot_player *player)
{
    struct uplink *uplink = &player->uplink;
    enum uplink_event event;
    cJSON *message;

    while ((event = uplink_next(uplink, clock_ms(), &message)) != UPLINK_NOTHING) {
        if (event == UPLINK_MESSAGE)
            talk_handle(player, message);
        else if (event == UPLINK_WELCOME)
            talk_begin(player);
        else if (event == UPLINK_REFUSED)
            uplink_close(uplink);
        else
            take_loss(player);
        cJSON_Delete(message);
    }
}

static void turn(struct bot_player *player)
{
    struct pollfd fds[] = {{.fd = player->uplink.link.fd, .events = POLLIN},
                           {.fd = player->turns.answered_fd, .events = POLLIN}};

    turns_think(&player->turns);
    turns_check(&player->turns);
    if (poll(fds, 2, wait_ms(player)) > 0) {
        if (fds[1].revents != 0)
            talk_move(player);
        if (fds[0].revents != 0)
            uplink_receive(&player->uplink, clock_ms());
    }
    uplink_tick(&player->uplink, clock_ms());
    take_events(player);
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
    struct bot_player player = {.options = options};

    if (!turns_init(&player.turns, options->engine, options->rng)) {
        bot_error("eventfd", "%s", strerror(errno));
        return EXIT_FAILURE;
    }
    player.turns.threads = options->threads;
    set_up(&player.uplink, options);
    int status = play(&player);
    uplink_close(&player.uplink);
    turns_release(&player.turns);
    return status;
}
