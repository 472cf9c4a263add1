#include "clobber_solve.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "clobber_search.h"
#include "clobber_table_file.h"
#include "common/xmalloc.h"

enum { REPORT_MS = 100 };

/* A position after a move at the root. */
struct root {
    struct move move;
    int score;
};

/* One thread. */
struct solver_thread {
    struct solver *solver;
    struct clobber_search search;
    int64_t report_ms;
    int roots_done;
    pthread_t thread;
};

struct solver {
    struct arena arena;
    struct table table;
    struct table_file file; /* of the table, or closed */
    struct solver_thread threads[SOLVE_THREADS_MAX];
    int threads_count;
    const struct solve_request *request;
    struct root roots[MOVES_MAX];
    int roots_count;
    atomic_int answer; /* the index of a winning root, ROOTS_LOST or ROOTS_OPEN */
};

enum { ROOTS_OPEN = -2, ROOTS_LOST = -1 };

enum { ARENA_SLACK = 4096 }; /* for the alignment of tables */

enum { GUESS_PLIES = 3, SCORE_MOST = 2000 }; /* of guesses */

static void report(struct solver_thread *thread, int64_t now_ms)
{
    const struct solver *solver = thread->solver;
    const struct solve_request *request = solver->request;

    if (request->report == NULL || thread != &solver->threads[0] ||
        now_ms < thread->report_ms + REPORT_MS)
        return;
    thread->report_ms = now_ms;
    request->report(request->context, &(struct solve_progress){.nodes = thread->search.nodes,
                                                               .moves_done = thread->roots_done,
                                                               .moves = solver->roots_count});
}

/* Whether the search of a thread has to give up: it is too late, or another thread has the answer.
 */
static bool is_over(void *context)
{
    struct solver_thread *thread = context;
    const struct solve_request *request = thread->solver->request;
    int64_t now_ms = clock_ms();

    report(thread, now_ms);
    return now_ms >= request->limits.deadline_ms ||
           (request->stop != NULL && atomic_load(request->stop)) ||
           atomic_load(&thread->solver->answer) != ROOTS_OPEN;
}

/* What is known without a search of a position in which `side` is to move. */
static enum sum_verdict known_verdict(const struct solver *solver, const struct sums *sums,
                                      const struct sum *sum, int side, int *effort)
{
    enum sum_verdict verdict = sum_look(sums, sum, side);

    *effort = 0;
    return verdict != SUM_UNKNOWN
               ? verdict
               : table_recall(&solver->table, sum->key[side], sum->key[!side], effort);
}

/* Whether the side to move wins by this move. */
static bool wins_by_root(struct solver_thread *thread, const struct root *root)
{
    struct clobber_search *search = &thread->search;
    struct position position = thread->solver->request->position;
    struct sum sum;
    int effort;

    clobber.apply(&position, root->move);
    sum_of_position(search->sums, &sum, &position);
    enum sum_verdict verdict =
        known_verdict(thread->solver, search->sums, &sum, position.side, &effort);
    if (verdict != SUM_UNKNOWN)
        return verdict == SUM_LOSS;
    return !clobber_search_wins(search, &sum, position.side) && !search->gave_up;
}

/* A thread: tries all moves at the root and sets the solver's answer, unless it gives up. */
static void *run(void *argument)
{
    struct solver_thread *thread = argument;
    struct solver *solver = thread->solver;
    int open = ROOTS_OPEN;

    for (int i = 0; i < solver->roots_count && !thread->search.gave_up; i++) {
        if (wins_by_root(thread, &solver->roots[i])) {
            atomic_compare_exchange_strong(&solver->answer, &open, i);
            return NULL;
        }
        thread->roots_done += !thread->search.gave_up;
    }
    if (!thread->search.gave_up)
        atomic_compare_exchange_strong(&solver->answer, &open, ROOTS_LOST);
    return NULL;
}

static int compare_roots(const void *a, const void *b)
{
    return ((const struct root *)a)->score - ((const struct root *)b)->score;
}

static void list_roots(struct solver *solver)
{
    struct clobber_search *search = &solver->threads[0].search;
    const struct position *position = &solver->request->position;
    struct move moves[MOVES_MAX];
    struct sum sum;

    solver->roots_count = clobber.legal(position, moves);
    for (int i = 0; i < solver->roots_count; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        sum_of_position(search->sums, &sum, &next);
        /* The number of the move breaks ties. */
        int score = MOVES_MAX * clobber_search_score(search, &sum, next.side) + i;
        solver->roots[i] = (struct root){.move = moves[i], .score = score};
    }
    qsort(solver->roots, (size_t)solver->roots_count, sizeof solver->roots[0], compare_roots);
}

/* Makes a thread ready for the solver's request. The scores of the first one have no random part.
 */
static void prepare(struct solver *solver, int number, int stride)
{
    struct solver_thread *thread = &solver->threads[number];
    uint64_t nodes = solver->request->limits.nodes / (uint64_t)solver->threads_count;

    sums_make_room(thread->search.sums);
    sums_set_stride(thread->search.sums, stride);
    clobber_search_begin(&thread->search, nodes, (uint64_t)number);
    thread->roots_done = 0;
    thread->report_ms = clock_ms();
}

/* Runs all threads, the first one here. Returns false if a thread is refused. */
static bool run_all(struct solver *solver)
{
    int started = 1;

    while (started < solver->threads_count && pthread_create(&solver->threads[started].thread, NULL,
                                                             run, &solver->threads[started]) == 0)
        started++;
    if (started == solver->threads_count)
        run(&solver->threads[0]);
    else
        atomic_store(&solver->answer, ROOTS_LOST); /* so that the others stop */
    for (int i = 1; i < started; i++)
        pthread_join(solver->threads[i].thread, NULL);
    return started == solver->threads_count;
}

/* Lists the moves that the first thread found to lose. */
static void list_lost(const struct solver *solver, struct solve_answer *answer)
{
    for (int i = 0; i < solver->threads[0].roots_done; i++)
        answer->lost[answer->lost_count++] = solver->roots[i].move;
}

enum solve_status solver_solve(struct solver *solver, const struct solve_request *request,
                               struct solve_answer *answer)
{
    int stride = group_stride(&request->position);

    *answer = (struct solve_answer){0};
    if (stride == 0)
        return SOLVE_TOO_WIDE;
    solver->request = request;
    for (int i = 0; i < solver->threads_count; i++)
        prepare(solver, i, stride);
    atomic_store(&solver->answer, ROOTS_OPEN);
    list_roots(solver);
    if (!run_all(solver))
        return SOLVE_NO_THREAD;
    for (int i = 0; i < solver->threads_count; i++)
        answer->nodes += solver->threads[i].search.nodes;
    int found = atomic_load(&solver->answer);
    answer->wins = found >= 0;
    if (answer->wins)
        answer->move = solver->roots[found].move;
    list_lost(solver, answer);
    return found == ROOTS_OPEN ? SOLVE_LIMIT : SOLVE_DONE;
}

/* The odds of the other side after a move, by a search of so many plies from there. */
static double odds_after(struct solver *solver, struct move move, int plies)
{
    struct clobber_search *search = &solver->threads[0].search;
    struct position position = solver->request->position;
    struct sum sum;
    int effort;

    clobber.apply(&position, move);
    sum_of_position(search->sums, &sum, &position);
    enum sum_verdict verdict = known_verdict(solver, search->sums, &sum, position.side, &effort);
    if (verdict != SUM_UNKNOWN)
        return verdict == SUM_WIN ? INFINITY : 0;
    return clobber_search_odds(search, &sum, position.side, plies);
}

/* Finds the move that leaves the other side the least odds. */
static bool guess_within(struct solver *solver, const struct move *moves, int count, int plies,
                         struct solve_guess *guess)
{
    double least = INFINITY;
    int best = 0;

    for (int i = 0; i < count; i++) {
        double odds = odds_after(solver, moves[i], plies - 1);
        if (solver->threads[0].search.gave_up)
            return false;
        if (odds < least) {
            least = odds;
            best = i;
        }
    }
    if (least == INFINITY)
        return false;
    double score = -100 * log(least);
    *guess = (struct solve_guess){best, plies, score > SCORE_MOST ? SCORE_MOST : (int)score};
    return true;
}

bool solver_guess(struct solver *solver, const struct solve_request *request,
                  const struct move *moves, int count, struct solve_guess *guess, uint64_t *nodes)
{
    int stride = group_stride(&request->position), plies = 0;

    if (stride == 0)
        return false;
    solver->request = request;
    prepare(solver, 0, stride);
    atomic_store(&solver->answer, ROOTS_OPEN);
    while (plies < GUESS_PLIES && guess_within(solver, moves, count, plies + 1, guess))
        plies++;
    *nodes += solver->threads[0].search.nodes;
    return plies > 0;
}

enum solve_known solver_recalls(struct solver *solver, const struct position *position, int *effort)
{
    static const enum solve_known known[] = {
        [SUM_UNKNOWN] = SOLVE_UNKNOWN, [SUM_WIN] = SOLVE_WON, [SUM_LOSS] = SOLVE_LOST};
    struct sums *sums = solver->threads[0].search.sums;
    int stride = group_stride(position);
    struct sum sum;

    *effort = 0;
    if (stride == 0)
        return SOLVE_UNKNOWN;
    sums_set_stride(sums, stride);
    sum_of_position(sums, &sum, position);
    return known[known_verdict(solver, sums, &sum, position->side, effort)];
}

void solver_forget(struct solver *solver)
{
    table_clear(&solver->table);
}

struct solver *solver_new(size_t bytes, int threads, bool huge_pages)
{
    /* A larger board does not have more small groups. */
    size_t sums_bytes = bytes / 4 < ((size_t)512 << 20) ? bytes / 4 : (size_t)512 << 20;
    struct arena arena;

    if (!arena_map(&arena, bytes + ARENA_SLACK, huge_pages))
        return NULL;
    struct solver *solver = xcalloc(1, sizeof *solver);
    solver->threads_count = threads;
    solver->table = table_in(bytes - sums_bytes, &arena);
    for (int i = 0; i < threads; i++) {
        struct solver_thread *thread = &solver->threads[i];
        thread->solver = solver;
        clobber_search_open(&thread->search, sums_new(sums_bytes / (size_t)threads, &arena),
                            &solver->table, is_over, thread);
    }
    solver->arena = arena;
    return solver;
}

bool solver_use_file(struct solver *solver, const char *path, size_t bytes, struct cause *cause)
{
    return table_file_open(&solver->file, path, bytes, &solver->table, cause);
}

void solver_free(struct solver *solver)
{
    if (solver == NULL)
        return;
    for (int i = 0; i < solver->threads_count; i++)
        clobber_search_close(&solver->threads[i].search);
    table_file_close(&solver->file);
    arena_unmap(&solver->arena);
    free(solver);
}
