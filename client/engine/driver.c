#include "driver.h"

#include <stdio.h>
#include <string.h>

#include "common/move.h"

enum {
    OPTION_BYTES_MAX = 1000,
    ANSWER_WAIT_MS = 10000, /* for ugiok, uciok and readyok */
    UGI_WAIT_MS = 1500,     /* for ugiok, before uci is tried */
    MOVE_MARGIN_MS = 1000,  /* beyond the time for a move, before `stop` */
    STOP_WAIT_MS = 5000     /* for bestmove after `stop` */
};

/* An engine that writes so much between two lines to it floods. */
static const uint64_t flood_bytes = 64 << 20;

bool program_add_option(struct program *program, const char *option, struct cause *cause)
{
    if (option[0] == '=' || strchr(option, '=') == NULL || strlen(option) > OPTION_BYTES_MAX)
        return cause_set(cause, "'%.80s' is not NAME=VALUE", option);
    if (program->engine_option_count == ENGINE_OPTIONS_MAX)
        return cause_set(cause, "at most %d", ENGINE_OPTIONS_MAX);
    program->engine_options[program->engine_option_count++] = option;
    return true;
}

static void fail(struct driver *driver, const char *why)
{
    if (driver->state == DRIVER_FAILED)
        return;
    driver->state = DRIVER_FAILED;
    driver->deadline_ms = INT64_MAX;
    if (driver->complaint.text[0] != '\0')
        cause_set(&driver->cause, "%.90s (the engine: %.90s)", why, driver->complaint.text);
    else
        cause_set(&driver->cause, "%s", why);
}

__attribute__((format(printf, 2, 3))) static void say(struct driver *driver, const char *format,
                                                      ...)
{
    struct cause cause;
    va_list args;

    if (driver->state == DRIVER_FAILED)
        return;
    va_start(args, format);
    bool sent = process_vsend(driver->engine, &cause, format, args);
    va_end(args);
    if (!sent)
        fail(driver, cause.text);
}

static void enter(struct driver *driver, enum driver_state state, int64_t deadline_ms)
{
    if (driver->state == DRIVER_FAILED)
        return;
    driver->state = state;
    driver->deadline_ms = deadline_ms;
}

bool driver_start(struct driver *driver, const struct program *program,
                  const struct dialect *dialect, struct process_list *engines, int64_t now_ms,
                  struct cause *cause)
{
    *driver = (struct driver){.program = program, .dialect = dialect};
    driver->engine = process_start(engines, program->command, program->quiet, cause);
    if (driver->engine == NULL)
        return false;
    say(driver, "%s", dialect != NULL ? dialect->name : ugi.name);
    enter(driver, DRIVER_GREETING, now_ms + (dialect != NULL ? ANSWER_WAIT_MS : UGI_WAIT_MS));
    return true;
}

/* An engine that does not know UGI may know UCI, which lets it ignore unknown commands. */
static void try_uci(struct driver *driver, int64_t now_ms)
{
    driver->said_uci = true;
    say(driver, "%s", uci.name);
    enter(driver, DRIVER_GREETING, now_ms + ANSWER_WAIT_MS);
}

static void send_options(struct driver *driver, int64_t now_ms)
{
    const struct program *program = driver->program;

    driver->complaint.text[0] = '\0'; /* drops one about the other dialect's greeting */
    for (int i = 0; i < program->engine_option_count; i++) {
        const char *option = program->engine_options[i];
        size_t name = strcspn(option, "=");
        say(driver, "setoption name %.*s value %s", (int)name, option, option + name + 1);
    }
    say(driver, "isready");
    enter(driver, DRIVER_OPTIONS, now_ms + ANSWER_WAIT_MS);
}

static enum driver_event hear_greeting(struct driver *driver, const char *line, int64_t now_ms)
{
    bool is_ugi = strcmp(line, "ugiok") == 0, is_uci = strcmp(line, "uciok") == 0;

    profile_note(&driver->profile, line);
    if (driver->dialect == NULL && (is_ugi || is_uci))
        driver->dialect = is_ugi ? &ugi : &uci;
    if ((is_ugi && driver->dialect == &ugi) || (is_uci && driver->dialect == &uci))
        send_options(driver, now_ms);
    else if (driver->dialect == NULL && !driver->said_uci && strstr(line, "nknown command") != NULL)
        try_uci(driver, now_ms);
    return DRIVER_NOTHING;
}

static enum driver_event hear_introduction(struct driver *driver, const char *line)
{
    if (strcmp(line, "readyok") != 0)
        return DRIVER_NOTHING;
    if (driver->complaint.text[0] != '\0')
        engine_log(driver->program->quiet, LOG_WARN, driver->complaint.text,
                   "engine=%d option refused why=", (int)driver->engine->pid);
    driver->complaint.text[0] = '\0';
    enter(driver, DRIVER_INTRODUCED, INT64_MAX);
    return DRIVER_IS_INTRODUCED;
}

void driver_choose(struct driver *driver, const struct game *game, const struct position *start,
                   int64_t now_ms)
{
    char lines[SETUP_LINES_MAX];
    struct cause cause;

    driver->setup = (struct setup){.game = game, .start = *start};
    if (!dialect_can_play(driver->dialect, &driver->profile, game, start, &cause) ||
        !dialect_choose(driver->dialect, &driver->profile, &driver->setup, lines, &cause)) {
        fail(driver, cause.text);
        return;
    }
    if (lines[0] != '\0')
        say(driver, "%s", lines);
    say(driver, "%snewgame", driver->dialect->name);
    say(driver, "isready");
    enter(driver, DRIVER_CHOOSING, now_ms + ANSWER_WAIT_MS);
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
        fail(driver, "the engine refuses the game");
        return DRIVER_HAS_FAILED;
    }
    enter(driver, DRIVER_READY, INT64_MAX);
    return DRIVER_IS_READY;
}

static void send_position(struct driver *driver, const struct course *course)
{
    char fen[POSITION_TEXT_MAX], moves[COURSE_MOVES_MAX * MOVE_TEXT_MAX + 1] = "";
    size_t length = 0;

    course->game->format(&course->start, fen);
    for (int i = 0; i < course->count; i++) {
        moves[length++] = ' ';
        move_format(&course->start, course->moves[i], moves + length);
        length += strlen(moves + length);
    }
    say(driver, "position fen %s%s%s%s", fen, driver->dialect->fen_tail,
        course->count > 0 ? " moves" : "", moves);
}

static int64_t at_least_1(int64_t ms)
{
    return ms > 1 ? ms : 1;
}

static void send_go(struct driver *driver, const struct budget *budget)
{
    const char *const *words = driver->dialect->clock_words;

    if (budget->nodes > 0) {
        say(driver, "go nodes %llu", (unsigned long long)budget->nodes);
        return;
    }
    if (!budget->clock) {
        say(driver, "go movetime %lld", (long long)budget->movetime_ms);
        return;
    }
    say(driver, "go %s %lld %s %lld %s %lld %s %lld", words[0],
        (long long)at_least_1(budget->left_ms[WHITE]), words[1],
        (long long)at_least_1(budget->left_ms[BLACK]), words[2], (long long)budget->increment_ms,
        words[3], (long long)budget->increment_ms);
}

void driver_think(struct driver *driver, const struct course *course, const struct budget *budget,
                  int64_t now_ms)
{
    int64_t time_ms =
        budget->clock ? at_least_1(budget->left_ms[course->position.side]) : budget->movetime_ms;

    driver->complaint.text[0] = '\0';
    send_position(driver, course);
    send_go(driver, budget);
    enter(driver, DRIVER_THINKING, now_ms + time_ms + MOVE_MARGIN_MS);
}

static void stop(struct driver *driver, bool wanted, int64_t now_ms)
{
    driver->wanted = wanted;
    say(driver, "stop");
    enter(driver, DRIVER_STOPPING, now_ms + STOP_WAIT_MS);
}

void driver_forget(struct driver *driver, int64_t now_ms)
{
    if (driver->state == DRIVER_THINKING)
        stop(driver, false, now_ms);
    else if (driver->state == DRIVER_STOPPING)
        driver->wanted = false;
}

static enum driver_event hear_move(struct driver *driver, const char *line)
{
    static const char word[] = "bestmove";

    if (strncmp(line, word, strlen(word)) != 0)
        return DRIVER_NOTHING;
    line += strlen(word);
    if (*line != ' ' && *line != '\0')
        return DRIVER_NOTHING;
    line += strspn(line, " ");
    bool wanted = driver->state == DRIVER_THINKING || driver->wanted;
    /* A text that is too long is no move, cut or not. */
    snprintf(driver->best, sizeof driver->best, "%.*s", (int)strcspn(line, " "), line);
    enter(driver, DRIVER_READY, INT64_MAX);
    return wanted ? DRIVER_HAS_MOVED : DRIVER_IS_READY;
}

static enum driver_event hear(struct driver *driver, const char *line, int64_t now_ms)
{
    /* The words of ludus-bot and of Fairy-Stockfish. */
    if (strncmp(line, "info string error: ", 19) == 0 || strncmp(line, "No such option", 14) == 0)
        cause_set(&driver->complaint, "%s", line);
    switch (driver->state) {
    case DRIVER_GREETING:
        return hear_greeting(driver, line, now_ms);
    case DRIVER_OPTIONS:
        return hear_introduction(driver, line);
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
    if (driver->state == DRIVER_GREETING && driver->dialect == NULL && !driver->said_uci)
        try_uci(driver, now_ms);
    else if (driver->state == DRIVER_GREETING)
        fail(driver, "the engine does not answer: no ugiok or uciok in time");
    else if (driver->state == DRIVER_THINKING)
        stop(driver, true, now_ms);
    else if (driver->state == DRIVER_STOPPING)
        fail(driver, "the engine hangs: no bestmove after stop");
    else
        fail(driver, "the engine hangs: no readyok in time");
}

enum driver_event driver_next(struct driver *driver, int64_t now_ms)
{
    enum driver_event event = DRIVER_NOTHING;
    const char *line;

    if (driver->engine->ready && !process_read(driver->engine))
        driver->ended = true;
    driver->engine->ready = false;
    if (now_ms >= driver->deadline_ms)
        pass_deadline(driver, now_ms);
    while (event == DRIVER_NOTHING && driver->state != DRIVER_FAILED &&
           (line = process_next_line(driver->engine)) != NULL)
        event = hear(driver, line, now_ms);
    if (event == DRIVER_NOTHING && driver->ended)
        fail(driver, "the engine has ended");
    if (event == DRIVER_NOTHING && driver->engine->unanswered > flood_bytes)
        fail(driver, "the engine floods");
    return driver->state == DRIVER_FAILED ? DRIVER_HAS_FAILED : event;
}

void driver_end(struct driver *driver, bool at_once, int64_t now_ms)
{
    setup_release(&driver->setup);
    if (driver->engine != NULL && at_once)
        process_kill(driver->engine);
    else if (driver->engine != NULL)
        process_quit(driver->engine, now_ms);
    driver->engine = NULL;
}
