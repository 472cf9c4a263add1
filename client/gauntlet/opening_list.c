#include "opening_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buffer.h"
#include "common/pgn.h"
#include "common/text.h"
#include "common/xmalloc.h"

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

static bool add_opening(struct opening_list *list, const struct opening *opening,
                        struct cause *cause)
{
    if (list->count == OPENINGS_MAX)
        return cause_set(cause, "more than %d openings", OPENINGS_MAX);
    if ((list->count & (list->count - 1)) == 0) /* a power of two: full */
        list->openings =
            xreallocarray(list->openings, (size_t)(list->count > 0 ? list->count * 2 : 1),
                          sizeof list->openings[0]);
    list->openings[list->count++] = *opening;
    return true;
}

static bool read_line(const struct opening_reader *reader, char *line, struct cause *cause)
{
    struct opening opening;

    return opening_read(reader->game, reader->start, line, &opening, cause) &&
           add_opening(reader->list, &opening, cause);
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
        if (!opening_add_move(reader->game, &opening, &position, match->moves[i].text, cause))
            return false;
    if (!opening_play(reader->game, &opening, NULL))
        return cause_set(cause, "the game is over after this opening");
    return add_opening(reader->list, &opening, cause);
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

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) /* FNV-1a */
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

static bool read_balanced(struct opening_reader *reader, struct cause *cause)
{
    struct opening opening;

    for (int i = 0; opening_find(reader->game, reader->start, i, &opening); i++) {
        add_opening(reader->list, &opening, cause);
        reader->list->hash = hash_bytes(reader->list->hash, &opening.key, sizeof opening.key);
    }
    return reader->list->count > 0 ||
           cause_set(cause, "none are known of this variant; make some with `ludus-bot openings`");
}

static bool read_file(struct opening_reader *reader, const char *path, int pgn_plies,
                      struct cause *cause)
{
    struct buffer text = {0};
    bool good = read_whole(path, &text, cause);

    if (good) {
        bool is_pgn = text.bytes[0] == '[';
        if (is_pgn) /* their number decides what is read */
            reader->list->hash ^= (uint64_t)pgn_plies;
        reader->list->hash = hash_bytes(reader->list->hash, text.bytes, text.length);
        good = is_pgn ? read_matches(reader, &text, pgn_plies, cause)
                      : read_lines(reader, text.bytes, cause);
    }
    if (good && reader->list->count == 0)
        good = cause_set(cause, "no openings");
    buffer_release(&text);
    return good;
}

bool opening_list_read(struct opening_list *list, const char *path, const struct game *game,
                       const struct position *start, int pgn_plies, struct cause *cause)
{
    struct opening_reader reader = {.list = list, .game = game, .start = start};
    struct cause why;

    *list = (struct opening_list){.hash = 0xcbf29ce484222325u};
    game->variant_name(start, reader.variant);
    return (strcmp(path, OPENINGS_BALANCED) == 0 ? read_balanced(&reader, &why)
                                                 : read_file(&reader, path, pgn_plies, &why)) ||
           cause_set(cause, "%.80s: %.110s", path, why.text);
}

void opening_list_release(struct opening_list *list)
{
    free(list->openings);
    *list = (struct opening_list){0};
}
