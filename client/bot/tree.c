/*
 * Principal variation search (Marsland, 1983) in a negamax frame, with the usual parts: a
 * transposition table, killers and history, aspiration windows, a quiescence search over captures
 * and checks, check extensions. https://www.chessprogramming.org describes them all.
 *
 * A position that has been there before, in the match or on the line searched, counts as a draw
 * where repetition draws, as whoever likes it can go on repeating.
 */
#include "tree.h"

#include <string.h>

#include "rng.h"

bool tree_is_due(struct search *s)
{
    s->nodes++;
    if (s->nodes >= s->node_limit)
        s->stopped = true;
    if (++s->work >= WORK_UNWATCHED) {
        s->work = 0;
        s->stopped = s->stopped || question_is_due(s->question, s->nodes);
    }
    return s->stopped;
}

struct position tree_after(const struct search *s, const struct position *position,
                           struct move move)
{
    struct position next = *position;

    s->game->apply(&next, move);
    return next;
}

/* The value at a leaf. The noise is the same for a position as long as one question lasts. */
static int value_of(const struct search *s, const struct position *position)
{
    int value = s->guide != NULL ? s->guide->value(position) : evaluate(s->game, position),
        most = WON - 1;

    if (s->noise > 0) {
        uint64_t chance = guide_key(s->game, position) ^ s->noise_seed;
        value += rng_below(&chance, 2 * s->noise + 1) - s->noise;
    }
    return value > most ? most : value < -most ? -most : value;
}

/* The value of a position without legal moves, which is over. */
static int value_over(const struct search *s, const struct position *position, int ply)
{
    enum result result = s->game->outcome(position).result;

    if (result == RESULT_DRAW)
        return 0;
    return result == result_win(position->side) ? SCORE_WIN - ply : ply - SCORE_WIN;
}

/* Wins are remembered as counted from the position, not from the root. */
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

/* Notes the position on the line; returns whether it has been there before. */
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

/* Finds the hints for the moves of the list. */
static void find_hints(struct search *s, const struct position *position,
                       const struct move_list *list, int32_t hints[MOVES_MAX])
{
    if (s->guide->hints != NULL) {
        s->guide->hints(position, list->moves, list->count, hints);
        return;
    }
    for (int i = 0; i < list->count; i++) {
        struct position next = tree_after(s, position, list->moves[i]);
        hints[i] = s->guide->hint(position, &next);
    }
    s->work += list->count / 4;
}

void tree_rank(struct search *s, const struct position *position, struct move_list *list, int depth,
               int ply, struct move first)
{
    int32_t hints[MOVES_MAX];
    bool hinted = s->guide != NULL && depth >= s->guide->hint_depth_plies;

    if (hinted)
        find_hints(s, position, list, hints);
    order_rank(&s->order, list, position->side, ply, first, hinted ? hints : NULL);
}

void tree_extend_pv(struct search *s, int ply, struct move move)
{
    int plies = ply < PLIES_MAX ? s->pv_plies[ply + 1] : 0;

    s->pv[ply][0] = move;
    memcpy(s->pv[ply] + 1, s->pv[ply + 1], (size_t)plies * sizeof move);
    s->pv_plies[ply] = plies + 1;
}

/* Follows up captures and checks until nothing is about to happen, for `plies` at most. */
static int quiesce(struct search *s, const struct position *position, int alpha, int beta, int ply,
                   int plies)
{
    struct move_list list;
    int32_t hints[MOVES_MAX];

    s->pv_plies[ply] = 0;
    list.count = s->game->legal(position, plies > 0 ? list.moves : NULL);
    if (list.count == 0)
        return value_over(s, position, ply);
    bool check = plies > 0 && in_check(s, position);
    int best = check ? -INFINITE : value_of(s, position);
    if (best >= beta || plies <= 0 || ply >= PLIES_MAX)
        return check ? value_of(s, position) : best;
    find_hints(s, position, &list, hints);
    order_rank(&s->order, &list, position->side, ply, (struct move){.kind = NO_MOVE}, hints);
    for (int i = 0; i < list.count && best < beta; i++) {
        struct move move = order_pick(&list, i);
        if (!check && list.ranks[i] < ORDER_HINTED)
            break;
        struct position next = tree_after(s, position, move);
        if (tree_is_due(s))
            return 0;
        int low = best > alpha ? best : alpha;
        int value = -quiesce(s, &next, -beta, -low, ply + 1, plies - 1);
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

/* How many moves of the position are searched to the full depth; 0: all. */
static int reduce_after(const struct search *s, const struct position *position, int depth)
{
    if (s->skill->plain || s->guide == NULL || depth < 3 || tree_sees_end(s, position, depth))
        return 0;
    return s->guide->reduce_after;
}

/* How many plies less a move is worth, the later it comes: late move reductions. */
static int reduction(const struct move_list *list, int i, int reduced_after)
{
    if (reduced_after == 0 || i < reduced_after || list->ranks[i] >= ORDER_HINTED)
        return 0;
    return i < 4 * reduced_after ? 1 : 2;
}

/* The value of a move that is not the first: most are no better than the best so far, which a
 * search with an empty window shows faster. */
static int search_move(struct search *s, const struct position *next, int depth, int alpha,
                       int beta, int ply, int reduced)
{
    int value = -tree_value(s, next, depth - 1 - reduced, -alpha - 1, -alpha, ply + 1);

    if (reduced > 0 && value > alpha && !s->stopped)
        value = -tree_value(s, next, depth - 1, -alpha - 1, -alpha, ply + 1);
    if (value > alpha && value < beta && !s->stopped)
        value = -tree_value(s, next, depth - 1, -beta, -alpha, ply + 1);
    return value;
}

/* The best of the moves; *best_move is it. */
static int search_moves(struct search *s, const struct position *position, struct move_list *list,
                        int depth, int alpha, int beta, int ply, struct move *best_move)
{
    int best = -INFINITE, reduced_after = reduce_after(s, position, depth);

    for (int i = 0; i < list->count && best < beta; i++) {
        struct move move = order_pick(list, i);
        struct position next = tree_after(s, position, move);
        int low = best > alpha ? best : alpha;
        if (tree_is_due(s))
            return 0;
        int value = i == 0 ? -tree_value(s, &next, depth - 1, -beta, -low, ply + 1)
                           : search_move(s, &next, depth, low, beta, ply,
                                         reduction(list, i, reduced_after));
        if (s->stopped)
            return 0;
        if (value > best) {
            best = value;
            *best_move = move;
            if (value > alpha)
                tree_extend_pv(s, ply, move);
        }
    }
    return best;
}

/* Whether what is remembered settles the value, which *value then is. */
static bool is_known(const struct search *s, const struct memo *memo, int depth, int alpha,
                     int beta, int ply, int *value)
{
    enum bound bound = memo_bound(memo);

    *value = value_from_root(memo->value, ply);
    if (memo->depth_plies < depth || (s->skill->plain && memo->depth_plies != depth))
        return false;
    return bound == BOUND_EXACT || (bound == BOUND_LOWER && *value >= beta) ||
           (bound == BOUND_UPPER && *value <= alpha);
}

static int search_inner(struct search *s, const struct position *position, int depth, int alpha,
                        int beta, int ply)
{
    uint64_t key = guide_key(s->game, position);
    struct memo memo = {.move = {.kind = NO_MOVE}};
    struct move_list list;
    struct move best_move = {0};
    int value;

    bool found = memory_find(s->memory, key, &memo);
    if (found && is_known(s, &memo, depth, alpha, beta, ply, &value))
        return value;
    list.count = s->game->legal(position, list.moves);
    if (list.count == 0)
        return value_over(s, position, ply);
    tree_rank(s, position, &list, depth, ply, memo.move);
    value = search_moves(s, position, &list, depth, alpha, beta, ply, &best_move);
    if (s->stopped)
        return 0;
    enum bound bound = value >= beta ? BOUND_LOWER : value <= alpha ? BOUND_UPPER : BOUND_EXACT;
    if (bound == BOUND_UPPER)
        best_move = memo.move;
    if (bound == BOUND_LOWER)
        order_reward(&s->order, position->side, ply, best_move, depth);
    memory_store(s->memory, key, best_move, value_from_here(value, ply), depth, bound);
    return value;
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
    return search_inner(s, position, depth, alpha, beta, ply);
}
