#include "deepening.h"

#include <stdlib.h>
#include <string.h>

#include "client/bot/base/rng.h"
#include "common/move.h"
#include "common/xmalloc.h"
#include "tree.h"

/* The aspiration window: the change that is expected from depth to depth. */
enum { WINDOW = 60, WINDOW_FROM_PLIES = 4 };

enum { OWN_TT_MB = 4 }; /* when the asker lends no table */

/* Brings a move of the list to the front. The others keep their order. */
static void bring_forward(struct move_list *list, struct move move)
{
    int i = 0;

    while (i < list->count - 1 && !move_equal(list->moves[i], move))
        i++;
    for (; i > 0; i--)
        list->moves[i] = list->moves[i - 1];
    list->moves[0] = move;
}

static int move_value(struct search *s, struct move move, bool is_first, int depth, int alpha,
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

/* Searches all moves to one depth and returns the value. A move better than alpha goes to the front
 * at once, so that it is the answer if the search is stopped. */
static int search_root(struct search *s, struct move_list *list, int depth, int alpha, int beta)
{
    int best = -INFINITE;

    for (int i = 0; i < list->count && best < beta; i++) {
        struct move move = list->moves[i];
        if (tree_is_due(s))
            break;
        int low = best > alpha ? best : alpha;
        int value = move_value(s, move, i == 0, depth, low, beta);
        if (s->stopped)
            break;
        if (value > best) {
            best = value;
            if (value > alpha) {
                tree_extend_pv(s, 0, move);
                bring_forward(list, move);
            }
        }
    }
    return best;
}

/* Searches with a narrow window around the expected value, and with a wider one if that fails. */
static int search_depth(struct search *s, struct move_list *list, int depth, int expected)
{
    int below = depth < WINDOW_FROM_PLIES ? 2 * INFINITE : WINDOW, above = below;

    for (;;) {
        int alpha = expected - below > -INFINITE ? expected - below : -INFINITE;
        int beta = expected + above < INFINITE ? expected + above : INFINITE;
        int value = search_root(s, list, depth, alpha, beta);
        if (s->stopped || (value > alpha && value < beta))
            return value;
        if (value <= alpha)
            below = below < 4 * WINDOW ? 4 * WINDOW : 2 * INFINITE;
        else
            above = above < 4 * WINDOW ? 4 * WINDOW : 2 * INFINITE;
    }
}

static void report(struct search *s, int depth, int value)
{
    if (s->question->report != NULL && !s->helps)
        s->question->report(s->question->context, &(struct info){.depth_plies = depth,
                                                                 .score = value,
                                                                 .nodes = tree_nodes(s),
                                                                 .pv = s->pv[0],
                                                                 .pv_plies = s->pv_plies[0]});
}

static int depth_limit(const struct search *s)
{
    int limit = s->question->limits.depth_plies, own = s->skill->depth_plies;

    if (own > 0 && own < limit)
        limit = own;
    return limit < PLIES_MAX ? limit : PLIES_MAX;
}

/* Whether more depth is of no use. A win or loss within the depth is certain, and a deeper search
 * seldom finds a shorter one. */
static bool is_settled(const struct search *s, const struct move_list *list, int depth, int value)
{
    return abs(value) >= SCORE_WIN - depth || (list->count == 1 && !s->skill->plain) ||
           tree_sees_end(s, &s->question->position, depth);
}

enum { STABLE_DEPTHS = 5, DROP = 30 }; /* a value that drops by more needs more time */

/* Whether to leave it at this depth: the next one takes longer than all before it, and the longer
 * one move has been best, the less it promises, unless the value has just dropped. */
static bool is_enough(const struct search *s, int64_t begun_ms, int stable_depths, int drop)
{
    int64_t target_ms = s->question->limits.target_ms;

    if (target_ms == 0)
        return false;
    int64_t share = stable_depths >= STABLE_DEPTHS ? 60 : 100; /* of the target, in percent */
    if (drop > DROP)
        share = 200;
    return (clock_ms() - begun_ms) * 100 >= (target_ms - begun_ms) * share;
}

/* Deepens until a limit is reached or the search sees the end of the game. There is always an
 * answer: at worst the first move of the list, with an unknown value. The last report is about the
 * answer. */
static struct move deepen(struct search *s, struct move_list *list)
{
    int64_t begun_ms = clock_ms();
    int value = 0, limit = depth_limit(s), stable_depths = 0;
    struct move told = list->moves[0]; /* the best move of the last report */

    s->pv[0][0] = list->moves[0];
    s->pv_plies[0] = 1;
    for (int depth = 1; depth <= limit; depth++) {
        int found = search_depth(s, list, depth, value);
        if (s->stopped) {
            if (depth == 1 || !move_equal(list->moves[0], told))
                report(s, depth, found > -INFINITE ? found : value);
            break;
        }
        int drop = depth > 1 ? value - found : 0;
        stable_depths = move_equal(list->moves[0], told) ? stable_depths + 1 : 0;
        value = found;
        report(s, depth, value);
        told = list->moves[0];
        if (is_settled(s, list, depth, value) || is_enough(s, begun_ms, stable_depths, drop))
            break;
    }
    return list->moves[0];
}

static void note_history(struct search *s)
{
    const struct history *history = &s->question->history;

    for (int i = 0; i < history->count; i++)
        s->seen[history->keys[i] % SEEN] = true;
    if (s->game->repetition_draws)
        s->path[0] = s->game->key(&s->question->position);
}

static uint64_t node_limit(const struct search *s)
{
    uint64_t limit = s->question->limits.nodes, own = s->skill->nodes;

    return own > 0 && own < limit ? own : limit;
}

static struct search *search_new(const struct question *question, const struct skill *skill)
{
    struct search *s = xcalloc(1, sizeof *s);

    s->question = question;
    s->skill = skill;
    s->game = question->game;
    s->guide = guide_of(question->game);
    s->node_limit = node_limit(s);
    s->work_unwatched = 1;
    s->looked_ms = clock_ms();
    s->noise_seed = rng_next(question->rng);
    note_history(s);
    return s;
}

/* A helper answers the question in a thread of its own. What it finds is in the table. */
struct helper {
    struct search *search;
    struct move_list list;
};

static void *help(void *context)
{
    struct helper *helper = context;

    deepen(helper->search, &helper->list);
    free(helper->search);
    free(helper);
    return NULL;
}

/* Starts helpers as copies of this search, each with another move in front. Does with fewer if the
 * system refuses threads. */
static void start_helpers(struct search *s, const struct move_list *list)
{
    struct crew *crew = s->crew;

    for (int i = 0; i < crew->helpers; i++) {
        struct helper *helper = xmalloc(sizeof *helper);
        helper->search = xmalloc(sizeof *s);
        memcpy(helper->search, s, sizeof *s);
        helper->search->helps = true;
        helper->search->nodes = helper->search->counted_nodes = 0;
        helper->list = *list;
        bring_forward(&helper->list, list->moves[(i + 1) % list->count]);
        if (pthread_create(&crew->threads[crew->running], NULL, help, helper) == 0) {
            crew->running++;
        } else {
            free(helper->search);
            free(helper);
        }
    }
}

static void end_helpers(struct crew *crew)
{
    atomic_store(&crew->done, true);
    for (int i = 0; i < crew->running; i++)
        pthread_join(crew->threads[i], NULL);
}

/* Looks for a move in the guide's book. Returns whether that gives the answer. */
static bool knows_answer(struct search *s, struct move_list *list)
{
    int plies =
        list->count; /* of the win: there may be no such limit, but it must have some depth */
    struct move move;

    if (!s->skill->book || s->guide == NULL || s->guide->book == NULL ||
        !s->guide->book(&s->question->position, &move))
        return false;
    list->count = 1;
    list->moves[0] = s->pv[0][0] = move;
    s->pv_plies[0] = 1;
    report(s, plies, SCORE_WIN - plies);
    return true;
}

/* Lets the guide prove what it can, within seven eighths of the node limit, and guess. Returns
 * whether that gives the answer. */
static bool proves_answer(struct search *s, struct move_list *list)
{
    uint64_t most = s->skill->prove_nodes;

    if (s->guide == NULL || s->guide->prove == NULL || s->skill->plain)
        return false;
    if (s->node_limit != UINT64_MAX && most > s->node_limit / 8 * 7)
        most = s->node_limit / 8 * 7;
    return s->guide->prove(s->question, s->tt, most, s->skill->guesses, list, &s->nodes);
}

struct move search_think(const struct question *question, const struct skill *skill)
{
    struct tt own = {.megabytes = OWN_TT_MB};
    struct search *s = search_new(question, skill);
    struct crew crew = {.helpers =
                            question->threads > 1 && !skill->plain ? question->threads - 1 : 0};
    struct move_list list;

    s->crew = &crew;
    s->tt = question->tt != NULL ? question->tt : &own;
    tt_begin(s->tt);
    list.count = s->game->legal(&question->position, list.moves);
    order_shuffle(list.moves, list.count, question->rng);
    tree_rank(s, &question->position, &list, 0, PLIES_MAX, 0);
    for (int i = 0; i < list.count; i++)
        order_pick(&list, i);
    bool proven = knows_answer(s, &list) || proves_answer(s, &list);
    if (!proven)
        start_helpers(s, &list);
    struct move move = proven ? list.moves[0] : deepen(s, &list);
    end_helpers(&crew);
    tt_clear(&own);
    free(s);
    return move;
}
