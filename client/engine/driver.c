#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/text.h"
#include "dialect.h"

enum {
    OPTION_BYTES_MAX = 1000,
    UGI_WAIT_MS = 1500,    /* for ugiok, before uci is tried */
    MOVE_MARGIN_MS = 1000, /* beyond the time for a move, before `stop` */
    STOP_WAIT_MS = 5000    /* for bestmove after `stop` */
};

/* An engine that writes so much between two lines to it floods. */
static const uint64_t flood_bytes = 64 << 20;

bool program_add_option(struct engine_program *program, const char *option, struct cause *cause)
{
    if (option[0] == '=' || strchr(option, '=') == NULL || strlen(option) > OPTION_BYTES_MAX)
        return cause_set(cause, "'%.80s' is not NAME=VALUE", option);
    if (program->engine_option_count == ENGINE_OPTIONS_MAX)
        return cause_set(cause, "at most %d", ENGINE_OPTIONS_MAX);
    program->engine_options[program->engine_option_count++] = option;
    return true;
}

static void fail_driver(struct driver *driver, const char *why)
{
    bool greets = driver->state == DRIVER_GREETING;

    if (driver->state == DRIVER_FAILED)
        return;
    driver->state = DRIVER_FAILED;
    driver->deadline_ms = INT64_MAX;
    if (greets && dialect_guess(driver->said) != NULL)
        cause_set(&driver->cause, "%.80s: %s", why, dialect_guess(driver->said));
    else if (greets && driver->said[0] != '\0')
        cause_set(&driver->cause, "%.80s; it said: %.90s", why, driver->said);
    else if (driver->complaint.text[0] != '\0')
        cause_set(&driver->cause, "%.90s (the engine: %.90s)", why, driver->complaint.text);
    else
        cause_set(&driver->cause, "%s", why);
}

__attribute__((format(printf, 2, 3))) static void send_line(struct driver *driver,
                                                            const char *format, ...)
{
    struct cause cause;
    va_list args;

    if (driver->state == DRIVER_FAILED)
        return;
    va_start(args, format);
    bool sent = process_vsend(driver->engine, &cause, format, args);
    va_end(args);
    /* An engine that ends while it is greeted may say why: its output is read first. */
    if (!sent && driver->state != DRIVER_GREETING)
        fail_driver(driver, cause.text);
}

static void enter_state(struct driver *driver, enum driver_state state, int64_t deadline_ms)
{
    if (driver->state == DRIVER_FAILED)
        return;
    driver->state = state;
    driver->deadline_ms = deadline_ms;
}

/* How long to wait for ugiok, uciok and readyok. */
static int64_t startup_ms(const struct driver *driver)
{
    long seconds = driver->program->startup_s;

    return (seconds > 0 ? seconds : STARTUP_S) * 1000LL;
}

/* Greets an engine. One that does not know UGI may know UCI, which lets it ignore what it does not
 * know, so that it has less time to answer. */
static void greet_in(struct driver *driver, const struct dialect *dialect, int64_t now_ms)
{
    bool may_be_other = driver->dialect == NULL && dialect == &ugi;

    driver->greeted_in = dialect;
    send_line(driver, "%s", dialect->greeting);
    enter_state(driver, DRIVER_GREETING,
                now_ms + (may_be_other ? UGI_WAIT_MS : startup_ms(driver)));
}

static struct process_setup setup_of(const struct engine_program *program, const char *match)
{
    return (struct process_setup){.command = program->command,
                                  .folder = program->folder,
                                  .match = match,
                                  .trace = program->trace,
                                  .memory_mb = program->memory_mb,
                                  .quiet = program->quiet};
}

bool driver_start(struct driver *driver, const struct engine_program *program, const char *match,
                  const struct dialect *dialect, struct process_list *engines, int64_t now_ms,
                  struct cause *cause)
{
    struct process_setup setup = setup_of(program, match);

    *driver = (struct driver){.program = program, .dialect = dialect};
    driver->engine = process_start(engines, &setup, cause);
    if (driver->engine == NULL)
        return false;
    greet_in(driver, dialect != NULL ? dialect : &ugi, now_ms);
    return true;
}

/* Sends NAME=VALUE in the words of the dialect. */
static void send_option(struct driver *driver, const char *option)
{
    const char *const *words = driver->dialect->option_words;
    size_t name = strcspn(option, "=");

    send_line(driver, "%s%.*s%s%s", words[0], (int)name, option, words[1], option + name + 1);
}

static void send_options(struct driver *driver, int64_t now_ms)
{
    const struct engine_program *program = driver->program;

    driver->complaint.text[0] = '\0'; /* drops one about the greeting of another dialect */
    for (int i = 0; i < program->engine_option_count; i++)
        send_option(driver, program->engine_options[i]);
    send_line(driver, "%s", driver->dialect->ready);
    enter_state(driver, DRIVER_OPTIONS, now_ms + startup_ms(driver));
}

/* Whether the engine refuses a greeting, as most do with an unknown command. */
static bool is_refusal(const char *line, const struct dialect *dialect)
{
    size_t length = strlen(line), name = strlen(dialect->name);

    return dialect_guess(line) != NULL && length > name &&
           strcasecmp(line + length - name, dialect->name) == 0;
}

static enum driver_event hear_greeting(struct driver *driver, const char *line, int64_t now_ms)
{
    if (line[0] != '\0')
        snprintf(driver->said, sizeof driver->said, "%s", line);
    profile_note(&driver->profile, line);
    bool is_known = driver->dialect != NULL;
    for (const struct dialect *const *dialect = all_dialects; *dialect != NULL; dialect++) {
        if (strcmp(line, (*dialect)->greeted) != 0 || (is_known && *dialect != driver->dialect))
            continue;
        driver->dialect = *dialect;
        send_options(driver, now_ms);
        return DRIVER_NOTHING;
    }
    if (!is_known) {
        /* Greet an engine of an unknown dialect in the next one, if it has answered the last
         * greeting in a way that tells. */
        if (line[0] == '?' && driver->greeted_in != &gtp)
            greet_in(driver, &gtp, now_ms);
        else if (driver->greeted_in == &ugi && strstr(line, "nknown command") != NULL)
            greet_in(driver, &uci, now_ms);
        else if (driver->greeted_in == &uci && is_refusal(line, &uci))
            fail_driver(driver, "the engine does not answer");
    }
    return DRIVER_NOTHING;
}

void driver_choose(struct driver *driver, const struct game *game, const struct position *start,
                   const char *option, int64_t now_ms)
{
    char lines[SETUP_LINES_MAX];
    struct cause cause;

    driver->complaint.text[0] = '\0'; /* drops those of another match */
    driver->setup = (struct setup){.game = game, .start = *start};
    if (!dialect_can_play(driver->dialect, &driver->profile, game, start, &cause) ||
        !driver->dialect->choose(&driver->profile, &driver->setup, lines, &cause)) {
        fail_driver(driver, cause.text);
        return;
    }
    if (lines[0] != '\0')
        send_line(driver, "%s", lines);
    if (option != NULL)
        send_option(driver, option);
    send_line(driver, "%s", driver->dialect->newgame);
    send_line(driver, "%s", driver->dialect->ready);
    enter_state(driver, DRIVER_CHOOSING, now_ms + startup_ms(driver));
}

void driver_enter(struct driver *driver, const char *match)
{
    struct process_setup setup = setup_of(driver->program, match);

    process_enter(driver->engine, &setup);
}

bool driver_is_free(const struct driver *driver)
{
    return driver->state <= DRIVER_INTRODUCED || driver->state == DRIVER_READY;
}

static enum driver_event hear_choice(struct driver *driver, const char *line)
{
    struct setup *setup = &driver->setup;

    if (setup->awaits_confirmation &&
        strncmp(line, setup->confirmation, strlen(setup->confirmation)) == 0)
        setup->awaits_confirmation = false;
    if (strcmp(line, "readyok") != 0)
        return DRIVER_NOTHING;
    setup_release(setup);
    if (setup->awaits_confirmation || driver->complaint.text[0] != '\0') {
        fail_driver(driver, "the engine refuses the game");
        return DRIVER_HAS_FAILED;
    }
    enter_state(driver, DRIVER_READY, INT64_MAX);
    return DRIVER_IS_READY;
}

void driver_think(struct driver *driver, const struct course *course, const struct budget *budget,
                  int64_t now_ms)
{
    int64_t left_ms = budget->left_ms[course->position.side];
    int64_t time_ms = !budget->clock ? budget->movetime_ms : left_ms > 1 ? left_ms : 1;
    struct buffer lines = {0};
    struct cause cause;

    driver->complaint.text[0] = '\0';
    driver->has_score = false;
    driver->depth_plies = 0;
    driver->pv[0] = '\0';
    if (driver->dialect->ask(driver->dialect, &driver->profile, &driver->setup, course, budget,
                             &lines, &cause))
        send_line(driver, "%s", lines.bytes);
    else
        fail_driver(driver, cause.text);
    buffer_release(&lines);
    enter_state(driver, DRIVER_THINKING, now_ms + time_ms + MOVE_MARGIN_MS);
}

static void stop_thinking(struct driver *driver, bool wanted, int64_t now_ms)
{
    driver->wanted = wanted;
    if (driver->dialect->stop != NULL)
        send_line(driver, "%s", driver->dialect->stop);
    else if (!wanted && driver->deadline_ms > now_ms)
        now_ms = driver->deadline_ms;
    enter_state(driver, DRIVER_STOPPING, now_ms + STOP_WAIT_MS);
}

void driver_forget(struct driver *driver, int64_t now_ms)
{
    if (driver->state == DRIVER_THINKING)
        stop_thinking(driver, false, now_ms);
    else if (driver->state == DRIVER_STOPPING)
        driver->wanted = false;
}

bool driver_rest(struct driver *driver, int64_t now_ms)
{
    const struct engine_program *program = driver->program;
    uint64_t half = (uint64_t)program->memory_mb << 19;

    driver_forget(driver, now_ms);
    bool is_set_up = driver->state == DRIVER_READY || driver->state == DRIVER_STOPPING;
    if (!is_set_up || program->restarts || driver->ended ||
        (half > 0 && process_memory(driver->engine) > half))
        return false;
    process_leave(driver->engine);
    return true;
}

/* Notes the value in `info ... score cp N` or `score mate N`, of the best line. */
static void hear_score(struct driver *driver, const char *line)
{
    const char *score = strstr(line, " score "), *rank = strstr(line, " multipv ");
    char kind[8];
    long value;

    if (strncmp(line, "info string", 11) == 0 || (rank != NULL && strtol(rank + 9, NULL, 10) > 1))
        return;
    const char *depth = strstr(line, " depth "), *pv = strstr(line, " pv ");
    if (pv != NULL)
        snprintf(driver->pv, sizeof driver->pv, "%s", pv + 4);
    if (depth != NULL && sscanf(depth, " depth %5ld", &value) == 1 && value > 0)
        driver->depth_plies = (int)value;
    if (score == NULL || sscanf(score, " score %7s %9ld", kind, &value) != 2)
        return;
    if (strcmp(kind, "mate") == 0)
        value = value > 0 ? SCORE_MATE_CP : -SCORE_MATE_CP;
    else if (strcmp(kind, "cp") != 0)
        return;
    driver->has_score = true;
    driver->score_cp = (int)value;
}

static enum driver_event hear_move(struct driver *driver, const char *line)
{
    static const char word[] = "bestmove";

    if (strncmp(line, "info ", 5) == 0)
        hear_score(driver, line);
    if (strncmp(line, word, strlen(word)) != 0)
        return DRIVER_NOTHING;
    line += strlen(word);
    if (*line != ' ' && *line != '\0')
        return DRIVER_NOTHING;
    line += strspn(line, " ");
    bool wanted = driver->state == DRIVER_THINKING || driver->wanted;
    /* A text that is too long is no move, cut or not. */
    snprintf(driver->best, sizeof driver->best, "%.*s", (int)strcspn(line, " "), line);
    if (strcmp(driver->best, "?") == 0) {
        fail_driver(driver, "the engine gives no move");
        return DRIVER_HAS_FAILED;
    }
    enter_state(driver, DRIVER_READY, INT64_MAX);
    if (wanted && strcmp(driver->best, "resign") == 0)
        return DRIVER_HAS_RESIGNED;
    return wanted ? DRIVER_HAS_MOVED : DRIVER_IS_READY;
}

static enum driver_event hear_line(struct driver *driver, const char *line, int64_t now_ms)
{
    char text[GTP_TEXT_MAX];

    if (strncmp(line, "info string error: ", 19) == 0 || strncmp(line, "No such option", 14) == 0 ||
        (driver->dialect == &gtp && line[0] == '?'))
        cause_set(&driver->complaint, "%s", line);
    if (driver->dialect == &gtp || driver->greeted_in == &gtp)
        line = gtp_hear(line, text);
    switch (driver->state) {
    case DRIVER_GREETING:
        return hear_greeting(driver, line, now_ms);
    case DRIVER_OPTIONS:
        if (strcmp(line, "readyok") != 0)
            return DRIVER_NOTHING;
        if (driver->complaint.text[0] != '\0')
            engine_log(driver->program->quiet, LOG_WARN, driver->complaint.text,
                       "engine=%d option refused why=", (int)driver->engine->pid);
        driver->complaint.text[0] = '\0';
        enter_state(driver, DRIVER_INTRODUCED, INT64_MAX);
        return DRIVER_IS_INTRODUCED;
    case DRIVER_CHOOSING:
        return hear_choice(driver, line);
    case DRIVER_THINKING:
    case DRIVER_STOPPING:
        return hear_move(driver, line);
    default:
        return DRIVER_NOTHING;
    }
}

/* Stops an engine that thinks too long, and fails if it does not answer in time. */
static void pass_deadline(struct driver *driver, int64_t now_ms)
{
    if (driver->state == DRIVER_GREETING && driver->dialect == NULL && driver->greeted_in == &ugi)
        greet_in(driver, &uci, now_ms);
    else if (driver->state == DRIVER_GREETING)
        fail_driver(driver, "the engine does not answer the greeting in time");
    else if (driver->state == DRIVER_THINKING)
        stop_thinking(driver, true, now_ms);
    else if (driver->state == DRIVER_STOPPING)
        fail_driver(driver, driver->dialect->stop != NULL
                                ? "the engine hangs: no bestmove after stop"
                                : "the engine hangs: no move in time");
    else
        fail_driver(driver, "the engine hangs: no readyok in time");
}

enum driver_event driver_next(struct driver *driver, int64_t now_ms)
{
    enum driver_event event = DRIVER_NOTHING;
    char *line;

    if (driver->engine->ended || (driver->engine->ready && !process_read(driver->engine)))
        driver->ended = true;
    driver->engine->ready = false;
    if (now_ms >= driver->deadline_ms)
        pass_deadline(driver, now_ms);
    while (event == DRIVER_NOTHING && driver->state != DRIVER_FAILED &&
           (line = process_next_line(driver->engine)) != NULL) {
        text_line_squeeze(line); /* what separates words is up to the engine */
        event = hear_line(driver, line, now_ms);
    }
    if (event == DRIVER_NOTHING && driver->ended)
        fail_driver(driver, "the engine has ended");
    if (event == DRIVER_NOTHING && driver->engine->unanswered > flood_bytes)
        fail_driver(driver, "the engine floods");
    return driver->state == DRIVER_FAILED ? DRIVER_HAS_FAILED : event;
}

void driver_end(struct driver *driver, bool at_once, int64_t now_ms)
{
    setup_release(&driver->setup);
    if (driver->engine != NULL && at_once)
        driver->engine->failed = true;
    if (driver->engine != NULL && at_once)
        process_kill(driver->engine);
    else if (driver->engine != NULL)
        process_quit(driver->engine, now_ms);
    driver->engine = NULL;
}
