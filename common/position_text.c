#include "position_text.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

bool fields_split(const char *text, struct field fields[], int count, const char *form,
                  struct cause *cause)
{
    int found = 0;

    if (strlen(text) >= POSITION_TEXT_MAX)
        return cause_set(cause, "the position is too long");
    for (;;) {
        size_t length = strcspn(text, " ");
        if (length == 0)
            return cause_set(cause, "a position is %s, separated by single spaces", _(form));
        if (found < count)
            fields[found] = (struct field){text, length};
        found++;
        text += length;
        if (*text == '\0')
            break;
        text++;
    }
    if (found != count)
        return cause_set(cause,
                         text_counted("the position has %d field instead of %d: %s",
                                      "the position has %d fields instead of %d: %s",
                                      (unsigned long)found),
                         found, count, _(form));
    return true;
}

bool field_side(struct field field, uint8_t *side, struct cause *cause)
{
    if (field.length != 1 || (field.text[0] != 'w' && field.text[0] != 'b'))
        return cause_set(cause, "the side to move is w or b, not %.*s", (int)field.length,
                         field.text);
    *side = field.text[0] == 'w' ? WHITE : BLACK;
    return true;
}

bool field_number(struct field field, const char *what, long min, long max, uint8_t *value,
                  struct cause *cause)
{
    long number;

    if (!number_parse(field.text, field.length, min, max, &number))
        return cause_set(cause, "%s is a number from %ld to %ld, not %.*s", _(what), min, max,
                         (int)field.length, field.text);
    *value = (uint8_t)number;
    return true;
}

void board_clear(struct board *board, int width, int height)
{
    memset(board, 0, sizeof *board);
    board->width = width;
    board->height = height;
    memset(board->cell, '.', (size_t)(width * height));
}

/* Reads one rank into cells[], and its width. */
static bool rank_parse(const char *text, size_t length, const char *letters, int side_max,
                       char cells[PLACEMENT_SIDE_MAX], int *width, struct cause *cause)
{
    int file = 0;

    for (size_t i = 0; i < length;) {
        size_t digits = 0;
        while (i + digits < length && text[i + digits] >= '0' && text[i + digits] <= '9')
            digits++;
        long run = 1;
        if (digits > 0 && !number_parse(text + i, digits, 1, side_max, &run))
            return cause_set(cause, "invalid run of empty squares: %.*s", (int)digits, text + i);
        if (digits == 0 && strchr(letters, text[i]) == NULL)
            return cause_set(cause, "unknown piece '%c'", text[i]);
        if (file + run > side_max)
            return cause_set(cause, "the rank %.*s is too long", (int)length, text);
        memset(cells + file, digits > 0 ? '.' : text[i], (size_t)run);
        file += (int)run;
        i += digits > 0 ? digits : 1;
    }
    *width = file;
    return true;
}

static bool parse_ranks(struct field field, const char *letters, int width, int height,
                        int side_max, struct board *board, struct cause *cause)
{
    char rows[PLACEMENT_SIDE_MAX][PLACEMENT_SIDE_MAX];
    const char *text = field.text, *end = field.text + field.length;
    int files = width, ranks = 0;

    for (;;) {
        const char *slash = memchr(text, '/', (size_t)(end - text));
        size_t length = (size_t)((slash != NULL ? slash : end) - text);
        int rank_files = 0;
        if (ranks == (height > 0 ? height : side_max))
            return cause_set(cause, "the board has more than %d ranks", ranks);
        if (!rank_parse(text, length, letters, side_max, rows[ranks], &rank_files, cause))
            return false;
        if (files == 0)
            files = rank_files;
        if (files == 0)
            return cause_set(cause, "the first rank has no squares");
        if (rank_files != files)
            return cause_set(cause,
                             text_counted("the rank '%.*s' has %d square instead of %d",
                                          "the rank '%.*s' has %d squares instead of %d",
                                          (unsigned long)rank_files),
                             (int)length, text, rank_files, files);
        ranks++;
        if (slash == NULL)
            break;
        text = slash + 1;
    }
    if (height > 0 && ranks != height)
        return cause_set(cause,
                         text_counted("the board has %d rank instead of %d",
                                      "the board has %d ranks instead of %d", (unsigned long)ranks),
                         ranks, height);
    if (files * ranks > BOARD_SQUARES_MAX)
        return cause_set(cause, "the board has more than %d squares", BOARD_SQUARES_MAX);

    board_clear(board, files, ranks);
    for (int rank = 0; rank < ranks; rank++)
        memcpy(board->cell + rank * files, rows[ranks - 1 - rank], (size_t)files);
    return true;
}

bool placement_parse(struct field field, const char *letters, int width, int height,
                     struct board *board, struct cause *cause)
{
    return parse_ranks(field, letters, width, height, BOARD_SIDE_MAX, board, cause);
}

bool placement_parse_long(struct field field, const char *letters, int side_max,
                          struct board *board, struct cause *cause)
{
    return parse_ranks(field, letters, 0, 0, side_max, board, cause);
}

/* Writes the length of a run of empty squares, if there is one, and returns what follows it. */
static char *put_run(char *at, int run)
{
    if (run >= 10)
        return at + number_format((uint64_t)run, at);
    if (run > 0)
        *at++ = (char)('0' + run);
    return at;
}

/* Writes the squares of a rank without a final NUL, and returns what follows them. */
static char *put_rank(char *at, const char *cells, int width)
{
    int run = 0;

    for (const char *end = cells + width; cells < end; cells++) {
        if (*cells == '.') {
            run++;
            continue;
        }
        at = put_run(at, run);
        *at++ = *cells;
        run = 0;
    }
    return put_run(at, run);
}

size_t placement_format(const struct board *board, char text[POSITION_TEXT_MAX])
{
    char *at = text;

    for (int rank = board->height - 1; rank >= 0; rank--) {
        at = put_rank(at, board->cell + rank * board->width, board->width);
        *at++ = rank > 0 ? '/' : '\0';
    }
    return (size_t)(at - text) - 1;
}

void side_and_count_format(int side, unsigned count, char *text)
{
    const char before[] = {' ', side == WHITE ? 'w' : 'b', ' '};

    memcpy(text, before, sizeof before);
    text += sizeof before;
    text[number_format(count, text)] = '\0';
}

void board_text(const struct board *board, bool flip, char text[BOARD_TEXT_MAX])
{
    int width = board->width, height = board->height;
    size_t length = 0;

    for (int i = 0; i < height; i++) {
        int rank = flip ? i : height - 1 - i;
        length += (size_t)snprintf(text + length, BOARD_TEXT_MAX - length, " %2d ", rank + 1);
        for (int j = 0; j < width; j++)
            length += (size_t)snprintf(text + length, BOARD_TEXT_MAX - length, " %c",
                                       board->cell[rank * width + (flip ? width - 1 - j : j)]);
        length += (size_t)snprintf(text + length, BOARD_TEXT_MAX - length, "\n");
    }
    length += (size_t)snprintf(text + length, BOARD_TEXT_MAX - length, "    ");
    for (int j = 0; j < width; j++)
        length += (size_t)snprintf(text + length, BOARD_TEXT_MAX - length, " %c",
                                   'a' + (flip ? width - 1 - j : j));
    snprintf(text + length, BOARD_TEXT_MAX - length, "\n");
}
