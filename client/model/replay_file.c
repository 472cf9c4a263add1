#include "replay_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/move.h"
#include "common/xmalloc.h"

enum { CHUNK_BYTES = 1 << 16 };

/* Reads to the end, or just beyond the limit. The caller frees *text, after a failure too. */
static bool read_stream(FILE *stream, char **text, size_t *length)
{
    size_t size = 0, count;

    *text = NULL;
    *length = 0;
    do {
        if (size - *length < CHUNK_BYTES) {
            size = size * 2 + CHUNK_BYTES;
            *text = xrealloc(*text, size);
        }
        count = fread(*text + *length, 1, CHUNK_BYTES, stream);
        *length += count;
    } while (count > 0 && *length <= PGN_BYTES_MAX);
    return !ferror(stream);
}

bool replay_file_read(const char *path, struct pgn_file *file, struct cause *cause)
{
    FILE *stream = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    char *text;
    size_t length;

    if (stream == NULL)
        return cause_set(cause, "%s", strerror(errno));
    bool good = read_stream(stream, &text, &length) || cause_set(cause, "%s", strerror(errno));
    good = good && pgn_read(file, text, length, cause);
    free(text);
    if (stream != stdin)
        fclose(stream);
    return good;
}

struct position replay_file_position(const struct pgn_match *match, int ply)
{
    struct position position = match->start;
    struct cause cause;
    struct move move;

    for (int i = 0; i < ply; i++)
        if (move_parse(match->game, &position, match->moves[i].text, &move, &cause))
            match->game->apply(&position, move);
    return position;
}
