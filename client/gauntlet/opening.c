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

bool opening_play(const struct game *game, struct opening *opening)
{
    struct history history = {0};
    struct position position = opening->start;
    bool goes_on = true;

    for (int ply = 0; goes_on; ply++) {
        opening->key = game->key(&position);
        history_add(&history, opening->key);
        goes_on = history_outcome(&history, game, &position).result == RESULT_NONE;
        if (ply == opening->plies)
            break;
        game->apply(&position, opening->moves[ply]);
    }
    history_release(&history);
    return goes_on;
}

/* Plays random plies. Returns false if they end the game. */
static bool play(struct book *book, struct opening *opening)
{
    struct move moves[MOVES_MAX];
    struct position position = book->start;

    *opening = (struct opening){.start = book->start, .plies = book->plies};
    for (int ply = 0; ply < book->plies; ply++) {
        int count = book->game->legal(&position, moves);
        if (count == 0)
            return false;
        opening->moves[ply] = moves[rng_below(&book->rng, count)];
        book->game->apply(&position, opening->moves[ply]);
    }
    return opening_play(book->game, opening);
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
    struct opening opening;
    bool found = false;

    for (int i = 0; i < TRIES_MAX && !found; i++)
        found = play(book, &opening) && is_new(book, opening.key);
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
