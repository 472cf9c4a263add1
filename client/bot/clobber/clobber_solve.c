#include "clobber_solve.h"

#include <pthread.h>
#include <stdlib.h>

#include "client/bot/base/rng.h"
#include "clobber_sum.h"
#include "clobber_table_file.h"
#include "common/xmalloc.h"

enum { CHILDREN_MAX = 1 << 15, MOVES_SEEN_MAX = 1200, NODES_A_LOOK = 32, REPORT_MS = 100 };

/* Moves are ordered by what it takes to win by them: sum_effort() for the position after the move,
 * and so much for each answer that look_ahead() leaves, which pays from so many stones on. CHANCE
 * limits the random part of the score, which the second thread has. */
enum { ANSWER_WEIGHT = 64, STONES_LOOKED_AHEAD = 22, CHANCE = 12 };

/* A position that a move leads to. */
struct child {
    struct sum_brief brief;
    int score; /* the least is searched first */
    struct sum_move move;
};

/* A position after a move at the root. */
struct root {
    struct move move;
    int score;
};

/* One thread's search. */
struct search {
    struct solver *solver;
    struct sums *sums;
    struct child *children; /* a stack: those of all plies of the line */
    int children_count;
    uint64_t nodes, nodes_max, nodes_look;
    uint64_t rng; /* 0: no random part in the scores */
    int64_t report_ms;
    int roots_done;
    bool gave_up;
    pthread_t thread;
};

struct solver {
    struct arena arena;
    struct table table;
    struct table_file file; /* of the table, or closed */
    struct search search[SOLVE_THREADS_MAX];
    int threads;
    const struct solve_request *request;
    struct root roots[MOVES_MAX];
    int roots_count;
    atomic_int answer; /* the index of a winning root, ROOTS_LOST or ROOTS_OPEN */
};

enum { ROOTS_OPEN = -2, ROOTS_LOST = -1 };

enum { ARENA_SLACK = 4096 }; /* for the alignment of tables */

static void report(struct search *search, int64_t now_ms)
{
    const struct solve_request *request = search->solver->request;

    if (request->report == NULL || search != &search->solver->search[0] ||
        now_ms < search->report_ms + REPORT_MS)
        return;
    search->report_ms = now_ms;
    request->report(request->context,
                    &(struct solve_progress){.nodes = search->nodes,
                                             .moves_done = search->roots_done,
                                             .moves = search->solver->roots_count});
}

/* Whether to give up. Looks at the clock only now and then. */
static bool is_due(struct search *search)
{
    const struct solve_request *request = search->solver->request;

    if (search->gave_up || search->nodes >= search->nodes_max)
        return search->gave_up = true;
    if (search->nodes < search->nodes_look)
        return false;
    search->nodes_look = search->nodes + NODES_A_LOOK;
    int64_t now_ms = clock_ms();
    report(search, now_ms);
    search->gave_up = now_ms >= request->limits.deadline_ms ||
                      (request->stop != NULL && atomic_load(request->stop)) ||
                      atomic_load(&search->solver->answer) != ROOTS_OPEN;
    return search->gave_up;
}

static void insert(struct child *children, int count, const struct child *child)
{
    int i = count;

    for (; i > 0 && children[i - 1].score > child->score; i--)
        children[i] = children[i - 1];
    children[i] = *child;
}

static bool is_known_child(const struct child *children, int count, const struct child *child)
{
    for (int i = 0; i < count; i++)
        if (children[i].brief.key[0] == child->brief.key[0] &&
            children[i].brief.key[1] == child->brief.key[1])
            return true;
    return false;
}

/* Pushes the positions that `color` can move to, but for those where it loses by sum_look().
 * Returns how many there are, or -1 if it wins so by one. */
static int expand(struct search *search, const struct sum *sum, int color)
{
    struct child *children = search->children + search->children_count;
    struct sum_move moves[MOVES_SEEN_MAX];
    struct pieces pieces[MOVES_SEEN_MAX];
    int moves_count = sum_moves(search->sums, sum, color, moves, MOVES_SEEN_MAX), count = 0;

    for (int i = 0; i < moves_count; i++)
        sum_split(search->sums, &pieces[i], sum, color, moves[i]);
    for (int i = 0; i < moves_count; i++) {
        struct child *child = &children[count];
        enum sum_verdict verdict =
            sum_brief_after(search->sums, &child->brief, sum, color, moves[i], &pieces[i]);
        if (verdict == SUM_LOSS)
            return -1;
        if (verdict == SUM_WIN || is_known_child(children, count, child))
            continue;
        child->move = moves[i];
        child->score = 0;
        sum_prefetch(search->sums, &search->solver->table, &child->brief, !color);
        count++;
    }
    return count;
}

/* Sets *next to the position of a child. */
static void set_child(struct search *search, struct sum *next, const struct sum *sum, int color,
                      const struct child *child)
{
    struct pieces pieces;

    if (sum_restore(next, &child->brief))
        return;
    sum_split(search->sums, &pieces, sum, color, child->move);
    sum_after(search->sums, next, sum, color, child->move, &pieces);
}

/* Scores and sorts the children. */
static void sort(struct search *search, const struct sum *sum, int color, struct child *children,
                 int count)
{
    for (int i = 0; i < count && count > 1; i++) {
        struct child child = children[i];
        struct sum next;
        set_child(search, &next, sum, color, &child);
        child.score = sum_effort(search->sums, &next, !color);
        if (search->rng != 0)
            child.score += rng_below(&search->rng, CHANCE);
        insert(children, i, &child);
    }
}

/* What the table knows about a child, where `color` is to move. */
static enum sum_verdict verdict_on(const struct search *search, const struct child *child,
                                   int color)
{
    return sum_find(search->sums, &search->solver->table, &child->brief, color);
}

/* Whether a child is known to be lost for `color`, which is to move there. Drops those known to be
 * won. */
static bool finds_win(const struct search *search, struct child *children, int *count, int color)
{
    int kept = 0;

    for (int i = 0; i < *count; i++) {
        enum sum_verdict verdict = verdict_on(search, &children[i], color);
        if (verdict == SUM_LOSS)
            return true;
        if (verdict == SUM_UNKNOWN)
            children[kept++] = children[i];
    }
    *count = kept;
    return false;
}

/* Counts the answers to a child that may win. If that decides the child, stores the verdict and
 * returns -1 if the side to move there wins, 0 if it loses. */
static int open_answers(struct search *search, const struct sum *sum, int color,
                        const struct child *child)
{
    struct child *answers = search->children + search->children_count;
    struct sum next;

    set_child(search, &next, sum, color, child);
    int count = expand(search, &next, !color);
    if (count > 0 && finds_win(search, answers, &count, color))
        count = -1;
    if (count <= 0)
        table_store(&search->solver->table, next.key[!color], next.key[color],
                    count < 0 ? SUM_WIN : SUM_LOSS, 1);
    return count;
}

/* Orders the children by the number of answers that may win. Returns whether `color` turns out to
 * win by one of them. Drops those by which it loses. */
static bool look_ahead(struct search *search, const struct sum *sum, int color,
                       struct child *children, int *count)
{
    int kept = 0;

    for (int i = 0; i < *count; i++) {
        struct child child = children[i];
        search->nodes++;
        if (is_due(search))
            return false;
        int answers = open_answers(search, sum, color, &child);
        if (answers == 0)
            return true;
        child.score += ANSWER_WEIGHT * answers;
        if (answers > 0)
            insert(children, kept++, &child);
    }
    *count = kept;
    return false;
}

static bool wins(struct search *search, const struct sum *sum, int color);

/* Whether `color` wins by moving to this child. */
static bool wins_by(struct search *search, const struct sum *sum, int color,
                    const struct child *child)
{
    enum sum_verdict verdict = verdict_on(search, child, !color);
    struct sum next;

    if (verdict != SUM_UNKNOWN)
        return verdict == SUM_LOSS;
    set_child(search, &next, sum, color, child);
    return !wins(search, &next, !color) && !search->gave_up;
}

static bool wins_by_any(struct search *search, const struct sum *sum, int color)
{
    int before = search->children_count;
    struct child *children = search->children + before;
    int count = expand(search, sum, color);

    if (count < 0 || finds_win(search, children, &count, !color))
        return true;
    search->children_count += count;
    sort(search, sum, color, children, count);
    bool won =
        sum_stones(sum) >= STONES_LOOKED_AHEAD && look_ahead(search, sum, color, children, &count);
    for (int i = 0; i < count && !won && !search->gave_up; i++)
        won = wins_by(search, sum, color, &children[i]);
    search->children_count = before;
    return won;
}

/* Whether `color`, which is to move, wins. Means nothing once the search has given up. */
static bool wins(struct search *search, const struct sum *sum, int color)
{
    uint64_t nodes = search->nodes++;

    if (is_due(search))
        return false;
    if (search->children_count > CHILDREN_MAX - 2 * MOVES_SEEN_MAX) {
        search->gave_up = true;
        return false;
    }
    bool won = wins_by_any(search, sum, color);
    if (!search->gave_up)
        table_store(&search->solver->table, sum->key[color], sum->key[!color],
                    won ? SUM_WIN : SUM_LOSS, search->nodes - nodes);
    return won;
}

/* Whether the side to move wins by this move. */
static bool wins_by_root(struct search *search, const struct root *root)
{
    struct position position = search->solver->request->position;
    struct sum sum;

    clobber.apply(&position, root->move);
    sum_of_position(search->sums, &sum, &position);
    enum sum_verdict verdict = sum_look(search->sums, &sum, position.side);
    if (verdict == SUM_UNKNOWN)
        verdict =
            table_find(&search->solver->table, sum.key[position.side], sum.key[!position.side]);
    if (verdict != SUM_UNKNOWN)
        return verdict == SUM_LOSS;
    return !wins(search, &sum, position.side) && !search->gave_up;
}

/* A thread: tries all moves at the root and sets the solver's answer, unless it gives up. */
static void *run(void *argument)
{
    struct search *search = argument;
    struct solver *solver = search->solver;
    int open = ROOTS_OPEN;

    for (int i = 0; i < solver->roots_count && !search->gave_up; i++) {
        if (wins_by_root(search, &solver->roots[i])) {
            atomic_compare_exchange_strong(&solver->answer, &open, i);
            return NULL;
        }
        search->roots_done += !search->gave_up;
    }
    if (!search->gave_up)
        atomic_compare_exchange_strong(&solver->answer, &open, ROOTS_LOST);
    return NULL;
}

static int compare_roots(const void *a, const void *b)
{
    return ((const struct root *)a)->score - ((const struct root *)b)->score;
}

/* The score of a root. `number` breaks ties. */
static int score_of_root(struct search *search, const struct position *next, int number)
{
    struct sum sum;

    sum_of_position(search->sums, &sum, next);
    int answers = expand(search, &sum, next->side);
    if (answers < 0)
        answers = CHILDREN_MAX / ANSWER_WEIGHT; /* a bad move comes last */
    return MOVES_MAX * (ANSWER_WEIGHT * answers + sum_effort(search->sums, &sum, next->side)) +
           number;
}

static void list_roots(struct solver *solver)
{
    struct move moves[MOVES_MAX];
    const struct position *position = &solver->request->position;

    solver->roots_count = clobber.legal(position, moves);
    for (int i = 0; i < solver->roots_count; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        solver->roots[i] =
            (struct root){.move = moves[i], .score = score_of_root(&solver->search[0], &next, i)};
    }
    qsort(solver->roots, (size_t)solver->roots_count, sizeof solver->roots[0], compare_roots);
}

static void prepare(struct solver *solver, int number)
{
    struct search *search = &solver->search[number];
    uint64_t nodes = solver->request->limits.nodes;

    search->nodes = search->nodes_look = 0;
    search->nodes_max = nodes / (uint64_t)solver->threads;
    search->gave_up = false;
    search->roots_done = 0;
    search->children_count = 0;
    search->rng = (uint64_t)number;
    search->report_ms = clock_ms();
}

/* Runs all searches, the first one in this thread. Returns false if a thread is refused. */
static bool run_all(struct solver *solver)
{
    int started = 1;

    while (started < solver->threads && pthread_create(&solver->search[started].thread, NULL, run,
                                                       &solver->search[started]) == 0)
        started++;
    if (started == solver->threads)
        run(&solver->search[0]);
    else
        atomic_store(&solver->answer, ROOTS_LOST); /* so that the others stop */
    for (int i = 1; i < started; i++)
        pthread_join(solver->search[i].thread, NULL);
    return started == solver->threads;
}

/* Lists the moves that the first thread found to lose. */
static void list_lost(const struct solver *solver, struct solve_answer *answer)
{
    for (int i = 0; i < solver->search[0].roots_done; i++)
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
    for (int i = 0; i < solver->threads; i++) {
        sums_make_room(solver->search[i].sums);
        sums_set_stride(solver->search[i].sums, stride);
        prepare(solver, i);
    }
    atomic_store(&solver->answer, ROOTS_OPEN);
    list_roots(solver);
    if (!run_all(solver))
        return SOLVE_NO_THREAD;
    for (int i = 0; i < solver->threads; i++)
        answer->nodes += solver->search[i].nodes;
    int found = atomic_load(&solver->answer);
    answer->wins = found >= 0;
    if (answer->wins)
        answer->move = solver->roots[found].move;
    list_lost(solver, answer);
    return found == ROOTS_OPEN ? SOLVE_LIMIT : SOLVE_DONE;
}

enum solve_known solver_recalls(struct solver *solver, const struct position *position, int *effort)
{
    struct sums *sums = solver->search[0].sums;
    int stride = group_stride(position), side = position->side;
    struct sum sum;

    *effort = 0;
    if (stride == 0)
        return SOLVE_UNKNOWN;
    sums_set_stride(sums, stride);
    sum_of_position(sums, &sum, position);
    enum sum_verdict verdict = sum_look(sums, &sum, side);
    if (verdict == SUM_UNKNOWN)
        verdict = table_recall(&solver->table, sum.key[side], sum.key[!side], effort);
    return verdict == SUM_WIN ? SOLVE_WON : verdict == SUM_LOSS ? SOLVE_LOST : SOLVE_UNKNOWN;
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
    for (int i = 0; i < threads; i++) {
        solver->search[i].solver = solver;
        solver->search[i].sums = sums_new(sums_bytes / (size_t)threads, &arena);
        solver->search[i].children = xcalloc(CHILDREN_MAX, sizeof(struct child));
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
    for (int i = 0; i < solver->threads; i++) {
        sums_free(solver->search[i].sums);
        free(solver->search[i].children);
    }
    table_file_close(&solver->file);
    arena_unmap(&solver->arena);
    free(solver);
}
