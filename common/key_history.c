#include "key_history.h"

#include <stdlib.h>
#include <string.h>

#include "xmalloc.h"

static void reserve(struct history *history, int count)
{
    if (count <= history->capacity)
        return;
    history->capacity = count > 32 ? count * 2 : 64;
    history->keys =
        xreallocarray(history->keys, (size_t)history->capacity, sizeof history->keys[0]);
}

void history_add(struct history *history, uint64_t key)
{
    reserve(history, history->count + 1);
    history->keys[history->count++] = key;
}

void history_copy(struct history *to, const struct history *from)
{
    reserve(to, from->count);
    to->count = from->count;
    if (from->count > 0)
        memcpy(to->keys, from->keys, (size_t)from->count * sizeof to->keys[0]);
}

void history_release(struct history *history)
{
    free(history->keys);
    *history = (struct history){0};
}

int history_count(const struct history *history, uint64_t key)
{
    int count = 0;

    for (int i = 0; i < history->count; i++)
        count += history->keys[i] == key;
    return count;
}

/* What the position itself decides goes before repetition: see rules.md. */
struct outcome history_outcome(const struct history *history, const struct game *game,
                               const struct position *position)
{
    struct outcome outcome = game->outcome(position);

    if (outcome.result == RESULT_NONE && game->repetition_draws &&
        history_count(history, game->key(position)) >= 3)
        outcome = (struct outcome){RESULT_DRAW, REASON_REPETITION};
    return outcome;
}
