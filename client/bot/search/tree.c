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

#include "client/bot/base/rng.h"

enum { FEW_MOVES = 6 }; /* never prune among so few: the end may be near */

/* A position being searched. */
struct node {
    const struct position *position;
    int depth, alpha, beta, ply;
    bool check;
    bool may_prune;
    bool knows_first; /* the first move of the list is that of the transposition table */
    struct move best;
    struct move_list list;
};

struct position tree_after(const struct search *s, const struct position *position,
                           struct move move)
{
    struct position next = *position;

    s->game->apply(&next, move);
    return next;
}

/* The static evaluation. While a question lasts, a position always gets the same noise. */
static int value_of(const struct search *s, const struct position *position)
{
    int value = s->guide != NULL ? s->guide->value(position) : 0, most = WON - 1;

    if (s->skill->noise > 0) {
        uint64_t chance = guide_key(s->game, position) ^ s->noise_seed;
        value += rng_below(&chance, 2 * s->skill->noise + 1) - s->skill->noise;
    }
    return value > most ? most : value < -most ? -most : value;
}

/* The value of a position without legal moves: the game is over. */
static int value_over(const struct search *s, const struct position *position, int ply)
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

static bool in_check(const struct search *s, const struct position *position)
{
    return s->game->check != NULL && s->game->check(position);
}

/* Notes the position on the line. Returns whether it occurred before. */
static bool repeats(struct search *s, const struct position *position, int ply)
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
static void find_hints(struct search *s, const struct position *position,
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
static bool wants_hints(const struct search *s, const struct position *position, int depth)
{
    if (s->guide == NULL || depth < s->guide->hint_depth_plies)
        return false;
    return s->guide->last == NULL || s->guide->plies_left(position) != 2;
}

void tree_rank(struct search *s, const struct position *position, struct move_list *list, int from,
               int depth, int ply)
{
    int32_t hints[MOVES_MAX];
    bool hinted = wants_hints(s, position, depth);

    if (hinted)
        find_hints(s, position, list, from, hints);
    order_rank(&s->order, list, from, position->side, ply, hinted ? hints : NULL);
}

void tree_extend_pv(struct search *s, int ply, struct move move)
{
    int plies = ply < PLIES_MAX ? s->pv_plies[ply + 1] : 0;

    s->pv[ply][0] = move;
    memcpy(s->pv[ply] + 1, s->pv[ply + 1], (size_t)plies * sizeof move);
    s->pv_plies[ply] = plies + 1;
}

/* The value of a position that is not searched further. */
static int value_at_leaf(const struct search *s, const struct position *position, int ply)
{
    return s->game->legal(position, NULL) > 0 ? value_of(s, position)
                                              : value_over(s, position, ply);
}

/* Quiescence search: follows captures and checks for at most `plies` plies. */
static int quiesce(struct search *s, const struct position *position, int alpha, int beta, int ply,
                   int plies)
{
    struct move_list list;
    int32_t hints[MOVES_MAX];

    s->pv_plies[ply] = 0;
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

bool tree_sees_end(const struct search *s, const struct position *position, int depth)
{
    return s->guide != NULL && s->guide->plies_left != NULL &&
           s->guide->plies_left(position) <= depth;
}

/* Whether moves may be reduced or pruned. */
static bool may_prune(const struct search *s, const struct node *n)
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

/* Late move reductions: by how many plies to reduce move i. Grows with the product of the
 * logarithms of the depth and of i. */
static int reduction(const struct search *s, const struct node *n, int i)
{
    int after = s->guide->reduce_after;

    if (after == 0 || i < after || n->depth < 3 || n->list.ranks[i] >= ORDER_HINTED)
        return 0;
    int plies = log16(n->depth) * log16(i + 1) * s->guide->reduce / 25600;
    if (n->beta - n->alpha > 1 && plies > 0)
        plies--;
    return plies < n->depth - 2 ? plies : n->depth - 2;
}

/* Late move pruning: whether move i is quiet and too late to matter so close to the leaves. */
static bool is_hopeless(const struct search *s, const struct node *n, int i)
{
    const struct guide *guide = s->guide;

    if (i == 0 || n->list.ranks[i] >= ORDER_HINTED || n->beta - n->alpha > 1)
        return false;
    return guide->late_moves > 0 && n->depth <= 3 && i >= guide->late_moves * n->depth * n->depth;
}

/* Searches a move after the first with a null window first, which is enough to show that most moves
 * are no better than the best so far. */
static int search_move(struct search *s, const struct node *n, const struct position *next,
                       int alpha, int reduced)
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
static struct move next_move(struct search *s, struct node *n, int i)
{
    if (i == 0 && n->knows_first)
        return n->list.moves[0];
    if (i == n->knows_first)
        tree_rank(s, n->position, &n->list, i, n->depth, n->ply);
    return order_pick(&n->list, i);
}

/* Searches the moves. Returns the best value and sets n->best. */
static int search_moves(struct search *s, struct node *n)
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
static bool is_known(const struct search *s, const struct tt_entry *entry, int depth, int alpha,
                     int beta, int ply, int *value)
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
static int search_node(struct search *s, struct node *n, struct move first, enum bound *bound)
{
    n->knows_first = put_first(&n->list, first);
    n->best = first;
    n->may_prune = may_prune(s, n);
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

static int search_inner(struct search *s, const struct position *position, int depth, int alpha,
                        int beta, int ply)
{
    uint64_t key = guide_key(s->game, position);
    struct tt_entry entry = {.move = {.kind = NO_MOVE}};
    struct node n = {
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
static bool is_clear(const struct search *s, const struct position *position, int depth, int alpha,
                     int beta, int *value)
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
static bool is_last(const struct search *s, const struct position *position, int ply, int *value)
{
    if (s->guide == NULL || s->guide->last == NULL || s->guide->plies_left(position) != 1)
        return false;
    *value = s->guide->last(position) * (SCORE_WIN - ply - 1);
    return true;
}

int tree_value(struct search *s, const struct position *position, int depth, int alpha, int beta,
               int ply)
{
    s->pv_plies[ply] = 0;
    if (repeats(s, position, ply))
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
