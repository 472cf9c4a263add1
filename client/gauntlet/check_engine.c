/*
 * `ludus-bot check`: whether an engine can be relied on. It is driven as in matches (driver.h)
 * through random positions, and as a script would do it, line by line: it is stopped, asked in the
 * middle of a thought, told nonsense, and told to quit.
 *
 * Each check prints a line. The engine is started anew for those that end it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/bot/bot.h"
#include "client/engine/driver.h"
#include "common/move.h"
#include "common/rng.h"
#include "common/xmalloc.h"
#include "plan.h"

enum {
    POSITIONS = 24,
    PLIES_MAX = 40,
    MOVETIME_MS = 50,
    LATE_MS = 1000,   /* beyond the time of a move */
    PROMPT_MS = 2000, /* for an answer that takes no thought */
    THOUGHT_MS = 300, /* in which a search without limits must not answer */
    END_MS = 5000,    /* for the process to end */
    LONG_LINE = 8000
};

struct check_options {
    const struct game *game;
    struct position start;
    const struct dialect *dialect; /* NULL: found out */
    struct engine_program program;
};

struct checker {
    const struct check_options *options;
    struct engine_loop loop;
    struct driver driver;
    bool runs; /* the driver has an engine, set up for the game */
    uint64_t rng;
    int done, failed;
};

/* Prints the result of a check. Returns `good`. */
__attribute__((format(printf, 4, 5))) static bool report(struct checker *c, bool good,
                                                         const char *name, const char *format, ...)
{
    va_list args;

    printf("%-4s  %-10s  ", good ? "ok" : "BAD", name);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    c->done++;
    c->failed += !good;
    return good;
}

/* ---- The engine as in a match ---- */

/* Waits for the driver's next event. A failed one tells DRIVER_HAS_FAILED. */
static enum driver_event next_event(struct checker *c)
{
    enum driver_event event;

    while ((event = driver_next(&c->driver, clock_ms())) == DRIVER_NOTHING &&
           !engine_loop_is_to_end())
        engine_loop_wait(&c->loop, -1, c->driver.deadline_ms);
    return event;
}

static void end_engine(struct checker *c)
{
    if (c->driver.engine != NULL)
        driver_end(&c->driver, true, clock_ms());
    engine_loop_wait(&c->loop, -1, 0);
    c->runs = false;
}

/* Starts the engine and sets it up for the game. False with the cause. */
static bool start_engine(struct checker *c, struct cause *cause)
{
    const struct check_options *options = c->options;

    end_engine(c);
    if (!driver_start(&c->driver, &options->program, "check", options->dialect, &c->loop.engines,
                      clock_ms(), cause))
        return false;
    if (next_event(c) == DRIVER_IS_INTRODUCED) {
        driver_choose(&c->driver, options->game, &options->start, NULL, clock_ms());
        c->runs = next_event(c) == DRIVER_IS_READY;
    }
    return c->runs || cause_set(cause, "%s", c->driver.cause.text);
}

/* Plays some plies at random from the start. Returns whether the game goes on. */
static bool play_at_random(struct checker *c, struct course *course)
{
    struct move moves[MOVES_MAX];
    int plies = rng_below(&c->rng, PLIES_MAX + 1);

    course_begin(course, c->options->game, &c->options->start, 0);
    for (int i = 0; i < plies; i++) {
        int count = course->game->legal(&course->position, moves);
        struct position before = course->position;
        struct move move = moves[rng_below(&c->rng, count > 0 ? count : 1)];
        if (count == 0)
            break;
        course_play(course, move);
        if (course->game->legal(&course->position, NULL) == 0) { /* stay before the end */
            course->position = before;
            course->count--;
            break;
        }
    }
    return course->game->legal(&course->position, NULL) > 0;
}

/* Asks for a move in many positions, with all kinds of limits. */
static void check_positions(struct checker *c)
{
    struct course *course = xcalloc(1, sizeof *course);
    char text[POSITION_TEXT_MAX];
    struct cause cause;
    struct move move;
    int asked = 0;
    bool good = true;

    for (int i = 0; i < POSITIONS && good; i++) {
        struct budget budget = {.movetime_ms = MOVETIME_MS};
        if (i % 3 == 1)
            budget = (struct budget){.nodes = 500, .movetime_ms = END_MS};
        if (i % 3 == 2)
            budget =
                (struct budget){.clock = true, .left_ms = {2000, 2000}, .increment_ms = {10, 10}};
        if (!play_at_random(c, course))
            continue;
        int64_t asked_ms = clock_ms();
        asked++;
        driver_think(&c->driver, course, &budget, asked_ms);
        enum driver_event event = next_event(c);
        int64_t took_ms = clock_ms() - asked_ms;
        int64_t most_ms = budget.clock ? 2000 : budget.movetime_ms + LATE_MS;
        course->game->format(&course->position, text);
        if (event == DRIVER_HAS_RESIGNED)
            continue;
        if (event != DRIVER_HAS_MOVED)
            good = report(c, false, "positions", "%s: %s", text, c->driver.cause.text);
        else if (!move_parse(course->game, &course->position, c->driver.best, &move, &cause))
            good = report(c, false, "positions", "%s: bestmove %s: %s", text, c->driver.best,
                          cause.text);
        else if (took_ms > most_ms)
            good =
                report(c, false, "positions", "%s: %lld ms for a move", text, (long long)took_ms);
    }
    if (good)
        report(c, true, "positions", "legal moves in time in %d positions", asked);
    free(course);
}

/* ---- The engine line by line ---- */

static bool send_text(struct checker *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool send_text(struct checker *c, const char *format, ...)
{
    struct cause cause;
    va_list args;

    va_start(args, format);
    bool sent = process_vsend(c->driver.engine, &cause, format, args);
    va_end(args);
    return sent;
}

/* Returns the next line that begins with `start`, within wait_ms; NULL if there is none. */
static const char *await_line(struct checker *c, const char *start, int wait_ms)
{
    struct process *engine = c->driver.engine;
    int64_t until_ms = clock_ms() + wait_ms;
    const char *line;

    for (;;) {
        while ((line = process_next_line(engine)) != NULL)
            if (strncmp(line, start, strlen(start)) == 0)
                return line;
        if (engine->ended || clock_ms() >= until_ms || engine_loop_is_to_end())
            return NULL;
        engine_loop_wait(&c->loop, -1, until_ms);
        if (engine->ready && !process_read(engine))
            engine->ended = true;
        engine->ready = false;
    }
}

static bool is_alive(struct checker *c)
{
    return send_text(c, "isready") && await_line(c, "readyok", PROMPT_MS) != NULL;
}

static bool send_start(struct checker *c)
{
    char text[POSITION_TEXT_MAX];

    c->options->game->format(&c->options->start, text);
    return send_text(c, "position fen %s%s", text, c->driver.dialect->fen_tail);
}

/* Whether the answer is one legal move in the start position. */
static bool is_legal_best(struct checker *c, const char *line)
{
    struct cause cause;
    struct move move;
    char word[BEST_MAX] = "";

    return line != NULL && sscanf(line, "bestmove %31s", word) == 1 &&
           move_parse(c->options->game, &c->options->start, word, &move, &cause);
}

/* What is wrong with the line of an option, or NULL. Notes its name and default. */
static const char *option_fault_of(const char *line, char name[64], char value[64])
{
    const char *type = strstr(line, " type "), *at = strstr(line, " default ");
    long min = 0, max = 0, number = 0;
    char kind[16] = "", of[80];

    name[0] = value[0] = '\0';
    if (strncmp(line, "option name ", 12) != 0 || type == NULL ||
        sscanf(type, " type %15s", kind) != 1)
        return "not `option name NAME type TYPE`";
    snprintf(name, 64, "%.*s", (int)(type - line - 12), line + 12);
    if (at != NULL)
        sscanf(at, " default %63s", value);
    if (strcmp(kind, "spin") == 0) {
        bool good = strstr(line, " min ") != NULL && strstr(line, " max ") != NULL &&
                    sscanf(strstr(line, " min "), " min %ld", &min) == 1 &&
                    sscanf(strstr(line, " max "), " max %ld", &max) == 1 &&
                    sscanf(value, "%ld", &number) == 1;
        return good && min <= number && number <= max ? NULL : "its default is not from min to max";
    }
    snprintf(of, sizeof of, " var %s", value);
    if (strcmp(kind, "combo") == 0)
        return strstr(line, of) != NULL ? NULL : "its default is not one of its values";
    if (strcmp(kind, "check") == 0)
        return strcmp(value, "true") == 0 || strcmp(value, "false") == 0
                   ? NULL
                   : "its default is not true or false";
    return strcmp(kind, "string") == 0 || strcmp(kind, "button") == 0 ? NULL : "of an unknown type";
}

/* Greets the engine again and sets each option to its default. */
static void check_options(struct checker *c)
{
    const char *greeted = c->driver.dialect->greeted, *line;
    char name[64], value[64], lines[64][160];
    int count = 0;
    bool good = true;

    send_text(c, "%s", c->driver.dialect->greeting);
    while ((line = await_line(c, "", PROMPT_MS)) != NULL && strcmp(line, greeted) != 0)
        if (strncmp(line, "option", 6) == 0 && count < 64)
            snprintf(lines[count++], sizeof lines[0], "%s", line);
    if (line == NULL)
        good = report(c, false, "options", "no %s when it is greeted again", greeted);
    for (int i = 0; i < count && good; i++) {
        const char *fault = option_fault_of(lines[i], name, value);
        if (fault != NULL)
            good = report(c, false, "options", "%.90s: %s", lines[i], fault);
        else if (value[0] != '\0' && strcmp(name, "Game") != 0 &&
                 !(send_text(c, "setoption name %s value %s", name, value) && is_alive(c)))
            good = report(c, false, "options", "no readyok after %s is set to %s", name, value);
    }
    if (good)
        report(c, true, "options", "%d, with defaults that it takes", count);
}

static void check_stop(struct checker *c)
{
    send_start(c);
    send_text(c, "go infinite");
    bool early = await_line(c, "bestmove", THOUGHT_MS) != NULL;
    bool ready = is_alive(c);
    int64_t begun_ms = clock_ms();

    send_text(c, "stop");
    const char *line = early ? NULL : await_line(c, "bestmove", PROMPT_MS);
    if (early)
        report(c, false, "stop", "bestmove before stop, after go infinite");
    else if (line == NULL)
        report(c, false, "stop", "no bestmove within %d ms after stop", PROMPT_MS);
    else if (!is_legal_best(c, line))
        report(c, false, "stop", "%.80s: not a legal move", line);
    else
        report(c, true, "stop", "bestmove %lld ms after stop", (long long)(clock_ms() - begun_ms));
    report(c, ready, "isready", "%s",
           ready ? "answered in the middle of a thought" : "no readyok in the middle of a thought");
    send_text(c, "stop");
    bool twice = await_line(c, "bestmove", THOUGHT_MS) != NULL;
    report(c, !twice, "once", "%s",
           twice ? "a second bestmove, after a stop without a search" : "each go has one bestmove");
}

static void check_limits(struct checker *c)
{
    static const char *const limits[] = {"depth 1", "nodes 1", "movetime 1", "movetime 0"};
    bool good = true;

    for (size_t i = 0; i < sizeof limits / sizeof limits[0] && good; i++) {
        send_start(c);
        send_text(c, "go %s", limits[i]);
        if (!is_legal_best(c, await_line(c, "bestmove", PROMPT_MS)))
            good = report(c, false, "limits", "go %s: no legal bestmove within %d ms", limits[i],
                          PROMPT_MS);
    }
    if (good)
        report(c, true, "limits", "depth, nodes and movetime, the least of each");
}

/* UGI only. */
static void check_queries(struct checker *c)
{
    static const char *const queries[][2] = {
        {"gameover", "response false"}, {"p1turn", "response "}, {"result", "response none"}};
    bool good = true;

    send_start(c);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0] && good; i++) {
        send_text(c, "query %s", queries[i][0]);
        if (await_line(c, queries[i][1], PROMPT_MS) == NULL)
            good = report(c, false, "query", "query %s: no %s", queries[i][0], queries[i][1]);
    }
    if (good)
        report(c, true, "query", "gameover, p1turn and result");
}

/* What a broken or newer program may send: the engine goes on. */
static void check_odd_input(struct checker *c)
{
    static const char *const lines[] = {"",
                                        "   ",
                                        "xyzzy",
                                        "go nowhere",
                                        "position",
                                        "position fen ////",
                                        "position startpos moves",
                                        "position startpos moves z9z9",
                                        "setoption",
                                        "setoption name Nonsense value 1",
                                        "setoption name Hash value x",
                                        "\xff\xfe",
                                        "isready isready",
                                        "stop",
                                        "position fen"};
    char *flood = xmalloc(LONG_LINE + 1);
    bool good = true;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0] && good; i++) {
        good = send_text(c, "%s", lines[i]) && (send_text(c, "stop"), is_alive(c));
        if (!good)
            report(c, false, "odd input", "no readyok after '%s'", lines[i]);
    }
    memset(flood, 'x', LONG_LINE);
    flood[LONG_LINE] = '\0';
    if (good && !(send_text(c, "position %s", flood) && is_alive(c)))
        good = report(c, false, "odd input", "no readyok after a line of %d bytes", LONG_LINE);
    free(flood);
    send_text(c, "%s", c->driver.dialect->newgame);
    send_start(c);
    send_text(c, "go movetime %d", MOVETIME_MS);
    if (good && !is_legal_best(c, await_line(c, "bestmove", MOVETIME_MS + PROMPT_MS)))
        good = report(c, false, "odd input", "no legal move in a new game after it");
    if (good)
        report(c, true, "odd input", "passed over, and it plays on");
}

/* Waits for the process to end. False: it did not. */
static bool await_exit(const struct process *engine, siginfo_t *info)
{
    for (int64_t until_ms = clock_ms() + END_MS; clock_ms() < until_ms; usleep(2000)) {
        *info = (siginfo_t){.si_pid = 0};
        if (waitid(P_PID, (id_t)engine->pid, info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info->si_pid != 0)
            return true;
    }
    return false;
}

/* Reports how the engine ended, whose last command was `how`. */
static void check_end(struct checker *c, const char *name, const char *how)
{
    siginfo_t info;

    if (!await_exit(c->driver.engine, &info))
        report(c, false, name, "it runs on %d ms after %s", END_MS, how);
    else if (info.si_code != CLD_EXITED)
        report(c, false, name, "it crashes after %s: %s", how, strsignal(info.si_status));
    else
        report(c, info.si_status == 0, name, "status %d after %s", info.si_status, how);
    end_engine(c);
}

/* Starts the engine again for a check that ends it. */
static bool restart(struct checker *c, const char *name)
{
    struct cause cause;

    return start_engine(c, &cause) || report(c, false, name, "it cannot start: %s", cause.text);
}

static void check_ends(struct checker *c)
{
    bool is_gtp = c->driver.dialect == &gtp;

    send_text(c, "quit");
    check_end(c, "quit", "quit");
    if (!is_gtp && restart(c, "quit")) {
        send_start(c);
        send_text(c, "go infinite");
        await_line(c, "bestmove", THOUGHT_MS);
        send_text(c, "quit");
        check_end(c, "quit", "quit in the middle of a thought");
    }
    if (restart(c, "end")) {
        close(c->driver.engine->in);
        c->driver.engine->in = -1;
        check_end(c, "end", "the end of its input");
    }
}

/* ---- All ---- */

static void check_all(struct checker *c)
{
    struct cause cause;

    if (!start_engine(c, &cause)) {
        report(c, false, "start", "%s", cause.text);
        return;
    }
    report(c, true, "start", "%s speaks %s and plays %s",
           c->driver.profile.name[0] != '\0' ? c->driver.profile.name : "it",
           c->driver.dialect->name, c->options->game->name);
    report(c, c->driver.profile.name[0] != '\0', "name", "%s",
           c->driver.profile.name[0] != '\0' ? "it says its name" : "no id name");
    check_positions(c);
    if (c->driver.state != DRIVER_READY && !restart(c, "start"))
        return;
    if (c->driver.dialect != &gtp) {
        check_options(c);
        if (!restart(c, "start"))
            return;
        check_limits(c);
        check_stop(c);
        if (c->driver.dialect == &ugi)
            check_queries(c);
        check_odd_input(c);
        if (!is_alive(c) && !restart(c, "start"))
            return;
    }
    check_ends(c);
}

static bool read_game(void *context, const struct option_input *input, struct cause *cause)
{
    struct check_options *options = context;

    options->game = game_open(input->value, &options->start, NULL, cause);
    return options->game != NULL;
}

static bool read_protocol(void *context, const struct option_input *input, struct cause *cause)
{
    struct check_options *options = context;

    options->dialect = dialect_find(input->value);
    return options->dialect != NULL || strcmp(input->value, "auto") == 0 ||
           cause_set(cause, "'%.80s' is not ugi, uci, gtp or auto", input->value);
}

static bool read_engine_option(void *context, const struct option_input *input, struct cause *cause)
{
    return program_add_option(&((struct check_options *)context)->program, input->value, cause);
}

static bool read_engine_log(void *context, const struct option_input *input, struct cause *cause)
{
    return trace_plan_read(&((struct check_options *)context)->program.trace, input->value, cause);
}

const struct option_row check_rows[] = {
    {OPTION("game", "GAME[:VARIANT]", "the game"), .read = read_game, .standard = "clobber:5x6"},
    {OPTION("protocol", "NAME", "ugi, uci, gtp or auto"), .read = read_protocol,
     .standard = "auto"},
    STARTUP_ROW(check_options, program.startup_s),
    {OPTION("option", "NAME=VALUE", "set an option of the engine; may be repeated"),
     .read = read_engine_option, .repeats = true},
    {OPTION("engine-log", "FILE", "log what it reads and writes to FILE.check"),
     .read = read_engine_log},
    OPTIONS_LAST_ROWS,
};

static const char help[] =
    "Checks an engine: that it starts, takes options, makes legal moves in time, can be\n"
    "stopped, asked, told nonsense, and told to quit. ENGINE is a command, as one argument\n"
    "or as several behind `--`. Prints a line for each check. The status is 0 if all is\n"
    "good, 1 if something is bad, 2 for wrong usage.";

/* Runs the checks and returns the exit status. */
static int run_checks(const struct check_options *options)
{
    struct checker *c = xcalloc(1, sizeof *c);

    c->options = options;
    c->rng = 1;
    if (!engine_loop_open(&c->loop, true)) {
        bot_error("signals", "%s", strerror(errno));
        return EXIT_FAILURE;
    }
    check_all(c);
    end_engine(c);
    engine_loop_close(&c->loop);
    printf("%s: %d of %d checks passed\n", c->failed == 0 ? "good" : "bad", c->done - c->failed,
           c->done);
    int status = c->failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    free(c);
    return status;
}

int check_main(const struct usage_command *command, int argc, char **argv)
{
    struct check_options options = {.program.quiet = true};
    char *words[COMMAND_WORDS_MAX + 1], *text = NULL;
    struct cause cause;
    int status = options_read("ludus-bot", check_rows, OPTIONS_FIRST, argc, argv, &options);

    if (status == OPTIONS_HELP) {
        usage_print_command("ludus-bot", command, help);
        return 0;
    }
    if (status != OPTIONS_RUN)
        return status;
    options.program.command = argv + optind;
    if (argc - optind == 1) {
        text = xstrdup(argv[optind]);
        options.program.command = words;
        if (!command_split(text, words, COMMAND_WORDS_MAX, &cause)) {
            bot_error("ENGINE", "'%.80s': %s", argv[optind], cause.text);
            free(text);
            return EXIT_USAGE;
        }
    } else if (argc == optind) {
        bot_error("check", "no engine: see --help");
        return EXIT_USAGE;
    }
    status = run_checks(&options);
    free(text);
    return status;
}
