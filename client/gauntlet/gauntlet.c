/*
 * `ludus-bot gauntlet`: matches between two engines, or between each two of more. One thread runs
 * those of a pairing; it waits for the engines.
 *
 * Several matches may run at a time, but pairs count in the order of their numbers, and the SPRT
 * stops at the first pair that decides it. So engines that always play alike give the same outcome
 * with any number of matches at a time, interrupted or not.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client/bot/bot.h"
#include "client/bot/clobber/clobber_solve.h"
#include "client/engine/course.h"
#include "client/engine/process.h"
#include "common/json_text.h"
#include "common/key_history.h"
#include "common/move.h"
#include "common/xmalloc.h"
#include "results.h"
#include "score.h"

/* ---- The report ---- */

enum verdict { VERDICT_NONE, VERDICT_ELO0, VERDICT_ELO1 };

/* Exit statuses of an SPRT that does not accept ELO1. */
enum { EXIT_ELO0 = 3, EXIT_UNDECIDED = 4 };

static const char sprt_model[] = "logistic Elo, pentanomial";

/* A summary of the pairs counted so far. */
struct summary {
    struct pair_tally tally;
    int endings[ENDINGS];   /* matches that ended so */
    int faults[2][ENDINGS]; /* by player */
    double llr;             /* of the SPRT */
    enum verdict verdict;
};

/* Two players, and what they have played. */
struct pairing {
    struct plan plan;
    struct results results; /* empty until it is played */
    struct summary summary;
};

enum pairing_end { PAIRING_DONE, PAIRING_INTERRUPTED, PAIRING_FAILED };

/* Adds the two matches of a pair, and updates the SPRT if there is one. */
static void summary_add(struct summary *summary, const struct plan *plan,
                        const struct result_of_match pair[2])
{
    for (int i = 0; i < 2; i++) {
        int player = player_at_fault(&pair[i]);
        summary->endings[pair[i].ending]++;
        if (player >= 0)
            summary->faults[player][pair[i].ending]++;
    }
    tally_add(&summary->tally, first_player_points(&pair[0]), first_player_points(&pair[1]));
    if (!plan->sprt)
        return;
    summary->llr = sprt_llr(&summary->tally, plan->elo0, plan->elo1);
    if (summary->llr >= sprt_upper(plan->alpha, plan->beta))
        summary->verdict = VERDICT_ELO1;
    else if (summary->llr <= sprt_lower(plan->alpha, plan->beta))
        summary->verdict = VERDICT_ELO0;
}

/* Writes the progress to standard error, as one line; on a terminal it replaces the last one. */
static void report_progress(const struct plan *plan, const struct summary *summary, int played,
                            bool on_terminal)
{
    const struct pair_tally *tally = &summary->tally;
    struct estimate e = estimate(tally);

    if (on_terminal)
        putc('\r', stderr);
    fprintf(stderr, "%d/%ld matches  +%d =%d -%d  %.1f %%  Elo %+.0f [%+.0f, %+.0f]", played,
            2 * plan->pairs, tally->wins, tally->draws, tally->losses, 100 * e.score, e.elo,
            e.elo_low, e.elo_high);
    if (plan->sprt)
        fprintf(stderr, "  LLR %+.2f", summary->llr);
    fputs(on_terminal ? "\033[K" : "\n", stderr); /* to the end of the line */
    fflush(stderr);
}

static bool adjudicates(const struct plan *plan)
{
    return plan->score_cp > 0 || plan->solver_nodes > 0 || plan->draw_cp > 0;
}

static void report_head(const struct plan *plan)
{
    char variant[VARIANT_NAME_MAX], limit[PLAN_LIMIT_MAX];

    plan->game->variant_name(&plan->start, variant);
    limit_text(&plan->limit, limit);
    printf("%-14s  %s:%s\n", "game", plan->game->name, variant);
    printf("%-14s  %s against %s\n", "players", plan->players[0].label, plan->players[1].label);
    printf("%-14s  %s, ", "played with", limit);
    for (int i = 0; i < 2; i++) {
        const struct contestant *player = &plan->players[i];
        limit_text(&player->limit, limit);
        if (player->own_limit)
            printf("%s for %s, ", limit, player->label);
    }
    if (plan->list.count > 0 && strcmp(plan->openings_path, OPENINGS_BALANCED) == 0)
        printf("%d balanced openings", plan->list.count);
    else if (plan->list.count > 0)
        printf("%d openings of %s", plan->list.count, plan->openings_path);
    else
        printf("openings of %ld plies", plan->opening_plies);
    printf(", seed %ld\n", plan->seed);
}

/* Prints the whole report, in lines of a name and its value. */
static void report_all(const struct plan *plan, const struct summary *summary)
{
    static const char *const faults[ENDINGS] = {[ENDING_TIME] = "lost on time",
                                                [ENDING_ILLEGAL] = "illegal moves",
                                                [ENDING_CRASH] = "crashes"};
    static const char *const verdicts[] = {"undecided", "ELO0 accepted", "ELO1 accepted"};
    const struct pair_tally *tally = &summary->tally;
    struct estimate e = estimate(tally);

    report_head(plan);
    printf("%-14s  %d in %d pairs\n", "matches", 2 * tally_pairs(tally), tally_pairs(tally));
    printf("%-14s  %d\n%-14s  %d\n%-14s  %d\n", "wins", tally->wins, "draws", tally->draws,
           "losses", tally->losses);
    printf("%-14s  %.1f %% (95 %%: %.1f to %.1f)\n", "score", 100 * e.score, 100 * e.score_low,
           100 * e.score_high);
    printf("%-14s  %+.0f (95 %%: %+.0f to %+.0f)\n", "elo", e.elo, e.elo_low, e.elo_high);
    printf("%-14s  %d %d %d %d %d with 0, 1/2, 1, 3/2, 2 points\n", "pairs", tally->pairs[0],
           tally->pairs[1], tally->pairs[2], tally->pairs[3], tally->pairs[4]);
    printf("%-14s  %d drawn at %ld plies\n", "ply limit", summary->endings[ENDING_PLIES],
           plan->plies_max);
    if (adjudicates(plan))
        printf("%-14s  %d by score, %d by solver", "adjudicated", summary->endings[ENDING_SCORE],
               summary->endings[ENDING_SOLVER]);
    if (plan->draw_cp > 0)
        printf(", %d drawn", summary->endings[ENDING_DRAW]);
    if (adjudicates(plan))
        putchar('\n');
    for (enum ending ending = ENDING_TIME; ending < ENDINGS; ending++)
        printf("%-14s  %d by %s, %d by %s\n", faults[ending], summary->faults[0][ending],
               plan->players[0].label, summary->faults[1][ending], plan->players[1].label);
    if (plan->sprt)
        printf(
            "%-14s  %s: LLR %+.2f (%.2f to %.2f) for ELO0 %+g, ELO1 %+g, alpha %g, beta %g, %s\n",
            "sprt", verdicts[summary->verdict], summary->llr, sprt_lower(plan->alpha, plan->beta),
            sprt_upper(plan->alpha, plan->beta), plan->elo0, plan->elo1, plan->alpha, plan->beta,
            sprt_model);
}

/* ---- The report as JSON ---- */

/* Infinity is null: a player who won everything has no Elo. */
static void json_real(struct buffer *json, const char *key, double value)
{
    char text[32];

    snprintf(text, sizeof text, "%.6g", value);
    if (isfinite(value))
        json_value(json, key, text, strlen(text));
    else
        json_null(json, key);
}

static void json_player(struct buffer *json, const struct plan *plan, const struct summary *summary,
                        int player)
{
    char limit[PLAN_LIMIT_MAX];

    json_open(json, NULL, '{');
    json_string(json, "name", plan->players[player].label);
    json_string(json, "command", plan->players[player].text);
    limit_text(&plan->players[player].limit, limit);
    json_word(json, "limit", limit);
    for (enum ending ending = ENDING_TIME; ending < ENDINGS; ending++)
        json_integer(json, ending_text(ending), summary->faults[player][ending]);
    json_close(json, '}');
}

static void json_sprt(struct buffer *json, const struct plan *plan, const struct summary *summary)
{
    static const char *const verdicts[] = {"undecided", "elo0", "elo1"};

    json_open(json, "sprt", '{');
    json_word(json, "verdict", verdicts[summary->verdict]);
    json_real(json, "llr", summary->llr);
    json_real(json, "lower", sprt_lower(plan->alpha, plan->beta));
    json_real(json, "upper", sprt_upper(plan->alpha, plan->beta));
    json_real(json, "elo0", plan->elo0);
    json_real(json, "elo1", plan->elo1);
    json_real(json, "alpha", plan->alpha);
    json_real(json, "beta", plan->beta);
    json_word(json, "model", sprt_model);
    json_close(json, '}');
}

/* Adds the results of a pairing. */
static void json_pairing(struct buffer *json, const struct plan *plan,
                         const struct summary *summary)
{
    const struct pair_tally *tally = &summary->tally;
    struct estimate e = estimate(tally);

    json_open(json, NULL, '{');
    json_open(json, "players", '[');
    json_player(json, plan, summary, 0);
    json_player(json, plan, summary, 1);
    json_close(json, ']');
    json_integer(json, "matches", 2 * tally_pairs(tally));
    json_integer(json, "wins", tally->wins);
    json_integer(json, "draws", tally->draws);
    json_integer(json, "losses", tally->losses);
    json_real(json, "score", e.score);
    json_real(json, "score_low", e.score_low);
    json_real(json, "score_high", e.score_high);
    json_real(json, "elo", e.elo);
    json_real(json, "elo_low", e.elo_low);
    json_real(json, "elo_high", e.elo_high);
    json_open(json, "pairs", '[');
    for (int i = 0; i < PAIR_KINDS; i++)
        json_integer(json, NULL, tally->pairs[i]);
    json_close(json, ']');
    json_open(json, "endings", '{');
    for (enum ending ending = ENDING_RULES; ending < ENDINGS; ending++)
        json_integer(json, ending_text(ending), summary->endings[ending]);
    json_close(json, '}');
    if (plan->sprt)
        json_sprt(json, plan, summary);
    json_close(json, '}');
}

/* Prints the result between two of many players, in one line. */
static void report_pairing(const struct plan *plan, const struct summary *summary)
{
    const struct pair_tally *tally = &summary->tally;
    int faults[2] = {0};

    for (enum ending ending = ENDING_TIME; ending < ENDINGS; ending++)
        for (int i = 0; i < 2; i++)
            faults[i] += summary->faults[i][ending];
    printf("%s against %s: +%d =%d -%d, lost by own fault %d and %d", plan->players[0].label,
           plan->players[1].label, tally->wins, tally->draws, tally->losses, faults[0], faults[1]);
    if (adjudicates(plan))
        printf(", adjudicated %d by score, %d by solver", summary->endings[ENDING_SCORE],
               summary->endings[ENDING_SOLVER]);
    putchar('\n');
}

/* ---- One match ---- */

/*
 * The engine of a player, in one of the matches that run at a time, and in the next one there. One
 * that cannot play a second match loses none by it: until its first move there, a new process takes
 * its place, and from then on every match of the player has a new one.
 */
struct engine_slot {
    struct driver driver; /* its engine is NULL: none */
    bool is_used;         /* it has played in another match ... */
    bool has_moved;       /* ... and moved in this one */
    bool replaces;        /* ... which had one that may be unable to play two */
};

/*
 * One match of a gauntlet: an engine process for each side. They move in turn until the rules end
 * the match or an engine fails. The owner calls bout_run() whenever an engine has output or the
 * bout is due.
 */
struct bout {
    const struct plan *plan;        /* borrowed */
    struct contestant *players[2];  /* by colour; borrowed */
    struct engine_slot *slots[2];   /* by colour; borrowed */
    struct process_list *processes; /* borrowed */
    char seeds[2][SEED_TEXT_MAX];   /* by colour: an option, or "" */
    struct course course;
    struct history history;
    bool thinking;                 /* the side to move has been asked for a move */
    int64_t asked_ms, flag_ms;     /* when it was asked, and when it loses on time */
    int64_t left_ms[2];            /* on a clock */
    long ahead_plies[2];           /* how many last plies all said that this colour wins */
    long even_plies;               /* ... that neither does */
    char *notes[COURSE_MOVES_MAX]; /* owned: what was said of each move, or NULL */
    bool over;
    struct result_of_match result; /* once it is over, without the moves */
    bool is_hopeless;              /* over, because an engine has never accepted the game */
};

enum { NODES_WAIT_MS = 600000 }; /* for a move that is limited by nodes */
enum { SOLVER_BYTES = 1 << 20 };

static struct driver *driver_of(const struct bout *bout, enum color color)
{
    return &bout->slots[color]->driver;
}

static void play_move(struct bout *bout, struct move move)
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
        play_move(bout, opening->moves[i]);
}

/* Starts a process for a side. */
static bool start_engine(struct bout *bout, enum color color, int64_t now_ms, struct cause *cause)
{
    const struct contestant *player = bout->players[color];
    char name[32];

    *bout->slots[color] = (struct engine_slot){.is_used = false};
    snprintf(name, sizeof name, "%d-%s", bout->result.number + 1, color_name(color));
    return driver_start(driver_of(bout, color), &player->program, name, player->dialect,
                        bout->processes, now_ms, cause);
}

/* Sets an engine up for the match. */
static void choose_game(const struct bout *bout, enum color color, int64_t now_ms)
{
    const char *seed = bout->seeds[color][0] != '\0' ? bout->seeds[color] : NULL;

    driver_choose(driver_of(bout, color), bout->plan->game, &bout->plan->start, seed, now_ms);
}

/* Seats the engine of an earlier match, or starts one. */
static bool seat_engine(struct bout *bout, enum color color, int64_t now_ms, struct cause *cause)
{
    struct driver *driver = driver_of(bout, color);
    char name[32];

    if (driver->engine == NULL || driver->state != DRIVER_READY) {
        driver_end(driver, false, now_ms);
        return start_engine(bout, color, now_ms, cause);
    }
    bout->slots[color]->is_used = true;
    bout->slots[color]->has_moved = false;
    snprintf(name, sizeof name, "%d-%s", bout->result.number + 1, color_name(color));
    driver_enter(driver, name);
    choose_game(bout, color, now_ms);
    return true;
}

/* Sees to the engines: those in slots[], by player, are used, or new ones. Returns false with the
 * cause if one cannot be run; call bout_end() even then. Changes what is known about the plan's
 * players. */
static bool bout_start(struct bout *bout, struct plan *plan, int number,
                       const struct opening *opening, struct engine_slot slots[2],
                       struct process_list *processes, int64_t now_ms, struct cause *cause)
{
    *bout = (struct bout){.plan = plan, .processes = processes, .result.number = number};

    set_up_board(bout, opening);
    for (int color = WHITE; color <= BLACK; color++) {
        int player = white_player(number) ^ color;
        bout->players[color] = &plan->players[player];
        bout->slots[color] = &slots[player];
        bout->left_ms[color] = plan->players[player].limit.clock.base_ms;
        player_seed(plan, player, number, bout->seeds[color]);
    }
    return seat_engine(bout, WHITE, now_ms, cause) && seat_engine(bout, BLACK, now_ms, cause);
}

/* Replaces an engine that has played in another match and fails before it moves in this one. False
 * if that is not so. */
static bool replace_engine(struct bout *bout, enum color color, const char *why, int64_t now_ms)
{
    struct engine_slot *slot = bout->slots[color];
    struct cause cause, note;

    if (!slot->is_used || slot->has_moved)
        return false;
    cause_set(&note, "%s", why); /* which may be the driver's */
    driver_end(&slot->driver, true, now_ms);
    if (!start_engine(bout, color, now_ms, &cause))
        return false;
    slot->replaces = true;
    bout->thinking = false;
    fprintf(stderr, "match %d, ply %d: %s (%s) is started again: %s\n", bout->result.number + 1,
            bout->course.count + 1, bout->players[color]->label, color_name(color), note.text);
    return true;
}

/* Notes that the engine can play. Where one that has played before could not, none is kept from now
 * on.
 */
static void note_start(struct bout *bout, enum color color)
{
    struct contestant *player = bout->players[color];

    bout->slots[color]->has_moved = true;
    if (!bout->slots[color]->replaces || player->program.restarts)
        return;
    player->program.restarts = true;
    fprintf(stderr, "%s cannot play two matches: each has a new process, as with --restart\n",
            player->label);
}

static void decide_bout(struct bout *bout, enum result result, enum reason reason,
                        enum ending ending)
{
    bout->over = true;
    bout->thinking = false;
    bout->result.outcome = (struct outcome){result, reason};
    bout->result.ending = ending;
}

static void lose_bout(struct bout *bout, enum color color, enum ending ending)
{
    decide_bout(bout, result_win(!color), ending == ENDING_TIME ? REASON_TIMEOUT : REASON_FORFEIT,
                ending);
}

static void lose_on_time(struct bout *bout, int64_t now_ms)
{
    cause_set(&bout->result.note, "no move after %lld ms", (long long)(now_ms - bout->asked_ms));
    lose_bout(bout, bout->course.position.side, ENDING_TIME);
}

static void ask_engine(struct bout *bout, int64_t now_ms)
{
    enum color side = bout->course.position.side;
    const struct move_limit *limit = &bout->players[side]->limit;
    struct budget budget = {.clock = limit->kind == LIMIT_CLOCK, .movetime_ms = limit->movetime_ms};

    /* One whose opponent has no clock is told its own. */
    for (enum color color = WHITE; color <= BLACK; color++) {
        bool has_clock = bout->players[color]->limit.kind == LIMIT_CLOCK;
        enum color whose = has_clock ? color : side;
        budget.left_ms[color] = bout->left_ms[whose];
        budget.increment_ms[color] = bout->players[whose]->limit.clock.increment_ms;
    }
    if (limit->kind == LIMIT_NODES) {
        budget.nodes = (uint64_t)limit->nodes;
        budget.movetime_ms = NODES_WAIT_MS;
    }
    if (driver_of(bout, side)->state != DRIVER_READY)
        return; /* it has been started again, and is asked once it is */
    int64_t time_ms = budget.clock ? bout->left_ms[side] : budget.movetime_ms;
    bout->asked_ms = now_ms;
    bout->flag_ms = now_ms + time_ms + bout->plan->margin_ms;
    bout->thinking = true;
    driver_think(driver_of(bout, side), &bout->course, &budget, now_ms);
}

/* Ends the match once both engines have said for long enough that the same side wins, or none. */
static void adjudicate_by_score(struct bout *bout, enum color color)
{
    const struct driver *driver = driver_of(bout, color);
    const struct plan *plan = bout->plan;

    for (int i = 0; i < 2; i++) {
        enum color winner = i == 0 ? color : !color;
        int score_cp = i == 0 ? driver->score_cp : -driver->score_cp;
        bool is_ahead = driver->has_score && score_cp >= plan->score_cp;
        bout->ahead_plies[winner] = is_ahead ? bout->ahead_plies[winner] + 1 : 0;
        if (plan->score_cp > 0 && bout->ahead_plies[winner] >= plan->score_plies)
            decide_bout(bout, result_win(winner), REASON_NONE, ENDING_SCORE);
    }
    bool is_even = driver->has_score && abs(driver->score_cp) <= plan->draw_cp;
    bout->even_plies = is_even ? bout->even_plies + 1 : 0;
    if (plan->draw_cp > 0 && bout->even_plies >= plan->score_plies &&
        bout->course.count >= plan->draw_from)
        decide_bout(bout, RESULT_DRAW, REASON_NONE, ENDING_DRAW);
}

/* Ends the match if the solver finds out who wins. It is a new one every time: what it knows of
 * other positions would let a match end sooner or later than when it is played alone. */
static void adjudicate_by_solver(struct bout *bout)
{
    struct solver *solver = solver_new(SOLVER_BYTES, false);
    enum color side = bout->course.position.side;
    struct solve_request request = {.position = bout->course.position, .limits = NO_LIMITS};
    struct solve_answer answer;

    if (solver == NULL)
        return;
    request.limits.nodes = (uint64_t)bout->plan->solver_nodes;
    if (solver_solve(solver, &request, &answer) == SOLVE_DONE)
        decide_bout(bout, result_win(answer.wins ? side : !side), REASON_NONE, ENDING_SOLVER);
    solver_free(solver);
}

/* Writes what an engine said of its move as runners of matches do, {+0.35/12 1.02s}: the value for
 * its own side, the depth, and the time. */
static char *note_move(const struct driver *driver, int64_t time_ms)
{
    struct buffer note = {0};

    buffer_puts(&note, "{");
    if (driver->has_score && abs(driver->score_cp) >= SCORE_MATE_CP)
        buffer_puts(&note, driver->score_cp > 0 ? "+M" : "-M");
    else if (driver->has_score)
        buffer_printf(&note, "%+.2f", driver->score_cp / 100.0);
    if (driver->has_score)
        buffer_printf(&note, "/%d ", driver->depth_plies);
    buffer_printf(&note, "%.2fs}%c", (double)time_ms / 1000, '\0');
    return note.bytes;
}

static void play_best(struct bout *bout, enum color color, int64_t now_ms)
{
    const char *text = driver_of(bout, color)->best;
    struct cause cause;
    struct move move;

    if (now_ms > bout->flag_ms) {
        lose_on_time(bout, now_ms);
        return;
    }
    if (!move_parse(bout->course.game, &bout->course.position, text, &move, &cause)) {
        cause_set(&bout->result.note, "bestmove %s: %.150s", text, cause.text);
        if (!replace_engine(bout, color, bout->result.note.text, now_ms))
            lose_bout(bout, color, ENDING_ILLEGAL);
        return;
    }
    note_start(bout, color);
    int64_t left_ms = bout->left_ms[color] - (now_ms - bout->asked_ms);
    bout->left_ms[color] =
        (left_ms > 0 ? left_ms : 0) + bout->players[color]->limit.clock.increment_ms;
    if (bout->course.count < COURSE_MOVES_MAX)
        bout->notes[bout->course.count] =
            note_move(driver_of(bout, color), now_ms - bout->asked_ms);
    play_move(bout, move);
    bout->thinking = false;
    struct outcome outcome =
        history_outcome(&bout->history, bout->course.game, &bout->course.position);
    if (outcome.result != RESULT_NONE)
        decide_bout(bout, outcome.result, outcome.reason, ENDING_RULES);
    else {
        /* End the match, where the rules do not, if it is decided or too long. */
        const struct plan *plan = bout->plan;

        if (plan->score_cp > 0 || plan->draw_cp > 0)
            adjudicate_by_score(bout, color);
        if (!bout->over && plan->solver_nodes > 0)
            adjudicate_by_solver(bout);
        if (!bout->over && bout->course.count >= plan->plies_max)
            decide_bout(bout, RESULT_DRAW, REASON_NONE, ENDING_PLIES);
    }
    if (!bout->over)
        ask_engine(bout, clock_ms()); /* the solver takes time, too */
}

static void handle_event(struct bout *bout, enum color color, enum driver_event event,
                         int64_t now_ms)
{
    struct driver *driver = driver_of(bout, color);

    if (event == DRIVER_IS_INTRODUCED) {
        bout->players[color]->dialect = driver->dialect;
        choose_game(bout, color, now_ms);
    } else if (event == DRIVER_IS_READY) {
        bout->players[color]->proven = true;
        if (driver_of(bout, !color)->state == DRIVER_READY)
            ask_engine(bout, now_ms);
    } else if (event == DRIVER_HAS_MOVED) {
        play_best(bout, color, now_ms);
    } else if (event == DRIVER_HAS_RESIGNED) {
        decide_bout(bout, result_win(!color), REASON_RESIGN, ENDING_RESIGNED);
    } else if (event == DRIVER_HAS_FAILED &&
               !replace_engine(bout, color, driver->cause.text, now_ms)) {
        bout->result.note = driver->cause;
        bout->is_hopeless = !bout->players[color]->proven;
        lose_bout(bout, color, ENDING_CRASH);
    }
}

/* Reads what the engines say and lets time pass. */
static void bout_run(struct bout *bout, int64_t now_ms)
{
    enum driver_event event;

    for (int color = WHITE; color <= BLACK; color++)
        while (!bout->over &&
               (event = driver_next(driver_of(bout, color), now_ms)) != DRIVER_NOTHING)
            handle_event(bout, color, event, now_ms);
    if (bout->thinking && now_ms > bout->flag_ms)
        lose_on_time(bout, now_ms);
}

/* When bout_run() is due even if no engine has output. */
static int64_t bout_due_ms(const struct bout *bout)
{
    int64_t due_ms =
        sooner_ms(driver_of(bout, WHITE)->deadline_ms, driver_of(bout, BLACK)->deadline_ms);

    return bout->thinking ? sooner_ms(due_ms, bout->flag_ms + 1) : due_ms;
}

/* Returns the result of a bout that is over, with moves and notes that the caller owns. */
static struct result_of_match bout_result(struct bout *bout)
{
    const struct course *course = &bout->course;
    struct result_of_match result = bout->result;

    result.date_s = time(NULL);
    result.plies = course->count;
    result.moves = xcalloc((size_t)course->count, sizeof result.moves[0]);
    for (int i = 0; i < course->count; i++)
        move_format(&course->start, course->moves[i], result.moves[i].text);
    result.notes = xcalloc((size_t)course->count, sizeof result.notes[0]);
    memcpy(result.notes, bout->notes, (size_t)course->count * sizeof result.notes[0]);
    memset(bout->notes, 0, sizeof bout->notes);
    return result;
}

/* Lets go of the engines, or keeps them for the next match, and releases all that the bout owns. */
static void bout_end(struct bout *bout, int64_t now_ms)
{
    bool failed = bout->over && bout->result.ending >= ENDING_TIME;

    for (int color = WHITE; color <= BLACK; color++) {
        struct driver *driver = driver_of(bout, color);
        bool at_fault = failed && bout->result.outcome.result != result_win(color);
        if (driver->engine != NULL && (at_fault || !bout->over || !driver_rest(driver, now_ms)))
            driver_end(driver, at_fault, now_ms);
    }
    for (int i = 0; i < bout->course.count; i++)
        free(bout->notes[i]);
    history_release(&bout->history);
}

/* ---- The matches of a pairing ---- */

struct gauntlet {
    struct plan *plan;
    struct opening_book book;
    struct results *results;
    struct bout *bouts;             /* plan->parallel of them; owned; without a plan: none */
    struct engine_slot (*slots)[2]; /* the engines of each of these, by player; owned */
    struct engine_loop loop;
    FILE *pgn; /* NULL: none is written */
    struct summary summary;
    int counted;         /* the summary holds all matches before this one */
    int next;            /* every match before this one has begun */
    int64_t progress_ms; /* when progress was shown last, or the begin */
    bool has_progress;   /* the last line on the terminal will be replaced */
    struct cause cause;  /* why it failed; "": it did not */
};

static bool has_failed(const struct gauntlet *gauntlet)
{
    return gauntlet->cause.text[0] != '\0';
}

/* Whether the summary is final. */
static bool is_decided(const struct gauntlet *gauntlet)
{
    return gauntlet->counted >= gauntlet->results->count ||
           gauntlet->summary.verdict != VERDICT_NONE;
}

static void write_record(struct gauntlet *gauntlet, const struct result_of_match *result)
{
    const struct plan *plan = gauntlet->plan;
    char *text = result_pgn(result, plan);

    if (fprintf(gauntlet->pgn, "%s%s", result->number > 0 || plan->appends_pgn ? "\n" : "", text) <
            0 ||
        fflush(gauntlet->pgn) != 0)
        cause_set(&gauntlet->cause, "%.100s: cannot write", plan->pgn_path);
    free(text);
}

/* Counts complete pairs, up to the first that is not. */
static void count_pairs(struct gauntlet *gauntlet)
{
    while (!is_decided(gauntlet) && !has_failed(gauntlet)) {
        const struct result_of_match *pair = gauntlet->results->matches + gauntlet->counted;
        if (pair[0].moves == NULL || pair[1].moves == NULL)
            return;
        summary_add(&gauntlet->summary, gauntlet->plan, pair);
        gauntlet->counted += 2;
        for (int i = 0; i < 2 && gauntlet->pgn != NULL; i++)
            write_record(gauntlet, &pair[i]);
    }
}

/* Makes room for another line. */
static void clear_progress(struct gauntlet *gauntlet)
{
    if (gauntlet->has_progress)
        fputs("\r\033[K", stderr);
    gauntlet->has_progress = false;
}

/* Shows the progress after a match: on a terminal each time, else once a minute, or as asked. */
static void show_progress(struct gauntlet *gauntlet)
{
    enum { USUAL_S = 60 };
    bool on_terminal = isatty(STDERR_FILENO) != 0;
    long every_s = gauntlet->plan->progress_s;

    if (every_s < 0)
        every_s = on_terminal ? 0 : USUAL_S;
    else if (every_s == 0)
        return;
    if (clock_ms() < gauntlet->progress_ms + every_s * 1000)
        return;
    report_progress(gauntlet->plan, &gauntlet->summary, gauntlet->results->played, on_terminal);
    gauntlet->progress_ms = clock_ms();
    gauntlet->has_progress = on_terminal;
}

static void remove_bout(struct gauntlet *gauntlet, int place)
{
    bout_end(&gauntlet->bouts[place], gauntlet->loop.now_ms);
    gauntlet->bouts[place].plan = NULL;
}

/* Ends the engines of a place without a match. */
static void empty_slots(struct gauntlet *gauntlet, int place)
{
    for (int i = 0; i < 2; i++)
        driver_end(&gauntlet->slots[place][i].driver, false, gauntlet->loop.now_ms);
}

static void finish_bout(struct gauntlet *gauntlet, int place)
{
    struct bout *bout = &gauntlet->bouts[place];
    int loser = bout->result.outcome.result == RESULT_WHITE ? BLACK : WHITE;

    if (bout->is_hopeless) {
        cause_set(&gauntlet->cause, "%.80s: %.110s", bout->players[loser]->label,
                  bout->result.note.text);
        remove_bout(gauntlet, place);
        return;
    }
    struct result_of_match result = bout_result(bout);
    remove_bout(gauntlet, place);
    if (!results_add(gauntlet->results, result, &gauntlet->cause))
        return;
    if (player_at_fault(&result) >= 0) {
        clear_progress(gauntlet);
        /* Write one line to standard error about a match that a player lost by their own fault. */
        int player = player_at_fault(&result);
        const char *color = color_name(player == white_player(result.number) ? WHITE : BLACK);
        fprintf(stderr, "match %d, ply %d: %s (%s) loses by %s: %s\n", result.number + 1,
                result.plies + 1, gauntlet->plan->players[player].label, color,
                ending_text(result.ending), result.note.text);
    }
    count_pairs(gauntlet);
    show_progress(gauntlet);
}

/* The next match to start, or -1. */
static int next_match(struct gauntlet *gauntlet)
{
    const struct results *results = gauntlet->results;

    while (gauntlet->next < results->count && results->matches[gauntlet->next].moves != NULL)
        gauntlet->next++;
    return gauntlet->next < results->count ? gauntlet->next++ : -1;
}

static bool start_bout(struct gauntlet *gauntlet, int place, int number)
{
    const struct opening *opening = plan_opening(gauntlet->plan, number);

    if (opening == NULL)
        opening = book_opening(&gauntlet->book, number / 2);
    if (opening == NULL)
        return cause_set(&gauntlet->cause,
                         "there are no more than %d different openings of %ld plies",
                         gauntlet->book.count, gauntlet->plan->opening_plies);
    if (bout_start(&gauntlet->bouts[place], gauntlet->plan, number, opening, gauntlet->slots[place],
                   &gauntlet->loop.engines, gauntlet->loop.now_ms, &gauntlet->cause))
        return true;
    remove_bout(gauntlet, place);
    return false;
}

/* Plays until the outcome is decided, a signal or a failure. */
static void play_matches(struct gauntlet *gauntlet)
{
    struct bout *bouts = gauntlet->bouts;
    int parallel = (int)gauntlet->plan->parallel;

    while (!is_decided(gauntlet) && !has_failed(gauntlet) && !engine_loop_is_to_end()) {
        int64_t due_ms = INT64_MAX;
        for (int i = 0; i < parallel; i++) {
            int number = bouts[i].plan == NULL ? next_match(gauntlet) : -1;
            if (number >= 0 && !start_bout(gauntlet, i, number))
                return;
            if (bouts[i].plan == NULL)
                empty_slots(gauntlet, i);
            if (bouts[i].plan != NULL)
                due_ms = sooner_ms(due_ms, bout_due_ms(&bouts[i]));
        }
        engine_loop_wait(&gauntlet->loop, -1, due_ms);
        for (int i = 0; i < parallel && !has_failed(gauntlet); i++) {
            if (bouts[i].plan == NULL)
                continue;
            bout_run(&bouts[i], gauntlet->loop.now_ms);
            if (bouts[i].over)
                finish_bout(gauntlet, i);
        }
    }
}

static bool open_files(struct gauntlet *gauntlet)
{
    const struct plan *plan = gauntlet->plan;

    if (plan->state_path != NULL &&
        !results_open(gauntlet->results, plan->state_path, plan, &gauntlet->cause))
        return false;
    if (plan->pgn_path == NULL)
        return true;
    gauntlet->pgn = fopen(plan->pgn_path, plan->appends_pgn ? "ae" : "we");
    return gauntlet->pgn != NULL ||
           cause_set(&gauntlet->cause, "%.100s: %s", plan->pgn_path, strerror(errno));
}

/* Plays the plan, which has been read, and prints the report. Says why it failed. */
static enum pairing_end play_pairing(struct pairing *pairing)
{
    struct plan *plan = &pairing->plan;
    struct gauntlet gauntlet = {
        .plan = plan, .results = &pairing->results, .progress_ms = clock_ms()};

    gauntlet.bouts = xcalloc((size_t)plan->parallel, sizeof gauntlet.bouts[0]);
    gauntlet.slots = xcalloc((size_t)plan->parallel, sizeof gauntlet.slots[0]);
    results_init(&pairing->results, (int)plan->pairs * 2);
    book_init(&gauntlet.book, plan->game, &plan->start, (int)plan->opening_plies,
              (uint64_t)plan->seed);
    if (!engine_loop_open(&gauntlet.loop, true))
        cause_set(&gauntlet.cause, "signals: %s", strerror(errno));
    else if (open_files(&gauntlet))
        count_pairs(&gauntlet);
    play_matches(&gauntlet);
    /* All engines end, by force if need be. */
    for (int i = 0; i < plan->parallel; i++) {
        if (gauntlet.bouts[i].plan != NULL)
            remove_bout(&gauntlet, i);
        empty_slots(&gauntlet, i);
    }
    engine_loop_close(&gauntlet.loop);
    clear_progress(&gauntlet);
    if (!has_failed(&gauntlet) && !plan->json && plan->player_count > 2)
        report_pairing(plan, &gauntlet.summary);
    else if (!has_failed(&gauntlet) && !plan->json)
        report_all(plan, &gauntlet.summary);
    fflush(stdout);
    pairing->summary = gauntlet.summary;
    bool done = is_decided(&gauntlet);
    results_close(&pairing->results);
    /* The results stay, and the plan's settings, which are needed to save these. */
    free(gauntlet.bouts);
    free(gauntlet.slots);
    opening_list_release(&plan->list);
    book_release(&gauntlet.book);
    if (gauntlet.pgn != NULL && fclose(gauntlet.pgn) != 0 && !has_failed(&gauntlet))
        cause_set(&gauntlet.cause, "%.100s: %s", plan->pgn_path, strerror(errno));
    if (has_failed(&gauntlet)) {
        bot_error("gauntlet", "%s", gauntlet.cause.text);
        return PAIRING_FAILED;
    }
    return done ? PAIRING_DONE : PAIRING_INTERRUPTED;
}

/* ---- All pairings ---- */

enum { PAIRINGS_MAX = GAUNTLET_PLAYERS_MAX * (GAUNTLET_PLAYERS_MAX - 1) / 2, PATH_BYTES_MAX = 96 };

struct round_robin {
    struct pairing *pairings; /* owned; those that were begun */
    int count;
    char paths[PAIRINGS_MAX][PATH_BYTES_MAX]; /* of the results that print_continuation() saves */
};

/* Prints a word, quoted for a shell. */
static void print_word(const char *word)
{
    static const char plain[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "-_=+:,./@%";
    bool is_plain = *word != '\0' && word[strspn(word, plain)] == '\0';

    fputs(is_plain ? " " : " '", stderr);
    for (; *word != '\0'; word++)
        if (*word == '\'')
            fputs("'\\''", stderr);
        else
            putc(*word, stderr);
    if (!is_plain)
        putc('\'', stderr);
}

/* Saves the results of all pairings to new state files of this name. */
static bool save_results(struct round_robin *all, const char *name, struct cause *cause)
{
    bool saved = true;

    for (int i = 0; i < all->count && saved; i++) {
        struct pairing *pairing = &all->pairings[i];
        const struct plan *plan = &pairing->plan;
        if (pairing->results.played == 0)
            continue;
        if (plan->player_count == 2)
            snprintf(all->paths[i], PATH_BYTES_MAX, "%s", name);
        else
            snprintf(all->paths[i], PATH_BYTES_MAX, "%s.%d-%d", name, plan->pairing[0] + 1,
                     plan->pairing[1] + 1);
        saved = results_save(&pairing->results, all->paths[i], plan, cause);
    }
    return saved;
}

/* Prints the command that continues the gauntlet. Without a state file, saves its results first. */
static void print_continuation(struct round_robin *all, int argc, char **argv)
{
    const struct plan *plan = &all->pairings[0].plan;
    int players = plan->player_count, played = 0;
    struct cause cause;
    char name[48];

    for (int i = 0; i < all->count; i++)
        played += all->pairings[i].results.played;
    fprintf(stderr, "interrupted after %d of %ld matches", played,
            plan->first_only ? 2 * plan->pairs * (players - 1)
                             : plan->pairs * players * (players - 1));
    snprintf(name, sizeof name, "gauntlet-%lld-%d.state", (long long)time(NULL), (int)getpid());
    if (plan->state_path == NULL && !save_results(all, name, &cause)) {
        fputc('\n', stderr);
        bot_error("state", "%s", cause.text);
        return;
    }
    fprintf(stderr, "; to go on:\n%s gauntlet", program_invocation_name);
    if (plan->state_path == NULL)
        fprintf(stderr, " --resume %s", name);
    for (int i = 1; i < argc; i++)
        print_word(argv[i]);
    fputc('\n', stderr);
}

/* Plays the pairing of these players, counted from 0. Returns false, with the exit status, if that
 * is not all. */
static bool run_pairing(struct round_robin *all, int first, int second, int argc, char **argv,
                        int *status)
{
    struct pairing *pairing = &all->pairings[all->count++];

    *status = plan_read(&pairing->plan, first, second, argc, argv);
    if (*status != OPTIONS_RUN)
        return false;
    pairing->plan.appends_pgn = all->count > 1;
    enum pairing_end end = play_pairing(pairing);
    *status = end == PAIRING_DONE ? 0 : 1;
    if (end == PAIRING_INTERRUPTED || (end == PAIRING_FAILED && all->count > 1))
        print_continuation(all, argc, argv);
    return end == PAIRING_DONE;
}

/* Rates the players from all pairings. */
static void rate_players(const struct round_robin *all, struct rating_table *table,
                         const char *labels[GAUNTLET_PLAYERS_MAX])
{
    *table = (struct rating_table){.count = all->pairings[0].plan.player_count};
    for (int i = 0; i < all->count; i++) {
        const struct pairing *pairing = &all->pairings[i];
        const struct pair_tally *tally = &pairing->summary.tally;
        int first = pairing->plan.pairing[0], second = pairing->plan.pairing[1];
        table->matches[first][second] = 2 * tally_pairs(tally);
        table->half_points[first][second] = 2 * tally->wins + tally->draws;
        labels[first] = pairing->plan.players[0].label;
        labels[second] = pairing->plan.players[1].label;
    }
    rating_table_rate(table);
}

/* Prints the report as one object: of all pairings that have begun. */
static void print_json(const struct round_robin *all, bool is_whole)
{
    const struct plan *plan = &all->pairings[0].plan;
    const char *labels[GAUNTLET_PLAYERS_MAX];
    struct buffer json = {0};
    struct rating_table table;
    char variant[VARIANT_NAME_MAX];

    plan->game->variant_name(&plan->start, variant);
    json_open(&json, NULL, '{');
    json_word(&json, "game", plan->game->name);
    json_word(&json, "variant", variant);
    json_integer(&json, "seed", plan->seed);
    json_bool(&json, "complete", is_whole);
    json_open(&json, "pairings", '[');
    for (int i = 0; i < all->count; i++)
        json_pairing(&json, &all->pairings[i].plan, &all->pairings[i].summary);
    json_close(&json, ']');
    if (is_whole && all->count > 1) {
        rate_players(all, &table, labels);
        json_open(&json, "ratings", '[');
        for (int i = 0; i < table.count; i++) {
            json_open(&json, NULL, '{');
            json_string(&json, "name", labels[i]);
            json_real(&json, "elo", table.elo[i]);
            json_real(&json, "error", table.error[i]);
            json_close(&json, '}');
        }
        json_close(&json, ']');
    }
    json_close(&json, '}');
    printf("%.*s\n", (int)json.length, json.bytes);
    buffer_release(&json);
}

/* The pairings in their order: each two players, or the first and each other. */
static bool run_pairings(struct round_robin *all, int argc, char **argv, int *status)
{
    bool goes_on = run_pairing(all, 0, 1, argc, argv, status);
    const struct plan *plan = &all->pairings[0].plan;

    for (int second = 2; goes_on && second < plan->player_count; second++)
        for (int first = 0; goes_on && first < (plan->first_only ? 1 : second); first++)
            goes_on = run_pairing(all, first, second, argc, argv, status);
    return goes_on;
}

int gauntlet_main(const struct usage_command *command, int argc, char **argv)
{
    struct round_robin all = {.pairings = xcalloc(PAIRINGS_MAX, sizeof all.pairings[0])};
    int status;

    (void)command;
    const char *labels[GAUNTLET_PLAYERS_MAX];
    struct rating_table table;
    bool is_whole = run_pairings(&all, argc, argv, &status);
    const struct pairing *first = &all.pairings[0];
    if (first->plan.json && (is_whole || first->results.played > 0))
        print_json(&all, is_whole);
    else if (is_whole && all.count > 1) {
        rate_players(&all, &table, labels);
        putchar('\n');
        rating_table_print(&table, labels);
    }
    if (is_whole && first->plan.sprt && first->summary.verdict != VERDICT_ELO1)
        status = first->summary.verdict == VERDICT_ELO0 ? EXIT_ELO0 : EXIT_UNDECIDED;
    for (int i = 0; i < all.count; i++) {
        results_release(&all.pairings[i].results);
        plan_release(&all.pairings[i].plan);
    }
    free(all.pairings);
    return status;
}
