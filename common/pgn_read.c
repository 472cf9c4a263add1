/* Reads records. The text is copied once, with line ends of one byte; values of tags stay in the
 * copy. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "pgn.h"
#include "time_control.h"
#include "utf8.h"
#include "xmalloc.h"

enum { FIELD_MAX = 24 };

/* The known tags. */
enum tag {
    TAG_GAME,
    TAG_VARIANT,
    TAG_MATCH,
    TAG_DATE,
    TAG_WHITE,
    TAG_BLACK,
    TAG_WHITE_RATING,
    TAG_BLACK_RATING,
    TAG_TIME_CONTROL,
    TAG_RATED,
    TAG_START,
    TAG_RESULT,
    TAG_REASON,
    TAGS
};

static const char *const tag_names[TAGS] = {
    "Game",        "Variant",     "Match", "Date",  "White",  "Black", "WhiteRating",
    "BlackRating", "TimeControl", "Rated", "Start", "Result", "Reason"};

struct reader {
    char *at, *end; /* *end is '\0' */
    int line;
    struct cause *cause;
    struct pgn_file *file;
    size_t moves_used, moves_size, matches_size;
    struct pgn_match *match;  /* the one being read */
    const char *values[TAGS]; /* its tags; NULL: missing */
    bool has_times;
};

static bool fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(struct reader *r, const char *format, ...)
{
    struct cause why;
    va_list args;

    va_start(args, format);
    cause_vset(&why, format, args);
    va_end(args);
    return cause_set(r->cause, "line %d: %s", r->line, why.text);
}

/* Copies the text, with line ends as '\n'. Returns false for bytes that are not text. */
static bool copy_text(struct reader *r, const char *text, size_t length)
{
    size_t i = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    char *to = r->file->text;

    while (i < length) {
        if (text[i] == '\r' && i + 1 < length && text[i + 1] == '\n')
            i++;
        if (text[i] == '\r' || text[i] == '\n' || text[i] == '\t') {
            r->line += text[i] != '\t';
            *to++ = text[i++] == '\t' ? ' ' : '\n';
            continue;
        }
        size_t bytes = utf8_character(text + i, length - i);
        if (bytes == 0)
            return fail(r, "invalid byte 0x%02x: not UTF-8 text", (unsigned char)text[i]);
        memcpy(to, text + i, bytes);
        to += bytes;
        i += bytes;
    }
    *to = '\0';
    r->at = r->file->text;
    r->end = to;
    r->line = 1;
    return true;
}

/* Reads "HOURS:MINUTES:SECONDS", the seconds with up to three decimals. */
static bool parse_time(const char *text, int64_t *time_ms)
{
    int hours, minutes, used = 0;
    int64_t rest_ms;

    if (text[strspn(text, "0123456789:.")] != '\0' ||
        sscanf(text, "%4d:%2d:%n", &hours, &minutes, &used) != 2 || used == 0 || minutes > 59)
        return false;
    text += used;
    if (!seconds_read(&text, &rest_ms) || rest_ms >= 60000)
        return false;
    *time_ms = (hours * 60 + minutes) * INT64_C(60000) + rest_ms;
    return *text == '\0' && *time_ms <= UINT32_MAX;
}

/* Takes the time from the comment text[0..length), if there is one. */
static bool take_time(struct reader *r, const char *text, size_t length)
{
    static const char mark[] = "[%emt ";
    const char *time = memmem(text, length, mark, sizeof mark - 1), *end;
    char field[FIELD_MAX];
    int64_t time_ms;

    if (time == NULL)
        return true;
    time += sizeof mark - 1;
    end = memchr(time, ']', (size_t)(text + length - time));
    if (end == NULL || end - time >= FIELD_MAX)
        return fail(r, "a time is written [%%emt 0:00:01.234]");
    snprintf(field, sizeof field, "%.*s", (int)(end - time), time);
    if (!parse_time(field, &time_ms))
        return fail(r, "invalid time '%s': write 0:00:01.234", field);
    if (r->match == NULL || r->match->plies == 0)
        return fail(r, "a time before the first move");
    r->file->times_ms[r->moves_used - 1] = time_ms;
    r->has_times = true;
    return true;
}

static bool skip_comment(struct reader *r)
{
    char *close = memchr(r->at, '}', (size_t)(r->end - r->at));

    if (close == NULL)
        return fail(r, "this comment has no end");
    if (!take_time(r, r->at, (size_t)(close - r->at)))
        return false;
    for (; r->at <= close; r->at++)
        r->line += *r->at == '\n';
    return true;
}

/* Skips space and comments. */
static bool skip_space(struct reader *r)
{
    for (;;) {
        bool line_begins = r->at == r->file->text || r->at[-1] == '\n';
        if (*r->at == ';' || (*r->at == '%' && line_begins)) {
            r->at += strcspn(r->at, "\n");
        } else if (*r->at == '{') {
            if (!skip_comment(r))
                return false;
        } else if (*r->at == ' ' || *r->at == '\n') {
            r->line += *r->at++ == '\n';
        } else {
            return true;
        }
    }
}

/* Reads a value after its opening quote, and ends it with a NUL at or before its closing quote. */
static bool read_value(struct reader *r, const char **value)
{
    char *to = r->at;

    *value = to;
    for (; *r->at != '"'; r->at++) {
        if (*r->at == '\0' || *r->at == '\n')
            return fail(r, "the value of a tag has no closing quote");
        if (*r->at == '\\' && *++r->at != '"' && *r->at != '\\')
            return fail(r, "in the value of a tag a backslash stands before \" or \\ only");
        if (to - *value == PGN_VALUE_MAX)
            return fail(r, "the value of a tag is longer than %d bytes", PGN_VALUE_MAX);
        *to++ = *r->at;
    }
    r->at++;
    *to = '\0';
    return true;
}

static enum tag find_tag(const char *name, size_t length)
{
    enum tag tag = TAG_GAME;

    while (tag < TAGS &&
           (strlen(tag_names[tag]) != length || memcmp(tag_names[tag], name, length) != 0))
        tag++;
    return tag;
}

/* Reads a tag after its opening bracket: NAME "VALUE"]. */
static bool read_tag(struct reader *r)
{
    const char *name, *value;
    size_t length = 0;

    r->at += strspn(r->at, " ");
    name = r->at;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    r->at += length;
    r->at += strspn(r->at, " ");
    if (length == 0 || *r->at != '"')
        return fail(r, "a tag is written [Name \"value\"]");
    r->at++;
    enum tag tag = find_tag(name, length);
    if (!read_value(r, &value))
        return false;
    r->at += strspn(r->at, " ");
    if (*r->at++ != ']')
        return fail(r, "a tag is written [Name \"value\"]");
    if (tag == TAGS)
        return true;
    if (r->values[tag] != NULL)
        return fail(r, "a second tag %s", tag_names[tag]);
    r->values[tag] = value;
    return true;
}

static bool read_start(struct reader *r)
{
    const char *name = r->values[TAG_GAME], *variant = r->values[TAG_VARIANT];
    struct pgn_match *match = r->match;
    struct cause why;

    if (name == NULL)
        return fail(r, "the tag Game is missing");
    match->game = game_find(name, strlen(name));
    if (match->game == NULL)
        return fail(r, "unknown game '%.24s'", name);
    if (r->values[TAG_START] == NULL)
        return match->game->start(variant, &match->start, &why) || fail(r, "%s", why.text);
    return match->game->parse(variant, r->values[TAG_START], &match->start, &why) ||
           fail(r, "%s", why.text);
}

static bool read_ratings(struct reader *r)
{
    for (enum color color = WHITE; color <= BLACK; color++) {
        const char *text = r->values[TAG_WHITE_RATING + color];
        long rating;
        if (text == NULL || strcmp(text, "?") == 0 || strcmp(text, "-") == 0)
            continue;
        if (!number_parse(text, strlen(text), 1, PGN_RATING_MAX, &rating))
            return fail(r, "invalid rating '%.24s'", text);
        r->match->ratings[color] = (int)rating;
    }
    return true;
}

static bool read_time_control(struct reader *r)
{
    const char *text = r->values[TAG_TIME_CONTROL];
    struct time_control control;

    if (text == NULL || strcmp(text, "-") == 0 || strcmp(text, "?") == 0)
        return true;
    if (!time_control_read(text, &control) || control.base_ms == 0)
        return fail(r, "invalid time control '%.24s': write 300+5, in seconds, or -", text);
    r->match->base_ms = control.base_ms;
    r->match->increment_ms = control.increment_ms;
    return true;
}

static bool read_outcome(struct reader *r)
{
    const char *result = r->values[TAG_RESULT], *reason = r->values[TAG_REASON];
    struct outcome unused;

    if (result != NULL && !pgn_outcome(result, NULL, &unused))
        return fail(r, "invalid result '%.24s': write 1-0, 0-1, 1/2-1/2 or *", result);
    if (reason != NULL && !pgn_outcome("*", reason, &unused))
        return fail(r, "unknown reason '%.24s'", reason);
    return true;
}

static bool read_tags(struct reader *r)
{
    struct pgn_match *match = r->match;

    if (*r->at != '[')
        return fail(r, "a match begins with its tags, such as [Game \"clobber\"]");
    match->line = r->line;
    while (*r->at == '[') {
        r->at++;
        if (!read_tag(r) || !skip_space(r))
            return false;
    }
    match->match = r->values[TAG_MATCH];
    match->date = r->values[TAG_DATE];
    match->white = r->values[TAG_WHITE];
    match->black = r->values[TAG_BLACK];
    match->casual = r->values[TAG_RATED] != NULL && strcmp(r->values[TAG_RATED], "no") == 0;
    return read_start(r) && read_ratings(r) && read_time_control(r) && read_outcome(r);
}

/* Makes room for one more move in the list of all moves. */
static void reserve_move(struct reader *r)
{
    struct pgn_file *file = r->file;

    if (r->moves_used < r->moves_size)
        return;
    r->moves_size = r->moves_size * 2 + 256;
    file->moves = xreallocarray(file->moves, r->moves_size, sizeof *file->moves);
    file->times_ms = xreallocarray(file->times_ms, r->moves_size, sizeof *file->times_ms);
}

static bool read_move(struct reader *r, const char *text, size_t length)
{
    bool form = length >= 4 && length < MOVE_TEXT_MAX && isalpha((unsigned char)text[0]);

    for (size_t i = 0; i < length; i++)
        form = form && (isalnum((unsigned char)text[i]) || text[i] == '@');
    if (!form)
        return fail(r, "'%.*s' is neither a move nor a result", length < 24 ? (int)length : 24,
                    text);
    if (r->match->plies == PGN_PLIES_MAX)
        return fail(r, "more than %d moves in one match", PGN_PLIES_MAX);
    reserve_move(r);
    snprintf(r->file->moves[r->moves_used].text, MOVE_TEXT_MAX, "%.*s", (int)length, text);
    r->file->times_ms[r->moves_used++] = -1;
    r->match->plies++;
    return true;
}

/* Reads "3." or "3...", which must number the next move. A move may follow without a space. */
static bool read_number(struct reader *r, const char *text, size_t length)
{
    size_t digits = strspn(text, "0123456789"), dots = strspn(text + digits, ".");
    int half = r->match->start.side + r->match->plies;
    bool black = half % 2 == BLACK;
    long number;

    if (dots == 0)
        return read_move(r, text, length);
    if (!number_parse(text, digits, half / 2 + 1, half / 2 + 1, &number) || dots != (black ? 3 : 1))
        return fail(r, "wrong move number '%.*s': expected %d%s", (int)(digits + dots), text,
                    half / 2 + 1, black ? "..." : ".");
    return digits + dots == length || read_move(r, text + digits + dots, length - digits - dots);
}

/* Takes the result after the moves, which ends the match. */
static bool end_match(struct reader *r, const char *result)
{
    const char *tagged = r->values[TAG_RESULT];

    if (tagged != NULL && strcmp(tagged, result) != 0)
        return fail(r, "the moves end with %s, the tag Result says %s", result, tagged);
    return pgn_outcome(result, r->values[TAG_REASON], &r->match->outcome);
}

/* Reads the next word of the moves. Sets *ended after the result. */
static bool read_word(struct reader *r, bool *ended)
{
    const char *word = r->at;
    size_t length = strcspn(word, " \n{};[]()");
    char text[FIELD_MAX];
    struct outcome outcome;

    if (*word == '\0' || *word == '[')
        return fail(r, "the result is missing: 1-0, 0-1, 1/2-1/2 or * after the moves");
    if (length == 0)
        return fail(r, "unexpected '%c' among the moves", *word);
    r->at += length;
    if (*word == '$' && length > 1 && strspn(word + 1, "0123456789") >= length - 1)
        return true;
    snprintf(text, sizeof text, "%.*s", length < FIELD_MAX ? (int)length : 0, word);
    *ended = pgn_outcome(text, NULL, &outcome);
    if (*ended)
        return end_match(r, text);
    return isdigit((unsigned char)*word) ? read_number(r, word, length)
                                         : read_move(r, word, length);
}

static void begin_match(struct reader *r)
{
    struct pgn_file *file = r->file;

    if ((size_t)file->count == r->matches_size) {
        r->matches_size = r->matches_size * 2 + 4;
        file->matches = xreallocarray(file->matches, r->matches_size, sizeof *file->matches);
    }
    r->match = &file->matches[file->count++];
    *r->match = (struct pgn_match){.game = NULL};
    memset(r->values, 0, sizeof r->values);
    r->has_times = false;
}

static bool read_match(struct reader *r)
{
    static const int64_t mark = 0;
    bool ended = false;

    begin_match(r);
    if (!read_tags(r))
        return false;
    while (!ended)
        if (!skip_space(r) || !read_word(r, &ended))
            return false;
    /* Only a mark for now: the list may still move in memory. */
    r->match->times_ms = r->has_times ? &mark : NULL;
    r->match = NULL;
    return skip_space(r);
}

/* Gives each match its part of the list of moves, which no longer grows. */
static void share_moves(struct pgn_file *file)
{
    size_t used = 0;

    for (int i = 0; i < file->count; i++) {
        struct pgn_match *match = &file->matches[i];
        match->moves = file->moves + used;
        if (match->times_ms != NULL)
            match->times_ms = file->times_ms + used;
        used += (size_t)match->plies;
    }
}

static bool read_all(struct reader *r, const char *text, size_t length)
{
    if (length > PGN_BYTES_MAX)
        return fail(r, "the text is longer than %d MiB", PGN_BYTES_MAX >> 20);
    r->file->text = xmalloc(length + 1);
    reserve_move(r); /* no match may point to NULL */
    if (!copy_text(r, text, length) || !skip_space(r))
        return false;
    if (*r->at == '\0')
        return fail(r, "no match found");
    while (*r->at != '\0')
        if (!read_match(r))
            return false;
    share_moves(r->file);
    return true;
}

bool pgn_read(struct pgn_file *file, const char *text, size_t length, struct cause *cause)
{
    struct reader reader = {.line = 1, .cause = cause, .file = file};

    *file = (struct pgn_file){.matches = NULL};
    if (read_all(&reader, text, length))
        return true;
    pgn_release(file);
    return false;
}

void pgn_release(struct pgn_file *file)
{
    free(file->matches);
    free(file->moves);
    free(file->times_ms);
    free(file->text);
    *file = (struct pgn_file){.matches = NULL};
}
