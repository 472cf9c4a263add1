#include "opening_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/base/words.h"
#include "common/buffer.h"
#include "common/move.h"
#include "common/pgn.h"
#include "common/text_line.h"
#include "common/xmalloc.h"

struct reader {
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
static bool add_move(const struct reader *reader, struct opening *opening,
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

static bool add_opening(struct reader *reader, struct opening *opening, struct cause *cause)
{
    struct opening_list *list = reader->list;

    if (!opening_play(reader->game, opening))
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

static bool read_line(struct reader *reader, char *line, struct cause *cause)
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
    return add_opening(reader, &opening, cause);
}

static bool read_lines(struct reader *reader, char *text, struct cause *cause)
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

static bool read_match(struct reader *reader, const struct pgn_match *match, int plies,
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
    return add_opening(reader, &opening, cause);
}

static bool read_matches(struct reader *reader, const struct buffer *text, int plies,
                         struct cause *cause)
{
    struct pgn_file file;
    struct cause why;
    bool good = true;

    if (!pgn_read(&file, text->bytes, text->length - 1, cause))
        return false;
    for (int i = 0; i < file.count && good; i++)
        if (!read_match(reader, &file.matches[i], plies, &why))
            good = cause_set(cause, "line %d: %s", file.matches[i].line, why.text);
    pgn_release(&file);
    return good;
}

/* Hashes the text (FNV-1a) and, as it decides what is read of PGN, the number of plies. */
static uint64_t hash_of(const struct buffer *text, int plies)
{
    uint64_t hash = 0xcbf29ce484222325u ^ (text->bytes[0] == '[' ? (uint64_t)plies : 0);

    for (size_t i = 0; i < text->length; i++)
        hash = (hash ^ (unsigned char)text->bytes[i]) * 0x100000001b3u;
    return hash;
}

bool opening_list_read(struct opening_list *list, const char *path, const struct game *game,
                       const struct position *start, int pgn_plies, struct cause *cause)
{
    struct reader reader = {.list = list, .game = game, .start = start};
    struct buffer text = {0};
    struct cause why;

    *list = (struct opening_list){0};
    game->variant_name(start, reader.variant);
    bool good = read_whole(path, &text, &why);
    if (good) {
        list->hash = hash_of(&text, pgn_plies);
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
