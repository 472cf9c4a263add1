#include "driver.h"

#include <stdio.h>
#include <string.h>

#include "common/move.h"

enum {
    ANSWER_WAIT_MS = 10000, /* for ugiok, uciok and readyok */
    UGI_WAIT_MS = 1500,     /* for ugiok, before uci is tried */
    MOVE_MARGIN_MS = 1000,  /* beyond the time for a move, before `stop` */
    STOP_WAIT_MS = 5000     /* for bestmove after `stop` */
};

/* Between two lines to it. No engine has so much to say. */
static const uint64_t flood_bytes = 64 << 20;

static void fail(struct talk *talk, const char *why)
{
    if (talk->state == TALK_FAILED)
        return;
    talk->state = TALK_FAILED;
    talk->deadline_ms = INT64_MAX;
    if (talk->complaint.text[0] != '\0')
        cause_set(&talk->cause, "%.90s (the engine: %.90s)", why, talk->complaint.text);
    else
        cause_set(&talk->cause, "%s", why);
}

static void say(struct talk *talk, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct talk *talk, const char *format, ...)
{
    struct cause cause;
    va_list args;

    if (talk->state == TALK_FAILED)
        return;
    va_start(args, format);
    bool sent = process_vsend(talk->engine, &cause, format, args);
    va_end(args);
    if (!sent)
        fail(talk, cause.text);
}

static void enter(struct talk *talk, enum talk_state state, int64_t deadline_ms)
{
    if (talk->state == TALK_FAILED)
        return;
    talk->state = state;
    talk->deadline_ms = deadline_ms;
}

bool talk_start(struct talk *talk, const struct program *program, const struct dialect *dialect,
                struct process_list *engines, int64_t now_ms, struct cause *cause)
{
    *talk = (struct talk){.program = program, .dialect = dialect};
    talk->engine = process_start(engines, program->command, program->log.quiet, cause);
    if (talk->engine == NULL)
        return false;
    say(talk, "%s", dialect != NULL ? dialect->name : ugi.name);
    enter(talk, TALK_GREETING, now_ms + (dialect != NULL ? ANSWER_WAIT_MS : UGI_WAIT_MS));
    return true;
}

/* What is no UGI engine may still be a UCI one; those must pass over commands they do not know. */
static void try_uci(struct talk *talk, int64_t now_ms)
{
    talk->said_uci = true;
    say(talk, "%s", uci.name);
    enter(talk, TALK_GREETING, now_ms + ANSWER_WAIT_MS);
}

static void send_options(struct talk *talk, int64_t now_ms)
{
    const struct program *program = talk->program;

    talk->complaint.text[0] = '\0'; /* of the other dialect's greeting */
    for (int i = 0; i < program->engine_option_count; i++) {
        const char *option = program->engine_options[i];
        size_t name = strcspn(option, "=");
        say(talk, "setoption name %.*s value %s", (int)name, option, option + name + 1);
    }
    say(talk, "isready");
    enter(talk, TALK_OPTIONS, now_ms + ANSWER_WAIT_MS);
}

static enum talk_event hear_greeting(struct talk *talk, const char *line, int64_t now_ms)
{
    bool is_ugi = strcmp(line, "ugiok") == 0, is_uci = strcmp(line, "uciok") == 0;

    profile_note(&talk->profile, line);
    if (talk->dialect == NULL && (is_ugi || is_uci))
        talk->dialect = is_ugi ? &ugi : &uci;
    if ((is_ugi && talk->dialect == &ugi) || (is_uci && talk->dialect == &uci))
        send_options(talk, now_ms);
    else if (talk->dialect == NULL && !talk->said_uci && strstr(line, "nknown command") != NULL)
        try_uci(talk, now_ms);
    return TALK_NOTHING;
}

static enum talk_event hear_introduction(struct talk *talk, const char *line)
{
    if (strcmp(line, "readyok") != 0)
        return TALK_NOTHING;
    if (talk->complaint.text[0] != '\0')
        engine_log(&talk->program->log, LOG_WARN, talk->complaint.text,
                   "engine=%d option refused why=", (int)talk->engine->pid);
    talk->complaint.text[0] = '\0';
    enter(talk, TALK_INTRODUCED, INT64_MAX);
    return TALK_IS_INTRODUCED;
}

bool talk_can_play(const struct talk *talk, const struct game *game, const struct position *start,
                   struct cause *cause)
{
    return talk->dialect->can_play == NULL ||
           talk->dialect->can_play(&talk->profile, game, start, cause);
}

void talk_choose(struct talk *talk, const struct game *game, const struct position *start,
                 int64_t now_ms)
{
    char lines[SETUP_LINES_MAX];
    struct cause cause;

    talk->setup = (struct setup){.game = game, .start = *start};
    if (!talk_can_play(talk, game, start, &cause) ||
        !talk->dialect->choose(&talk->profile, &talk->setup, lines, &cause)) {
        fail(talk, cause.text);
        return;
    }
    if (lines[0] != '\0')
        say(talk, "%s", lines);
    say(talk, "%snewgame", talk->dialect->name);
    say(talk, "isready");
    enter(talk, TALK_CHOOSING, now_ms + ANSWER_WAIT_MS);
}

static enum talk_event hear_choice(struct talk *talk, const char *line)
{
    struct setup *setup = &talk->setup;

    if (setup->awaits_confirmation &&
        strncmp(line, setup->confirmation, strlen(setup->confirmation)) == 0)
        setup->awaits_confirmation = false;
    if (strcmp(line, "readyok") != 0)
        return TALK_NOTHING;
    setup_release(setup);
    if (setup->awaits_confirmation || talk->complaint.text[0] != '\0') {
        fail(talk, "the engine does not take the game");
        return TALK_HAS_FAILED;
    }
    enter(talk, TALK_READY, INT64_MAX);
    return TALK_IS_READY;
}

static void send_position(struct talk *talk, const struct course *course)
{
    char fen[FEN_TEXT_MAX], moves[COURSE_MOVES_MAX * MOVE_TEXT_MAX + 1] = "";
    size_t length = 0;

    talk->dialect->write_fen(course->game, &course->start, fen);
    for (int i = 0; i < course->count; i++) {
        moves[length++] = ' ';
        move_format(&course->start, course->moves[i], moves + length);
        length += strlen(moves + length);
    }
    say(talk, "position fen %s%s%s", fen, course->count > 0 ? " moves" : "", moves);
}

static int64_t at_least_1(int64_t ms)
{
    return ms > 1 ? ms : 1;
}

static void send_go(struct talk *talk, const struct budget *budget)
{
    const char *const *words = talk->dialect->clock_words;

    if (budget->nodes > 0) {
        say(talk, "go nodes %llu", (unsigned long long)budget->nodes);
        return;
    }
    if (!budget->clock) {
        say(talk, "go movetime %lld", (long long)budget->movetime_ms);
        return;
    }
    say(talk, "go %s %lld %s %lld %s %lld %s %lld", words[0],
        (long long)at_least_1(budget->left_ms[WHITE]), words[1],
        (long long)at_least_1(budget->left_ms[BLACK]), words[2], (long long)budget->increment_ms,
        words[3], (long long)budget->increment_ms);
}

void talk_think(struct talk *talk, const struct course *course, const struct budget *budget,
                int64_t now_ms)
{
    int64_t time_ms =
        budget->clock ? at_least_1(budget->left_ms[course->position.side]) : budget->movetime_ms;

    talk->complaint.text[0] = '\0';
    send_position(talk, course);
    send_go(talk, budget);
    enter(talk, TALK_THINKING, now_ms + time_ms + MOVE_MARGIN_MS);
}

static void stop(struct talk *talk, bool wanted, int64_t now_ms)
{
    talk->wanted = wanted;
    say(talk, "stop");
    enter(talk, TALK_STOPPING, now_ms + STOP_WAIT_MS);
}

void talk_forget(struct talk *talk, int64_t now_ms)
{
    if (talk->state == TALK_THINKING)
        stop(talk, false, now_ms);
    else if (talk->state == TALK_STOPPING)
        talk->wanted = false;
}

static enum talk_event hear_move(struct talk *talk, const char *line)
{
    static const char word[] = "bestmove";

    if (strncmp(line, word, strlen(word)) != 0)
        return TALK_NOTHING;
    line += strlen(word);
    if (*line != ' ' && *line != '\0')
        return TALK_NOTHING;
    line += strspn(line, " ");
    bool wanted = talk->state == TALK_THINKING || talk->wanted;
    /* Cut, what is too long remains no move. */
    snprintf(talk->best, sizeof talk->best, "%.*s", (int)strcspn(line, " "), line);
    enter(talk, TALK_READY, INT64_MAX);
    return wanted ? TALK_HAS_MOVED : TALK_IS_READY;
}

static enum talk_event hear(struct talk *talk, const char *line, int64_t now_ms)
{
    /* As ludus-bot and Fairy-Stockfish say it. */
    if (strncmp(line, "info string error: ", 19) == 0 || strncmp(line, "No such option", 14) == 0)
        cause_set(&talk->complaint, "%s", line);
    switch (talk->state) {
    case TALK_GREETING:
        return hear_greeting(talk, line, now_ms);
    case TALK_OPTIONS:
        return hear_introduction(talk, line);
    case TALK_CHOOSING:
        return hear_choice(talk, line);
    case TALK_THINKING:
    case TALK_STOPPING:
        return hear_move(talk, line);
    default:
        return TALK_NOTHING;
    }
}

void talk_receive(struct talk *talk)
{
    if (!process_read(talk->engine))
        talk->ended = true;
}

void talk_tick(struct talk *talk, int64_t now_ms)
{
    if (now_ms < talk->deadline_ms)
        return;
    if (talk->state == TALK_GREETING && talk->dialect == NULL && !talk->said_uci)
        try_uci(talk, now_ms);
    else if (talk->state == TALK_GREETING)
        fail(talk, "the engine does not greet: no ugiok or uciok in time");
    else if (talk->state == TALK_THINKING)
        stop(talk, true, now_ms);
    else if (talk->state == TALK_STOPPING)
        fail(talk, "the engine hangs: no bestmove after stop");
    else
        fail(talk, "the engine hangs: no readyok in time");
}

enum talk_event talk_next(struct talk *talk, int64_t now_ms)
{
    enum talk_event event = TALK_NOTHING;
    const char *line;

    while (event == TALK_NOTHING && talk->state != TALK_FAILED &&
           (line = process_next_line(talk->engine)) != NULL)
        event = hear(talk, line, now_ms);
    if (event == TALK_NOTHING && talk->ended)
        fail(talk, "the engine has ended");
    if (event == TALK_NOTHING && talk->engine->unanswered > flood_bytes)
        fail(talk, "the engine floods");
    return talk->state == TALK_FAILED ? TALK_HAS_FAILED : event;
}

int64_t talk_due_ms(const struct talk *talk)
{
    return talk->deadline_ms;
}

void talk_end(struct talk *talk, bool at_once, int64_t now_ms)
{
    setup_release(&talk->setup);
    if (talk->engine != NULL && at_once)
        process_kill(talk->engine);
    else if (talk->engine != NULL)
        process_quit(talk->engine, now_ms);
    talk->engine = NULL;
}
