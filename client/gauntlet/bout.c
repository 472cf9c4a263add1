#include "bout.h"

#include <stdio.h>
#include <time.h>

#include "client/bot/clobber/clobber_solve.h"
#include "common/move.h"
#include "common/xmalloc.h"

enum { NODES_WAIT_MS = 600000 }; /* for a move that is limited by nodes */
enum { SOLVER_BYTES = 1 << 20 };

static void play(struct bout *bout, struct move move)
{
    course_play(&bout->course, move);
    history_add(&bout->history, bout->course.game->key(&bout->course.position));
}

static void set_up_board(struct bout *bout, const struct opening *opening)
{
    const struct plan *plan = bout->plan;

    course_begin(&bout->course, plan->game, &opening->start, 0);
    history_add(&bout->history, plan->game->key(&opening->start));
    for (int i = 0; i < opening->plies; i++)
        play(bout, opening->moves[i]);
}

bool bout_start(struct bout *bout, struct plan *plan, int number, const struct opening *opening,
                struct process_list *processes, int64_t now_ms, struct cause *cause)
{
    *bout = (struct bout){.plan = plan,
                          .result.number = number,
                          .left_ms = {plan->clock.base_ms, plan->clock.base_ms}};
    char name[32];

    set_up_board(bout, opening);
    for (int color = WHITE; color <= BLACK; color++) {
        struct player *player = &plan->players[white_player(number) ^ color];
        bout->players[color] = player;
        player_prepare(player, plan, number);
        snprintf(name, sizeof name, "%d-%s", number + 1, color_name((enum color)color));
        if (!driver_start(&bout->drivers[color], &player->program, name, player->dialect, processes,
                          now_ms, cause))
            return false;
    }
    return true;
}

static void finish(struct bout *bout, enum result result, enum reason reason, enum ending ending)
{
    bout->over = true;
    bout->thinking = false;
    bout->result.outcome = (struct outcome){result, reason};
    bout->result.ending = ending;
}

static void lose(struct bout *bout, enum color color, enum ending ending)
{
    finish(bout, result_win(!color), ending == ENDING_TIME ? REASON_TIMEOUT : REASON_FORFEIT,
           ending);
}

static void lose_on_time(struct bout *bout, int64_t now_ms)
{
    cause_set(&bout->result.note, "no move after %lld ms", (long long)(now_ms - bout->asked_ms));
    lose(bout, bout->course.position.side, ENDING_TIME);
}

static void ask(struct bout *bout, int64_t now_ms)
{
    const struct plan *plan = bout->plan;
    enum color side = bout->course.position.side;
    struct budget budget = {.clock = plan->limit == LIMIT_CLOCK,
                            .movetime_ms = plan->movetime_ms,
                            .left_ms = {bout->left_ms[WHITE], bout->left_ms[BLACK]},
                            .increment_ms = plan->clock.increment_ms};

    if (plan->limit == LIMIT_NODES) {
        budget.nodes = (uint64_t)plan->nodes;
        budget.movetime_ms = NODES_WAIT_MS;
    }
    int64_t time_ms = budget.clock ? bout->left_ms[side] : budget.movetime_ms;
    bout->asked_ms = now_ms;
    bout->flag_ms = now_ms + time_ms + plan->margin_ms;
    bout->thinking = true;
    driver_think(&bout->drivers[side], &bout->course, &budget, now_ms);
}

static void take_time(struct bout *bout, enum color side, int64_t now_ms)
{
    int64_t left_ms = bout->left_ms[side] - (now_ms - bout->asked_ms);

    bout->left_ms[side] = (left_ms > 0 ? left_ms : 0) + bout->plan->clock.increment_ms;
}

/* Ends the match once both engines have said for long enough that the same side wins. */
static void adjudicate_by_score(struct bout *bout, enum color color)
{
    const struct driver *driver = &bout->drivers[color];
    const struct plan *plan = bout->plan;

    for (int i = 0; i < 2; i++) {
        enum color winner = i == 0 ? color : !color;
        int score_cp = i == 0 ? driver->score_cp : -driver->score_cp;
        bool is_ahead = driver->has_score && score_cp >= plan->score_cp;
        bout->ahead_plies[winner] = is_ahead ? bout->ahead_plies[winner] + 1 : 0;
        if (bout->ahead_plies[winner] >= plan->score_plies)
            finish(bout, result_win(winner), REASON_NONE, ENDING_SCORE);
    }
}

/* Ends the match if the solver finds out who wins. It is a new one every time: what it knows of
 * other positions would let a match end sooner or later than when it is played alone. */
static void adjudicate_by_solver(struct bout *bout)
{
    struct solver *solver = solver_new(SOLVER_BYTES, 1, false);
    enum color side = bout->course.position.side;
    struct solve_request request = {.position = bout->course.position, .limits = NO_LIMITS};
    struct solve_answer answer;

    if (solver == NULL)
        return;
    request.limits.nodes = (uint64_t)bout->plan->solver_nodes;
    if (solver_solve(solver, &request, &answer) == SOLVE_DONE)
        finish(bout, result_win(answer.wins ? side : !side), REASON_NONE, ENDING_SOLVER);
    solver_free(solver);
}

/* Ends the match, where the rules do not, if it is decided or too long. */
static void adjudicate(struct bout *bout, enum color color)
{
    const struct plan *plan = bout->plan;

    if (plan->score_cp > 0)
        adjudicate_by_score(bout, color);
    if (!bout->over && plan->solver_nodes > 0)
        adjudicate_by_solver(bout);
    if (!bout->over && bout->course.count >= plan->plies_max)
        finish(bout, RESULT_DRAW, REASON_NONE, ENDING_PLIES);
}

static void take_move(struct bout *bout, enum color color, int64_t now_ms)
{
    const char *text = bout->drivers[color].best;
    struct cause cause;
    struct move move;

    if (now_ms > bout->flag_ms) {
        lose_on_time(bout, now_ms);
        return;
    }
    if (!move_parse(bout->course.game, &bout->course.position, text, &move, &cause)) {
        cause_set(&bout->result.note, "bestmove %s: %.150s", text, cause.text);
        lose(bout, color, ENDING_ILLEGAL);
        return;
    }
    take_time(bout, color, now_ms);
    play(bout, move);
    struct outcome outcome =
        history_outcome(&bout->history, bout->course.game, &bout->course.position);
    if (outcome.result != RESULT_NONE)
        finish(bout, outcome.result, outcome.reason, ENDING_RULES);
    else
        adjudicate(bout, color);
    if (!bout->over)
        ask(bout, clock_ms()); /* the solver takes time, too */
}

static void take_failure(struct bout *bout, enum color color)
{
    bout->result.note = bout->drivers[color].cause;
    bout->is_hopeless = !bout->players[color]->proven;
    lose(bout, color, ENDING_CRASH);
}

static void handle(struct bout *bout, enum color color, enum driver_event event, int64_t now_ms)
{
    struct driver *driver = &bout->drivers[color];

    if (event == DRIVER_IS_INTRODUCED) {
        bout->players[color]->dialect = driver->dialect;
        driver_choose(driver, bout->plan->game, &bout->plan->start, now_ms);
    } else if (event == DRIVER_IS_READY) {
        bout->players[color]->proven = true;
        if (bout->drivers[!color].state == DRIVER_READY)
            ask(bout, now_ms);
    } else if (event == DRIVER_HAS_MOVED) {
        take_move(bout, color, now_ms);
    } else if (event == DRIVER_HAS_RESIGNED) {
        finish(bout, result_win(!color), REASON_RESIGN, ENDING_RESIGNED);
    } else if (event == DRIVER_HAS_FAILED) {
        take_failure(bout, color);
    }
}

void bout_run(struct bout *bout, int64_t now_ms)
{
    enum driver_event event;

    for (int color = WHITE; color <= BLACK; color++)
        while (!bout->over &&
               (event = driver_next(&bout->drivers[color], now_ms)) != DRIVER_NOTHING)
            handle(bout, color, event, now_ms);
    if (bout->thinking && now_ms > bout->flag_ms)
        lose_on_time(bout, now_ms);
}

int64_t bout_due_ms(const struct bout *bout)
{
    int64_t due_ms = sooner_ms(bout->drivers[WHITE].deadline_ms, bout->drivers[BLACK].deadline_ms);

    return bout->thinking ? sooner_ms(due_ms, bout->flag_ms + 1) : due_ms;
}

struct result_of_match bout_result(const struct bout *bout)
{
    const struct course *course = &bout->course;
    struct result_of_match result = bout->result;

    result.date_s = time(NULL);
    result.plies = course->count;
    result.moves = xcalloc((size_t)course->count, sizeof result.moves[0]);
    for (int i = 0; i < course->count; i++)
        move_format(&course->start, course->moves[i], result.moves[i].text);
    return result;
}

void bout_end(struct bout *bout, int64_t now_ms)
{
    bool failed = bout->over && bout->result.ending >= ENDING_TIME;

    for (int color = WHITE; color <= BLACK; color++)
        driver_end(&bout->drivers[color],
                   failed && bout->result.outcome.result != result_win(color), now_ms);
    history_release(&bout->history);
}
