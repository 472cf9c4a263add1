#include "bridge_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/link/json_read.h"
#include "common/move.h"
#include "common/xmalloc.h"

struct bridge_match *bridge_match_find(const struct bridge_match_list *matches, const char *id)
{
    struct bridge_match *match;

    TAILQ_FOREACH (match, matches, link)
        if (strcmp(match->id, id) == 0)
            return match;
    return NULL;
}

int bridge_match_count(const struct bridge_match_list *matches)
{
    const struct bridge_match *match;
    int count = 0;

    TAILQ_FOREACH (match, matches, link)
        count += !match->given_up && match->stage != MATCH_OVER;
    return count;
}

struct bridge_match *bridge_match_add(struct bridge_match_list *matches,
                                      const struct bridge_match_setup *setup, const char *id,
                                      int64_t now_ms, struct cause *cause)
{
    const struct bridge_options *options = setup->options;
    struct bridge_match *match = xcalloc(1, sizeof *match);

    if (!driver_start(&match->driver, &options->program, id, setup->dialect, setup->engines, now_ms,
                      cause)) {
        free(match);
        return NULL;
    }
    snprintf(match->id, sizeof match->id, "%s", id);
    match->setup = *setup;
    match->quiet = options->program.quiet;
    match->budget.movetime_ms = options->movetime_ms;
    engine_log(match->quiet, LOG_INFO, NULL, "match=%s engine=%d started", id,
               (int)match->driver.engine->pid);
    TAILQ_INSERT_TAIL(matches, match, link);
    return match;
}

/* Joins every seat that the player was challenged for: both, if it is to play itself. */
static void join(struct bridge_match *match)
{
    for (; match->seats_offered > 0; match->seats_offered--)
        uplink_send(match->setup.uplink, "#%s join %s", match->id, match->id);
    match->stage = MATCH_JOINED;
}

void bridge_match_challenge(struct bridge_match *match)
{
    match->seats_offered++;
    if (match->stage != MATCH_CHALLENGED && !match->given_up)
        join(match);
}

static enum match_stage stage_of(const struct match_state *state)
{
    static const enum match_stage stages[] = {
        [STATE_OPEN] = MATCH_JOINED, [STATE_PLAYING] = MATCH_PLAYING, [STATE_OVER] = MATCH_OVER};

    return stages[state->status];
}

/* Returns the command that leaves a match at this stage. */
static const char *surrender_command(enum match_stage stage)
{
    static const char *const commands[] = {
        [MATCH_CHALLENGED] = "decline", [MATCH_JOINED] = "abort", [MATCH_PLAYING] = "resign"};

    return commands[stage];
}

static void send_surrender(const struct bridge_match *match)
{
    uplink_send(match->setup.uplink, "#%s %s %s", match->id, surrender_command(match->stage),
                match->id);
}

/* Gives up a match that is not over. */
static void give_up(struct bridge_match *match, const char *why)
{
    engine_log(match->quiet, LOG_WARN, why, "match=%s engine=%d failed answer=%s why=", match->id,
               (int)match->driver.engine->pid, surrender_command(match->stage));
    send_surrender(match);
    driver_end(&match->driver, true, 0);
    match->given_up = true;
    /* No state follows after a decline. */
    if (match->stage == MATCH_CHALLENGED)
        match->stage = MATCH_OVER;
}

/* Asks an idle engine for the move that is due. */
static void go_on(struct bridge_match *match, int64_t now_ms)
{
    if (!match->owes_move || match->awaits_record || match->driver.state != DRIVER_READY)
        return;
    match->owes_move = false;
    driver_think(&match->driver, &match->course, &match->budget, now_ms);
}

static void take_clock(struct budget *budget, const struct match_clock *clock)
{
    budget->clock = clock->known;
    for (enum color color = WHITE; color <= BLACK && clock->known; color++)
        budget->left_ms[color] = clock->left_ms[color];
    budget->increment_ms = clock->increment_ms > 0 ? clock->increment_ms : 0;
}

/* Takes the side to move and the clocks. */
static void take_turn(struct bridge_match *match, const struct match_state *state, bool changed,
                      int64_t now_ms)
{
    bool started = match->stage != MATCH_PLAYING;

    match->stage = MATCH_PLAYING;
    match->has_moved = false;
    match->resend_ms = 0;
    take_clock(&match->budget, &state->clock);
    if (!changed && !started)
        return;
    match->owes_move = state->seats[match->course.position.side].mine;
    driver_forget(&match->driver, now_ms);
    go_on(match, now_ms);
}

/* Takes the position of a match that is not over. */
static void take_position(struct bridge_match *match, const struct match_state *state,
                          int64_t now_ms)
{
    const char *last = state->last[0] != '\0' ? state->last : NULL;
    struct position position;
    const struct game *game;
    struct cause cause;

    bool good = match_state_parse(state, &game, &position, &cause);
    if (good && game != match->setup.game)
        good = cause_set(&cause, "the match has become one of %s", game->name);
    if (!good) {
        match->stage = stage_of(state);
        give_up(match, cause.text);
        return;
    }
    if (match->course.game == NULL && state->ply > 0 && state->status == STATE_PLAYING) {
        uplink_send(match->setup.uplink, "#%s record %s", match->id, match->id);
        match->awaits_record = true;
    }
    bool changed = course_update(&match->course, match->setup.game, &position, state->ply, last);
    if (state->status == STATE_PLAYING)
        take_turn(match, state, changed, now_ms);
    else
        match->stage = stage_of(state);
}

void bridge_match_take_state(struct bridge_match *match, const struct match_state *state,
                             int64_t now_ms)
{
    if (!match_state_seated(state) && match->stage != MATCH_CHALLENGED) {
        engine_log(match->quiet, LOG_WARN, NULL, "match=%s lost: the seat was freed", match->id);
        match->stage = MATCH_OVER;
    } else if (state->status == STATE_OVER) {
        engine_log(match->quiet, LOG_INFO, state->reason,
                   "match=%s over result=%s reason=", match->id,
                   strpbrk(state->result, " \"") == NULL ? state->result : "?");
        match->stage = MATCH_OVER;
    } else if (match->given_up) {
        match->stage = stage_of(state);
        send_surrender(match);
    } else {
        take_position(match, state, now_ms);
    }
}

/* Plays the match through from its start to the last state. False, with *course undefined, if the
 * record does not lead there. */
static bool replay(struct course *course, const cJSON *record, const struct course *known)
{
    const char *start = json_text_or(record, "start", "");
    int plies = known->start_ply + known->count;
    const cJSON *item = cJSON_GetArrayItem(json_member(record, "moves"), 0);
    struct position position;
    struct cause cause;
    struct move move;

    if (plies > COURSE_MOVES_MAX ||
        !known->game->parse(json_text(record, "variant"), start, &position, &cause))
        return false;
    course_begin(course, known->game, &position, 0);
    for (; item != NULL && course->count < plies; item = item->next) {
        const char *text = cJSON_GetStringValue(item);
        if (text == NULL || !move_parse(course->game, &course->position, text, &move, &cause))
            return false;
        course_play(course, move);
    }
    return course->count == plies &&
           memcmp(&course->position, &known->position, sizeof course->position) == 0;
}

void bridge_match_take_record(struct bridge_match *match, const cJSON *record, int64_t now_ms)
{
    struct course course;

    if (!match->awaits_record)
        return;
    match->awaits_record = false;
    if (replay(&course, record, &match->course))
        match->course = course;
    go_on(match, now_ms);
}

void bridge_match_answer(struct bridge_match *match, enum offer what)
{
    if (match->given_up)
        return;
    if (what == OFFER_DRAW)
        uplink_send(match->setup.uplink, "#%s decline %s", match->id, match->id);
    /* If our move is on its way, it ends the offer, and `undo` would make one of our own. */
    else if (what == OFFER_UNDO && !match->has_moved)
        uplink_send(match->setup.uplink, "#%s undo %s", match->id, match->id);
}

/* Sends the engine's move if it is legal. */
static void play(struct bridge_match *match)
{
    const struct course *course = &match->course;
    char text[MOVE_TEXT_MAX], why[256];
    struct cause cause;
    struct move move;

    if (!move_parse(course->game, &course->position, match->driver.best, &move, &cause)) {
        snprintf(why, sizeof why, "bestmove %s: %s", match->driver.best, cause.text);
        give_up(match, why);
        return;
    }
    move_format(&course->position, move, text);
    uplink_send(match->setup.uplink, "#%s move %s %s ply=%d", match->id, match->id, text,
                course->start_ply + course->count);
    match->has_moved = true;
}

/* Whether the match is over or at another ply, so that its next state is enough. */
static bool is_harmless(const char *code)
{
    static const char *const codes[] = {"stale-ply", "match-over", "not-your-turn",
                                        "nothing-to-answer"};

    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(code, codes[i]) == 0)
            return true;
    return false;
}

void bridge_match_take_error(struct bridge_match *match, const cJSON *error, int64_t now_ms)
{
    const char *cmd = json_text(error, "cmd"), *code = json_text(error, "code");
    char why[128];

    if (match->stage == MATCH_OVER)
        return;
    if (strcmp(cmd, "record") == 0) { /* the position must do */
        match->awaits_record = false;
        go_on(match, now_ms);
        return;
    }
    snprintf(why, sizeof why, "%.40s: %.40s", cmd, code);
    if (strcmp(cmd, "join") == 0 || (strcmp(cmd, "resign") == 0 && !is_harmless(code))) {
        engine_log(match->quiet, LOG_WARN, why, "match=%s lost why=", match->id);
        match->stage = MATCH_OVER;
    } else if (strcmp(cmd, "move") != 0 || is_harmless(code) || match->given_up) {
        return;
    } else if (strcmp(code, "rate-limited") == 0) {
        match->resend_ms = now_ms + json_ms(error, "retry_ms") + 2; /* -1: at once */
    } else {
        give_up(match, why);
    }
}

/* The engine is not to blame, and stays until the match is over. */
static void resign(struct bridge_match *match)
{
    engine_log(match->quiet, LOG_INFO, NULL, "match=%s engine=%d resigns", match->id,
               (int)match->driver.engine->pid);
    send_surrender(match);
}

static void handle(struct bridge_match *match, enum driver_event event, int64_t now_ms)
{
    if (event == DRIVER_IS_INTRODUCED)
        driver_choose(&match->driver, match->setup.game, &match->setup.start, now_ms);
    else if (event == DRIVER_IS_READY && match->stage == MATCH_CHALLENGED)
        join(match);
    else if (event == DRIVER_IS_READY)
        go_on(match, now_ms);
    else if (event == DRIVER_HAS_MOVED)
        play(match);
    else if (event == DRIVER_HAS_RESIGNED)
        resign(match);
    else if (event == DRIVER_HAS_FAILED)
        give_up(match, match->driver.cause.text);
}

void bridge_match_run(struct bridge_match *match, int64_t now_ms)
{
    enum driver_event event;

    if (match->given_up || match->stage == MATCH_OVER)
        return;
    if (match->resend_ms != 0 && now_ms >= match->resend_ms) {
        match->resend_ms = 0;
        play(match);
    }
    while (!match->given_up && (event = driver_next(&match->driver, now_ms)) != DRIVER_NOTHING)
        handle(match, event, now_ms);
}

int64_t bridge_match_due_ms(const struct bridge_match *match)
{
    if (match->given_up)
        return INT64_MAX;
    if (match->resend_ms != 0)
        return match->resend_ms;
    return match->driver.deadline_ms;
}

void bridge_match_remove(struct bridge_match_list *matches, struct bridge_match *match,
                         int64_t now_ms)
{
    TAILQ_REMOVE(matches, match, link);
    driver_end(&match->driver, false, now_ms);
    free(match);
}
