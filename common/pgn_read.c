/* Reads records. The text is copied once, with line ends of one byte; values of tags stay in the
 * copy. What is wrong is told of the match that it stands in. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pgn.h"
#include "text.h"
#include "time_control.h"
#include "xmalloc.h"

enum { FIELD_MAX = 24 };

/* The known tags. */
enum tag {
    TAG_EVENT,
    TAG_SITE,
    TAG_ROUND,
    TAG_GAME,
    TAG_VARIANT,
    TAG_MATCH,
    TAG_DATE,
    TAG_UTC_DATE,
    TAG_UTC_TIME,
    TAG_WHITE,
    TAG_BLACK,
    TAG_WHITE_ELO,
    TAG_BLACK_ELO,
    TAG_WHITE_RATING,
    TAG_BLACK_RATING,
    TAG_TIME_CONTROL,
    TAG_RATED,
    TAG_START, /* the name of FEN once */
    TAG_FEN,
    TAG_RESULT,
    TAG_REASON,
    TAG_TERMINATION,
    TAGS
};

static const char *const tag_names[TAGS] = {
    "Event",    "Site",        "Round",       "Game",        "Variant", "Match",
    "Date",     "UTCDate",     "UTCTime",     "White",       "Black",   "WhiteElo",
    "BlackElo", "WhiteRating", "BlackRating", "TimeControl", "Rated",   "Start",
    "FEN",      "Result",      "Reason",      "Termination"};

struct pgn_reader {
    char *at, *end; /* *end is '\0' */
    int line;
    const char *invalid; /* the next byte that is not text, or `end` */
    struct cause *cause;
    struct pgn_file *file;
    size_t moves_size, matches_size;
    struct pgn_match *match;  /* the one being read */
    size_t first_move;        /* of it, among those of the file */
    const char *values[TAGS]; /* its tags; NULL: missing */
    bool in_moves;            /* its tags have been passed */
    bool has_times, has_marks;
};

static bool fail_at_line(struct pgn_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void find_invalid(struct pgn_reader *r)
{
    size_t bytes;

    for (r->invalid = r->at; r->invalid < r->end; r->invalid += bytes) {
        bool blank = *r->invalid == '\n';
        bytes = blank ? 1 : utf8_character(r->invalid, (size_t)(r->end - r->invalid));
        if (bytes == 0)
            return;
    }
}

/* Fills the cause. A byte that is not text, up to the end of this line, comes first. */
static bool fail_at_line(struct pgn_reader *r, const char *format, ...)
{
    struct cause why;
    va_list args;
    int line = r->line;

    va_start(args, format);
    cause_vset(&why, format, args);
    va_end(args);
    if (r->invalid < r->at + strcspn(r->at, "\n")) {
        for (const char *at = r->invalid; at < r->at; at++)
            line -= *at == '\n';
        cause_set(&why, "invalid byte 0x%02x: not UTF-8 text", (unsigned char)*r->invalid);
    }
    return cause_set(r->cause, "line %d: %s", line, why.text);
}

/* Copies the text, with line ends as '\n', and without byte order marks: files may have been
 * joined. */
static void copy_text(struct pgn_reader *r, const char *text, size_t length)
{
    static const char mark[] = "\xef\xbb\xbf";
    char *to = r->file->text;

    for (size_t i = 0; i < length; i++) {
        bool marked = length - i >= sizeof mark - 1 && memcmp(text + i, mark, sizeof mark - 1) == 0;
        if (text[i] == '\r' && i + 1 < length && text[i + 1] == '\n')
            continue;
        if (marked)
            i += sizeof mark - 2;
        else
            *to++ = text[i] == '\r' ? '\n' : text[i] == '\t' ? ' ' : text[i] == '\0' ? 1 : text[i];
    }
    *to = '\0';
    r->at = r->file->text;
    r->end = to;
    find_invalid(r);
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
static bool take_time(struct pgn_reader *r, const char *text, size_t length)
{
    static const char mark[] = "[%emt";
    const char *time = memmem(text, length, mark, sizeof mark - 1), *end;
    char field[FIELD_MAX];
    int64_t time_ms;

    if (time == NULL)
        return true;
    time += sizeof mark - 1;
    time += strspn(time, " \n");
    end = memchr(time, ']', (size_t)(text + length - time));
    if (end == NULL || end - time >= FIELD_MAX)
        return fail_at_line(r, "a time is written [%%emt 0:00:01.234]");
    snprintf(field, sizeof field, "%.*s", (int)(end - time), time);
    if (!parse_time(field, &time_ms))
        return fail_at_line(r, "invalid time '%s': write 0:00:01.234", field);
    if (r->match == NULL || r->match->plies == 0)
        return fail_at_line(r, "a time before the first move");
    r->file->times_ms[r->file->move_count - 1] = time_ms;
    r->has_times = true;
    return true;
}

static bool skip_comment(struct pgn_reader *r, bool timed)
{
    char *close = memchr(r->at, '}', (size_t)(r->end - r->at));

    if (close == NULL)
        return fail_at_line(r, "this comment has no end");
    if (timed && !take_time(r, r->at, (size_t)(close - r->at)))
        return false;
    for (; r->at <= close; r->at++)
        r->line += *r->at == '\n';
    return true;
}

/* Skips space and comments. Those behind moves of the match may have a time. */
static bool skip_space(struct pgn_reader *r, bool timed)
{
    for (;;) {
        bool line_begins = r->at == r->file->text || r->at[-1] == '\n';
        if (*r->at == ';' || (*r->at == '%' && line_begins)) {
            r->at += strcspn(r->at, "\n");
        } else if (*r->at == '{') {
            if (!skip_comment(r, timed))
                return false;
        } else if (*r->at == ' ' || *r->at == '\n') {
            r->line += *r->at++ == '\n';
        } else {
            return true;
        }
    }
}

/* Skips moves in parentheses, which may have others in them. */
static bool skip_variation(struct pgn_reader *r)
{
    char *open = r->at;
    int line = r->line, depth = 0;

    do {
        depth += (*r->at == '(') - (*r->at == ')');
        r->at++;
        if (!skip_space(r, false))
            return false;
        if (*r->at == '\0' || *r->at == '[') {
            r->at = open;
            r->line = line;
            return fail_at_line(r, "this variation has no end");
        }
    } while (depth > 0);
    return true;
}

/* Reads a value after its opening quote, and ends it with a NUL at or before its closing quote. */
static bool read_value(struct pgn_reader *r, const char **value)
{
    char *to = r->at;

    *value = to;
    for (; *r->at != '"'; r->at++) {
        if (*r->at == '\0' || *r->at == '\n')
            return fail_at_line(r, "the value of a tag has no closing quote");
        if (*r->at == '\\' && *++r->at != '"' && *r->at != '\\')
            return fail_at_line(r, "in the value of a tag a backslash stands before \" or \\ only");
        if (to - *value == PGN_VALUE_MAX)
            return fail_at_line(r, "the value of a tag is longer than %d bytes", PGN_VALUE_MAX);
        *to++ = *r->at;
    }
    r->at++;
    *to = '\0';
    return true;
}

static enum tag find_tag(const char *name, size_t length)
{
    enum tag tag = 0;

    while (tag < TAGS &&
           (strlen(tag_names[tag]) != length || memcmp(tag_names[tag], name, length) != 0))
        tag++;
    return tag;
}

/* Reads a tag after its opening bracket: NAME "VALUE"]. */
static bool read_tag(struct pgn_reader *r)
{
    const char *name, *value;

    r->at += strspn(r->at, " ");
    name = r->at;
    size_t length = strcspn(name, " \"[]{}\n");
    r->at += length;
    r->at += strspn(r->at, " ");
    if (length == 0 || *r->at != '"')
        return fail_at_line(r, "a tag is written [Name \"value\"]");
    r->at++;
    enum tag tag = find_tag(name, length);
    if (!read_value(r, &value))
        return false;
    r->at += strspn(r->at, " ");
    if (*r->at != ']')
        return fail_at_line(r, "a tag is written [Name \"value\"]");
    r->at++;
    if (tag == TAGS)
        return true;
    if (r->values[tag] != NULL)
        return fail_at_line(r, "a second tag %s", tag_names[tag]);
    r->values[tag] = value;
    return true;
}

/* Returns what stands behind a label at the beginning of the text and a blank or colon, "" for
 * nothing; NULL where the text does not begin so. */
static const char *behind_label(const char *text, const char *label)
{
    size_t length = strlen(label);

    if (strncasecmp(text, label, length) != 0 || strchr(" :", text[length]) == NULL)
        return NULL;
    return text + length + (text[length] != '\0');
}

/* Returns the variant that the text names behind this game: "5x6" of "Clobber 5x6" and of
 * "clobber:5x6", "" for none. NULL where the text does not name the game. */
static const char *behind_game(const char *text, const struct game *game)
{
    const char *variant = behind_label(text, game->title);

    return variant != NULL ? variant : behind_label(text, game->name);
}

/* Finds the game by the tag Game, or else by the variant, or else by the position that a single
 * game has. */
static const struct game *find_game(const struct pgn_reader *r, const char *start)
{
    const char *name = r->values[TAG_GAME], *variant = r->values[TAG_VARIANT];
    const struct game *found = NULL;
    struct position position;
    struct cause cause;
    int count = 0;

    if (name != NULL)
        return game_find(name, strlen(name));
    for (int i = 0; games[i] != NULL && variant != NULL; i++)
        if (behind_game(variant, games[i]) != NULL)
            return games[i];
    for (int i = 0; games[i] != NULL; i++) {
        bool fits = (variant != NULL || start != NULL) &&
                    (variant == NULL || games[i]->start(variant, &position, &cause)) &&
                    (start == NULL || games[i]->parse(variant, start, &position, &cause));
        count += fits;
        found = fits ? games[i] : found;
    }
    return count == 1 ? found : NULL;
}

static bool read_start(struct pgn_reader *r)
{
    const char *name = r->values[TAG_GAME], *variant = r->values[TAG_VARIANT];
    const char *start = r->values[TAG_FEN] != NULL ? r->values[TAG_FEN] : r->values[TAG_START];
    struct pgn_match *match = r->match;
    struct cause why;

    match->game = find_game(r, start);
    if (match->game == NULL && name != NULL)
        return fail_at_line(r, "unknown game '%.24s'", name);
    if (match->game == NULL && variant != NULL)
        return fail_at_line(r, "the tag Variant '%.40s' names no game that is known here", variant);
    if (match->game == NULL)
        return fail_at_line(r, "the tag Variant is missing, such as [Variant \"Clobber 5x6\"]");
    if (variant != NULL && behind_game(variant, match->game) != NULL)
        variant = behind_game(variant, match->game);
    if (variant != NULL && variant[0] == '\0')
        variant = NULL;
    if (start == NULL)
        return match->game->start(variant, &match->start, &why) || fail_at_line(r, "%s", why.text);
    return match->game->parse(variant, start, &match->start, &why) ||
           fail_at_line(r, "%s", why.text);
}

static bool is_pattern(const char *text, const char *pattern)
{
    for (; *pattern != '\0'; text++, pattern++)
        if (*pattern == '0' ? !isdigit((unsigned char)*text) : *text != *pattern)
            return false;
    return *text == '\0';
}

/* Reads 2026.11.21, with UTCTime when it began; dates in another form stay as they are. */
static void read_date(struct pgn_reader *r)
{
    const char *day = r->values[TAG_UTC_DATE], *time = r->values[TAG_UTC_TIME];
    char *date = r->file->dates[r->file->count - 1];
    bool utc = day != NULL && is_pattern(day, "0000.00.00");

    date[0] = '\0';
    if (!utc)
        day = r->values[TAG_DATE];
    if (day == NULL || day[strspn(day, "?.")] == '\0')
        return;
    if (!is_pattern(day, "0000.00.00"))
        r->match->date = day;
    else if (utc && time != NULL && is_pattern(time, "00:00:00"))
        snprintf(date, PGN_DATE_MAX, "%.4s-%.2s-%.2sT%.8sZ", day, day + 5, day + 8, time);
    else
        snprintf(date, PGN_DATE_MAX, "%.4s-%.2s-%.2s", day, day + 5, day + 8);
}

/* Reads the ratings of white and black, whose tags begin at `tag`. */
static bool read_ratings(struct pgn_reader *r, enum tag tag, int ratings[2])
{
    for (enum color color = WHITE; color <= BLACK; color++) {
        const char *text = r->values[tag + color];
        long rating;
        if (text == NULL || strcmp(text, "?") == 0 || strcmp(text, "-") == 0)
            continue;
        if (!number_parse(text, strlen(text), 1, PGN_RATING_MAX, &rating))
            return fail_at_line(r, "invalid rating '%.24s'", text);
        ratings[color] = (int)rating;
    }
    return true;
}

static bool read_time_control(struct pgn_reader *r)
{
    const char *text = r->values[TAG_TIME_CONTROL];
    struct time_control control;

    if (text == NULL || strcmp(text, "-") == 0 || strcmp(text, "?") == 0)
        return true;
    if (!time_control_read(text, &control) || control.base_ms == 0)
        return fail_at_line(r, "invalid time control '%.24s': write 300+5, in seconds, or -", text);
    r->match->base_ms = control.base_ms;
    r->match->increment_ms = control.increment_ms;
    return true;
}

static bool read_outcome(struct pgn_reader *r)
{
    const char *result = r->values[TAG_RESULT], *reason = r->values[TAG_REASON];
    struct outcome unused;

    if (result != NULL && !pgn_outcome(result, NULL, &unused))
        return fail_at_line(r, "invalid result '%.24s': write 1-0, 0-1, 1/2-1/2 or *", result);
    if (reason != NULL && !pgn_outcome("*", reason, &unused))
        return fail_at_line(r, "unknown reason '%.24s'", reason);
    return true;
}

static bool read_tags(struct pgn_reader *r)
{
    struct pgn_match *match = r->match;

    r->in_moves = *r->at != '[';
    if (r->in_moves)
        return fail_at_line(r, "a match begins with its tags, such as [Event \"?\"]");
    while (*r->at == '[') {
        r->at++;
        if (!read_tag(r) || !skip_space(r, true))
            return false;
    }
    r->in_moves = true;
    match->event = r->values[TAG_EVENT];
    match->site = r->values[TAG_SITE];
    match->round = r->values[TAG_ROUND];
    match->match = r->values[TAG_MATCH];
    read_date(r);
    match->white = r->values[TAG_WHITE];
    match->black = r->values[TAG_BLACK];
    match->termination = r->values[TAG_TERMINATION];
    match->casual = r->values[TAG_RATED] != NULL && strcmp(r->values[TAG_RATED], "no") == 0;
    return read_start(r) && read_ratings(r, TAG_WHITE_ELO, match->ratings) &&
           read_ratings(r, TAG_WHITE_RATING, match->rating_after) && read_time_control(r) &&
           read_outcome(r);
}

/* Makes room for one more move in the list of all moves. */
static void reserve_move(struct pgn_reader *r)
{
    struct pgn_file *file = r->file;

    if (file->move_count < r->moves_size)
        return;
    r->moves_size = r->moves_size * 2 + 256;
    file->moves = xreallocarray(file->moves, r->moves_size, sizeof *file->moves);
    file->times_ms = xreallocarray(file->times_ms, r->moves_size, sizeof *file->times_ms);
    file->notes = xreallocarray(file->notes, r->moves_size, sizeof *file->notes);
}

/* Notes a mark, of the standard's list, behind the last move; one before the first is nobody's. */
static void add_mark(struct pgn_reader *r, const char *digits, int length)
{
    if (r->match->plies == 0)
        return;
    char **note = &r->file->notes[r->file->move_count - 1];
    size_t used = *note != NULL ? strlen(*note) : 0, size = used + (size_t)length + sizeof "\n$";
    *note = xreallocarray(*note, size, 1);
    snprintf(*note + used, size - used, "%s$%.*s", used > 0 ? "\n" : "", length, digits);
    r->has_marks = true;
}

/* Reads the mark of the last move: "!?" is $5. */
static bool read_suffix(struct pgn_reader *r, const char *suffix, size_t length)
{
    static const char *const marks[] = {"!", "?", "!!", "??", "!?", "?!"};

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strlen(marks[i]) == length && memcmp(marks[i], suffix, length) == 0) {
            add_mark(r, &"123456"[i], 1);
            return true;
        }
    return false;
}

static bool read_move(struct pgn_reader *r, const char *text, size_t length)
{
    size_t move = strcspn(text, "!?");
    bool form;

    if (move > length)
        move = length;
    form = move >= 4 && move < MOVE_TEXT_MAX && isalpha((unsigned char)text[0]);
    for (size_t i = 0; i < move; i++)
        form = form && (isalnum((unsigned char)text[i]) || text[i] == '@');
    if (form && r->match->plies == PGN_PLIES_MAX)
        return fail_at_line(r, "more than %d moves in one match", PGN_PLIES_MAX);
    if (form) {
        reserve_move(r);
        snprintf(r->file->moves[r->file->move_count].text, MOVE_TEXT_MAX, "%.*s", (int)move, text);
        r->file->notes[r->file->move_count] = NULL;
        r->file->times_ms[r->file->move_count++] = -1;
        r->match->plies++;
    }
    if ((!form && move > 0) || (move < length && !read_suffix(r, text + move, length - move)))
        return fail_at_line(r, "'%.*s' is neither a move nor a result",
                            length < 24 ? (int)length : 24, text);
    return true;
}

/* Reads "3." before a move of white, "3..." or "3. ..." before one of black, or "3". */
static bool read_number(struct pgn_reader *r)
{
    int half = r->match->start.side + r->match->plies;
    bool black = half % 2 == BLACK;
    const char *word = r->at;
    size_t digits = strspn(word, "0123456789"), dots = 0, blanks;
    long number;

    for (r->at += digits; blanks = strspn(r->at, " \n"), r->at[blanks] == '.'; dots++)
        for (char *dot = r->at + blanks; r->at <= dot; r->at++)
            r->line += *r->at == '\n';
    return (number_parse(word, digits, half / 2 + 1, half / 2 + 1, &number) &&
            (black ? dots == 0 || dots >= 3 : dots <= 1)) ||
           fail_at_line(r, "wrong move number '%.*s%.*s': expected %d%s", (int)digits, word,
                        (int)dots, "...", half / 2 + 1, black ? "..." : ".");
}

/* Reads the next word of the moves. Sets *ended after the result. */
static bool read_word(struct pgn_reader *r, bool *ended)
{
    const char *word = r->at;
    size_t length =
        *word == '*' ? 1 : strcspn(word + (*word == '$'), " \n{};[]()$*") + (*word == '$');
    char text[FIELD_MAX];
    struct outcome outcome;

    if (*word == '\0' || *word == '[')
        return fail_at_line(r, "the result is missing: 1-0, 0-1, 1/2-1/2 or * after the moves");
    if (*word == '(')
        return skip_variation(r);
    if (length == 0)
        return fail_at_line(r, "unexpected '%c' among the moves", *word);
    snprintf(text, sizeof text, "%.*s", length < FIELD_MAX ? (int)length : 0, word);
    *ended = pgn_outcome(text, NULL, &outcome);
    if (!*ended && isdigit((unsigned char)*word))
        return read_number(r);
    r->at += length;
    if (*ended) {
        /* Take the result after the moves, which ends the match. */
        const char *tagged = r->values[TAG_RESULT];

        if (tagged != NULL && strcmp(tagged, text) != 0)
            return fail_at_line(r, "the moves end with %s, the tag Result says %s", text, tagged);
        return pgn_outcome(text, r->values[TAG_REASON], &r->match->outcome);
    }
    if (*word == '$' && length > 1 && strspn(word + 1, "0123456789") >= length - 1) {
        add_mark(r, word + 1, (int)length - 1);
        return true;
    }
    return read_move(r, word, length);
}

static void begin_match(struct pgn_reader *r)
{
    struct pgn_file *file = r->file;

    if ((size_t)file->count == r->matches_size) {
        r->matches_size = r->matches_size * 2 + 4;
        file->matches = xreallocarray(file->matches, r->matches_size, sizeof *file->matches);
        file->dates = xreallocarray(file->dates, r->matches_size, sizeof *file->dates);
    }
    file->dates[file->count][0] = '\0';
    r->match = &file->matches[file->count++];
    *r->match = (struct pgn_match){.line = r->line};
    r->first_move = file->move_count;
    memset(r->values, 0, sizeof r->values);
    r->in_moves = r->has_times = r->has_marks = false;
}

static bool read_match(struct pgn_reader *r)
{
    static const int64_t time_mark = 0;
    static const char *const note_mark = NULL;
    bool ended = false;

    if (!read_tags(r))
        return false;
    while (!ended)
        if (!skip_space(r, true) || !read_word(r, &ended))
            return false;
    if (r->invalid < r->at)
        return fail_at_line(r, "not text");
    /* Only marks for now: the lists may still move in memory. */
    r->match->times_ms = r->has_times ? &time_mark : NULL;
    r->match->notes = r->has_marks ? &note_mark : NULL;
    return true;
}

/* Whether a line begins like a tag; a comment's [%emt ...] does not. */
static bool is_tag(const char *line)
{
    line += strspn(line, " ");
    return *line == '[' && isalpha((unsigned char)line[1 + strspn(line + 1, " ")]);
}

/* Leaves the match with its fault, and goes on to the first tag below its moves. */
static void skip_match(struct pgn_reader *r)
{
    struct pgn_file *file = r->file;
    const char *line = r->at;

    while (file->move_count > r->first_move)
        free(file->notes[--file->move_count]);
    *r->match = (struct pgn_match){.line = r->match->line, .fault = xstrdup(r->cause->text)};
    file->faulty++;
    while (line > file->text && line[-1] == ' ')
        line--;
    if (line > file->text && line[-1] != '\n') { /* the rest of a line is no tag */
        line = r->at + strcspn(r->at, "\n");
        const char *close = memrchr(r->at, ']', (size_t)(line - r->at));
        r->in_moves = r->in_moves || (close != NULL && close[1 + strspn(close + 1, " ")] != '\n');
    }
    while (*line != '\0' && !(r->in_moves && is_tag(line))) {
        const char *end = line + strcspn(line, "\n");
        r->in_moves = r->in_moves || (strspn(line, " \n") < (size_t)(end - line) && !is_tag(line));
        r->line += *end == '\n';
        line = end + (*end == '\n');
    }
    r->at = file->text + (line - file->text);
    if (r->invalid < r->at)
        find_invalid(r);
}

/* Gives each match its part of the lists, which no longer grow. */
static void share_moves(struct pgn_file *file)
{
    size_t used = 0;

    for (int i = 0; i < file->count; i++) {
        struct pgn_match *match = &file->matches[i];
        match->moves = file->moves + used;
        if (match->fault == NULL && file->dates[i][0] != '\0')
            match->date = file->dates[i];
        if (match->times_ms != NULL)
            match->times_ms = file->times_ms + used;
        if (match->notes != NULL)
            match->notes = (const char *const *)file->notes + used;
        used += (size_t)match->plies;
    }
}

static bool read_all(struct pgn_reader *r, const char *text, size_t length)
{
    struct pgn_file *file = r->file;

    if (length > PGN_BYTES_MAX)
        return cause_set(r->cause, "line 1: the text is longer than %d MiB", PGN_BYTES_MAX >> 20);
    file->text = xmalloc(length + 1);
    reserve_move(r); /* no match may point to NULL */
    copy_text(r, text, length);
    for (;;) {
        bool good = skip_space(r, false);
        if (good && *r->at == '\0')
            break;
        begin_match(r);
        if (!good || !read_match(r))
            skip_match(r);
        if (file->faulty > PGN_FAULTS_MAX)
            return fail_at_line(r, "more than %d matches cannot be read", PGN_FAULTS_MAX);
    }
    share_moves(file);
    if (file->count == 0)
        return fail_at_line(r, "no match found");
    return file->faulty < file->count || cause_set(r->cause, "%s", file->matches[0].fault);
}

bool pgn_read(struct pgn_file *file, const char *text, size_t length, struct cause *cause)
{
    struct pgn_reader reader = {.line = 1, .cause = cause, .file = file};

    *file = (struct pgn_file){.matches = NULL};
    if (read_all(&reader, text, length))
        return true;
    pgn_release(file);
    return false;
}

void pgn_release(struct pgn_file *file)
{
    for (int i = 0; i < file->count; i++)
        free((char *)file->matches[i].fault);
    for (size_t i = 0; i < file->move_count; i++)
        free(file->notes[i]);
    free(file->matches);
    free(file->dates);
    free(file->moves);
    free(file->times_ms);
    free(file->notes);
    free(file->text);
    *file = (struct pgn_file){.matches = NULL};
}
