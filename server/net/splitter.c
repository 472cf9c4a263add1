#include "splitter.h"

#include <string.h>

/* Returns the length without LF or CRLF of a line of `size` bytes that ends in LF. */
static size_t text_length(const char *bytes, size_t size)
{
    size_t length = size - 1;

    return length > 0 && bytes[length - 1] == '\r' ? length - 1 : length;
}

struct piece splitter_look(struct splitter *splitter, const char *bytes, size_t count,
                           size_t line_max)
{
    const char *end = memchr(bytes + splitter->scanned, '\n', count - splitter->scanned);
    size_t size = end != NULL ? (size_t)(end - bytes) + 1 : count;
    struct piece piece = {.size = size, .ended = end != NULL};

    if (splitter->discarding) {
        piece.kind = PIECE_REST;
    } else if (size > line_max || (size == line_max && end == NULL)) {
        piece.kind = PIECE_TOO_LONG;
    } else if (end != NULL) {
        piece.kind = PIECE_LINE;
        piece.length = text_length(bytes, size);
    } else {
        piece = (struct piece){.kind = PIECE_NONE};
        splitter->scanned = count;
    }
    return piece;
}

void splitter_take(struct splitter *splitter, const struct piece *piece)
{
    splitter->scanned = 0;
    splitter->discarding = !piece->ended;
}
