/*
 * The matches of one pairing. One thread runs them all; it waits for the engines.
 *
 * Several matches may run at a time, but pairs count in the order of their numbers, and the SPRT
 * stops at the first pair that decides it. So engines that always play alike give the same outcome
 * with any number of matches at a time, interrupted or not.
 */
#include "gauntlet.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../engine/engine_loop.h"
#include "bout.h"
#include "client/bot/bot.h"
#include "common/xmalloc.h"
#include "report.h"

struct gauntlet {
    struct plan *plan;
    struct book book;
    struct results *results;
    struct bout *bouts; /* plan->parallel of them; owned; without a plan: none */
    struct engine_loop loop;
    FILE *pgn; /* NULL: none is written */
    struct summary summary;
    int counted;        /* the summary holds all matches before this one */
    int next;           /* every match before this one has begun */
    bool has_progress;  /* the last line on the terminal will be replaced */
    struct cause cause; /* why it failed; "": it did not */
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
    int white = white_player(result->number);
    char number[16], date[32], termination[32];
    time_t seconds = (time_t)result->date_s;
    struct tm utc;

    snprintf(number, sizeof number, "%d", result->number + 1);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    snprintf(termination, sizeof termination, "adjudication: %s", ending_text(result->ending));
    char *text = pgn_write(
        &(struct pgn_match){.game = plan->game,
                            .start = *plan_start(plan, result->number),
                            .match = number,
                            .date = date,
                            .white = plan->players[white].label,
                            .black = plan->players[!white].label,
                            .base_ms = plan->clock.base_ms,
                            .increment_ms = plan->clock.increment_ms,
                            .plies = result->plies,
                            .moves = result->moves,
                            .outcome = result->outcome,
                            .termination = is_adjudicated(result->ending) ? termination : NULL},
        false);
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

static void show_progress(struct gauntlet *gauntlet)
{
    if (!isatty(STDERR_FILENO))
        return;
    report_progress(gauntlet->plan, &gauntlet->summary, gauntlet->results->played);
    gauntlet->has_progress = true;
}

/* Makes room for another line. */
static void clear_progress(struct gauntlet *gauntlet)
{
    if (gauntlet->has_progress)
        fputs("\r\033[K", stderr);
    gauntlet->has_progress = false;
}

static void take_result(struct gauntlet *gauntlet, struct result_of_match result)
{
    if (!results_add(gauntlet->results, result, &gauntlet->cause))
        return;
    if (player_at_fault(&result) >= 0) {
        clear_progress(gauntlet);
        report_fault(gauntlet->plan, &result);
    }
    count_pairs(gauntlet);
    show_progress(gauntlet);
}

static void remove_bout(struct gauntlet *gauntlet, int place)
{
    bout_end(&gauntlet->bouts[place], gauntlet->loop.now_ms);
    gauntlet->bouts[place].plan = NULL;
}

static void finish_bout(struct gauntlet *gauntlet, int place)
{
    struct bout *bout = &gauntlet->bouts[place];
    int loser = bout->result.outcome.result == RESULT_WHITE ? BLACK : WHITE;

    if (bout->is_hopeless)
        cause_set(&gauntlet->cause, "%.80s: %.110s", bout->players[loser]->label,
                  bout->result.note.text);
    else
        take_result(gauntlet, bout_result(bout));
    remove_bout(gauntlet, place);
}

/* The next match to start, or -1. */
static int next_match(struct gauntlet *gauntlet)
{
    const struct results *results = gauntlet->results;

    while (gauntlet->next < results->count && results->matches[gauntlet->next].moves != NULL)
        gauntlet->next++;
    return gauntlet->next < results->count ? gauntlet->next++ : -1;
}

static const struct opening *opening_of(struct gauntlet *gauntlet, int number)
{
    const struct opening *opening = plan_opening(gauntlet->plan, number);

    return opening != NULL ? opening : book_opening(&gauntlet->book, number / 2);
}

static bool start_bout(struct gauntlet *gauntlet, int place, int number)
{
    const struct opening *opening = opening_of(gauntlet, number);

    if (opening == NULL)
        return cause_set(&gauntlet->cause,
                         "there are no more than %d different openings of %ld plies",
                         gauntlet->book.count, gauntlet->plan->opening_plies);
    if (bout_start(&gauntlet->bouts[place], gauntlet->plan, number, opening,
                   &gauntlet->loop.engines, gauntlet->loop.now_ms, &gauntlet->cause))
        return true;
    remove_bout(gauntlet, place);
    return false;
}

static void start_bouts(struct gauntlet *gauntlet)
{
    for (int i = 0; i < gauntlet->plan->parallel && !is_decided(gauntlet); i++) {
        int number = gauntlet->bouts[i].plan == NULL ? next_match(gauntlet) : -1;
        if (number >= 0 && !start_bout(gauntlet, i, number))
            return;
    }
}

static int64_t due_ms(const struct gauntlet *gauntlet)
{
    int64_t due = INT64_MAX;

    for (int i = 0; i < gauntlet->plan->parallel; i++)
        if (gauntlet->bouts[i].plan != NULL)
            due = sooner_ms(due, bout_due_ms(&gauntlet->bouts[i]));
    return due;
}

static void run_bouts(struct gauntlet *gauntlet)
{
    for (int i = 0; i < gauntlet->plan->parallel && !has_failed(gauntlet); i++) {
        if (gauntlet->bouts[i].plan == NULL)
            continue;
        bout_run(&gauntlet->bouts[i], gauntlet->loop.now_ms);
        if (gauntlet->bouts[i].over)
            finish_bout(gauntlet, i);
    }
}

/* Plays until the outcome is decided, a signal or a failure. */
static void play(struct gauntlet *gauntlet)
{
    while (!is_decided(gauntlet) && !has_failed(gauntlet) && !engine_loop_is_to_end()) {
        start_bouts(gauntlet);
        if (has_failed(gauntlet))
            return;
        engine_loop_wait(&gauntlet->loop, -1, due_ms(gauntlet));
        run_bouts(gauntlet);
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

/* Ends all engines, by force if need be. */
static void end_engines(struct gauntlet *gauntlet)
{
    for (int i = 0; i < gauntlet->plan->parallel; i++)
        if (gauntlet->bouts[i].plan != NULL)
            remove_bout(gauntlet, i);
    engine_loop_close(&gauntlet->loop);
}

static void tell(const struct gauntlet *gauntlet)
{
    if (gauntlet->plan->player_count > 2)
        report_pairing(gauntlet->plan, &gauntlet->summary);
    else
        report(gauntlet->plan, &gauntlet->summary);
    fflush(stdout);
}

/* Releases all but the results. The plan's settings are still needed to save these. */
static void release(struct gauntlet *gauntlet)
{
    free(gauntlet->bouts);
    opening_list_release(&gauntlet->plan->list);
    book_release(&gauntlet->book);
    if (gauntlet->pgn != NULL && fclose(gauntlet->pgn) != 0 && !has_failed(gauntlet))
        cause_set(&gauntlet->cause, "%.100s: %s", gauntlet->plan->pgn_path, strerror(errno));
}

enum pairing_end pairing_play(struct pairing *pairing)
{
    struct plan *plan = &pairing->plan;
    struct gauntlet gauntlet = {.plan = plan, .results = &pairing->results};

    gauntlet.bouts = xcalloc((size_t)plan->parallel, sizeof gauntlet.bouts[0]);
    results_init(&pairing->results, (int)plan->pairs * 2);
    book_init(&gauntlet.book, plan->game, &plan->start, (int)plan->opening_plies,
              (uint64_t)plan->seed);
    if (!engine_loop_open(&gauntlet.loop, true))
        cause_set(&gauntlet.cause, "signals: %s", strerror(errno));
    else if (open_files(&gauntlet))
        count_pairs(&gauntlet);
    play(&gauntlet);
    end_engines(&gauntlet);
    clear_progress(&gauntlet);
    if (!has_failed(&gauntlet))
        tell(&gauntlet);
    pairing->tally = gauntlet.summary.tally;
    bool done = is_decided(&gauntlet);
    release(&gauntlet);
    if (has_failed(&gauntlet)) {
        bot_error("gauntlet", "%s", gauntlet.cause.text);
        return PAIRING_FAILED;
    }
    return done ? PAIRING_DONE : PAIRING_INTERRUPTED;
}

void pairing_release(struct pairing *pairing)
{
    results_release(&pairing->results);
    plan_release(&pairing->plan);
}
