#include "clobber_search.h"

#include <math.h>
#include <stdlib.h>

#include "common/xmalloc.h"

enum { CHILDREN_MAX = 1 << 15, MOVES_SEEN_MAX = 1200, NODES_A_LOOK = 32 };

/* Moves are ordered by what it takes to win by them: sum_effort() for the position after the move,
 * and so much for each answer that look_ahead() leaves, which pays from so many stones on. */
enum { ANSWER_WEIGHT = 64, STONES_LOOKED_AHEAD = 22 };

enum { ANSWERS_MAX = 512 }; /* as a score counts them */

/* Others may help once MOVES_ALONE moves have failed in NODES_ALONE nodes: then mostly all moves
 * have to be refuted, none in vain. They may not where a move takes more than NODES_TOGETHER:
 * threads that are far apart miss what the other one finds out. */
enum { MOVES_ALONE = 2, NODES_ALONE = 20, NODES_TOGETHER = 20000 };

void clobber_search_open(struct clobber_search *search, struct sums *sums, struct table *table,
                         struct crew *crew, bool (*is_over)(void *context), void *context)
{
    *search = (struct clobber_search){.sums = sums,
                                      .table = table,
                                      .crew = crew,
                                      .children = xcalloc(CHILDREN_MAX, sizeof(struct child)),
                                      .is_over = is_over,
                                      .context = context};
}

void clobber_search_close(struct clobber_search *search)
{
    sums_free(search->sums);
    free(search->children);
}

void clobber_search_begin(struct clobber_search *search, uint64_t nodes_max)
{
    search->nodes = search->nodes_look = 0;
    search->nodes_max = nodes_max;
    search->children_count = 0;
    search->meeting = NULL;
    search->gave_up = search->goes_back = false;
}

/* Makes the whole crew give up: a move that one of them leaves open decides nothing. */
static void give_up(struct clobber_search *search)
{
    search->gave_up = search->goes_back = true;
    if (search->crew != NULL)
        crew_end(search->crew);
}

/* Whether it is time to go back. Asks whether to give up only now and then. */
static bool is_due(struct clobber_search *search)
{
    if (search->goes_back || meeting_is_decided(search->meeting))
        return search->goes_back = true;
    if (search->nodes < search->nodes_look && search->nodes < search->nodes_max)
        return false;
    search->nodes_look = search->nodes + NODES_A_LOOK;
    if (search->nodes >= search->nodes_max || crew_is_over(search->crew) ||
        search->is_over(search->context))
        give_up(search);
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
static int expand(struct clobber_search *search, const struct sum *sum, int color)
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
        sum_prefetch(search->sums, search->table, &child->brief, !color);
        count++;
    }
    return count;
}

/* Sets *next to the position of a child. */
static void set_child(struct clobber_search *search, struct sum *next, const struct sum *sum,
                      int color, const struct child *child)
{
    struct pieces pieces;

    if (sum_restore(next, &child->brief))
        return;
    sum_split(search->sums, &pieces, sum, color, child->move);
    sum_after(search->sums, next, sum, color, child->move, &pieces);
}

/* Scores and sorts the children. */
static void sort(struct clobber_search *search, const struct sum *sum, int color,
                 struct child *children, int count)
{
    for (int i = 0; i < count && count > 1; i++) {
        struct child child = children[i];
        struct sum next;
        set_child(search, &next, sum, color, &child);
        child.score = sum_effort(search->sums, &next, !color);
        insert(children, i, &child);
    }
}

/* What the table knows about a child, where `color` is to move. */
static enum sum_verdict verdict_on(const struct clobber_search *search, const struct child *child,
                                   int color)
{
    return sum_find(search->sums, search->table, &child->brief, color);
}

/* Whether a child is known to be lost for `color`, which is to move there. Drops those known to be
 * won. */
static bool finds_win(const struct clobber_search *search, struct child *children, int *count,
                      int color)
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
static int open_answers(struct clobber_search *search, const struct sum *sum, int color,
                        const struct child *child)
{
    struct child *answers = search->children + search->children_count;
    struct sum next;

    set_child(search, &next, sum, color, child);
    int count = expand(search, &next, !color);
    if (count > 0 && finds_win(search, answers, &count, color))
        count = -1;
    if (count <= 0)
        table_store(search->table, next.key[!color], next.key[color],
                    count < 0 ? SUM_WIN : SUM_LOSS, 1);
    return count;
}

/* Orders the children by the number of answers that may win. Returns whether `color` turns out to
 * win by one of them. Drops those by which it loses. */
static bool look_ahead(struct clobber_search *search, const struct sum *sum, int color,
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

/* Whether `color` wins by moving to this child. The sum is not needed if the child can be restored.
 */
static bool wins_by(struct clobber_search *search, const struct sum *sum, int color,
                    const struct child *child)
{
    enum sum_verdict verdict = verdict_on(search, child, !color);
    struct sum next;

    if (verdict != SUM_UNKNOWN)
        return verdict == SUM_LOSS;
    set_child(search, &next, sum, color, child);
    return !clobber_search_wins(search, &next, !color) && !search->goes_back;
}

/* Goes back no further than to a meeting point, unless that is decided, too. */
static void return_to(struct clobber_search *search, struct meeting *meeting)
{
    search->meeting = meeting;
    search->gave_up = search->gave_up || crew_is_over(search->crew);
    search->goes_back = search->gave_up || meeting_is_decided(meeting);
}

/* Tries children of other searches below a meeting point, or anywhere if it is NULL. */
static void help(struct clobber_search *search, struct meeting *within)
{
    struct meeting *meeting;
    struct child child;

    while (!search->goes_back &&
           (meeting = crew_join(search->crew, within, search->sums, &child)) != NULL) {
        search->meeting = meeting;
        bool won = wins_by(search, NULL, meeting->color, &child);
        return_to(search, within);
        crew_leave(search->crew, meeting, won);
    }
}

/* Whether one of the children wins, with help. */
static bool wins_with_help(struct clobber_search *search, const struct sum *sum,
                           struct meeting *meeting)
{
    const struct child *child;
    bool won = false;

    crew_open(search->crew, meeting);
    search->meeting = meeting;
    while (!won && !search->goes_back && (child = crew_take(search->crew, meeting)) != NULL)
        won = wins_by(search, sum, meeting->color, child);
    if (!won)
        help(search, meeting);
    won = crew_close(search->crew, meeting, won);
    return_to(search, meeting->above);
    return won;
}

/* Whether others may help after so many moves, and nodes for them. */
static bool welcomes_help(const struct clobber_search *search, int moves, uint64_t nodes)
{
    return search->crew != NULL && moves >= MOVES_ALONE && nodes >= NODES_ALONE &&
           nodes <= (uint64_t)moves * NODES_TOGETHER;
}

/* Whether one of the children wins. */
static bool wins_by_one_of(struct clobber_search *search, const struct sum *sum, int color,
                           const struct child *children, int count)
{
    struct meeting meeting = {.above = search->meeting,
                              .sums = search->sums,
                              .children = children,
                              .color = color,
                              .count = count};
    uint64_t before = search->nodes;

    for (int i = 0; i < count && !search->goes_back; i++) {
        meeting.next = i;
        if (welcomes_help(search, i, search->nodes - before))
            return wins_with_help(search, sum, &meeting);
        if (wins_by(search, sum, color, &children[i]))
            return true;
    }
    return false;
}

static bool wins_by_any(struct clobber_search *search, const struct sum *sum, int color)
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
    if (!won)
        won = wins_by_one_of(search, sum, color, children, count);
    search->children_count = before;
    return won;
}

bool clobber_search_wins(struct clobber_search *search, const struct sum *sum, int color)
{
    uint64_t nodes = search->nodes++;

    if (is_due(search))
        return false;
    if (search->children_count > CHILDREN_MAX - 2 * MOVES_SEEN_MAX) {
        give_up(search);
        return false;
    }
    bool won = wins_by_any(search, sum, color);
    if (!search->goes_back)
        table_store(search->table, sum->key[color], sum->key[!color], won ? SUM_WIN : SUM_LOSS,
                    search->nodes - nodes);
    return won;
}

void clobber_search_help(struct clobber_search *search)
{
    help(search, NULL);
}

int clobber_search_score(struct clobber_search *search, const struct sum *sum, int color)
{
    int answers = expand(search, sum, color);

    if (answers < 0)
        answers = ANSWERS_MAX; /* a bad move comes last */
    return ANSWER_WEIGHT * answers + sum_effort(search->sums, sum, color);
}

/* The odds of winning add up over the moves: guesses are off, and the more moves look good, the
 * likelier one of them is. */
double clobber_search_odds(struct clobber_search *search, const struct sum *sum, int color)
{
    struct child *children = search->children + search->children_count;
    int count = expand(search, sum, color);
    double odds = 0;

    if (count < 0 || finds_win(search, children, &count, !color))
        return INFINITY;
    for (int i = 0; i < count; i++) {
        struct sum next;
        set_child(search, &next, sum, color, &children[i]);
        odds += exp(sum_odds(search->sums, &next, !color) / -100.0);
    }
    return odds;
}
