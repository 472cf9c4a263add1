/* Writing; pgn_read.c and pgn_check.c have the rest. */
#include "pgn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

enum { COLUMNS_MAX = 79 };

/* A text that grows; `failed` when memory has run out, and nothing is added any more. */
struct buffer {
    char *text;
    size_t used, size;
    bool failed;
    size_t column; /* of the moves: bytes in the present line */
};

static void add_bytes(struct buffer *buffer, const char *bytes, size_t length)
{
    if (buffer->failed)
        return;
    if (buffer->size - buffer->used <= length) {
        size_t size = buffer->size * 2 + length + 512;
        char *text = realloc(buffer->text, size);
        if (text == NULL) {
            buffer->failed = true;
            return;
        }
        buffer->text = text;
        buffer->size = size;
    }
    memcpy(buffer->text + buffer->used, bytes, length);
    buffer->used += length;
    buffer->text[buffer->used] = '\0';
}

static void add(struct buffer *buffer, const char *text)
{
    add_bytes(buffer, text, strlen(text));
}

static void add_value(struct buffer *buffer, const char *value)
{
    size_t length = strlen(value);

    for (size_t i = 0, bytes; i < length; i += bytes) {
        bytes = utf8_character(value + i, length - i);
        if (i + (bytes > 0 ? bytes : 1) > PGN_VALUE_MAX)
            return;
        if (value[i] == '"' || value[i] == '\\')
            add(buffer, "\\");
        add_bytes(buffer, bytes > 0 ? value + i : "?", bytes > 0 ? bytes : 1);
        bytes = bytes > 0 ? bytes : 1;
    }
}

static void add_tag(struct buffer *buffer, const char *name, const char *value)
{
    add(buffer, "[");
    add(buffer, name);
    add(buffer, " \"");
    add_value(buffer, value);
    add(buffer, "\"]\n");
}

static void add_rating(struct buffer *buffer, const char *name, int rating)
{
    char text[16];

    if (rating < 1 || rating > PGN_RATING_MAX)
        return;
    snprintf(text, sizeof text, "%d", rating);
    add_tag(buffer, name, text);
}

/* Seconds without needless zeros: "300", "0.5". */
static void format_seconds(int64_t time_ms, char text[32])
{
    snprintf(text, 32, "%lld.%03d", (long long)(time_ms / 1000), (int)(time_ms % 1000));
    size_t length = strlen(text);
    while (text[length - 1] == '0')
        length--;
    if (text[length - 1] == '.')
        length--;
    text[length] = '\0';
}

static void add_time_control(struct buffer *buffer, const struct pgn_match *match)
{
    char base[32], increment[32], text[72] = "-";

    if (match->base_ms > 0) {
        format_seconds(match->base_ms, base);
        format_seconds(match->increment_ms, increment);
        snprintf(text, sizeof text, "%s+%s", base, increment);
    }
    add_tag(buffer, "TimeControl", text);
}

static void add_start(struct buffer *buffer, const struct pgn_match *match, const char *variant)
{
    struct position usual;
    struct cause cause;
    char text[POSITION_TEXT_MAX];

    if (match->game->start(variant, &usual, &cause) &&
        memcmp(&usual, &match->start, sizeof usual) == 0)
        return;
    match->game->format(&match->start, text);
    add_tag(buffer, "Start", text);
}

static void add_tags(struct buffer *buffer, const struct pgn_match *match)
{
    const char *reason = reason_text(match->outcome.reason);
    char variant[VARIANT_NAME_MAX];

    match->game->variant_name(&match->start, variant);
    add_tag(buffer, "Game", match->game->name);
    add_tag(buffer, "Variant", variant);
    if (match->match != NULL)
        add_tag(buffer, "Match", match->match);
    if (match->date != NULL)
        add_tag(buffer, "Date", match->date);
    add_tag(buffer, "White", match->white != NULL ? match->white : "?");
    add_tag(buffer, "Black", match->black != NULL ? match->black : "?");
    add_rating(buffer, "WhiteRating", match->ratings[WHITE]);
    add_rating(buffer, "BlackRating", match->ratings[BLACK]);
    add_time_control(buffer, match);
    add_start(buffer, match, variant);
    add_tag(buffer, "Result", result_text(match->outcome.result));
    if (reason != NULL)
        add_tag(buffer, "Reason", reason);
}

/* A word of the moves, on a new line when it does not fit. */
static void add_word(struct buffer *buffer, const char *word)
{
    size_t length = strlen(word);

    if (buffer->column > 0 && buffer->column + 1 + length > COLUMNS_MAX) {
        add(buffer, "\n");
        buffer->column = 0;
    }
    if (buffer->column > 0) {
        add(buffer, " ");
        buffer->column++;
    }
    add(buffer, word);
    buffer->column += length;
}

static void add_time(struct buffer *buffer, int64_t time_ms)
{
    char text[64];

    snprintf(text, sizeof text, "{[%%emt %lld:%02d:%02d.%03d]}", (long long)(time_ms / 3600000),
             (int)(time_ms / 60000 % 60), (int)(time_ms / 1000 % 60), (int)(time_ms % 1000));
    add_word(buffer, text);
}

static void add_move(struct buffer *buffer, const struct pgn_match *match, int ply)
{
    bool black = (match->start.side + ply) % 2 == BLACK;
    int number = (match->start.side + ply) / 2 + 1;
    char text[24];

    snprintf(text, sizeof text, "%d%s", number, black ? "..." : ".");
    if (!black || ply == 0)
        add_word(buffer, text);
    add_word(buffer, match->moves[ply].text);
}

void pgn_name_move(const struct pgn_match *match, int ply, char *text, size_t size)
{
    int half = match->start.side + ply;

    snprintf(text, size, "%d%s %s", half / 2 + 1, half % 2 == BLACK ? "..." : ".",
             match->moves[ply].text);
}

char *pgn_write(const struct pgn_match *match, bool with_times)
{
    struct buffer buffer = {.text = NULL};

    add_tags(&buffer, match);
    add(&buffer, "\n");
    for (int ply = 0; ply < match->plies; ply++) {
        add_move(&buffer, match, ply);
        if (with_times && match->times_ms != NULL && match->times_ms[ply] >= 0)
            add_time(&buffer, match->times_ms[ply]);
    }
    add_word(&buffer, result_text(match->outcome.result));
    add(&buffer, "\n");
    if (!buffer.failed)
        return buffer.text;
    free(buffer.text);
    return NULL;
}

bool pgn_outcome(const char *result, const char *reason, struct outcome *outcome)
{
    enum result r = RESULT_NONE;
    enum reason why = REASON_NONE;

    while (r <= RESULT_DRAW && strcmp(result_text(r), result) != 0)
        r++;
    if (reason != NULL)
        for (why = REASON_NO_MOVES; why <= REASON_ABORTED; why++)
            if (strcmp(reason_text(why), reason) == 0)
                break;
    if (r > RESULT_DRAW || why > REASON_ABORTED)
        return false;
    *outcome = (struct outcome){r, why};
    return true;
}
