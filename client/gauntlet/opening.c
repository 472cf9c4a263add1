#include "opening.h"

#include <stdlib.h>

#include "client/bot/base/rng.h"
#include "common/key_history.h"
#include "common/xmalloc.h"

enum { TRIES_MAX = 2000 };

void book_init(struct book *book, const struct game *game, const struct position *start, int plies,
               uint64_t seed)
{
    *book = (struct book){.game = game, .start = *start, .plies = plies, .rng = seed};
}

/* Plays random plies. Returns false if they end the game. */
static bool play(struct book *book, struct opening *opening, struct history *history)
{
    struct move moves[MOVES_MAX];
    struct position position = book->start;

    history->count = 0;
    for (int ply = 0;; ply++) {
        opening->key = book->game->key(&position);
        history_add(history, opening->key);
        if (history_outcome(history, book->game, &position).result != RESULT_NONE)
            return false;
        if (ply == book->plies)
            return true;
        int count = book->game->legal(&position, moves);
        opening->moves[ply] = moves[rng_below(&book->rng, count)];
        book->game->apply(&position, opening->moves[ply]);
    }
}

static bool is_new(const struct book *book, uint64_t key)
{
    for (int i = 0; i < book->count; i++)
        if (book->openings[i].key == key)
            return false;
    return true;
}

static bool add_opening(struct book *book)
{
    struct history history = {0};
    struct opening opening = {0};
    bool found = false;

    for (int i = 0; i < TRIES_MAX && !found; i++)
        found = play(book, &opening, &history) && is_new(book, opening.key);
    history_release(&history);
    if (!found)
        return false;
    if (book->count == book->capacity) {
        book->capacity = book->capacity * 2 + 64;
        book->openings =
            xreallocarray(book->openings, (size_t)book->capacity, sizeof book->openings[0]);
    }
    book->openings[book->count++] = opening;
    return true;
}

const struct opening *book_opening(struct book *book, int number)
{
    while (book->count <= number)
        if (!add_opening(book))
            return NULL;
    return &book->openings[number];
}

void book_release(struct book *book)
{
    free(book->openings);
    *book = (struct book){0};
}
