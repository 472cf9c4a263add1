/* Writes records, and checks them against the rules; pgn_read.c reads them. */
#include "pgn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "key_history.h"
#include "move.h"
#include "text.h"

enum { COLUMNS_MAX = 79 };

static void add_value(struct buffer *buffer, const char *value)
{
    size_t length = strlen(value);

    for (size_t i = 0, bytes; i < length; i += bytes) {
        bytes = utf8_character(value + i, length - i);
        if (i + (bytes > 0 ? bytes : 1) > PGN_VALUE_MAX)
            return;
        if (value[i] == '"' || value[i] == '\\')
            buffer_puts(buffer, "\\");
        buffer_add(buffer, bytes > 0 ? value + i : "?", bytes > 0 ? bytes : 1);
        bytes = bytes > 0 ? bytes : 1;
    }
}

static void add_tag(struct buffer *buffer, const char *name, const char *value)
{
    buffer_printf(buffer, "[%s \"", name);
    add_value(buffer, value);
    buffer_puts(buffer, "\"]\n");
}

static void add_rating(struct buffer *buffer, const char *name, int rating)
{
    char text[16];

    if (rating < 1 || rating > PGN_RATING_MAX)
        return;
    snprintf(text, sizeof text, "%d", rating);
    add_tag(buffer, name, text);
}

/* Writes seconds without trailing zeros: "300", "0.5". */
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

static void add_start(struct buffer *buffer, const struct pgn_match *match, const char *variant)
{
    struct position usual;
    struct cause cause;
    char text[POSITION_TEXT_MAX];

    if (match->game->start(variant, &usual, &cause) &&
        memcmp(&usual, &match->start, sizeof usual) == 0)
        return;
    match->game->format(&match->start, text);
    add_tag(buffer, "SetUp", "1");
    add_tag(buffer, "FEN", text);
}

/* Whether the text begins as the pattern does, in which 0 stands for any digit. */
static bool is_like(const char *text, const char *pattern)
{
    for (; *pattern != '\0'; text++, pattern++)
        if (*pattern == '0' ? *text < '0' || *text > '9' : *text != *pattern)
            return false;
    return true;
}

/* Splits a date such as 2026-11-21T09:50:21Z into "2026.11.21" and "09:50:21"; another one stays as
 * it is. */
static void split_date(const char *date, char day[PGN_VALUE_MAX + 1], char time[16])
{
    bool known = date != NULL && is_like(date, "0000-00-00");
    size_t length = known ? strlen(date) : 0;

    time[0] = '\0';
    snprintf(day, PGN_VALUE_MAX + 1, "%s", date != NULL ? date : "????.??.??");
    if (length != 10 && !(length == 20 && is_like(date + 10, "T00:00:00Z")))
        return;
    snprintf(day, PGN_VALUE_MAX + 1, "%.4s.%.2s.%.2s", date, date + 5, date + 8);
    if (length == 20)
        snprintf(time, 16, "%.8s", date + 11);
}

/* The seven tags of the standard, in its order. */
static void add_roster(struct buffer *buffer, const struct pgn_match *match, const char *day)
{
    bool rated = match->rating_after[WHITE] > 0 && match->rating_after[BLACK] > 0;
    char event[PGN_VALUE_MAX];

    snprintf(event, sizeof event, "%s%s match",
             match->casual ? "Casual "
             : rated       ? "Rated "
                           : "",
             match->game->title);
    add_tag(buffer, "Event", match->event != NULL ? match->event : event);
    add_tag(buffer, "Site", match->site != NULL ? match->site : "?");
    add_tag(buffer, "Date", day);
    add_tag(buffer, "Round", match->round != NULL ? match->round : "-");
    add_tag(buffer, "White", match->white != NULL ? match->white : "?");
    add_tag(buffer, "Black", match->black != NULL ? match->black : "?");
    add_tag(buffer, "Result", result_text(match->outcome.result));
}

static void add_tags(struct buffer *buffer, const struct pgn_match *match)
{
    const struct game *game = match->game;
    const char *reason = reason_text(match->outcome.reason);
    char variant[VARIANT_NAME_MAX], label[PGN_VALUE_MAX], day[PGN_VALUE_MAX + 1], time[16];
    char base[32], increment[32], control[72] = "-";

    split_date(match->date, day, time);
    add_roster(buffer, match, day);
    if (time[0] != '\0') {
        add_tag(buffer, "UTCDate", day);
        add_tag(buffer, "UTCTime", time);
    }
    add_rating(buffer, "WhiteElo", match->ratings[WHITE]);
    add_rating(buffer, "BlackElo", match->ratings[BLACK]);
    game->variant_name(&match->start, variant);
    bool single = game->variants[0] == NULL || game->variants[1] == NULL;
    snprintf(label, sizeof label, "%s%s%s", game->title, single ? "" : " ", single ? "" : variant);
    add_tag(buffer, "Variant", label);
    if (match->base_ms > 0) {
        format_seconds(match->base_ms, base);
        format_seconds(match->increment_ms, increment);
        snprintf(control, sizeof control, "%s+%s", base, increment);
    }
    add_tag(buffer, "TimeControl", control);
    add_start(buffer, match, variant);
    add_tag(buffer, "Game", game->name);
    if (match->match != NULL)
        add_tag(buffer, "Match", match->match);
    add_rating(buffer, "WhiteRating", match->rating_after[WHITE]);
    add_rating(buffer, "BlackRating", match->rating_after[BLACK]);
    if (match->casual)
        add_tag(buffer, "Rated", "no");
    if (reason != NULL)
        add_tag(buffer, "Reason", reason);
    if (match->termination != NULL)
        add_tag(buffer, "Termination", match->termination);
}

/* Writes words in lines of at most COLUMNS_MAX. */
struct pgn_words {
    struct buffer *buffer;
    size_t column; /* bytes in the current line */
};

static void add_word(struct pgn_words *words, const char *word)
{
    size_t length = strlen(word);

    if (words->column > 0 && words->column + 1 + length > COLUMNS_MAX) {
        buffer_puts(words->buffer, "\n");
        words->column = 0;
    }
    if (words->column > 0) {
        buffer_puts(words->buffer, " ");
        words->column++;
    }
    buffer_puts(words->buffer, word);
    words->column += length;
}

/* Adds the number of a move, which a move of black needs only where something stands before it. */
static void add_number(struct pgn_words *words, int half, const char *before, bool always)
{
    bool black = half % 2 == BLACK;
    char text[32];

    if (black && !always)
        return;
    snprintf(text, sizeof text, "%s%d%s", before, half / 2 + 1, black ? "..." : ".");
    add_word(words, text);
}

/* Adds what has been put together of the last word. */
static void flush_word(struct pgn_words *words, struct buffer *last)
{
    if (last->length == 0)
        return;
    buffer_add(last, "", 1);
    add_word(words, last->bytes);
    last->length = 0;
}

/* Adds a line that might have been played at `half`, moves with blanks between them, and the lines
 * in parentheses within it, each of which might have been played in place of the move before it.
 * Brackets stand with the words beside them, so that the last one waits for its own. Returns where
 * the line ends. */
static const char *add_variation(struct pgn_words *words, struct buffer *last, int half,
                                 const char *moves)
{
    bool opens = true, numbered = true;

    while (*moves != '\0' && *moves != '\n' && *moves != ')') {
        size_t length = strcspn(moves, " \n()");
        if (*moves == '(') {
            moves = add_variation(words, last, half - 1, moves + 1);
            moves += *moves == ')';
            numbered = true;
        } else if (length > 0) {
            flush_word(words, last);
            add_number(words, half++, opens ? "(" : "", numbered);
            buffer_printf(last, "%.*s", (int)length, moves);
            moves += length;
            opens = numbered = false;
        } else {
            moves++; /* a blank */
        }
    }
    buffer_puts(last, ")");
    return moves;
}

/* Finds the next line of a note that begins with this letter, or for "" with none of "${(". Copies
 * it as far as it fits into a row, moves *note on, and returns where it stands; NULL at the end. */
static const char *next_line(const char **note, const char *letters, char line[COLUMNS_MAX + 1])
{
    while (*note != NULL && **note != '\0') {
        const char *at = *note;
        size_t length = strcspn(at, "\n");
        bool wanted = letters[0] != '\0' ? strchr(letters, *at) != NULL
                                         : length > 0 && strchr("${(", *at) == NULL;
        *note += length + (at[length] == '\n');
        if (!wanted)
            continue;
        snprintf(line, COLUMNS_MAX + 1, "%.*s", (int)length, at);
        return at;
    }
    return NULL;
}

/* The time that each side has left, as far as it follows from the times of the moves. */
struct pgn_clocks {
    int64_t left_ms[2]; /* negative: not known */
};

static void write_clock(const struct pgn_match *match, struct pgn_clocks *clocks, int ply,
                        char text[32])
{
    int64_t *left_ms = &clocks->left_ms[(match->start.side + ply) % 2];
    int64_t took_ms = match->times_ms != NULL ? match->times_ms[ply] : -1;

    text[0] = '\0';
    if (ply == 0)
        took_ms = 0; /* the first move starts the clock */
    if (match->base_ms <= 0 || took_ms < 0 || *left_ms < 0 || match->times_ms == NULL) {
        *left_ms = -1;
        return;
    }
    *left_ms += match->increment_ms - took_ms;
    if (*left_ms < 0)
        *left_ms = 0;
    int64_t seconds = *left_ms / 1000;
    snprintf(text, 32, "[%%clk %lld:%02d:%02d]", (long long)(seconds / 3600),
             (int)(seconds / 60 % 60), (int)(seconds % 60));
}

/* The length of the first piece of a comment: up to a blank that is not in brackets and not before
 * one, as a row that begins with a bracket looks like a tag; or, `anywhere`, only not before one.
 */
static size_t piece_length(const char *text, bool anywhere)
{
    size_t length = 0;
    int depth = 0;

    for (; text[length] != '\0'; length++) {
        depth += (text[length] == '[') - (text[length] == ']');
        if (text[length] == ' ' && text[length + 1] != '[' && (depth == 0 || anywhere))
            break;
    }
    return length;
}

static void add_comment(struct pgn_words *words, const char *text)
{
    char word[COLUMNS_MAX + 1];

    while (*text != '\0') {
        size_t length = piece_length(text, false);
        if (length > COLUMNS_MAX)
            length = piece_length(text, true);
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        add_word(words, word);
        text += length + (text[length] == ' ');
    }
}

/* Writes what is known of a move as the words of a comment. */
static void write_facts(const struct pgn_match *match, struct pgn_clocks *clocks, int ply,
                        bool with_times, const char *note, struct buffer *comment)
{
    int64_t time_ms = match->times_ms != NULL ? match->times_ms[ply] : -1;
    char line[COLUMNS_MAX + 1], text[32];

    while (next_line(&note, "", line) != NULL)
        buffer_printf(comment, " %s", line);
    write_clock(match, clocks, ply, text);
    if (text[0] != '\0')
        buffer_printf(comment, " %s", text);
    if (with_times && time_ms >= 0)
        buffer_printf(comment, " [%%emt %lld:%02d:%02d.%03d]", (long long)(time_ms / 3600000),
                      (int)(time_ms / 60000 % 60), (int)(time_ms / 1000 % 60),
                      (int)(time_ms % 1000));
}

/* Adds what stands behind a move: marks, a comment, other comments, better lines. Returns whether
 * the next move needs its number. */
static bool add_remarks(struct pgn_words *words, const struct pgn_match *match,
                        struct pgn_clocks *clocks, int ply, bool with_times)
{
    const char *whole = match->notes != NULL ? match->notes[ply] : NULL, *note, *moves;
    struct buffer comment = {0}, last = {0};
    char line[COLUMNS_MAX + 1];
    bool any = false;

    for (note = whole; next_line(&note, "$", line) != NULL;)
        add_word(words, line);
    buffer_puts(&comment, "{");
    write_facts(match, clocks, ply, with_times, whole, &comment);
    if (comment.length > 1) {
        buffer_add(&comment, " }", sizeof " }");
        add_comment(words, comment.bytes);
        any = true;
    }
    buffer_release(&comment);
    for (note = whole; next_line(&note, "{", line) != NULL; any = true)
        add_word(words, line);
    for (note = whole; (moves = next_line(&note, "(", line)) != NULL; any = true)
        add_variation(words, &last, match->start.side + ply, moves + 1);
    flush_word(words, &last);
    buffer_release(&last);
    return any;
}

char *pgn_write(const struct pgn_match *match, bool with_times)
{
    struct pgn_clocks clocks = {{match->base_ms, match->base_ms}};
    struct buffer buffer = {0};
    struct pgn_words words = {.buffer = &buffer};
    bool needs_number = true;

    add_tags(&buffer, match);
    buffer_puts(&buffer, "\n");
    for (int ply = 0; ply < match->plies; ply++) {
        add_number(&words, match->start.side + ply, "", needs_number);
        add_word(&words, match->moves[ply].text);
        needs_number = add_remarks(&words, match, &clocks, ply, with_times);
    }
    add_word(&words, result_text(match->outcome.result));
    buffer_add(&buffer, "\n", sizeof "\n");
    return buffer.bytes;
}

void pgn_said(char text[PGN_SAID_MAX], const int *eval, enum color color, const char *pv)
{
    int value = eval == NULL ? 0 : color == WHITE ? *eval : -*eval;
    size_t length = 0;

    text[0] = '\0';
    if (eval != NULL)
        length = (size_t)snprintf(text, PGN_SAID_MAX, "[%%eval %s%d.%02d]", value < 0 ? "-" : "",
                                  abs(value) / 100, abs(value) % 100);
    if (pv[0] != '\0')
        snprintf(text + length, PGN_SAID_MAX - length, "%s[%%pv %.60s]", length > 0 ? "\n" : "",
                 pv);
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

enum { MOVE_NAME_MAX = 24 };

/* The match after `plies` moves. */
struct play {
    const struct game *game;
    struct position position;
    struct history history;
    int plies;
};

static struct outcome outcome_of(const struct play *play)
{
    return history_outcome(&play->history, play->game, &play->position);
}

static bool play_move(struct play *play, const struct pgn_match *match, struct cause *cause)
{
    struct outcome outcome = outcome_of(play);
    char name[MOVE_NAME_MAX];
    struct cause why;
    struct move move;

    /* Write "3." or "3..." and the move, for people. */
    int half = match->start.side + play->plies;
    snprintf(name, MOVE_NAME_MAX, "%d%s %s", half / 2 + 1, half % 2 == BLACK ? "..." : ".",
             match->moves[play->plies].text);
    if (outcome.result != RESULT_NONE)
        return cause_set(cause, "move %s (ply %d): the game was already over: %s %s", name,
                         play->plies + 1, result_text(outcome.result), reason_text(outcome.reason));
    if (!move_parse(play->game, &play->position, match->moves[play->plies].text, &move, &why))
        return cause_set(cause, "move %s (ply %d): %s", name, play->plies + 1, why.text);
    play->game->apply(&play->position, move);
    play->plies++;
    history_add(&play->history, play->game->key(&play->position));
    return true;
}

static bool check_outcome(const struct play *play, struct outcome said, struct cause *cause)
{
    struct outcome ruled = outcome_of(play);
    const char *reason = reason_text(said.reason);

    if (ruled.result != RESULT_NONE) {
        if (said.result == ruled.result &&
            (said.reason == ruled.reason || said.reason == REASON_NONE))
            return true;
        return cause_set(cause, "the result is %s %s by the rules, not %s%s%s",
                         result_text(ruled.result), reason_text(ruled.reason),
                         result_text(said.result), reason != NULL ? " " : "",
                         reason != NULL ? reason : "");
    }
    if (said.reason == REASON_NONE || outcome_is_of_players(said))
        return true;
    if (said.reason < REASON_RESIGN)
        return cause_set(cause, "the result given is %s %s, but by the rules the game goes on",
                         result_text(said.result), reason);
    return cause_set(cause, "the result %s does not go with the reason %s",
                     result_text(said.result), reason);
}

bool pgn_check(const struct pgn_match *match, struct cause *cause)
{
    struct play play = {.game = match->game, .position = match->start};
    bool good = true;

    if (match->fault != NULL)
        return cause_set(cause, "%s", match->fault);
    history_add(&play.history, play.game->key(&play.position));
    while (good && play.plies < match->plies)
        good = play_move(&play, match, cause);
    good = good && check_outcome(&play, match->outcome, cause);
    history_release(&play.history);
    return good;
}
