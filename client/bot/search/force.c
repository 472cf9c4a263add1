#include "force.h"

#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "common/zobrist.h"

enum { ENTRIES = 1 << 20 };

/* What is known of a position. */
struct force_entry {
    uint64_t key;
    uint8_t won;     /* the number of plies within which the attacker wins; 0: unknown */
    uint8_t not_won; /* the most plies within which it is known not to win */
};

void force_begin(struct force *force, const struct game *game, const struct position *position,
                 uint64_t most)
{
    if (force->table == NULL)
        force->table = xcalloc(ENTRIES, sizeof force->table[0]);
    force->game = game;
    force->guide = guide_of(game);
    force->attacker = position->side;
    force->nodes = 0;
    force->most = most;
    force->stopped = false;
    force->salt = splitmix64(force->salt + 1);
    memset(&force->order, 0, sizeof force->order);
    memset(force->order.killers, NO_MOVE, sizeof force->order.killers);
}

void force_release(struct force *force)
{
    free(force->table);
    force->table = NULL;
}

/* Keys leave out counters, which decide here, too. */
static struct force_entry *find_entry(struct force *force, const struct position *position,
                                      uint64_t *key)
{
    uint32_t notes;

    memcpy(&notes, position->notes, sizeof notes);
    *key = force->game->key(position) ^ splitmix64(force->salt ^ notes);
    return &force->table[*key % ENTRIES];
}

/* Ranks the moves; in a game of points those come first that leave the other side the least. */
static void rank_moves(struct force *force, const struct position *position, int plies,
                       struct move_list *list)
{
    int32_t hints[MOVES_MAX];
    bool by_points = force->guide != NULL && force->guide->plies_left != NULL && plies > 2;

    for (int i = 0; i < list->count && by_points; i++) {
        struct position next = *position;
        force->game->apply(&next, list->moves[i]);
        hints[i] = -force->guide->value(&next);
    }
    order_rank(&force->order, list, 0, position->side, plies, by_points ? hints : NULL);
}

/* Whether the attacker has a move that wins, or every move of the other side lets it win. */
static bool search_moves(struct force *force, const struct position *position, int plies)
{
    bool attacks = position->side == force->attacker;
    struct move_list list;

    list.count = force->game->legal(position, list.moves);
    rank_moves(force, position, plies, &list);
    for (int i = 0; i < list.count && !force->stopped; i++) {
        struct position next = *position;
        struct move move = order_pick(&list, i);
        force->game->apply(&next, move);
        force->stopped = ++force->nodes >= force->most;
        if (force_wins(force, &next, plies - 1) == attacks) {
            order_reward(&force->order, position->side, plies, move, plies);
            return attacks;
        }
    }
    return !attacks;
}

bool force_wins(struct force *force, const struct position *position, int plies)
{
    struct outcome outcome = force->game->outcome(position);
    int left = force->guide != NULL && force->guide->plies_left != NULL
                   ? force->guide->plies_left(position)
                   : 0;
    uint64_t key;

    if (outcome.result != RESULT_NONE || plies <= 0)
        return outcome.result == result_win(force->attacker);
    if (plies < left)
        return false;
    if (left == 1 && force->guide->last != NULL) {
        int last = force->guide->last(position);
        return position->side == force->attacker ? last > 0 : last < 0;
    }
    if (plies == 1)
        return search_moves(force, position, plies);
    struct force_entry *entry = find_entry(force, position, &key);
    if (entry->key != key)
        *entry = (struct force_entry){.key = key};
    if (entry->won > 0 && plies >= entry->won)
        return true;
    if (plies <= entry->not_won)
        return false;
    bool wins = search_moves(force, position, plies);
    if (force->stopped)
        return wins;
    if (entry->key != key)
        *entry = (struct force_entry){.key = key};
    if (wins)
        entry->won = (uint8_t)plies;
    else
        entry->not_won = (uint8_t)plies;
    return wins;
}

int force_length(struct force *force, const struct position *position, int most)
{
    for (int plies = 0; plies <= most && !force->stopped; plies++)
        if (force_wins(force, position, plies) && !force->stopped)
            return plies;
    return -1;
}
