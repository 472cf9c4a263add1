#include "opening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key_history.h"
#include "move.h"
#include "rng.h"
#include "xmalloc.h"

enum { TRIES_MAX = 2000, LINE_MAX_BYTES = 512 };

bool opening_play(const struct game *game, struct opening *opening, struct position *end)
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
    if (end != NULL)
        *end = position;
    return goes_on;
}

bool opening_add_move(const struct game *game, struct opening *opening, struct position *position,
                      const char *text, struct cause *cause)
{
    struct move move;

    if (opening->plies == OPENING_PLIES_MAX)
        return cause_set(cause, "more than %d moves", OPENING_PLIES_MAX);
    if (!move_parse(game, position, text, &move, cause))
        return false;
    game->apply(position, move);
    opening->moves[opening->plies++] = move;
    return true;
}

bool opening_read(const struct game *game, const struct position *start, char *line,
                  struct opening *opening, struct cause *cause)
{
    char *moves = text_line_cut_at(line, "moves"), variant[VARIANT_NAME_MAX];

    *opening = (struct opening){.start = *start};
    game->variant_name(start, variant);
    if (strncmp(line, "fen ", 4) == 0)
        line += 4;
    if (strcmp(line, "startpos") != 0 && !game->parse(variant, line, &opening->start, cause))
        return false;
    struct position position = opening->start;
    while (moves != NULL && *moves != '\0')
        if (!opening_add_move(game, opening, &position, text_line_word(&moves), cause))
            return false;
    return opening_play(game, opening, NULL) ||
           cause_set(cause, "the game is over after this opening");
}

/* ---- Balanced ones ---- */

static const struct packed_file *find_file(const struct game *game, const struct position *start)
{
    char variant[VARIANT_NAME_MAX], name[64];
    struct position usual;
    struct cause cause;

    game->variant_name(start, variant);
    if (!game->start(variant, &usual, &cause) || memcmp(&usual, start, sizeof usual) != 0)
        return NULL;
    snprintf(name, sizeof name, "%s-%s", game->name, variant);
    return packed_find(opening_files, name);
}

int opening_count(const struct game *game, const struct position *start)
{
    const struct packed_file *file = find_file(game, start);

    return file != NULL ? file->count : 0;
}

bool opening_find(const struct game *game, const struct position *start, int number,
                  struct opening *opening)
{
    const struct packed_file *file = find_file(game, start);
    char line[LINE_MAX_BYTES];
    struct cause cause;

    if (file == NULL || number < 0 || number >= file->count)
        return false;
    snprintf(line, sizeof line, "%s", file->lines[number]);
    return opening_read(game, start, line, opening, &cause);
}

/* ---- Random ones ---- */

void book_init(struct opening_book *book, const struct game *game, const struct position *start,
               int plies, uint64_t seed)
{
    *book = (struct opening_book){.game = game, .start = *start, .plies = plies, .rng = seed};
}

/* Plays random plies. Returns false if they end the game. */
static bool play_at_random(struct opening_book *book, struct opening *opening)
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
    return opening_play(book->game, opening, NULL);
}

static bool is_new(const struct opening_book *book, uint64_t key)
{
    for (int i = 0; i < book->count; i++)
        if (book->openings[i].key == key)
            return false;
    return true;
}

static bool add_opening(struct opening_book *book)
{
    struct opening opening;
    bool found = false;

    for (int i = 0; i < TRIES_MAX && !found; i++)
        found = play_at_random(book, &opening) && is_new(book, opening.key);
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

const struct opening *book_opening(struct opening_book *book, int number)
{
    while (book->count <= number)
        if (!add_opening(book))
            return NULL;
    return &book->openings[number];
}

void book_release(struct opening_book *book)
{
    free(book->openings);
    *book = (struct opening_book){0};
}
