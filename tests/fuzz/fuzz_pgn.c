/*
 * Matches as text: common/pgn_read.c, pgn.c. The input is the text.
 *
 * A refused text gets a cause that names its line, and leaves nothing behind. Each match of an
 * accepted text is within the limits. Writing it, reading that and writing again changes neither
 * the match nor the text, nor the verdict of the rules.
 */
#include <stdlib.h>
#include <string.h>

#include "common/pgn.h"
#include "common/text.h"
#include "fuzz.h"

static void check_value(const char *value)
{
    if (value == NULL)
        return;
    REQUIRE(strlen(value) <= PGN_VALUE_MAX, "a value of %zu bytes", strlen(value));
    REQUIRE(utf8_is_clean(value, strlen(value)), "a value is no clean text: %s", value);
}

static void check_limits(const struct pgn_match *match)
{
    char text[POSITION_TEXT_MAX];
    struct position again;
    struct cause cause = {""};

    check_value(match->match);
    check_value(match->date);
    check_value(match->white);
    check_value(match->black);
    for (int color = WHITE; color <= BLACK; color++)
        REQUIRE(match->ratings[color] >= 0 && match->ratings[color] <= PGN_RATING_MAX, "rated %d",
                match->ratings[color]);
    REQUIRE(match->base_ms >= 0 && match->increment_ms >= 0, "a clock below 0");
    REQUIRE(match->plies >= 0 && match->plies <= PGN_PLIES_MAX, "%d plies", match->plies);
    for (int i = 0; i < match->plies; i++) {
        REQUIRE(strlen(match->moves[i].text) < MOVE_TEXT_MAX, "a move without end");
        int64_t time_ms = match->times_ms != NULL ? match->times_ms[i] : -1;
        REQUIRE(time_ms >= -1 && time_ms <= UINT32_MAX, "a time of %lld ms", (long long)time_ms);
    }
    match->game->format(&match->start, text);
    REQUIRE(match->game->parse(NULL, text, &again, &cause) || match->game == &xadrersi,
            "the start %s is refused: %s", text, cause.text);
}

/* Unknown values are written as "?". */
static void require_text(const char *name, const char *a, const char *b)
{
    if (a == NULL && b != NULL && strcmp(b, "?") == 0)
        return;
    REQUIRE(a == NULL || b == NULL ? a == b : strcmp(a, b) == 0, "%s is %s, then %s", name,
            a != NULL ? a : "-", b != NULL ? b : "-");
}

static int64_t time_of(const struct pgn_match *match, int ply)
{
    return match->times_ms != NULL ? match->times_ms[ply] : -1;
}

static void require_same(const struct pgn_match *a, const struct pgn_match *b)
{
    REQUIRE(a->game == b->game && memcmp(&a->start, &b->start, sizeof a->start) == 0,
            "another start");
    require_text("match", a->match, b->match);
    require_text("date", a->date, b->date);
    require_text("white", a->white, b->white);
    require_text("black", a->black, b->black);
    REQUIRE(memcmp(a->ratings, b->ratings, sizeof a->ratings) == 0, "other ratings");
    REQUIRE(a->base_ms == b->base_ms && a->increment_ms == b->increment_ms, "another clock");
    REQUIRE(a->outcome.result == b->outcome.result && a->outcome.reason == b->outcome.reason,
            "another outcome");
    REQUIRE(a->plies == b->plies, "%d plies, then %d", a->plies, b->plies);
    for (int i = 0; i < a->plies; i++) {
        require_text("a move", a->moves[i].text, b->moves[i].text);
        require_text("a mark", a->notes != NULL ? a->notes[i] : NULL,
                     b->notes != NULL ? b->notes[i] : NULL);
        REQUIRE(time_of(a, i) == time_of(b, i), "another time");
    }
}

static bool is_allowed(const struct pgn_match *match)
{
    struct cause cause = {""};
    bool allowed = pgn_check(match, &cause);

    if (!allowed)
        fuzz_require_cause(&cause);
    return allowed;
}

static void check_match(const struct pgn_match *match)
{
    struct pgn_file file;
    struct cause cause = {""};

    check_limits(match);
    char *text = pgn_write(match, true);
    if (text == NULL)
        abort();
    REQUIRE(pgn_read(&file, text, strlen(text), &cause), "%s\nis refused: %s", text, cause.text);
    REQUIRE(file.count == 1, "one match is read as %d", file.count);
    require_same(match, &file.matches[0]);
    REQUIRE(is_allowed(match) == is_allowed(&file.matches[0]), "allowed only once: %s", text);
    char *again = pgn_write(&file.matches[0], true);
    if (again == NULL)
        abort();
    REQUIRE(strcmp(text, again) == 0, "%s\nis written as\n%s", text, again);
    free(again);
    free(text);
    pgn_release(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pgn_file file;
    struct cause cause = {""};

    if (pgn_read(&file, (const char *)data, size, &cause)) {
        for (int i = 0; i < file.count; i++)
            if (file.matches[i].fault == NULL)
                check_match(&file.matches[i]);
            else
                REQUIRE(strncmp(file.matches[i].fault, "line ", 5) == 0, "no line is named: %s",
                        file.matches[i].fault);
    } else {
        fuzz_require_cause(&cause);
        REQUIRE(strncmp(cause.text, "line ", 5) == 0, "no line is named: %s", cause.text);
        REQUIRE(file.count == 0 && file.matches == NULL, "something is left");
    }
    pgn_release(&file);
    return 0;
}
