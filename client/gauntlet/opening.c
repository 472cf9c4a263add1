#include "opening.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/base/rng.h"
#include "client/bot/base/words.h"
#include "common/buffer.h"
#include "common/key_history.h"
#include "common/move.h"
#include "common/pgn.h"
#include "common/text.h"
#include "common/xmalloc.h"

enum { TRIES_MAX = 2000 };

void book_init(struct opening_book *book, const struct game *game, const struct position *start,
               int plies, uint64_t seed)
{
    *book = (struct opening_book){.game = game, .start = *start, .plies = plies, .rng = seed};
}

/* Plays the opening through. Returns false if the game is over by then. Sets its key. */
static bool play_opening(const struct game *game, struct opening *opening)
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
    return play_opening(book->game, opening);
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

struct opening_reader {
    struct opening_list *list;
    const struct game *game;
    const struct position *start;
    char variant[VARIANT_NAME_MAX];
};

static bool read_whole(const char *path, struct buffer *text, struct cause *cause)
{
    enum { PIECE = 1 << 16 };
    FILE *file = fopen(path, "re");
    size_t length;

    if (file == NULL)
        return cause_set(cause, "%s", strerror(errno));
    do {
        length = fread(buffer_extend(text, PIECE), 1, PIECE, file);
        text->length -= PIECE - length;
    } while (length > 0 && text->length <= PGN_BYTES_MAX);
    bool good = !ferror(file) || cause_set(cause, "%s", strerror(errno));
    fclose(file);
    if (good && text->length > PGN_BYTES_MAX)
        good = cause_set(cause, "longer than %d bytes", PGN_BYTES_MAX);
    buffer_add(text, "", 1);
    if (good && strlen(text->bytes) + 1 != text->length)
        good = cause_set(cause, "not a text");
    return good;
}

/* Adds a move to the opening, whose position it changes. */
static bool add_move(const struct opening_reader *reader, struct opening *opening,
                     struct position *position, const char *text, struct cause *cause)
{
    struct move move;

    if (opening->plies == OPENING_PLIES_MAX)
        return cause_set(cause, "more than %d moves", OPENING_PLIES_MAX);
    if (!move_parse(reader->game, position, text, &move, cause))
        return false;
    reader->game->apply(position, move);
    opening->moves[opening->plies++] = move;
    return true;
}

static bool add_listed(struct opening_reader *reader, struct opening *opening, struct cause *cause)
{
    struct opening_list *list = reader->list;

    if (!play_opening(reader->game, opening))
        return cause_set(cause, "the game is over after this opening");
    if (list->count == OPENINGS_MAX)
        return cause_set(cause, "more than %d openings", OPENINGS_MAX);
    if ((list->count & (list->count - 1)) == 0) /* a power of two: full */
        list->openings =
            xreallocarray(list->openings, (size_t)(list->count > 0 ? list->count * 2 : 1),
                          sizeof list->openings[0]);
    list->openings[list->count++] = *opening;
    return true;
}

static bool read_line(struct opening_reader *reader, char *line, struct cause *cause)
{
    struct opening opening = {.start = *reader->start};
    char *moves = cut_at_word(line, "moves");

    if (strncmp(line, "fen ", 4) == 0)
        line += 4;
    if (strcmp(line, "startpos") != 0 &&
        !reader->game->parse(reader->variant, line, &opening.start, cause))
        return false;
    struct position position = opening.start;
    while (moves != NULL && *moves != '\0')
        if (!add_move(reader, &opening, &position, next_word(&moves), cause))
            return false;
    return add_listed(reader, &opening, cause);
}

static bool read_lines(struct opening_reader *reader, char *text, struct cause *cause)
{
    struct cause why;
    char *line;

    for (int number = 1; (line = strsep(&text, "\n")) != NULL; number++) {
        line = text_line_trim(line);
        if (line[0] != '\0' && line[0] != '#' && !read_line(reader, line, &why))
            return cause_set(cause, "line %d: %s", number, why.text);
    }
    return true;
}

static bool read_match(struct opening_reader *reader, const struct pgn_match *match, int plies,
                       struct cause *cause)
{
    struct opening opening = {.start = match->start};
    struct position position = match->start;
    char variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    if (match->game != reader->game || strcmp(variant, reader->variant) != 0)
        return cause_set(cause, "a match of %s:%s", match->game->name, variant);
    for (int i = 0; i < match->plies && i < plies; i++)
        if (!add_move(reader, &opening, &position, match->moves[i].text, cause))
            return false;
    return add_listed(reader, &opening, cause);
}

static bool read_matches(struct opening_reader *reader, const struct buffer *text, int plies,
                         struct cause *cause)
{
    struct pgn_file file;
    struct cause why;
    bool good = true;

    if (!pgn_read(&file, text->bytes, text->length - 1, cause))
        return false;
    for (int i = 0; i < file.count && good; i++)
        if (file.matches[i].fault != NULL)
            good = cause_set(cause, "%s", file.matches[i].fault);
        else if (!read_match(reader, &file.matches[i], plies, &why))
            good = cause_set(cause, "line %d: %s", file.matches[i].line, why.text);
    pgn_release(&file);
    return good;
}

bool opening_list_read(struct opening_list *list, const char *path, const struct game *game,
                       const struct position *start, int pgn_plies, struct cause *cause)
{
    struct opening_reader reader = {.list = list, .game = game, .start = start};
    struct buffer text = {0};
    struct cause why;

    *list = (struct opening_list){0};
    game->variant_name(start, reader.variant);
    bool good = read_whole(path, &text, &why);
    if (good) {
        /* Hash the text (FNV-1a) and, as it decides what is read of PGN, the number of plies. */
        uint64_t hash = 0xcbf29ce484222325u ^ (text.bytes[0] == '[' ? (uint64_t)pgn_plies : 0);
        for (size_t i = 0; i < text.length; i++)
            hash = (hash ^ (unsigned char)text.bytes[i]) * 0x100000001b3u;
        list->hash = hash;
        good = text.bytes[0] == '[' ? read_matches(&reader, &text, pgn_plies, &why)
                                    : read_lines(&reader, text.bytes, &why);
    }
    if (good && list->count == 0)
        good = cause_set(&why, "no openings");
    buffer_release(&text);
    return good || cause_set(cause, "%.80s: %.110s", path, why.text);
}

void opening_list_release(struct opening_list *list)
{
    free(list->openings);
    *list = (struct opening_list){0};
}
