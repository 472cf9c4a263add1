#include "match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/move.h"

struct match *match_find(const struct match_list *matches, const char *id)
{
    struct match *match;

    TAILQ_FOREACH (match, matches, link)
        if (strcmp(match->id, id) == 0)
            return match;
    return NULL;
}

int match_count(const struct match_list *matches)
{
    const struct match *match;
    int count = 0;

    TAILQ_FOREACH (match, matches, link)
        count += !match->given_up && match->stage != MATCH_OVER;
    return count;
}

struct match *match_add(struct match_list *matches, const char *id, const struct game *game,
                        const struct position *start, const struct options *options,
                        const struct dialect *dialect, struct process_list *engines, int64_t now_ms,
                        struct cause *cause)
{
    struct match *match = calloc(1, sizeof *match);

    if (match == NULL) {
        cause_set(cause, "out of memory");
        return NULL;
    }
    if (!talk_start(&match->talk, &options->program, dialect, engines, now_ms, cause)) {
        free(match);
        return NULL;
    }
    snprintf(match->id, sizeof match->id, "%s", id);
    match->game = game;
    match->start = *start;
    match->budget.movetime_ms = options->movetime_ms;
    engine_log(&options->program.log, LOG_INFO, NULL, "match=%s engine=%d started", id,
               (int)match->talk.engine->pid);
    TAILQ_INSERT_TAIL(matches, match, link);
    return match;
}

/* Takes the seats that were offered; both when someone lets the player play himself. */
static void join(struct match *match, struct connection *connection)
{
    for (; match->seats_offered > 0; match->seats_offered--)
        connection_send(connection, "#%s join %s", match->id, match->id);
    match->stage = MATCH_JOINED;
}

void match_challenge(struct match *match, struct connection *connection)
{
    match->seats_offered++;
    if (match->stage != MATCH_CHALLENGED && !match->given_up)
        join(match, connection);
}

/* How a match can be left at this stage. */
static const char *surrender_command(enum match_stage stage)
{
    static const char *const commands[] = {
        [MATCH_CHALLENGED] = "decline", [MATCH_JOINED] = "abort", [MATCH_PLAYING] = "resign"};

    return commands[stage];
}

static void send_surrender(const struct match *match, struct connection *connection)
{
    connection_send(connection, "#%s %s %s", match->id, surrender_command(match->stage), match->id);
}

/* The match must not be over. */
static void give_up(struct match *match, const char *why, struct connection *connection)
{
    engine_log(&connection->options->program.log, LOG_WARN, why,
               "match=%s engine=%d failed answer=%s why=", match->id, (int)match->talk.engine->pid,
               surrender_command(match->stage));
    send_surrender(match, connection);
    talk_end(&match->talk, true, 0);
    match->given_up = true;
    /* Who has declined hears no more of it. */
    if (match->stage == MATCH_CHALLENGED)
        match->stage = MATCH_OVER;
}

/* Asks the engine for a move if one is due and it has nothing else to do. */
static void go_on(struct match *match, int64_t now_ms)
{
    if (!match->owes_move || match->talk.state != TALK_READY)
        return;
    match->owes_move = false;
    talk_think(&match->talk, &match->course, &match->budget, now_ms);
}

static int64_t read_ms(const cJSON *clock, const char *name)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(clock, name);
    double ms = cJSON_IsNumber(number) ? number->valuedouble : 0;

    return ms > 0 && ms < 1e12 ? (int64_t)ms : 0;
}

static void read_clock(struct budget *budget, const cJSON *state)
{
    const cJSON *clock = cJSON_GetObjectItemCaseSensitive(state, "clock");

    budget->clock = cJSON_IsObject(clock);
    budget->left_ms[WHITE] = read_ms(clock, "white_ms");
    budget->left_ms[BLACK] = read_ms(clock, "black_ms");
    budget->increment_ms = read_ms(clock, "increment_ms");
}

static unsigned read_colors(const cJSON *state)
{
    const char *you = json_text(state, "you");

    if (you == NULL)
        return 0;
    if (strcmp(you, "both") == 0)
        return 1u << WHITE | 1u << BLACK;
    return strcmp(you, "white") == 0 ? 1u << WHITE : 1u << BLACK;
}

static enum match_stage read_stage(const cJSON *state)
{
    const char *status = json_text(state, "status");

    if (status != NULL && strcmp(status, "playing") == 0)
        return MATCH_PLAYING;
    return status != NULL && strcmp(status, "open") == 0 ? MATCH_JOINED : MATCH_OVER;
}

/* Brings the course up to the state. *changed tells whether it is another position. */
static bool read_position(struct match *match, const cJSON *state, bool *changed,
                          struct cause *cause)
{
    const char *text = json_text(state, "position"), *variant = json_text(state, "variant");
    const cJSON *ply = cJSON_GetObjectItemCaseSensitive(state, "ply");
    struct position position;

    if (text == NULL || !cJSON_IsNumber(ply) || ply->valueint < 0)
        return cause_set(cause, "the state has no position or ply");
    if (!match->game->parse(variant, text, &position, cause))
        return false;
    *changed = course_update(&match->course, match->game, &position, ply->valueint,
                             json_text(state, "last"));
    return true;
}

/* Whose turn it is now, and with how much time. */
static void take_turn(struct match *match, const cJSON *state, bool changed, int64_t now_ms)
{
    bool started = match->stage != MATCH_PLAYING;
    unsigned turn = 1u << match->course.position.side;

    match->colors = read_colors(state);
    match->stage = MATCH_PLAYING;
    match->has_moved = false;
    match->resend_ms = 0;
    read_clock(&match->budget, state);
    if (!changed && !started)
        return;
    match->owes_move = (match->colors & turn) != 0;
    talk_forget(&match->talk, now_ms);
    go_on(match, now_ms);
}

void match_take_state(struct match *match, const cJSON *state, struct connection *connection,
                      int64_t now_ms)
{
    const char *result = json_text(state, "result"), *reason = json_text(state, "reason");
    enum match_stage stage = read_stage(state);
    struct cause cause;
    bool changed = false;

    if (stage == MATCH_OVER) {
        engine_log(&connection->options->program.log, LOG_INFO, reason,
                   "match=%s over result=%s reason=", match->id,
                   result != NULL && strpbrk(result, " \"") == NULL ? result : "?");
        match->stage = MATCH_OVER;
    } else if (match->given_up) {
        match->stage = stage;
        send_surrender(match, connection);
    } else if (!read_position(match, state, &changed, &cause)) {
        match->stage = stage;
        give_up(match, cause.text, connection);
    } else if (stage == MATCH_PLAYING) {
        take_turn(match, state, changed, now_ms);
    } else {
        match->stage = stage;
    }
}

void match_answer(struct match *match, const char *what, struct connection *connection)
{
    if (match->given_up)
        return;
    if (strcmp(what, "draw") == 0)
        connection_send(connection, "#%s decline %s", match->id, match->id);
    /* A move on its way ends the offer; `undo` would then be one of our own. */
    else if (strcmp(what, "undo") == 0 && !match->has_moved)
        connection_send(connection, "#%s undo %s", match->id, match->id);
}

/* Sends the engine's move to the server, if it is one. */
static void play(struct match *match, struct connection *connection)
{
    const struct course *course = &match->course;
    char text[MOVE_TEXT_MAX], why[256];
    struct cause cause;
    struct move move;

    if (!move_parse(course->game, &course->position, match->talk.best, &move, &cause)) {
        snprintf(why, sizeof why, "bestmove %s: %s", match->talk.best, cause.text);
        give_up(match, why, connection);
        return;
    }
    move_format(&course->position, move, text);
    connection_send(connection, "#%s move %s %s ply=%d", match->id, match->id, text,
                    course->start_ply + course->count);
    match->has_moved = true;
}

/* A match that ended meanwhile, or is at another ply: its next state tells all. */
static bool is_harmless(const char *code)
{
    static const char *const codes[] = {"stale-ply", "match-over", "not-your-turn",
                                        "nothing-to-answer"};

    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(code, codes[i]) == 0)
            return true;
    return false;
}

void match_take_error(struct match *match, const cJSON *error, struct connection *connection,
                      int64_t now_ms)
{
    const char *cmd = json_text(error, "cmd"), *code = json_text(error, "code");
    char why[128];

    if (match->stage == MATCH_OVER)
        return;
    snprintf(why, sizeof why, "%.40s: %.40s", cmd, code);
    if (strcmp(cmd, "join") == 0 || (strcmp(cmd, "resign") == 0 && !is_harmless(code))) {
        engine_log(&connection->options->program.log, LOG_WARN, why,
                   "match=%s lost why=", match->id);
        match->stage = MATCH_OVER;
    } else if (strcmp(cmd, "move") != 0 || is_harmless(code) || match->given_up) {
        return;
    } else if (strcmp(code, "rate-limited") == 0) {
        match->resend_ms = now_ms + read_ms(error, "retry_ms") + 1;
    } else {
        give_up(match, why, connection);
    }
}

static void handle(struct match *match, enum talk_event event, struct connection *connection,
                   int64_t now_ms)
{
    if (event == TALK_IS_INTRODUCED)
        talk_choose(&match->talk, match->game, &match->start, now_ms);
    else if (event == TALK_IS_READY && match->stage == MATCH_CHALLENGED)
        join(match, connection);
    else if (event == TALK_IS_READY)
        go_on(match, now_ms);
    else if (event == TALK_HAS_MOVED)
        play(match, connection);
    else if (event == TALK_HAS_FAILED)
        give_up(match, match->talk.cause.text, connection);
}

void match_run(struct match *match, struct connection *connection, int64_t now_ms)
{
    enum talk_event event;

    if (match->given_up || match->stage == MATCH_OVER)
        return;
    if (match->talk.engine->ready)
        talk_receive(&match->talk);
    talk_tick(&match->talk, now_ms);
    if (match->resend_ms != 0 && now_ms >= match->resend_ms) {
        match->resend_ms = 0;
        play(match, connection);
    }
    while (!match->given_up && (event = talk_next(&match->talk, now_ms)) != TALK_NOTHING)
        handle(match, event, connection, now_ms);
}

int64_t match_due_ms(const struct match *match)
{
    if (match->given_up)
        return INT64_MAX;
    if (match->resend_ms != 0)
        return match->resend_ms;
    return talk_due_ms(&match->talk);
}

void match_remove(struct match_list *matches, struct match *match, int64_t now_ms)
{
    TAILQ_REMOVE(matches, match, link);
    talk_end(&match->talk, false, now_ms);
    free(match);
}
