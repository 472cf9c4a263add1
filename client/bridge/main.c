/*
 * ludus-bridge: seats an engine that speaks UGI, UCI or GTP at a Ludus server. One bot at the
 * server (bot_client.h), and an engine for each of its matches, in one poll() loop.
 *
 * An engine is kept when its match is over, for the next one; and where the server may open a match
 * at any time, one is always up before. An engine that cannot play a second match loses none by it:
 * until its first move there, a new process takes its place, and from then on every match has a new
 * one.
 *
 * A challenge is accepted once its engine is ready. A match that was running when the bot came back
 * is known from its record: engines hear every move, and repetitions count. If an engine fails, its
 * match is given up: it then has no engine and waits for the state that ends it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/engine/dialect.h"
#include "client/engine/driver.h"
#include "client/engine/process.h"
#include "client/seating/bot_client.h"
#include "common/move.h"
#include "common/xmalloc.h"

enum {
    COMMAND_WORDS_MAX = 64,
    SPARE_AGAIN_MS = 10000 /* after an engine without a match has failed, before the next one */
};

struct bridge_options {
    struct account account;
    struct policy policy;
    const struct dialect *dialect; /* NULL: to be found out */
    long movetime_ms;
    struct engine_program program;
    char *command[COMMAND_WORDS_MAX + 1]; /* of --command */
    char *command_words;                  /* owned */
};

/* ---- The command line ---- */

static bool read_protocol(void *context, const struct option_input *input, struct cause *cause)
{
    struct bridge_options *options = context;

    options->dialect = dialect_find(input->value);
    return options->dialect != NULL || strcasecmp(input->value, "auto") == 0 ||
           cause_set(cause, "'%.40s' is neither ugi, uci, gtp nor auto", input->value);
}

static bool read_command(void *context, const struct option_input *input, struct cause *cause)
{
    struct bridge_options *options = context;

    free(options->command_words);
    options->command_words = xstrdup(input->value);
    return command_split(options->command_words, options->command, COMMAND_WORDS_MAX, cause);
}

static bool read_engine_option(void *context, const struct option_input *input, struct cause *cause)
{
    struct bridge_options *options = context;

    return program_add_option(&options->program, input->value, cause);
}

static bool read_engine_log(void *context, const struct option_input *input, struct cause *cause)
{
    struct bridge_options *options = context;

    return trace_plan_read(&options->program.trace, input->value, cause);
}

static const struct option_row rows[] = {
    {OPTION("connect", "HOST:PORT", "the server (" LINK_DEFAULT_ADDRESS ")"),
     TO_WORD(bridge_options, account.address)},
    {OPTION("name", "NAME", "the player's name there"), TO_WORD(bridge_options, account.name)},
    {OPTION("games", "GAMES",
            "what it plays: GAME or GAME:VARIANT, separated by commas. A UCI\n"
            "or GTP engine plays clobber, with Fairy-Stockfish in every size"),
     TO_WORD(bridge_options, policy.games)},
    {OPTION("command", "COMMAND", "the engine, with --config rather than at the end"),
     .read = read_command},
    {OPTION("protocol", "ugi|uci|gtp|auto", "what the engine speaks, or auto to find out"),
     .read = read_protocol, .standard = "auto"},
    {OPTION("movetime", "MS", "milliseconds for each move in matches without a clock"),
     TO_NUMBER(bridge_options, movetime_ms, 1, 3600000), .standard = "1000"},
    STARTUP_ROW(bridge_options, program.startup_s),
    RESTART_ROW(bridge_options, program.restarts),
    MEMORY_ROW(bridge_options, program.memory_mb),
    {OPTION("max-matches", "N", "matches at a time; further challenges are declined"),
     TO_NUMBER(bridge_options, policy.matches_max, 1, 1000), .standard = "4"},
    {OPTION("option", "NAME=VALUE", "set an option of the engine; may be repeated"),
     .read = read_engine_option, .repeats = true},
    {OPTION("engine-log", "FILE",
            "log what the engine of each match reads and writes to FILE.MATCH;\n"
            "failed:FILE keeps the logs of matches in which it failed"),
     .read = read_engine_log},
    POLICY_ROWS(bridge_options),
    ACCOUNT_ROWS(bridge_options),
    {OPTION("quiet", NULL, "log errors only, and drop the engines' standard error"),
     TO_FLAG(bridge_options, program.quiet)},
    OPTIONS_LAST_ROWS,
};

static void print_help(void)
{
    puts("Usage: ludus-bridge [OPTION]... --name NAME --games GAMES -- COMMAND [ARG]...\n"
         "Runs a UGI, UCI or GTP engine and seats it at a Ludus server as a player, who accepts\n"
         "challenges to its games. Each match has an engine process of its own, which plays the\n"
         "next one when it is over.\n");
    usage_print_rows(rows);
    usage_print_games();
    puts("\n"
         "Example:\n"
         "  ludus-bridge --name fairy --games clobber -- fairy-stockfish");
}

/* Names what the command line must have and has not, or returns NULL. */
static const char *missing_option(const struct bridge_options *options)
{
    if (options->account.name == NULL)
        return "--name";
    if (options->policy.games == NULL)
        return "--games";
    return options->program.command[0] == NULL ? "COMMAND" : NULL;
}

static int refuse_options(const char *why)
{
    fprintf(stderr, "ludus-bridge: %s\n", why);
    return EXIT_USAGE;
}

/* Checks what was read, and takes the command, which ends the command line. */
static int check_options(struct bridge_options *options, char *rest[])
{
    struct cause cause;

    options->program.command = rest[0] != NULL ? rest : options->command;
    if (missing_option(options) != NULL) {
        cause_set(&cause, "%s: missing: see --help", missing_option(options));
        return refuse_options(cause.text);
    }
    bool good = account_check(&options->account, &cause) && policy_check(&options->policy, &cause);
    return good ? OPTIONS_RUN : refuse_options(cause.text);
}

/* Reads the command line, which all texts borrow from. Returns OPTIONS_RUN, or the exit status to
 * end with: help, version and errors have been printed. Release the options in every case. */
static int read_options(struct bridge_options *options, int argc, char *argv[])
{
    *options = (struct bridge_options){.policy = {.only_games = true}};
    /* What follows the command is the engine's. */
    int status = options_read("ludus-bridge", rows, OPTIONS_FIRST, argc, argv, options);
    if (status == OPTIONS_HELP) {
        print_help();
        return 0;
    }
    return status == OPTIONS_RUN ? check_options(options, argv + optind) : status;
}

/* An engine, of a match or spare. */
struct seat {
    struct driver driver;
    bool is_used;     /* it has played in another match ... */
    bool has_started; /* ... and moved in this one */
    bool replaces;    /* ... which had one that may be unable to play two */
    TAILQ_ENTRY(seat) link;
};
TAILQ_HEAD(seat_list, seat);

struct bridge {
    struct bridge_options *options;
    /* What was found out by the first engine. */
    const struct dialect *dialect;
    struct profile profile;
    struct bot_client bot;
    struct engine_loop loop; /* with all engines */
    struct seat_list spares; /* owned: those without a match */
    int64_t spare_ms;        /* a further spare one starts no sooner */
    bool announced;          /* the token was printed */
};

/* ---- The engines without a match ---- */

static void end_seat(const struct bridge *bridge, struct seat *seat, bool failed)
{
    driver_end(&seat->driver, failed, bridge->loop.now_ms);
    free(seat);
}

/* Starts an engine; without a match, it is spare. NULL with the cause. */
static struct seat *start_seat(struct bridge *bridge, const char *match, struct cause *cause)
{
    struct seat *seat = xcalloc(1, sizeof *seat);

    if (!driver_start(&seat->driver, &bridge->options->program, match, bridge->dialect,
                      &bridge->loop.engines, clock_ms(), cause)) {
        free(seat);
        return NULL;
    }
    if (match == NULL)
        TAILQ_INSERT_TAIL(&bridge->spares, seat, link);
    return seat;
}

/* How many matches come on top of --max-matches: those that the server opens. */
static int paired_max(const struct policy *policy)
{
    return (policy->seek != NULL) + (policy->tournament != NULL);
}

static int count_spares(const struct bridge *bridge)
{
    const struct seat *seat;
    int count = 0;

    TAILQ_FOREACH (seat, &bridge->spares, link)
        count++;
    return count;
}

/* Takes a spare engine for a match; NULL: there is none. */
static struct seat *take_spare(struct bridge *bridge, const char *match)
{
    struct seat *seat, *best = NULL;

    TAILQ_FOREACH (seat, &bridge->spares, link)
        if (driver_is_free(&seat->driver) &&
            (best == NULL || seat->driver.state > best->driver.state))
            best = seat;
    if (best == NULL)
        return NULL;
    TAILQ_REMOVE(&bridge->spares, best, link);
    driver_enter(&best->driver, match);
    return best;
}

/* Keeps an engine whose match is over, if it can play another one. */
static void keep_seat(struct bridge *bridge, struct seat *seat)
{
    const struct policy *policy = &bridge->options->policy;
    bool is_wanted = count_spares(bridge) < (int)policy->matches_max + paired_max(policy);

    if (!is_wanted || !driver_rest(&seat->driver, bridge->loop.now_ms)) {
        end_seat(bridge, seat, false);
        return;
    }
    seat->is_used = true;
    seat->has_started = false;
    TAILQ_INSERT_TAIL(&bridge->spares, seat, link);
}

/* Hears the spare engines, and starts one if the server may open a match at any time. */
static void run_spares(struct bridge *bridge)
{
    const struct policy *policy = &bridge->options->policy;
    struct seat *seat, *next;
    enum driver_event event;
    struct cause cause;

    for (seat = TAILQ_FIRST(&bridge->spares); seat != NULL; seat = next) {
        next = TAILQ_NEXT(seat, link);
        do
            event = driver_next(&seat->driver, bridge->loop.now_ms);
        while (event != DRIVER_NOTHING && event != DRIVER_HAS_FAILED);
        if (event != DRIVER_HAS_FAILED)
            continue;
        engine_log(bridge->loop.quiet, LOG_WARN, seat->driver.cause.text,
                   "engine=%d without a match failed why=", (int)seat->driver.engine->pid);
        bridge->spare_ms = bridge->loop.now_ms + SPARE_AGAIN_MS;
        TAILQ_REMOVE(&bridge->spares, seat, link);
        end_seat(bridge, seat, true);
    }
    bool is_wanted = paired_max(policy) > 0 && TAILQ_EMPTY(&bridge->spares) &&
                     bot_client_count(&bridge->bot) < (int)policy->matches_max + paired_max(policy);
    if (!is_wanted || bridge->loop.now_ms < bridge->spare_ms || engine_loop_is_to_end())
        return;
    if (start_seat(bridge, NULL, &cause) == NULL) {
        engine_log(bridge->loop.quiet, LOG_WARN, cause.text, "engine not started why=");
        bridge->spare_ms = bridge->loop.now_ms + SPARE_AGAIN_MS;
    }
}

static void end_spares(struct bridge *bridge)
{
    struct seat *seat;

    while ((seat = TAILQ_FIRST(&bridge->spares)) != NULL) {
        TAILQ_REMOVE(&bridge->spares, seat, link);
        end_seat(bridge, seat, false);
    }
}

/* ---- The engines of the matches ---- */

static struct seat *seat_of(const struct bot_match *match)
{
    return match->own;
}

/* The engine of a match. */
static struct driver *driver_of(const struct bot_match *match)
{
    return &seat_of(match)->driver;
}

/* Sets up an engine that is ready for that; others will say when they are. */
static void choose_game(const struct bot_client *bot, const struct bot_match *match)
{
    struct driver *driver = driver_of(match);

    if (driver->state == DRIVER_INTRODUCED || driver->state == DRIVER_READY)
        driver_choose(driver, match->game, &match->start, NULL, bot->now_ms);
}

/* Finds an engine for a match. Those that the server opens, for --seek and --tournament, come on
 * top of --max-matches. */
static const char *start_engine(struct bot_client *bot, struct bot_match *match,
                                struct cause *cause)
{
    struct bridge *bridge = bot->context;
    const struct policy *policy = bot->policy;
    int paired = paired_max(policy);
    int others = bot_client_count(bot) - bot->promised - 1;

    if (match->stage != BOT_CHALLENGED && !policy_has_room(policy, others - paired, cause))
        return "busy";
    if (!game_list_has(&policy->game_list, match->game, &match->start)) {
        cause_set(cause, "--games does not have it");
        return "game";
    }
    if (!dialect_can_play(bridge->dialect, &bridge->profile, match->game, &match->start, cause))
        return "game";
    struct seat *seat = take_spare(bridge, match->id);
    bool is_spare = seat != NULL;
    if (seat == NULL)
        seat = start_seat(bridge, match->id, cause);
    if (seat == NULL)
        return "later";
    match->own = seat;
    engine_log(bridge->loop.quiet, LOG_INFO, NULL, "match=%s engine=%d %s", match->id,
               (int)seat->driver.engine->pid, is_spare ? "taken" : "started");
    choose_game(bot, match);
    return NULL;
}

/* Replaces an engine that has played in another match and fails before it moves in this one: it may
 * be unable to play two. False if that is not so. */
static bool replace_engine(struct bot_client *bot, struct bot_match *match, const char *why)
{
    struct bridge *bridge = bot->context;
    struct seat *seat = seat_of(match), *other;
    struct cause cause;

    if (!seat->is_used || seat->has_started || match->stage == BOT_OVER)
        return false;
    other = start_seat(bridge, match->id, &cause);
    if (other == NULL)
        return false;
    engine_log(bridge->loop.quiet, LOG_WARN, why,
               "match=%s engine=%d replaced by=%d why=", match->id, (int)seat->driver.engine->pid,
               (int)other->driver.engine->pid);
    other->replaces = true;
    end_seat(bridge, seat, true);
    match->own = other;
    return true;
}

/* Asks an idle engine for the move that is due. */
static void ask_engine(struct bot_client *bot, struct bot_match *match)
{
    const struct bridge *bridge = bot->context;
    const struct match_clock *clock = &match->clock;
    struct budget budget = {.clock = clock->known, .movetime_ms = bridge->options->movetime_ms};

    if (!bot_match_waits(match) || driver_of(match)->state != DRIVER_READY)
        return;
    if (clock->known)
        memcpy(budget.left_ms, clock->left_ms, sizeof budget.left_ms);
    if (clock->increment_ms > 0)
        budget.increment_ms[WHITE] = budget.increment_ms[BLACK] = clock->increment_ms;
    driver_think(driver_of(match), &match->course, &budget, bot->now_ms);
}

static void update_engine(struct bot_client *bot, struct bot_match *match, bool changed)
{
    if (match->stage == BOT_PLAYING && changed)
        driver_forget(driver_of(match), bot->now_ms);
    ask_engine(bot, match);
}

static void end_engine(struct bot_client *bot, struct bot_match *match, bool failed)
{
    struct seat *seat = seat_of(match);

    match->own = NULL;
    if (seat != NULL && failed)
        end_seat(bot->context, seat, true);
    else if (seat != NULL)
        keep_seat(bot->context, seat);
}

/* Reads what the engine said of its move: the legal beginning of its line counts. */
static void read_thought(const struct driver *driver, const struct course *course,
                         struct bot_thought *thought)
{
    struct position position = course->position;
    char words[PV_TEXT_MAX], *rest = words;
    const char *word;
    struct cause cause;

    *thought = (struct bot_thought){.has_eval = driver->has_score, .eval_cp = driver->score_cp};
    memcpy(words, driver->pv, sizeof words);
    while (thought->pv_plies < BOT_PV_MAX && (word = strsep(&rest, " ")) != NULL &&
           course->game->legal(&position, NULL) > 0 &&
           move_parse(course->game, &position, word, &thought->pv[thought->pv_plies], &cause))
        course->game->apply(&position, thought->pv[thought->pv_plies++]);
}

/* Notes that the engine can play. Where one that has played before could not, none is kept from now
 * on. */
static void note_start(struct bridge *bridge, struct seat *seat)
{
    seat->has_started = true;
    if (!seat->replaces || bridge->options->program.restarts)
        return;
    engine_log(bridge->loop.quiet, LOG_WARN, NULL,
               "the engine cannot play two matches: each has a new one, as with --restart");
    bridge->options->program.restarts = true;
}

/* Sends the engine's move if it is legal. */
static void play_best(struct bot_client *bot, struct bot_match *match)
{
    const struct course *course = &match->course;
    const char *best = driver_of(match)->best;
    char why[256];
    struct bot_thought thought;
    struct cause cause;
    struct move move;

    if (move_parse(course->game, &course->position, best, &move, &cause)) {
        read_thought(driver_of(match), course, &thought);
        note_start(bot->context, seat_of(match));
        bot_client_move(bot, match, move, &thought);
        return;
    }
    snprintf(why, sizeof why, "bestmove %s: %s", best, cause.text);
    if (!replace_engine(bot, match, why))
        bot_client_give_up(bot, match, why);
}

static void handle_event(struct bot_client *bot, struct bot_match *match, enum driver_event event)
{
    const struct bridge *bridge = bot->context;
    struct driver *driver = driver_of(match);

    if (event == DRIVER_IS_INTRODUCED) {
        choose_game(bot, match);
    } else if (event == DRIVER_IS_READY && match->stage == BOT_CHALLENGED) {
        bot_client_accept(bot, match);
    } else if (event == DRIVER_IS_READY) {
        ask_engine(bot, match);
    } else if (event == DRIVER_HAS_MOVED) {
        play_best(bot, match);
    } else if (event == DRIVER_HAS_RESIGNED) {
        /* The engine is not to blame, and stays until the match is over. */
        engine_log(bridge->loop.quiet, LOG_INFO, NULL, "match=%s engine=%d resigns", match->id,
                   (int)driver->engine->pid);
        bot_client_surrender(bot, match);
    } else if (event == DRIVER_HAS_FAILED) {
        char why[sizeof driver->cause.text];
        snprintf(why, sizeof why, "%s", driver->cause.text); /* the driver goes with the match */
        if (!replace_engine(bot, match, why))
            bot_client_give_up(bot, match, why);
    }
}

/* Hears all engines. */
static void run_engines(struct bot_client *bot)
{
    enum driver_event event;
    struct bot_match *match;

    TAILQ_FOREACH (match, &bot->matches, link)
        while (match->own != NULL && match->stage != BOT_OVER &&
               (event = driver_next(driver_of(match), bot->now_ms)) != DRIVER_NOTHING)
            handle_event(bot, match, event);
    run_spares(bot->context);
}

static bool wait_for_engines(struct bot_client *bot, int fd, int64_t due_ms)
{
    struct bridge *bridge = bot->context;
    const struct bot_match *match;
    const struct seat *seat;

    TAILQ_FOREACH (match, &bot->matches, link)
        if (match->own != NULL)
            due_ms = sooner_ms(due_ms, driver_of(match)->deadline_ms);
    TAILQ_FOREACH (seat, &bridge->spares, link)
        due_ms = sooner_ms(due_ms, seat->driver.deadline_ms);
    if (bridge->spare_ms > bot->now_ms)
        due_ms = sooner_ms(due_ms, bridge->spare_ms);
    return engine_loop_wait(&bridge->loop, fd, due_ms);
}

/* ---- What people hear ---- */

/* Scripts wait for the line that says who plays where. It has the token if that could not be kept.
 */
static void announce_player(struct bridge *bridge, const char *why_not_kept)
{
    const struct uplink *uplink = &bridge->bot.uplink;

    engine_log(bridge->loop.quiet, LOG_INFO, uplink->servers.at,
               "connected name=%s at=", uplink->hello.name);
    if (bridge->announced && (why_not_kept == NULL || !uplink->new_token))
        return;
    printf("ludus-bridge: %s plays at %s", uplink->hello.name, uplink->address);
    if (why_not_kept != NULL) {
        engine_log(bridge->loop.quiet, LOG_WARN, why_not_kept, "token not kept why=");
        printf(", token %s", uplink->hello.token);
    }
    putchar('\n');
    fflush(stdout);
    bridge->announced = true;
}

static void report_event(struct bot_client *bot, const struct bot_news *news)
{
    struct bridge *bridge = bot->context;
    const char *id = news->match, *text = news->text, *command = news->command;
    const struct bot_match *match = id != NULL ? bot_match_find(&bot->matches, id) : NULL;
    bool quiet = bridge->loop.quiet;
    size_t length;

    switch (news->event) {
    case BOT_NOT_CONNECTED:
        engine_log(quiet, LOG_WARN, text, "not connected retry_s=%ld why=", bot->account->retry_s);
        break;
    case BOT_CONNECTED:
        announce_player(bridge, text);
        break;
    case BOT_LOST_CONNECTION:
        engine_log(quiet, LOG_WARN, bot->uplink.bye,
                   "connection lost retry_s=%ld bye=", bot->account->retry_s);
        break;
    case BOT_WAITS:
        engine_log(quiet, LOG_WARN, text, "refused, trying again why=");
        break;
    case BOT_REFUSED:
        engine_log(quiet, LOG_INFO, text,
                   "refused cmd=%s why=", match_id_is_valid(command) ? command : "?");
        break;
    case BOT_STATE_FAULTY:
        engine_log(quiet, LOG_WARN, text, "state refused why=");
        break;
    case BOT_DECLINES:
        engine_log(quiet, LOG_INFO, text, "match=%s declined why=", id);
        break;
    case BOT_DECLINES_REMATCH:
        engine_log(quiet, LOG_INFO, text, "match=%s rematch declined why=", id);
        break;
    case BOT_ENDS:
        length = strcspn(text, " \"");
        engine_log(quiet, LOG_INFO, strchr(text, ' ') + 1, "match=%s over result=%.*s reason=", id,
                   text[length] == ' ' ? (int)length : 1, text[length] == ' ' ? text : "?");
        break;
    case BOT_SEAT_FREED:
        engine_log(quiet, LOG_WARN, NULL, "match=%s lost: the seat was freed", id);
        break;
    case BOT_ABORTS:
        engine_log(quiet, LOG_INFO, NULL, "match=%s aborting: no first move", id);
        break;
    case BOT_CLAIMS:
        engine_log(quiet, LOG_INFO, NULL, "match=%s claiming: the opponent is gone or silent", id);
        break;
    case BOT_LOST_MATCH:
        engine_log(quiet, LOG_WARN, text, "match=%s lost why=", id);
        break;
    case BOT_TURNS_AWAY:
        engine_log(quiet, LOG_WARN, text, "match=%s turned away answer=%s why=", id, command);
        break;
    case BOT_GIVES_UP:
    case BOT_MOVE_ILLEGAL:
        engine_log(quiet, LOG_WARN, text, "match=%s engine=%d failed answer=%s why=", id,
                   (int)driver_of(match)->engine->pid, command);
        break;
    case BOT_BEGINS:
        break;
    }
}

static const struct bot_mind mind = {.noun = "the bridge",
                                     .asks_for_record = true,
                                     .begin = start_engine,
                                     .update = update_engine,
                                     .end = end_engine,
                                     .wait = wait_for_engines,
                                     .run = run_engines,
                                     .report = report_event};

/* ---- The program ---- */

/* Runs the first engine, to learn what it can do before the player appears at the server. */
static bool try_engine(struct bridge *bridge, struct cause *cause)
{
    enum driver_event event = DRIVER_NOTHING;

    bridge->dialect = bridge->options->dialect;
    struct seat *seat = start_seat(bridge, NULL, cause);
    if (seat == NULL)
        return false;
    struct driver *probe = &seat->driver;
    while (event == DRIVER_NOTHING && !engine_loop_is_to_end()) {
        engine_loop_wait(&bridge->loop, -1, probe->deadline_ms);
        event = driver_next(probe, bridge->loop.now_ms);
    }
    if (event == DRIVER_HAS_FAILED) {
        probe->engine->failed = true;
        return cause_set(cause, "%.60s: %.130s", bridge->options->program.command[0],
                         probe->cause.text);
    }
    if (event == DRIVER_NOTHING)
        return true;
    engine_log(bridge->loop.quiet, LOG_INFO, probe->profile.name,
               "engine dialect=%s name=", probe->dialect->name);
    bridge->dialect = probe->dialect;
    bridge->profile = probe->profile;
    bridge->options->program.trace.is_optional = true; /* matches count more than their logs */
    const struct game_list *list = &bridge->options->policy.game_list;
    for (int i = 0; i < list->count; i++)
        if (!dialect_can_play(bridge->dialect, &bridge->profile, list->items[i].game,
                              &list->items[i].start, cause))
            return false;
    return true;
}

int main(int argc, char *argv[])
{
    struct bridge_options options;
    struct bridge bridge = {
        .options = &options,
        .bot = {.mind = &mind, .account = &options.account, .policy = &options.policy}};
    struct cause cause;

    link_use_xmalloc();
    int status = read_options(&options, argc, argv);
    if (status == OPTIONS_RUN) {
        bridge.bot.context = &bridge;
        TAILQ_INIT(&bridge.spares);
        bool good = engine_loop_open(&bridge.loop, options.program.quiet) ||
                    cause_set(&cause, "%s", strerror(errno));
        good = good && try_engine(&bridge, &cause);
        if (good && !engine_loop_is_to_end())
            good = account_set_up(&options.account, &bridge.bot.uplink,
                                  "ludus-bridge/" LUDUS_VERSION, &cause) &&
                   bot_client_run(&bridge.bot, &cause);
        end_spares(&bridge);
        engine_loop_close(&bridge.loop); /* ends all engines, by force if necessary */
        status = good ? 0 : 1;
        if (!good)
            fprintf(stderr, "ludus-bridge: %s\n", cause.text);
    }
    account_release(&options.account);
    free(options.command_words);
    return usage_end("ludus-bridge", status);
}
