#include "history.h"

#include <string.h>

#include "common/move.h"

static bool is_same(const struct position *a, const struct position *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void begin(struct history *history, const struct game *game, const struct position *position,
                  int ply)
{
    *history =
        (struct history){.game = game, .start = *position, .position = *position, .start_ply = ply};
}

/* Adds the move if it leads to the position. */
static bool add(struct history *history, const struct position *position, const char *last)
{
    struct position next = history->position;
    struct cause cause;
    struct move move;

    if (history->count == HISTORY_MOVES_MAX || last == NULL ||
        !move_parse(history->game, &next, last, &move, &cause))
        return false;
    history->game->apply(&next, move);
    if (!is_same(&next, position))
        return false;
    history->moves[history->count++] = move;
    history->position = next;
    return true;
}

/* Takes moves back if that leads to the position. */
static bool take_back(struct history *history, const struct position *position, int count)
{
    struct position earlier = history->start;

    if (count < 0)
        return false;
    for (int i = 0; i < count; i++)
        history->game->apply(&earlier, history->moves[i]);
    if (!is_same(&earlier, position))
        return false;
    history->count = count;
    history->position = earlier;
    return true;
}

bool history_update(struct history *history, const struct game *game,
                    const struct position *position, int ply, const char *last)
{
    int count = ply - history->start_ply;

    if (history->game == NULL) {
        begin(history, game, position, ply);
        return true;
    }
    if (count == history->count && is_same(position, &history->position))
        return false;
    if (!(count == history->count + 1 && add(history, position, last)) &&
        !(count < history->count && take_back(history, position, count)))
        begin(history, game, position, ply);
    return true;
}
