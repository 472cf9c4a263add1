/* Writes records, and checks them against the rules; pgn_read.c reads them. */
#include "pgn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "key_history.h"
#include "move.h"
#include "utf8.h"

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
    if (match->casual)
        add_tag(buffer, "Rated", "no");
    add_start(buffer, match, variant);
    add_tag(buffer, "Result", result_text(match->outcome.result));
    if (reason != NULL)
        add_tag(buffer, "Reason", reason);
    if (match->termination != NULL)
        add_tag(buffer, "Termination", match->termination);
}

/* Writes words in lines of at most COLUMNS_MAX. */
struct words {
    struct buffer *buffer;
    size_t column; /* bytes in the current line */
};

static void add_word(struct words *words, const char *word)
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

static void add_time(struct words *words, int64_t time_ms)
{
    char text[64];

    snprintf(text, sizeof text, "{[%%emt %lld:%02d:%02d.%03d]}", (long long)(time_ms / 3600000),
             (int)(time_ms / 60000 % 60), (int)(time_ms / 1000 % 60), (int)(time_ms % 1000));
    add_word(words, text);
}

/* Adds each line of the note as a word. */
static void add_note(struct words *words, const char *note)
{
    char word[COLUMNS_MAX + 1];

    while (note != NULL && *note != '\0') {
        size_t length = strcspn(note, "\n");
        snprintf(word, sizeof word, "%.*s", (int)length, note);
        add_word(words, word);
        note += length + (note[length] == '\n');
    }
}

static void add_move(struct words *words, const struct pgn_match *match, int ply)
{
    bool black = (match->start.side + ply) % 2 == BLACK;
    int number = (match->start.side + ply) / 2 + 1;
    char text[24];

    snprintf(text, sizeof text, "%d%s", number, black ? "..." : ".");
    if (!black || ply == 0)
        add_word(words, text);
    add_word(words, match->moves[ply].text);
}

char *pgn_write(const struct pgn_match *match, bool with_times)
{
    struct buffer buffer = {0};
    struct words words = {.buffer = &buffer};

    add_tags(&buffer, match);
    buffer_puts(&buffer, "\n");
    for (int ply = 0; ply < match->plies; ply++) {
        add_move(&words, match, ply);
        if (with_times && match->times_ms != NULL && match->times_ms[ply] >= 0)
            add_time(&words, match->times_ms[ply]);
        if (match->notes != NULL)
            add_note(&words, match->notes[ply]);
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
        length = (size_t)snprintf(text, PGN_SAID_MAX, "{[%%eval %s%d.%02d]}", value < 0 ? "-" : "",
                                  abs(value) / 100, abs(value) % 100);
    if (pv[0] != '\0')
        snprintf(text + length, PGN_SAID_MAX - length, "%s{[%%pv %.60s]}", length > 0 ? "\n" : "",
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

/* Writes "3." or "3..." and the move, for people. */
static void name_move(const struct pgn_match *match, int ply, char text[MOVE_NAME_MAX])
{
    int half = match->start.side + ply;

    snprintf(text, MOVE_NAME_MAX, "%d%s %s", half / 2 + 1, half % 2 == BLACK ? "..." : ".",
             match->moves[ply].text);
}

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

    name_move(match, play->plies, name);
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

    history_add(&play.history, play.game->key(&play.position));
    while (good && play.plies < match->plies)
        good = play_move(&play, match, cause);
    good = good && check_outcome(&play, match->outcome, cause);
    history_release(&play.history);
    return good;
}
