#include "clobber_solve.h"

#include <math.h>
#include <stdlib.h>

#include "clobber_sum.h"
#include "common/xmalloc.h"

enum { CHILDREN_MAX = 1 << 15, MOVES_SEEN_MAX = 1200, NODES_A_LOOK = 32 };

/* Moves are ordered by what it takes to win by them: sum_effort() of the position after the move,
 * and ANSWER_WEIGHT for each answer that look_ahead() leaves. Looking ahead pays from
 * STONES_LOOKED_AHEAD stones on. */
enum { ANSWER_WEIGHT = 64, STONES_LOOKED_AHEAD = 22 };

enum { ANSWERS_MAX = 512 }; /* as a score counts them */

enum { ROOTS_OPEN = -2, ROOTS_LOST = -1 };

enum { ARENA_SLACK = 4096, REPORT_MS = 100 }; /* for the alignment of tables; between reports */

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

struct solver {
    struct arena arena;
    struct table table;
    struct sums *sums;
    struct child *children; /* a stack: those of all plies of the line */
    int children_count;
    uint64_t nodes, nodes_look; /* of this request; when to ask again whether to give up */
    enum { SEARCH_GOES_ON, SEARCH_LIMIT, SEARCH_STACK_FULL } end;
    const struct solve_request *request;
    struct root roots[MOVES_MAX];
    int roots_count, roots_done;
    int64_t report_ms;
};

static void report_progress(struct solver *solver, int64_t now_ms)
{
    const struct solve_request *request = solver->request;

    if (request->report == NULL || now_ms < solver->report_ms + REPORT_MS)
        return;
    solver->report_ms = now_ms;
    request->report(request->context, &(struct solve_progress){.nodes = solver->nodes,
                                                               .moves_done = solver->roots_done,
                                                               .moves = solver->roots_count});
}

bool solve_is_over(const struct solve_request *request)
{
    return clock_ms() >= request->limits.deadline_ms ||
           (request->stop != NULL && atomic_load(request->stop));
}

/* Whether the search has to go back. Asks about limits only now and then. */
static bool search_is_over(struct solver *solver)
{
    uint64_t nodes_max = solver->request->limits.nodes;

    if (solver->end != SEARCH_GOES_ON)
        return true;
    if (solver->nodes < solver->nodes_look && solver->nodes < nodes_max)
        return false;
    solver->nodes_look = solver->nodes + NODES_A_LOOK;
    report_progress(solver, clock_ms());
    if (solver->nodes >= nodes_max || solve_is_over(solver->request))
        solver->end = SEARCH_LIMIT;
    return solver->end != SEARCH_GOES_ON;
}

static void insert_child(struct child *children, int count, const struct child *child)
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
static int expand_sum(struct solver *solver, const struct sum *sum, int color)
{
    struct child *children = solver->children + solver->children_count;
    struct sum_move moves[MOVES_SEEN_MAX];
    struct pieces pieces[MOVES_SEEN_MAX];
    int moves_count = sum_moves(solver->sums, sum, color, moves, MOVES_SEEN_MAX), count = 0;

    for (int i = 0; i < moves_count; i++)
        sum_split(solver->sums, &pieces[i], sum, color, moves[i]);
    for (int i = 0; i < moves_count; i++) {
        struct child *child = &children[count];
        enum sum_verdict verdict =
            sum_brief_after(solver->sums, &child->brief, sum, color, moves[i], &pieces[i]);
        if (verdict == SUM_LOSS)
            return -1;
        if (verdict == SUM_WIN || is_known_child(children, count, child))
            continue;
        child->move = moves[i];
        child->score = 0;
        sum_prefetch(solver->sums, &solver->table, &child->brief, !color);
        count++;
    }
    return count;
}

/* Sets *next to the position of a child. */
static void set_child(struct solver *solver, struct sum *next, const struct sum *sum, int color,
                      const struct child *child)
{
    struct pieces pieces;

    if (sum_restore(next, &child->brief))
        return;
    sum_split(solver->sums, &pieces, sum, color, child->move);
    sum_after(solver->sums, next, sum, color, child->move, &pieces);
}

/* Scores and sorts the children. */
static void sort_children(struct solver *solver, const struct sum *sum, int color,
                          struct child *children, int count)
{
    for (int i = 0; i < count && count > 1; i++) {
        struct child child = children[i];
        struct sum next;
        set_child(solver, &next, sum, color, &child);
        child.score = sum_effort(solver->sums, &next, !color);
        insert_child(children, i, &child);
    }
}

/* What the table knows about a child, where `color` is to move. */
static enum sum_verdict verdict_on(const struct solver *solver, const struct child *child,
                                   int color)
{
    return sum_find(solver->sums, &solver->table, &child->brief, color);
}

/* Whether a child is known to be lost for `color`, which is to move there. Drops those known to be
 * won. */
static bool finds_win(const struct solver *solver, struct child *children, int *count, int color)
{
    int kept = 0;

    for (int i = 0; i < *count; i++) {
        enum sum_verdict verdict = verdict_on(solver, &children[i], color);
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
static int open_answers(struct solver *solver, const struct sum *sum, int color,
                        const struct child *child)
{
    struct child *answers = solver->children + solver->children_count;
    struct sum next;

    set_child(solver, &next, sum, color, child);
    int count = expand_sum(solver, &next, !color);
    if (count > 0 && finds_win(solver, answers, &count, color))
        count = -1;
    if (count <= 0)
        table_store(&solver->table, next.key[!color], next.key[color],
                    count < 0 ? SUM_WIN : SUM_LOSS, 1);
    return count;
}

/* Orders the children by the number of answers that may win. Returns whether `color` turns out to
 * win by one of them. Drops those by which it loses. */
static bool look_ahead(struct solver *solver, const struct sum *sum, int color,
                       struct child *children, int *count)
{
    int kept = 0;

    for (int i = 0; i < *count; i++) {
        struct child child = children[i];
        solver->nodes++;
        if (search_is_over(solver))
            return false;
        int answers = open_answers(solver, sum, color, &child);
        if (answers == 0)
            return true;
        child.score += ANSWER_WEIGHT * answers;
        if (answers > 0)
            insert_child(children, kept++, &child);
    }
    *count = kept;
    return false;
}

static bool search_wins(struct solver *solver, const struct sum *sum, int color);

/* Whether `color` wins by moving to this child. */
static bool wins_by(struct solver *solver, const struct sum *sum, int color,
                    const struct child *child)
{
    enum sum_verdict verdict = verdict_on(solver, child, !color);
    struct sum next;

    if (verdict != SUM_UNKNOWN)
        return verdict == SUM_LOSS;
    set_child(solver, &next, sum, color, child);
    return !search_wins(solver, &next, !color) && solver->end == SEARCH_GOES_ON;
}

static bool wins_by_any(struct solver *solver, const struct sum *sum, int color)
{
    int before = solver->children_count;
    struct child *children = solver->children + before;
    int count = expand_sum(solver, sum, color);

    if (count < 0 || finds_win(solver, children, &count, !color))
        return true;
    solver->children_count += count;
    sort_children(solver, sum, color, children, count);
    bool won =
        sum_stones(sum) >= STONES_LOOKED_AHEAD && look_ahead(solver, sum, color, children, &count);
    for (int i = 0; i < count && !won && solver->end == SEARCH_GOES_ON; i++)
        won = wins_by(solver, sum, color, &children[i]);
    solver->children_count = before;
    return won;
}

/* Whether `color`, which is to move, wins. Means nothing once the search is over. */
static bool search_wins(struct solver *solver, const struct sum *sum, int color)
{
    uint64_t nodes = solver->nodes++;

    if (search_is_over(solver))
        return false;
    if (solver->children_count > CHILDREN_MAX - 2 * MOVES_SEEN_MAX) {
        solver->end = SEARCH_STACK_FULL;
        return false;
    }
    bool won = wins_by_any(solver, sum, color);
    if (solver->end == SEARCH_GOES_ON)
        table_store(&solver->table, sum->key[color], sum->key[!color], won ? SUM_WIN : SUM_LOSS,
                    solver->nodes - nodes);
    return won;
}

/* The score of a move that leaves the sum to `color`: the move with the least is best. */
static int move_score(struct solver *solver, const struct sum *sum, int color)
{
    int answers = expand_sum(solver, sum, color);

    if (answers < 0)
        answers = ANSWERS_MAX; /* a bad move comes last */
    return ANSWER_WEIGHT * answers + sum_effort(solver->sums, sum, color);
}

/* A guess at the odds that `color`, which is to move, wins, by the table and sum_odds() after each
 * of its moves: from 0 to INFINITY. The odds add up over the moves: guesses are off, and the more
 * moves look good, the likelier one of them is. */
static double search_odds(struct solver *solver, const struct sum *sum, int color)
{
    struct child *children = solver->children + solver->children_count;
    int count = expand_sum(solver, sum, color);
    double odds = 0;

    if (count < 0 || finds_win(solver, children, &count, !color))
        return INFINITY;
    for (int i = 0; i < count; i++) {
        struct sum next;
        set_child(solver, &next, sum, color, &children[i]);
        odds += exp(sum_odds(solver->sums, &next, !color) / -100.0);
    }
    return odds;
}

/* What is known without a search of a position in which `side` is to move. */
static enum sum_verdict known_verdict(const struct solver *solver, const struct sum *sum, int side,
                                      int *effort)
{
    enum sum_verdict verdict = sum_look(solver->sums, sum, side);

    *effort = 0;
    return verdict != SUM_UNKNOWN
               ? verdict
               : table_recall(&solver->table, sum->key[side], sum->key[!side], effort);
}

/* Whether the side to move wins by this move. */
static bool wins_by_root(struct solver *solver, const struct root *root)
{
    struct position position = solver->request->position;
    struct sum sum;
    int effort;

    clobber.apply(&position, root->move);
    sum_of_position(solver->sums, &sum, &position);
    enum sum_verdict verdict = known_verdict(solver, &sum, position.side, &effort);
    if (verdict != SUM_UNKNOWN)
        return verdict == SUM_LOSS;
    return !search_wins(solver, &sum, position.side) && solver->end == SEARCH_GOES_ON;
}

/* Tries all moves at the root. Returns the index of one that wins, ROOTS_LOST, or ROOTS_OPEN if it
 * gave up. */
static int search_roots(struct solver *solver)
{
    for (; solver->roots_done < solver->roots_count; solver->roots_done++) {
        bool won = wins_by_root(solver, &solver->roots[solver->roots_done]);
        if (won || solver->end != SEARCH_GOES_ON)
            return won ? solver->roots_done : ROOTS_OPEN;
    }
    return ROOTS_LOST;
}

static int compare_roots(const void *a, const void *b)
{
    return ((const struct root *)a)->score - ((const struct root *)b)->score;
}

static void list_roots(struct solver *solver)
{
    const struct position *position = &solver->request->position;
    struct move moves[MOVES_MAX];
    struct sum sum;

    solver->roots_count = clobber.legal(position, moves);
    for (int i = 0; i < solver->roots_count; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        sum_of_position(solver->sums, &sum, &next);
        /* The number of the move breaks ties. */
        int score = MOVES_MAX * move_score(solver, &sum, next.side) + i;
        solver->roots[i] = (struct root){.move = moves[i], .score = score};
    }
    qsort(solver->roots, (size_t)solver->roots_count, sizeof solver->roots[0], compare_roots);
}

enum solve_status solver_solve(struct solver *solver, const struct solve_request *request,
                               struct solve_answer *answer)
{
    int stride = group_stride(&request->position);

    *answer = (struct solve_answer){0};
    if (stride == 0)
        return SOLVE_TOO_WIDE;
    solver->request = request;
    sums_make_room(solver->sums);
    sums_set_stride(solver->sums, stride);
    solver->nodes = solver->nodes_look = 0;
    solver->children_count = 0;
    solver->end = SEARCH_GOES_ON;
    solver->report_ms = clock_ms();
    solver->roots_done = 0;
    list_roots(solver);
    int found = search_roots(solver);
    answer->nodes = solver->nodes;
    answer->wins = found >= 0;
    if (answer->wins)
        answer->move = solver->roots[found].move;
    for (int i = 0; i < solver->roots_done; i++)
        answer->lost[answer->lost_count++] = solver->roots[i].move;
    return found != ROOTS_OPEN                ? SOLVE_DONE
           : solver->end == SEARCH_STACK_FULL ? SOLVE_TOO_DEEP
                                              : SOLVE_LIMIT;
}

struct solve_look solver_look(struct solver *solver, const struct position *position, int plies)
{
    static const enum solve_known known[] = {
        [SUM_UNKNOWN] = SOLVE_UNKNOWN, [SUM_WIN] = SOLVE_WON, [SUM_LOSS] = SOLVE_LOST};
    struct solve_look look = {.known = SOLVE_UNKNOWN, .odds = 1};
    int stride = group_stride(position);
    struct sum sum;

    if (stride == 0)
        return look;
    sums_set_stride(solver->sums, stride);
    sum_of_position(solver->sums, &sum, position);
    look.known = known[known_verdict(solver, &sum, position->side, &look.effort)];
    look.odds = plies == 0 ? exp(sum_odds(solver->sums, &sum, position->side) / 100.0)
                           : search_odds(solver, &sum, position->side);
    return look;
}

void solver_forget(struct solver *solver)
{
    table_clear(&solver->table);
}

struct solver *solver_new(size_t bytes, bool huge_pages)
{
    /* A larger board does not have more small groups. */
    size_t sums_bytes = bytes / 4 < ((size_t)512 << 20) ? bytes / 4 : (size_t)512 << 20;
    struct arena arena;

    if (!arena_map(&arena, bytes + ARENA_SLACK, huge_pages))
        return NULL;
    struct solver *solver = xcalloc(1, sizeof *solver);
    solver->table = table_in(bytes - sums_bytes, &arena);
    solver->sums = sums_new(sums_bytes, &arena);
    solver->children = xcalloc(CHILDREN_MAX, sizeof *solver->children);
    solver->arena = arena;
    return solver;
}

void solver_free(struct solver *solver)
{
    if (solver == NULL)
        return;
    sums_free(solver->sums);
    free(solver->children);
    arena_unmap(&solver->arena);
    free(solver);
}
