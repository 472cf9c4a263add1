/*
 * `ludus-bot --connect`: a bot on a server. It connects like any client and plays in any number of
 * matches at once, by itself (turns.h).
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/bot/bot.h"
#include "client/engine/stop_signal.h"
#include "client/games/guide.h"
#include "client/seating/bot_client.h"
#include "common/text.h"
#include "confine.h"
#include "turns.h"

enum { SECRET_MAX = 64 };

/* The options of the command line. A text is NULL if the option was not given. */
struct connect_options {
    struct account account;
    struct policy policy;
    const struct engine *engine;
    long seed;               /* of all chances */
    const char *join;        /* a match to join first */
    char secret[SECRET_MAX]; /* of a house bot, whose name is the one for its level */
    long threads;            /* to think in; 0: one */
    bool quiet;              /* prints errors only */
};

/* The bot's mind. */
struct connected_bot {
    const struct connect_options *options;
    struct bot_client bot;
    struct turns turns;
    int stop_fd;   /* see stop_signal.h; -1: a house bot, which any signal ends */
    bool answered; /* the thinker has found a move */
};

/* ---- What it thinks and says ---- */

/* Prints a line, made safe for a terminal, unless the player is quiet. */
__attribute__((format(printf, 2, 3))) static void print_line(const struct connected_bot *player,
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

static void report_event(struct bot_client *bot, const struct bot_news *news)
{
    static const char *const colors[] = {"nothing", "white", "black", "both sides"};
    const struct connected_bot *player = bot->context;
    const struct uplink *uplink = &bot->uplink;
    const char *id = news->match, *text = news->text;
    const struct bot_match *match;

    switch (news->event) {
    case BOT_NOT_CONNECTED:
        print_line(player, "%s: trying for %ld s", text, bot->account->retry_s);
        break;
    case BOT_CONNECTED:
        if (text != NULL)
            bot_error("token", "%s (not kept: %s)", uplink->hello.token, text);
        print_line(player, "connected to %s as %s", uplink->servers.at, uplink->name);
        break;
    case BOT_LOST_CONNECTION:
        if (uplink->stage == UPLINK_DOWN)
            print_line(player, "lost the connection to %s", uplink->servers.at);
        break;
    case BOT_WAITS:
        print_line(player, "%s: trying again", text);
        break;
    case BOT_STATE_FAULTY:
        bot_error("state", "%s", text);
        break;
    case BOT_DECLINES:
        print_line(player, "match %s: declined: %s", id, text);
        break;
    case BOT_BEGINS:
        match = bot_match_find(&bot->matches, id);
        print_line(player, "match %s: %s, playing %s", id, match->game->name,
                   colors[match->mine[WHITE] + 2 * match->mine[BLACK]]);
        break;
    case BOT_ENDS:
        print_line(player, "match %s: over, %s", id, text);
        break;
    case BOT_SEAT_FREED:
        print_line(player, "match %s: the seat was freed", id);
        break;
    case BOT_ABORTS:
        print_line(player, "match %s: no first move: aborting it", id);
        break;
    case BOT_CLAIMS:
        print_line(player, "match %s: the opponent is gone or silent: claiming the win", id);
        break;
    case BOT_TURNS_AWAY:
    case BOT_GIVES_UP:
        bot_error(id, "%s: the bot %ss", text, news->command);
        break;
    case BOT_MOVE_ILLEGAL:
        bot_error(id, "the server takes a move for illegal: the bot %ss", news->command);
        break;
    case BOT_REFUSED:
    case BOT_DECLINES_REMATCH:
    case BOT_LOST_MATCH:
        break;
    }
}

enum { CLEARLY_BEHIND_CP = 200 }; /* less is what a move can change */

/* Returns whether the bot agrees to a draw: only in a game that can be drawn, and when it is
 * clearly behind, by the search for its last move or, before there was one, by what is on the
 * board. Whoever plays against it wants a match, not the first chance to end one. */
static bool accepts_draw(const struct bot_match *match)
{
    const struct position *position = &match->course.position;
    int on_board = guide_eval(match->game, position);
    int value = match->has_eval               ? match->eval_cp
                : match->mine[position->side] ? on_board
                                              : -on_board;

    return !match->game->drawless && value <= -CLEARLY_BEHIND_CP;
}

static bool think_and_wait(struct bot_client *bot, int fd, int64_t due_ms)
{
    struct connected_bot *player = bot->context;
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN},
                           {.fd = player->turns.answered_fd, .events = POLLIN},
                           {.fd = player->stop_fd, .events = POLLIN}};

    turns_think(&player->turns);
    turns_check(&player->turns);
    due_ms = sooner_ms(due_ms, turns_due_ms(&player->turns));
    bool polled = poll(fds, 3, until_ms(due_ms)) > 0;
    if (polled && fds[2].revents != 0)
        stop_signal_read(player->stop_fd);
    player->answered = polled && fds[1].revents != 0;
    return polled && fds[0].revents != 0;
}

/* Sends the move that the thinker found, if it is still wanted. */
static void send_answer(struct bot_client *bot)
{
    struct connected_bot *player = bot->context;
    struct bot_match *match;
    struct move move;

    if (!player->answered)
        return;
    match = turns_fetch(&player->turns, &move);
    if (match != NULL)
        bot_client_move(bot, match, move, &player->turns.thought);
}

static const struct bot_mind mind = {.noun = "the bot",
                                     .accepts_draw = accepts_draw,
                                     .wait = think_and_wait,
                                     .run = send_answer,
                                     .report = report_event};

/* Plays, and returns the exit status. A house bot ends with its connection, and in silence. */
static int play_bot(struct connected_bot *player)
{
    const struct connect_options *options = player->options;
    struct uplink *uplink = &player->bot.uplink;
    struct cause cause;
    bool is_house = options->policy.is_house;

    if (is_house) { /* it does not come back, as the server starts another */
        snprintf(uplink->address, sizeof uplink->address, "%s", options->account.address);
        uplink->hello.bot = true;
        snprintf(uplink->hello.name, sizeof uplink->hello.name, "bot:%s", options->engine->name);
        snprintf(uplink->hello.token, sizeof uplink->hello.token, "%s", options->secret);
    }
    bool good = (is_house ||
                 account_set_up(&options->account, uplink, "ludus-bot/" LUDUS_VERSION, &cause)) &&
                bot_client_run(&player->bot, &cause);
    if (good || (is_house && (uplink->was_in || uplink->answer == HELLO_NONE)))
        return EXIT_SUCCESS;
    fprintf(stderr, "ludus-bot: %s\n", cause.text);
    return EXIT_FAILURE;
}

static int play_on_server(const struct connect_options *options)
{
    struct connected_bot player = {.options = options,
                                   .stop_fd = -1,
                                   .bot = {.mind = &mind,
                                           .account = &options->account,
                                           .policy = &options->policy,
                                           .join = options->join}};

    player.bot.context = &player;
    if (!options->policy.is_house)
        player.stop_fd = stop_signal_watch();
    if (!turns_init(&player.turns, options->engine, (uint64_t)options->seed, &player.bot.matches)) {
        bot_error("eventfd", "%s", strerror(errno));
        return EXIT_FAILURE;
    }
    player.turns.threads = (int)options->threads;
    if (options->policy.is_house)
        confine_process();
    int status = play_bot(&player);
    turns_release(&player.turns);
    if (player.stop_fd >= 0)
        close(player.stop_fd);
    return status;
}

/* ---- The command line ---- */

static bool read_level(void *context, const struct option_input *input, struct cause *cause)
{
    struct connect_options *options = context;

    return bot_find_level(&options->engine, input->value, cause);
}

static bool read_house_level(void *context, const struct option_input *input, struct cause *cause)
{
    struct connect_options *options = context;

    options->quiet = options->policy.is_house = true;
    return bot_find_level(&options->engine, input->value, cause);
}

const struct option_row connect_rows[] = {
    {OPTION("connect", "HOST:PORT", "the server"), TO_WORD(connect_options, account.address)},
    {OPTION("name", "NAME",
            "play under this name and accept every challenge;\nwithout it, play as a guest"),
     TO_WORD(connect_options, account.name)},
    {OPTION("level", "LEVEL", "how to play"), .read = read_level, .standard = DEFAULT_LEVEL},
    {OPTION("join", "MATCH", "take the open seat of this match"), TO_WORD(connect_options, join)},
    POLICY_ROWS(connect_options),
    {OPTION("accept-games", "GAMES",
            "decline challenges to other games: GAME or GAME:VARIANT,\nseparated by commas"),
     TO_WORD(connect_options, policy.games)},
    {OPTION("max-matches", "N", "matches at a time; further challenges are declined"),
     TO_NUMBER(connect_options, policy.matches_max, 1, 1000), .standard = "100"},
    ACCOUNT_ROWS(connect_options),
    {OPTION("house", "LEVEL",
            "be the house bot bot:LEVEL, whose secret is the first\n"
            "line of standard input; for servers only"),
     .read = read_house_level},
    {OPTION("threads", "N", "threads to think in, 1 to 16"),
     TO_NUMBER(connect_options, threads, 1, THREADS_MAX), .standard = "1"},
    {OPTION("seed", "N", "repeat the same random choices every time"),
     TO_NUMBER(connect_options, seed, 0, LONG_MAX)},
    {OPTION("quiet", NULL, "print errors only"), TO_FLAG(connect_options, quiet)},
    OPTIONS_LAST_ROWS,
};

static int print_help(void)
{
    puts("Usage: ludus-bot --connect HOST:PORT [OPTION]...\n"
         "       ludus-bot ugi [OPTION]...\n"
         "       ludus-bot gauntlet [OPTION]... PLAYER PLAYER...\n"
         "       ludus-bot solve [OPTION]... clobber:WxH|\"POSITION\"\n"
         "       ludus-bot review [OPTION]...\n"
         "       ludus-bot perft [OPTION]... GAME|\"POSITION\" N\n"
         "       ludus-bot selfplay [OPTION]... GAME[:VARIANT]\n"
         "       ludus-bot check [OPTION]... ENGINE\n"
         "       ludus-bot check-bot [OPTION]... -- COMMAND\n"
         "Plays on a Ludus server; is an engine (ugi); plays engines against each other\n"
         "(gauntlet); proves who wins a position of Clobber (solve); finds the moves that lost\n"
         "a match (review); counts move sequences (perft); plays a level against itself\n"
         "(selfplay); checks an engine (check) or a bot (check-bot). "
         "Each has its own --help.\n");
    usage_print_rows(connect_rows);
    usage_print_games();
    return bot_print_levels();
}

/* Whether the options go together. */
static bool check_options(struct connect_options *options)
{
    struct cause cause;

    if (options->account.address == NULL)
        return bot_error("--connect", "no server given: see --help");
    if (options->policy.tournament != NULL && options->account.name == NULL)
        return bot_error("--tournament", "guests cannot take part: give --name");
    if (account_check(&options->account, &cause) && policy_check(&options->policy, &cause))
        return true;
    fprintf(stderr, "ludus-bot: %s\n", cause.text);
    return false;
}

int connect_main(int argc, char **argv)
{
    struct connect_options options = {.seed = bot_seed()};
    int status = options_read("ludus-bot", connect_rows, OPTIONS_ANYWHERE, argc, argv, &options);

    if (status == OPTIONS_HELP) {
        status = print_help();
    } else if (status == OPTIONS_RUN) {
        bool good = optind == argc || bot_error(argv[optind], "unknown command: see --help");
        good = good && check_options(&options);
        if (good && options.policy.is_house) {
            good =
                (fgets(options.secret, SECRET_MAX, stdin) != NULL && options.secret[0] != '\n') ||
                bot_error("--house", "no secret on standard input");
            options.secret[strcspn(options.secret, "\r\n")] = '\0';
        }
        setvbuf(stdout, NULL, _IOLBF, 0);
        status = good ? play_on_server(&options) : EXIT_USAGE;
    }
    account_release(&options.account);
    return status;
}
