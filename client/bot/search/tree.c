/*
 * Principal variation search (Marsland, 1983) in a negamax frame, with a transposition table,
 * killers and history, late move reductions, futility pruning, check extensions, and a quiescence
 * search over captures and checks. https://www.chessprogramming.org describes them all.
 *
 * Where repetition draws, a position that occurred before, in the match or on the line searched,
 * counts as a draw, since the side that likes it can go on repeating.
 */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

#include "client/bot/clobber/clobber_book.h"
#include "client/bot/clobber/clobber_end.h"
#include "common/move.h"
#include "common/rng.h"
#include "common/xmalloc.h"
#include "common/zobrist.h"
#include "threats.h"

/* ---- When to answer: nodes, time, and the helpers' share of both ---- */

enum { SLOW_MS = 2 };

/* The nodes that the whole crew has counted so far. */
static uint64_t tree_nodes(struct tree_search *s)
{
    struct search_crew *crew = s->crew;

    if (crew->helpers == 0)
        return s->nodes;
    uint64_t uncounted = s->nodes - s->counted_nodes;
    s->counted_nodes = s->nodes;
    return atomic_fetch_add_explicit(&crew->nodes, uncounted, memory_order_relaxed) + uncounted;
}

/* What is too slow to ask at every position. */
static bool is_search_over(struct tree_search *s)
{
    uint64_t nodes = tree_nodes(s);

    return nodes >= s->node_limit ||
           (s->helps && atomic_load_explicit(&s->crew->done, memory_order_relaxed)) ||
           question_is_due(s->question, nodes);
}

/* Counts a position about to be searched. Returns whether it is time to answer. */
static bool tree_is_due(struct tree_search *s)
{
    s->nodes++;
    if (s->nodes >= s->node_limit)
        s->stopped = true;
    if (++s->work >= s->work_unwatched) {
        s->work = 0;
        /* Keep the looks at the clock some milliseconds apart. One position may take a thousand
         * times longer than another: the first to touch a page of a large table. */
        int64_t now_ms = clock_ms();
        if (now_ms - s->looked_ms >= SLOW_MS)
            s->work_unwatched = s->work_unwatched / 8 + 1;
        else if (s->work_unwatched < WORK_UNWATCHED)
            s->work_unwatched *= 2;
        s->looked_ms = now_ms;
        s->stopped = s->stopped || is_search_over(s);
    }
    return s->stopped;
}

/* ---- The tree below the root ---- */

enum { FEW_MOVES = 6 }; /* never prune among so few: the end may be near */

/* A position being searched. */
struct tree_node {
    const struct position *position;
    int depth, alpha, beta, ply;
    bool check;
    bool may_prune;
    uint64_t vital;   /* moves to these squares are neither reduced nor left out */
    bool knows_first; /* the first move of the list is that of the transposition table */
    struct move best;
    struct move_list list;
};

/* The position after a move. */
static struct position tree_after(const struct tree_search *s, const struct position *position,
                                  struct move move)
{
    struct position next = *position;

    s->game->apply(&next, move);
    return next;
}

/* Mixes in one more word, in the way that SplitMix64 ends. */
static uint64_t mix(uint64_t key, uint64_t word)
{
    key = (key ^ word) * 0xbf58476d1ce4e5b9u;
    return key ^ key >> 29;
}

/* A fast hash, equal for equal positions. Unlike game->key(), it differs between games, and near a
 * draw by a count of plies. */
static uint64_t position_key(const struct tree_search *s, const struct position *position)
{
    uint64_t key = s->game_key;
    unsigned notes = position->notes[0];

    if (s->guide != NULL && notes < (unsigned)s->guide->count_from)
        notes = 0;
    for (size_t i = 0; i < sizeof position->bits / sizeof position->bits[0]; i++)
        key = mix(key, position->bits[i]);
    key = mix(key, (uint64_t)position->side | (uint64_t)position->variant << 8 | notes << 16 |
                       (uint64_t)position->width << 32 | (uint64_t)position->height << 40);
    return key ^ key >> 32;
}

/* The static evaluation. While a question lasts, a position always gets the same noise. */
static int value_of(const struct tree_search *s, const struct position *position)
{
    int value = s->guide != NULL ? s->guide->value(position) : 0, most = WON - 1;

    if (s->skill->noise > 0) {
        uint64_t chance = position_key(s, position) ^ s->noise_seed;
        value += rng_below(&chance, 2 * s->skill->noise + 1) - s->skill->noise;
    }
    return value > most ? most : value < -most ? -most : value;
}

/* The value of a position without legal moves: the game is over. */
static int value_over(const struct tree_search *s, const struct position *position, int ply)
{
    enum result result = s->game->outcome(position).result;

    if (result == RESULT_DRAW)
        return 0;
    return result == result_win(position->side) ? SCORE_WIN - ply : ply - SCORE_WIN;
}

/* The transposition table counts wins from the position, the search from the root. */
static int value_from_root(int value, int ply)
{
    return value >= WON ? value - ply : value <= -WON ? value + ply : value;
}

static int value_from_here(int value, int ply)
{
    return value >= WON ? value + ply : value <= -WON ? value - ply : value;
}

static bool in_check(const struct tree_search *s, const struct position *position)
{
    return s->game->check != NULL && s->game->check(position);
}

/* Notes the position on the line. Returns whether it occurred before. */
static bool repeats_position(struct tree_search *s, const struct position *position, int ply)
{
    if (!s->game->repetition_draws)
        return false;
    uint64_t key = s->path[ply] = s->game->key(position);
    for (int earlier = ply - 4; earlier >= 0; earlier -= 2)
        if (s->path[earlier] == key)
            return true;
    return ply > 0 && s->seen[key % SEEN] && history_count(&s->question->history, key) > 0;
}

/* Finds the hints for the moves of the list from `from` on. */
static void find_hints(struct tree_search *s, const struct position *position,
                       const struct move_list *list, int from, int32_t hints[MOVES_MAX])
{
    s->work += (list->count - from) / 4;
    if (s->guide->hints != NULL) {
        s->guide->hints(position, list->moves + from, list->count - from, hints + from);
        return;
    }
    for (int i = from; i < list->count; i++) {
        struct position next = tree_after(s, position, list->moves[i]);
        hints[i] = s->guide->hint(position, &next);
    }
}

/* Hints are useless where the guide settles the positions after the moves as fast. */
static bool wants_hints(const struct tree_search *s, const struct position *position, int depth)
{
    if (s->guide == NULL || depth < s->guide->hint_depth_plies ||
        (s->guide->hint == NULL && s->guide->hints == NULL))
        return false;
    return s->guide->last == NULL || s->guide->plies_left(position) != 2;
}

/* Ranks the moves of the position from `from` on. */
static void tree_rank(struct tree_search *s, const struct position *position,
                      struct move_list *list, int from, int depth, int ply)
{
    int32_t hints[MOVES_MAX];
    bool hinted = wants_hints(s, position, depth);

    if (hinted)
        find_hints(s, position, list, from, hints);
    order_rank(&s->order, list, from, position->side, ply, hinted ? hints : NULL);
}

/* Makes the move, and the line below it, the line of this ply. */
static void tree_extend_pv(struct tree_search *s, int ply, struct move move)
{
    int plies = ply < PLIES_MAX ? s->pv_plies[ply + 1] : 0;

    s->pv[ply][0] = move;
    memcpy(s->pv[ply] + 1, s->pv[ply + 1], (size_t)plies * sizeof move);
    s->pv_plies[ply] = plies + 1;
}

/* The value of a position that is not searched further. */
static int value_at_leaf(const struct tree_search *s, const struct position *position, int ply)
{
    return s->game->legal(position, NULL) > 0 ? value_of(s, position)
                                              : value_over(s, position, ply);
}

/* Quiescence search: follows captures and checks for at most `plies` plies. */
static int quiesce(struct tree_search *s, const struct position *position, int alpha, int beta,
                   int ply, int plies)
{
    struct move_list list;
    int32_t hints[MOVES_MAX];

    s->pv_plies[ply] = 0;
    if (ply > s->deepest_plies)
        s->deepest_plies = ply;
    if (plies <= 0 || ply >= PLIES_MAX)
        return value_at_leaf(s, position, ply);
    bool check = in_check(s, position);
    int best = check ? -INFINITE : value_at_leaf(s, position, ply);
    if (best >= beta || (best <= -WON && !check))
        return best;
    list.count = s->game->legal(position, list.moves);
    if (list.count == 0)
        return value_over(s, position, ply);
    find_hints(s, position, &list, 0, hints);
    order_rank(&s->order, &list, 0, position->side, ply, hints);
    for (int i = 0; i < list.count && best < beta; i++) {
        struct move move = order_pick(&list, i);
        if (!check && list.ranks[i] < ORDER_HINTED)
            break;
        struct position next = tree_after(s, position, move);
        if (tree_is_due(s))
            return 0;
        int low = best > alpha ? best : alpha;
        int value = -quiesce(s, &next, -beta, -low, ply + 1, plies - 1);
        if (s->stopped)
            return 0;
        if (value > best)
            best = value;
    }
    return best;
}

/* Whether a search to this depth is sure to see the end of the game. */
static bool tree_sees_end(const struct tree_search *s, const struct position *position, int depth)
{
    return s->guide != NULL && s->guide->plies_left != NULL &&
           s->guide->plies_left(position) <= depth;
}

/* Whether moves may be reduced or pruned. */
static bool may_prune(const struct tree_search *s, const struct tree_node *n)
{
    return !s->skill->plain && s->guide != NULL && !n->check && n->list.count > FEW_MOVES &&
           !tree_sees_end(s, n->position, n->depth);
}

/* 16 times the binary logarithm, interpolated linearly between powers of two. */
static int log16(int number)
{
    int whole = 31 - __builtin_clz((unsigned)number);

    return 16 * (whole - 1) + (16 * number >> whole);
}

/* Whether move i is worth a look however late it comes. */
static bool is_loud(const struct tree_node *n, int i)
{
    return n->list.ranks[i] >= ORDER_HINTED || (n->vital >> (n->list.moves[i].to & 63) & 1);
}

/* Late move reductions: by how many plies to reduce move i. Grows with the product of the
 * logarithms of the depth and of i. */
static int reduction(const struct tree_search *s, const struct tree_node *n, int i)
{
    int after = s->guide->reduce_after;

    if (after == 0 || i < after || n->depth < 3 || is_loud(n, i))
        return 0;
    int plies = log16(n->depth) * log16(i + 1) * s->guide->reduce / 25600;
    if (n->beta - n->alpha > 1 && plies > 0)
        plies--;
    return plies < n->depth - 2 ? plies : n->depth - 2;
}

/* Late move pruning: whether move i is quiet and too late to matter so close to the leaves. */
static bool is_hopeless(const struct tree_search *s, const struct tree_node *n, int i)
{
    const struct guide *guide = s->guide;

    if (i == 0 || is_loud(n, i) || n->beta - n->alpha > 1)
        return false;
    return guide->late_moves > 0 && n->depth <= 3 && i >= guide->late_moves * n->depth * n->depth;
}

/* Searches a move after the first with a null window first, which is enough to show that most moves
 * are no better than the best so far. */
static int search_move(struct tree_search *s, const struct tree_node *n,
                       const struct position *next, int alpha, int reduced)
{
    int depth = n->depth - 1, ply = n->ply + 1;
    int value = -tree_value(s, next, depth - reduced, -alpha - 1, -alpha, ply);

    if (reduced > 0 && value > alpha && !s->stopped)
        value = -tree_value(s, next, depth, -alpha - 1, -alpha, ply);
    if (value > alpha && value < n->beta && !s->stopped)
        value = -tree_value(s, next, depth, -n->beta, -alpha, ply);
    return value;
}

/* Brings the move to try next to place i. If the first one is known, the others are ranked only
 * after it. */
static struct move next_move(struct tree_search *s, struct tree_node *n, int i)
{
    if (i == 0 && n->knows_first)
        return n->list.moves[0];
    if (i == n->knows_first)
        tree_rank(s, n->position, &n->list, i, n->depth, n->ply);
    return order_pick(&n->list, i);
}

/* Searches the moves. Returns the best value and sets n->best. */
static int search_moves(struct tree_search *s, struct tree_node *n)
{
    int best = -INFINITE;

    for (int i = 0; i < n->list.count && best < n->beta; i++) {
        struct move move = next_move(s, n, i);
        int low = best > n->alpha ? best : n->alpha;
        if (n->may_prune && best > -WON && is_hopeless(s, n, i))
            continue;
        struct position next = tree_after(s, n->position, move);
        if (tree_is_due(s))
            return 0;
        int value = i == 0 ? -tree_value(s, &next, n->depth - 1, -n->beta, -low, n->ply + 1)
                           : search_move(s, n, &next, low, n->may_prune ? reduction(s, n, i) : 0);
        if (s->stopped)
            return 0;
        if (value > best) {
            best = value;
            n->best = move;
            if (value > n->alpha)
                tree_extend_pv(s, n->ply, move);
        }
    }
    return best;
}

/* Whether an entry of the transposition table settles the value, which goes to *value. */
static bool is_known(const struct tree_search *s, const struct tt_entry *entry, int depth,
                     int alpha, int beta, int ply, int *value)
{
    enum bound bound = tt_bound(entry);

    *value = value_from_root(entry->value, ply);
    if (entry->depth_plies < depth || (s->skill->plain && entry->depth_plies != depth))
        return false;
    return bound == BOUND_EXACT || (bound == BOUND_LOWER && *value >= beta) ||
           (bound == BOUND_UPPER && *value <= alpha);
}

/* Brings a move to the front. Returns false if it is not in the list. */
static bool put_first(struct move_list *list, struct move move)
{
    for (int i = 0; i < list->count; i++) {
        if (!move_equal(list->moves[i], move))
            continue;
        list->moves[i] = list->moves[0];
        list->moves[0] = move;
        list->ranks[0] = INT32_MAX;
        return true;
    }
    return false;
}

/* Searches the moves. Returns the value, and in *bound what kind of value it is. */
static int search_node(struct tree_search *s, struct tree_node *n, struct move first,
                       enum bound *bound)
{
    n->knows_first = put_first(&n->list, first);
    n->best = first;
    n->may_prune = may_prune(s, n);
    if (n->may_prune && s->guide->vital != NULL)
        n->vital = s->guide->vital(n->position);
    int value = search_moves(s, n);
    if (s->stopped)
        return 0;
    *bound = value >= n->beta ? BOUND_LOWER : value <= n->alpha ? BOUND_UPPER : BOUND_EXACT;
    if (*bound == BOUND_UPPER)
        n->best = first;
    if (*bound == BOUND_LOWER)
        order_reward(&s->order, n->position->side, n->ply, n->best, n->depth);
    return value;
}

static int search_inner(struct tree_search *s, const struct position *position, int depth,
                        int alpha, int beta, int ply)
{
    uint64_t key = position_key(s, position);
    struct tt_entry entry = {.move = {.kind = NO_MOVE}};
    struct tree_node n = {
        .position = position, .depth = depth, .alpha = alpha, .beta = beta, .ply = ply};
    enum bound bound;
    int value;

    bool found = tt_find(s->tt, key, &entry);
    if (found && is_known(s, &entry, depth, alpha, beta, ply, &value))
        return value;
    n.list.count = s->game->legal(position, n.list.moves);
    if (n.list.count == 0)
        return value_over(s, position, ply);
    n.check = in_check(s, position);
    value = search_node(s, &n, entry.move, &bound);
    if (!s->stopped)
        tt_store(s->tt, key, n.best, value_from_here(value, ply), depth, bound);
    return value;
}

/* Futility pruning, for both sides: whether the static evaluation is so far outside the window that
 * a search would not bring it inside. A game that is over has no such value. */
static bool is_clear(const struct tree_search *s, const struct position *position, int depth,
                     int alpha, int beta, int *value)
{
    if (s->skill->plain || s->guide == NULL || depth > s->guide->margin_plies ||
        abs(alpha) >= WON || abs(beta) >= WON || tree_sees_end(s, position, depth))
        return false;
    *value = value_of(s, position);
    int margin = depth * s->guide->margin;
    return (*value - margin >= beta || *value + margin <= alpha) &&
           s->game->legal(position, NULL) > 0;
}

/* Whether one ply is left and the guide knows its result, which goes to *value. */
static bool is_last(const struct tree_search *s, const struct position *position, int ply,
                    int *value)
{
    if (s->guide == NULL || s->guide->last == NULL || s->guide->plies_left(position) != 1)
        return false;
    *value = s->guide->last(position) * (SCORE_WIN - ply - 1);
    return true;
}

int tree_value(struct tree_search *s, const struct position *position, int depth, int alpha,
               int beta, int ply)
{
    s->pv_plies[ply] = 0;
    if (repeats_position(s, position, ply))
        return 0;
    if (!s->skill->plain && depth <= 2 && in_check(s, position))
        depth++;
    if (depth <= 0 || ply >= PLIES_MAX) {
        int plies = s->guide != NULL && !s->skill->plain ? s->guide->loud_plies : 0;
        return quiesce(s, position, alpha, beta, ply, plies);
    }
    int value;
    if (is_last(s, position, ply, &value))
        return value;
    if (is_clear(s, position, depth, alpha, beta, &value))
        return value;
    return search_inner(s, position, depth, alpha, beta, ply);
}

/* ---- The root, deepened ply by ply ---- */

/* The aspiration window: the change that is expected from depth to depth. */
enum { WINDOW = 60, WINDOW_FROM_PLIES = 4 };

enum { OWN_TT_MB = 4 }; /* when the asker lends no table */

/* Brings a move of the list to the place `to`. The others keep their order. */
static void bring_forward(struct move_list *list, int to, struct move move)
{
    int i = to;

    while (i < list->count - 1 && !move_equal(list->moves[i], move))
        i++;
    for (; i > to; i--)
        list->moves[i] = list->moves[i - 1];
    list->moves[to] = move;
}

static int move_value(struct tree_search *s, struct move move, bool is_first, int depth, int alpha,
                      int beta)
{
    struct position next = tree_after(s, &s->question->position, move);

    if (is_first)
        return -tree_value(s, &next, depth - 1, -beta, -alpha, 1);
    int value = -tree_value(s, &next, depth - 1, -alpha - 1, -alpha, 1);
    if (value > alpha && value < beta && !s->stopped)
        value = -tree_value(s, &next, depth - 1, -beta, -alpha, 1);
    return value;
}

/* Searches the moves from `from` on to one depth and returns the value. A move better than alpha
 * goes to that place at once, so that it is the answer if the search is stopped. */
static int search_root(struct tree_search *s, struct move_list *list, int from, int depth,
                       int alpha, int beta)
{
    int best = -INFINITE;

    for (int i = from; i < list->count && best < beta; i++) {
        struct move move = list->moves[i];
        if (tree_is_due(s))
            break;
        int low = best > alpha ? best : alpha;
        int value = move_value(s, move, i == from, depth, low, beta);
        if (s->stopped)
            break;
        if (value > best) {
            best = value;
            if (value > alpha) {
                tree_extend_pv(s, 0, move);
                bring_forward(list, from, move);
            }
        }
    }
    return best;
}

/* Searches with a narrow window around the expected value, and with a wider one if that fails. */
static int search_depth(struct tree_search *s, struct move_list *list, int from, int depth,
                        int expected)
{
    int below = depth < WINDOW_FROM_PLIES ? 2 * INFINITE : WINDOW, above = below;

    for (;;) {
        int alpha = expected - below > -INFINITE ? expected - below : -INFINITE;
        int beta = expected + above < INFINITE ? expected + above : INFINITE;
        int value = search_root(s, list, from, depth, alpha, beta);
        if (s->stopped || (value > alpha && value < beta))
            return value;
        if (value <= alpha)
            below = below < 4 * WINDOW ? 4 * WINDOW : 2 * INFINITE;
        else
            above = above < 4 * WINDOW ? 4 * WINDOW : 2 * INFINITE;
    }
}

/* Reports the line in s->pv[0]. What is proven counts more than what this depth sees. */
static void report_line(struct tree_search *s, int line, int depth, int value)
{
    if (s->lost_plies > 0 && value > -WON)
        value = s->lost_plies - SCORE_WIN;
    if (s->question->report != NULL && !s->helps)
        s->question->report(s->question->context, &(struct info){.line = line,
                                                                 .depth_plies = depth,
                                                                 .deepest_plies = s->deepest_plies,
                                                                 .score = value,
                                                                 .nodes = tree_nodes(s),
                                                                 .pv = s->pv[0],
                                                                 .pv_plies = s->pv_plies[0]});
}

static int depth_limit(const struct tree_search *s)
{
    int limit = s->question->limits.depth_plies, own = s->skill->depth_plies;

    if (own > 0 && own < limit)
        limit = own;
    return limit < PLIES_MAX ? limit : PLIES_MAX;
}

enum { STABLE_DEPTHS = 5, DROP = 30 }; /* a value that drops by more needs more time */

/* Whether to leave it at this depth: the next one takes longer than all before it, and the longer
 * one move has been best, the less it promises, unless the value has just dropped. */
static bool is_enough(const struct tree_search *s, int64_t begun_ms, int stable_depths, int drop)
{
    int64_t target_ms = s->question->limits.target_ms;

    if (target_ms == 0)
        return false;
    int64_t share = stable_depths >= STABLE_DEPTHS ? 60 : 100; /* of the target, in percent */
    if (drop > DROP)
        share = 200;
    return (clock_ms() - begun_ms) * 100 >= (target_ms - begun_ms) * share;
}

/* The best lines of an analysis of several, the best one first. The moves that they begin with are
 * the first of the list. */
struct best_lines {
    int count;
    struct best_line {
        int value, pv_plies;
        struct move pv[PLIES_MAX + 1];
    } at[LINES_MAX];
};

/* Notes the line in s->pv[0], which is that of move `i` of the list, in its order among those
 * before it. */
static void insert_line(struct tree_search *s, struct best_lines *lines, struct move_list *list,
                        int i, int value)
{
    int to = i;

    for (; to > 0 && lines->at[to - 1].value < value; to--)
        lines->at[to] = lines->at[to - 1];
    lines->at[to].value = value;
    lines->at[to].pv_plies = s->pv_plies[0];
    memcpy(lines->at[to].pv, s->pv[0], (size_t)s->pv_plies[0] * sizeof s->pv[0][0]);
    bring_forward(list, to, s->pv[0][0]);
}

/* Reports the first `count` lines. */
static void report_lines(struct tree_search *s, const struct best_lines *lines, int count,
                         int depth)
{
    for (int i = 0; i < count; i++) {
        const struct best_line *line = &lines->at[i];
        s->pv_plies[0] = line->pv_plies;
        memcpy(s->pv[0], line->pv, (size_t)line->pv_plies * sizeof line->pv[0]);
        report_line(s, i + 1, depth, line->value);
    }
}

/* Deepens for several lines: at each depth the best move, then the best of the others. A depth that
 * is not finished reports at most another best move. */
static struct move deepen_lines(struct tree_search *s, struct move_list *list,
                                struct best_lines *lines)
{
    int limit = depth_limit(s);
    bool settled = false;

    for (int depth = 1; depth <= limit && !settled; depth++) {
        struct move told = list->moves[0];
        s->deepest_plies = depth;
        settled = true;
        for (int i = 0; i < lines->count && !s->stopped; i++) {
            struct move_list before = *list;
            s->pv[0][0] = list->moves[i];
            s->pv_plies[0] = 1;
            int value = search_depth(s, list, i, depth, lines->at[i].value);
            if (s->stopped && i > 0)
                *list = before; /* what is better than a line not yet searched is not known */
            else
                insert_line(s, lines, list, i, value > -INFINITE ? value : lines->at[i].value);
            settled = settled && abs(value) >= SCORE_WIN - depth;
        }
        if (!s->stopped)
            report_lines(s, lines, lines->count, depth);
        else if (depth == 1 || !move_equal(list->moves[0], told))
            report_lines(s, lines, 1, depth);
        settled = settled || s->stopped || tree_sees_end(s, &s->question->position, depth);
    }
    return list->moves[0];
}

/* Deepens until a limit is reached or the search sees the end of the game. There is always an
 * answer: at worst the first move of the list, with an unknown value. The last report is about the
 * answer. */
static struct move deepen_search(struct tree_search *s, struct move_list *list)
{
    int64_t begun_ms = clock_ms();
    int value = 0, limit = depth_limit(s), stable_depths = 0;
    struct move told = list->moves[0]; /* the best move of the last report */

    s->pv[0][0] = list->moves[0];
    s->pv_plies[0] = 1;
    for (int depth = 1; depth <= limit; depth++) {
        s->deepest_plies = depth;
        int found = search_depth(s, list, 0, depth, value);
        if (s->stopped) {
            if (depth == 1 || !move_equal(list->moves[0], told))
                report_line(s, 0, depth, found > -INFINITE ? found : value);
            break;
        }
        int drop = depth > 1 ? value - found : 0;
        stable_depths = move_equal(list->moves[0], told) ? stable_depths + 1 : 0;
        value = found;
        report_line(s, 0, depth, value);
        told = list->moves[0];
        if ((abs(value) >= SCORE_WIN - depth || (list->count == 1 && !s->skill->plain) ||
             tree_sees_end(s, &s->question->position, depth)) ||
            is_enough(s, begun_ms, stable_depths, drop))
            break;
    }
    return list->moves[0];
}

/* The limit of nodes; those of the skill may be `more`. */
static uint64_t node_limit(const struct tree_search *s, uint64_t more)
{
    uint64_t limit = s->question->limits.nodes,
             own = s->skill->nodes > 0 ? s->skill->nodes + more : 0;

    return own > 0 && own < limit ? own : limit;
}

enum { GAME_PIECE = 1000 };

/* Differs between games: by their initials, and by their order where these are equal. */
static uint64_t game_key(const struct game *game)
{
    unsigned same = 0;

    for (int i = 0; games[i] != NULL && games[i] != game; i++)
        same += games[i]->name[0] == game->name[0];
    return zobrist(GAME_PIECE + same, (uint8_t)game->name[0]);
}

/* Games that have a solver beside the search. */
static const struct game_solver {
    const struct game *game;
    /* Finds a move that is known to win. Returns false if none is known. */
    bool (*find_in_book)(const struct position *position, struct move *move);
    /* Proves what it can about the root's moves, and guesses: see clobber_end.h. */
    bool (*prove)(const struct search_question *question, struct tt *tt, uint64_t nodes_max,
                  bool guesses, struct move_list *list, uint64_t *nodes, bool *lost);
} solvers[] = {{&clobber, book_reply, clobber_prove}};

static const struct game_solver *solver_of(const struct game *game)
{
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++)
        if (solvers[i].game == game)
            return &solvers[i];
    return NULL;
}

static struct tree_search *search_new(const struct search_question *question,
                                      const struct skill *skill)
{
    struct tree_search *s = xcalloc(1, sizeof *s);

    s->question = question;
    s->skill = skill;
    s->game = question->game;
    s->guide = guide_of(question->game);
    if (s->guide != NULL && s->guide->value == NULL)
        s->guide = NULL;
    s->game_key = game_key(question->game);
    s->node_limit = node_limit(s, 0);
    s->work_unwatched = 1;
    s->looked_ms = clock_ms();
    s->noise_seed = rng_next(question->rng);
    const struct history *history = &s->question->history;
    for (int i = 0; i < history->count; i++)
        s->seen[history->keys[i] % SEEN] = true;
    if (s->game->repetition_draws)
        s->path[0] = s->game->key(&s->question->position);
    return s;
}

/* A helper answers the question in a thread of its own. What it finds is in the table. */
struct helper {
    struct tree_search *search;
    struct move_list list;
};

static void *help_search(void *context)
{
    struct helper *helper = context;

    deepen_search(helper->search, &helper->list);
    free(helper->search);
    free(helper);
    return NULL;
}

/* Starts helpers as copies of this search, each with another move in front. Does with fewer if the
 * system refuses threads. */
static void start_helpers(struct tree_search *s, const struct move_list *list)
{
    struct search_crew *crew = s->crew;

    for (int i = 0; i < crew->helpers; i++) {
        struct helper *helper = xmalloc(sizeof *helper);
        helper->search = xmalloc(sizeof *s);
        memcpy(helper->search, s, sizeof *s);
        helper->search->helps = true;
        helper->search->nodes = helper->search->counted_nodes = 0;
        helper->list = *list;
        bring_forward(&helper->list, 0, list->moves[(i + 1) % list->count]);
        if (pthread_create(&crew->threads[crew->running], NULL, help_search, helper) == 0) {
            crew->running++;
        } else {
            free(helper->search);
            free(helper);
        }
    }
}

/* Looks for a move in the solver's book. Returns whether that gives the answer. */
static bool knows_answer(struct tree_search *s, struct move_list *list)
{
    int plies =
        list->count; /* of the win: there may be no such limit, but it must have some depth */
    const struct game_solver *solver = solver_of(s->game);
    struct move move;

    if (!s->skill->book || solver == NULL || !solver->find_in_book(&s->question->position, &move))
        return false;
    list->count = 1;
    list->moves[0] = s->pv[0][0] = move;
    s->pv_plies[0] = 1;
    report_line(s, 0, plies, SCORE_WIN - plies);
    return true;
}

/* Lets the solver prove what it can, within seven eighths of the node limit, and guess. Returns
 * whether that gives the answer. */
static bool proves_answer(struct tree_search *s, struct move_list *list)
{
    const struct game_solver *solver = solver_of(s->game);
    uint64_t most = s->skill->prove_nodes;

    if (solver == NULL || s->skill->plain)
        return false;
    if (s->node_limit != UINT64_MAX && most > s->node_limit / 8 * 7)
        most = s->node_limit / 8 * 7;
    bool lost = false;
    bool answered =
        solver->prove(s->question, s->tt, most, s->skill->guesses, list, &s->nodes, &lost);
    s->lost_plies = lost ? s->game->legal(&s->question->position, NULL) : 0;
    return answered;
}

/* Looks for a win by threats, within an eighth of the question's nodes; what a level may search
 * comes on top. Returns whether that gives the answer. */
static bool threatens_win(struct tree_search *s, struct move_list *list)
{
    uint64_t most = s->question->limits.nodes / 8, before = s->nodes;
    struct move move;

    if (s->skill->plain || s->skill->no_threats || s->guide == NULL || s->guide->threatened == NULL)
        return false;
    int plies = find_threats(s->question, s->guide, most < THREAT_NODES ? most : THREAT_NODES,
                             &s->nodes, &move);
    s->node_limit = node_limit(s, s->nodes - before);
    if (plies == 0)
        return false;
    list->count = 1;
    list->moves[0] = s->pv[0][0] = move;
    s->pv_plies[0] = 1;
    report_line(s, 0, plies, SCORE_WIN - plies);
    return true;
}

/* Answers, and reports several lines. */
static struct move analyse_lines(struct tree_search *s, struct move_list *list)
{
    struct best_lines *lines = xcalloc(1, sizeof *lines);

    lines->count = s->question->lines < list->count ? s->question->lines : list->count;
    struct move move = deepen_lines(s, list, lines);
    free(lines);
    return move;
}

struct move search_think(const struct search_question *question, const struct skill *skill)
{
    struct tt own = {.megabytes = OWN_TT_MB};
    struct tree_search *s = search_new(question, skill);
    struct search_crew crew = {
        .helpers = question->threads > 1 && !skill->plain ? question->threads - 1 : 0};
    struct move_list list;

    s->crew = &crew;
    s->tt = question->tt != NULL ? question->tt : &own;
    tt_begin(s->tt);
    list.count = s->game->legal(&question->position, list.moves);
    if (question->without != NULL && put_first(&list, *question->without))
        list.moves[0] = list.moves[--list.count];
    if (!skill->steady)
        order_shuffle(list.moves, list.count, question->rng);
    tree_rank(s, &question->position, &list, 0, PLIES_MAX, 0);
    for (int i = 0; i < list.count; i++)
        order_pick(&list, i);
    /* What is proven tells nothing of the other moves. */
    bool several = question->lines > 1, searched = several || question->without != NULL;
    bool proven =
        !searched && (knows_answer(s, &list) || proves_answer(s, &list) || threatens_win(s, &list));
    if (!proven)
        start_helpers(s, &list);
    struct move move = proven    ? list.moves[0]
                       : several ? analyse_lines(s, &list)
                                 : deepen_search(s, &list);
    atomic_store(&crew.done, true);
    for (int i = 0; i < crew.running; i++)
        pthread_join(crew.threads[i], NULL);
    tt_clear(&own);
    free(s);
    return move;
}
