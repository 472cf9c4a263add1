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

struct solver {
    struct arena arena;
    struct table table;
    struct table_file file; /* of the table, or closed */
    struct crew crew;
    struct clobber_search searches[SOLVE_THREADS_MAX]; /* a thread each; the first one leads */
    int threads;
    const struct solve_request *request;
    struct root roots[MOVES_MAX];
    int roots_count, roots_done;
    int64_t report_ms;
};

enum { ROOTS_OPEN = -2, ROOTS_LOST = -1 };

enum { ARENA_SLACK = 4096 }; /* for the alignment of tables */

static void report(struct solver *solver, int64_t now_ms)
{
    const struct solve_request *request = solver->request;

    if (request->report == NULL || now_ms < solver->report_ms + REPORT_MS)
        return;
    solver->report_ms = now_ms;
    request->report(request->context, &(struct solve_progress){.nodes = solver->searches[0].nodes,
                                                               .moves_done = solver->roots_done,
                                                               .moves = solver->roots_count});
}

bool solve_is_over(const struct solve_request *request)
{
    return clock_ms() >= request->limits.deadline_ms ||
           (request->stop != NULL && atomic_load(request->stop));
}

static bool is_over(void *context)
{
    return solve_is_over(((const struct solver *)context)->request);
}

/* is_over() for the first thread, which reports. */
static bool reports_and_is_over(void *context)
{
    report(context, clock_ms());
    return is_over(context);
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
static bool wins_by_root(struct solver *solver, const struct root *root)
{
    struct clobber_search *search = &solver->searches[0];
    struct position position = solver->request->position;
    struct sum sum;
    int effort;

    clobber.apply(&position, root->move);
    sum_of_position(search->sums, &sum, &position);
    enum sum_verdict verdict = known_verdict(solver, search->sums, &sum, position.side, &effort);
    if (verdict != SUM_UNKNOWN)
        return verdict == SUM_LOSS;
    return !clobber_search_wins(search, &sum, position.side) && !search->gave_up;
}

/* Tries all moves at the root. Returns the index of one that wins, ROOTS_LOST, or ROOTS_OPEN if it
 * gave up. */
static int search_roots(struct solver *solver)
{
    const struct clobber_search *search = &solver->searches[0];

    for (; solver->roots_done < solver->roots_count; solver->roots_done++) {
        bool won = wins_by_root(solver, &solver->roots[solver->roots_done]);
        if (won || search->gave_up)
            return won ? solver->roots_done : ROOTS_OPEN;
    }
    return ROOTS_LOST;
}

static void *help(void *search)
{
    clobber_search_help(search);
    return NULL;
}

static int compare_roots(const void *a, const void *b)
{
    return ((const struct root *)a)->score - ((const struct root *)b)->score;
}

static void list_roots(struct solver *solver)
{
    struct clobber_search *search = &solver->searches[0];
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

/* Makes a search ready for the solver's request. */
static void prepare(const struct solver *solver, struct clobber_search *search, int stride)
{
    sums_make_room(search->sums);
    sums_set_stride(search->sums, stride);
    clobber_search_begin(search, solver->request->limits.nodes / (uint64_t)solver->threads);
}

/* Makes all ready for a request. */
static void begin(struct solver *solver, const struct solve_request *request, int stride)
{
    solver->request = request;
    for (int i = 0; i < solver->threads; i++)
        prepare(solver, &solver->searches[i], stride);
    crew_begin(&solver->crew);
    solver->report_ms = clock_ms();
    solver->roots_done = 0;
}

/* Searches with all threads, the first one here. Sets *found to the result of search_roots().
 * Returns false if a thread is refused. */
static bool search_all(struct solver *solver, int *found)
{
    pthread_t threads[SOLVE_THREADS_MAX];
    int started = 1;

    *found = ROOTS_OPEN;
    while (started < solver->threads &&
           pthread_create(&threads[started], NULL, help, &solver->searches[started]) == 0)
        started++;
    if (started == solver->threads)
        *found = search_roots(solver);
    crew_end(&solver->crew);
    for (int i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    return started == solver->threads;
}

/* Lists the moves that were found to lose. */
static void list_lost(const struct solver *solver, struct solve_answer *answer)
{
    for (int i = 0; i < solver->roots_done; i++)
        answer->lost[answer->lost_count++] = solver->roots[i].move;
}

enum solve_status solver_solve(struct solver *solver, const struct solve_request *request,
                               struct solve_answer *answer)
{
    int stride = group_stride(&request->position), found;

    *answer = (struct solve_answer){0};
    if (stride == 0)
        return SOLVE_TOO_WIDE;
    begin(solver, request, stride);
    list_roots(solver);
    if (!search_all(solver, &found))
        return SOLVE_NO_THREAD;
    for (int i = 0; i < solver->threads; i++)
        answer->nodes += solver->searches[i].nodes;
    answer->wins = found >= 0;
    if (answer->wins)
        answer->move = solver->roots[found].move;
    list_lost(solver, answer);
    return found == ROOTS_OPEN ? SOLVE_LIMIT : SOLVE_DONE;
}

struct solve_look solver_look(struct solver *solver, const struct position *position, int plies)
{
    static const enum solve_known known[] = {
        [SUM_UNKNOWN] = SOLVE_UNKNOWN, [SUM_WIN] = SOLVE_WON, [SUM_LOSS] = SOLVE_LOST};
    struct clobber_search *search = &solver->searches[0];
    struct solve_look look = {.known = SOLVE_UNKNOWN, .odds = 1};
    int stride = group_stride(position);
    struct sum sum;

    if (stride == 0)
        return look;
    sums_set_stride(search->sums, stride);
    sum_of_position(search->sums, &sum, position);
    look.known = known[known_verdict(solver, search->sums, &sum, position->side, &look.effort)];
    look.odds = plies == 0 ? exp(sum_odds(search->sums, &sum, position->side) / 100.0)
                           : clobber_search_odds(search, &sum, position->side);
    return look;
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
    solver->threads = threads;
    solver->table = table_in(bytes - sums_bytes, &arena);
    crew_init(&solver->crew);
    for (int i = 0; i < threads; i++)
        clobber_search_open(&solver->searches[i], sums_new(sums_bytes / (size_t)threads, &arena),
                            &solver->table, threads > 1 ? &solver->crew : NULL,
                            i == 0 ? reports_and_is_over : is_over, solver);
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
    for (int i = 0; i < solver->threads; i++)
        clobber_search_close(&solver->searches[i]);
    crew_release(&solver->crew);
    table_file_close(&solver->file);
    arena_unmap(&solver->arena);
    free(solver);
}
