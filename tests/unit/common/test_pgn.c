/* Matches as text: what is written, and that it can be read. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/move.h"
#include "common/pgn.h"
#include "common/rng.h"

enum { PLAYED_MAX = 600 };

/* Plays a random match to its end by the rules, or to `plies_max`. */
struct played {
    struct pgn_match match;
    struct move_text moves[PLAYED_MAX];
    int64_t times_ms[PLAYED_MAX];
    uint64_t keys[PLAYED_MAX + 1];
};

static struct outcome outcome_of(const struct game *game, const struct position *position,
                                 const uint64_t *keys, int plies)
{
    struct outcome outcome = game->outcome(position);
    int times = 0;

    for (int i = 0; i <= plies; i++)
        times += keys[i] == keys[plies];
    if (outcome.result == RESULT_NONE && game->repetition_draws && times >= 3)
        return (struct outcome){RESULT_DRAW, REASON_REPETITION};
    return outcome;
}

static void play_at_random(struct played *played, int plies_max, uint64_t *rng)
{
    struct pgn_match *match = &played->match;
    struct position position = match->start;
    struct move moves[MOVES_MAX];

    match->moves = played->moves;
    match->times_ms = played->times_ms;
    match->plies = 0;
    played->keys[0] = match->game->key(&position);
    for (;;) {
        match->outcome = outcome_of(match->game, &position, played->keys, match->plies);
        if (match->outcome.result != RESULT_NONE || match->plies == plies_max)
            return;
        int count = match->game->legal(&position, moves);
        struct move move = moves[rng_below(rng, count)];
        move_format(&position, move, played->moves[match->plies].text);
        played->times_ms[match->plies] = rng_below(rng, 4) > 0 ? rng_below(rng, 100000000) : -1;
        match->game->apply(&position, move);
        played->keys[++match->plies] = match->game->key(&position);
    }
}

static void check_same(const struct pgn_match *read, const struct pgn_match *wrote, bool with_times)
{
    CHECK(read->game == wrote->game);
    CHECK(memcmp(&read->start, &wrote->start, sizeof read->start) == 0);
    CHECK_TEXT(read->match, wrote->match);
    CHECK_TEXT(read->date, wrote->date);
    CHECK_TEXT(read->white, wrote->white);
    CHECK_TEXT(read->black, wrote->black);
    for (enum color color = WHITE; color <= BLACK; color++)
        CHECK_INT(read->ratings[color], wrote->ratings[color]);
    for (enum color color = WHITE; color <= BLACK; color++)
        CHECK_INT(read->rating_after[color], wrote->rating_after[color]);
    CHECK_INT(read->base_ms, wrote->base_ms);
    CHECK_INT(read->increment_ms, wrote->increment_ms);
    CHECK_INT(read->casual, wrote->casual);
    CHECK_INT(read->outcome.result, wrote->outcome.result);
    CHECK_INT(read->outcome.reason, wrote->outcome.reason);
    if (!CHECK_INT(read->plies, wrote->plies))
        return;
    int wrong = 0;
    for (int i = 0; i < read->plies; i++) {
        int64_t time_ms = read->times_ms != NULL ? read->times_ms[i] : -1;
        wrong += strcmp(read->moves[i].text, wrote->moves[i].text) != 0;
        wrong += time_ms != (with_times ? wrote->times_ms[i] : -1);
    }
    CHECK_INT(wrong, 0);
}

/* Lines of moves are short; tags may have any length. */
static void check_lines(const char *text)
{
    size_t longest = 0;

    for (; *text != '\0'; text += strcspn(text, "\n") + 1)
        if (*text != '[' && strcspn(text, "\n") > longest)
            longest = strcspn(text, "\n");
    CHECK_THAT(longest < 80, "a line of %zu bytes", longest);
}

static void check_round_trip(const struct pgn_match *match, bool with_times)
{
    struct pgn_file file;
    struct cause cause = {""};
    char *text = pgn_write(match, with_times);

    if (!CHECK(text != NULL))
        return;
    check_lines(text);
    if (CHECK_THAT(pgn_read(&file, text, strlen(text), &cause), "%s\n%s", cause.text, text)) {
        CHECK_INT(file.count, 1);
        CHECK_INT(file.matches[0].line, 1);
        check_same(&file.matches[0], match, with_times);
        CHECK_THAT(pgn_check(&file.matches[0], &cause), "%s\n%s", cause.text, text);
        pgn_release(&file);
    }
    free(text);
}

static void test_random_matches(void)
{
    static const char *const labels[] = {"clobber:5x6",    "clobber:10x10",   "clobber:1x2",
                                         "xadrersi:touch", "xadrersi:attack", "latrunculi",
                                         "shakti"};
    static struct played played;
    uint64_t rng = 7;
    struct cause cause;

    for (size_t i = 0; i < LENGTH(labels); i++) {
        for (int round = 0; round < 20; round++) {
            struct pgn_match *match = &played.match;
            check_about("%s, match %d at random", labels[i], round);
            *match = (struct pgn_match){.match = "12",
                                        .date = "2026-11-21T09:50:21Z",
                                        .white = "a \"quoted\" \\name\\",
                                        .black = "bob",
                                        .ratings = {round % 2 * 1500, 1},
                                        .base_ms = round % 3 * 90500,
                                        .increment_ms = round % 3 * 50,
                                        .casual = round % 2 == 1};
            match->game = game_open(labels[i], &match->start, NULL, &cause);
            play_at_random(&played, round < 10 ? PLAYED_MAX : round, &rng);
            check_round_trip(match, round % 2);
        }
    }
}

/* From the middle of a game, so that half of them begin with black. */
static void test_other_starts(void)
{
    static struct played played;
    uint64_t rng = 11;

    for (const struct game *const *game = games; *game != NULL; game++) {
        for (int round = 0; round < 20; round++) {
            struct pgn_match *match = &played.match;
            struct move moves[MOVES_MAX];
            struct cause cause;
            check_about("%s, from a position after %d plies", (*game)->name, round);
            *match = (struct pgn_match){.game = *game, .white = "?", .black = "?"};
            (*game)->start(NULL, &match->start, &cause);
            for (int ply = 0; ply < round && (*game)->legal(&match->start, NULL) > 0; ply++)
                (*game)->apply(&match->start,
                               moves[rng_below(&rng, (*game)->legal(&match->start, moves))]);
            play_at_random(&played, PLAYED_MAX, &rng);
            check_round_trip(match, true);
        }
    }
}

static void test_said(void)
{
    static const int plus = 1234, minus = -5;
    char text[PGN_SAID_MAX];

    check_about("what players say of their moves counts for white");
    pgn_said(text, &plus, WHITE, "");
    CHECK_TEXT(text, "[%eval 12.34]");
    pgn_said(text, &minus, WHITE, "a2a1 b2b1");
    CHECK_TEXT(text, "[%eval -0.05]\n[%pv a2a1 b2b1]");
    pgn_said(text, &minus, BLACK, "");
    CHECK_TEXT(text, "[%eval 0.05]");
    pgn_said(text, NULL, BLACK, "K@d4");
    CHECK_TEXT(text, "[%pv K@d4]");
    pgn_said(text, NULL, WHITE, "");
    CHECK_TEXT(text, "");
}

static const struct move_text written[] = {{"a2a1"}, {"b2b1"}, {"a1b1"}};

static void test_written_form(void)
{
    static const int64_t times_ms[] = {1234, -1, 3723004};
    struct pgn_match match = {.game = &clobber,
                              .match = "12",
                              .date = "2026-11-21T09:50:21Z",
                              .white = "an\"n\\a",
                              .black = "b\nob\xff",
                              .ratings = {1500, 1480},
                              .rating_after = {1523, 0},
                              .base_ms = 300000,
                              .increment_ms = 500,
                              .casual = true,
                              .plies = 3,
                              .moves = written,
                              .times_ms = times_ms,
                              .outcome = {RESULT_WHITE, REASON_NO_MOVES}};
    struct cause cause;

    check_about("the form of a record");
    CHECK(clobber.start("2x2", &match.start, &cause));
    char *text = pgn_write(&match, true);
    CHECK_TEXT(text, "[Event \"Casual Clobber match\"]\n"
                     "[Site \"?\"]\n"
                     "[Date \"2026.11.21\"]\n"
                     "[Round \"-\"]\n"
                     "[White \"an\\\"n\\\\a\"]\n"
                     "[Black \"b?ob?\"]\n"
                     "[Result \"1-0\"]\n"
                     "[UTCDate \"2026.11.21\"]\n"
                     "[UTCTime \"09:50:21\"]\n"
                     "[WhiteElo \"1500\"]\n"
                     "[BlackElo \"1480\"]\n"
                     "[Variant \"Clobber 2x2\"]\n"
                     "[TimeControl \"300+0.5\"]\n"
                     "[Game \"clobber\"]\n"
                     "[Match \"12\"]\n"
                     "[WhiteRating \"1523\"]\n"
                     "[Rated \"no\"]\n"
                     "[Reason \"no-moves\"]\n"
                     "\n"
                     "1. a2a1 { [%clk 0:05:00] [%emt 0:00:01.234] } 1... b2b1 2. a1b1\n"
                     "{ [%clk 0:00:00] [%emt 1:02:03.004] } 1-0\n");
    free(text);
}

/* A match that black begins, of which little is known. */
static struct pgn_match black_begins(void)
{
    struct pgn_match match = {.game = &clobber, .plies = 2, .moves = written + 1};
    struct cause cause;

    CHECK(clobber.parse(NULL, "1p/PP b", &match.start, &cause));
    match.outcome = (struct outcome){RESULT_WHITE, REASON_NO_MOVES};
    return match;
}

static void test_short_form(void)
{
    static const char *const notes[] = {
        "[%eval -1.25]\n$4\n{as it is}\n(b2b3 a1a2 b3b2\n[%pv b2b1]", NULL};
    struct pgn_match match = black_begins();

    check_about("the form of a record with few tags");
    char *text = pgn_write(&match, true);
    CHECK_TEXT(text, "[Event \"Clobber match\"]\n"
                     "[Site \"?\"]\n"
                     "[Date \"????.??.??\"]\n"
                     "[Round \"-\"]\n"
                     "[White \"?\"]\n"
                     "[Black \"?\"]\n"
                     "[Result \"1-0\"]\n"
                     "[Variant \"Clobber 2x2\"]\n"
                     "[TimeControl \"-\"]\n"
                     "[SetUp \"1\"]\n"
                     "[FEN \"1p/PP b\"]\n"
                     "[Game \"clobber\"]\n"
                     "[Reason \"no-moves\"]\n"
                     "\n"
                     "1... b2b1 2. a1b1 1-0\n");
    free(text);
    match.notes = notes;
    text = pgn_write(&match, false);
    CHECK_THAT(
        strstr(text,
               "\n\n1... b2b1 $4 { [%eval -1.25] [%pv b2b1] } {as it is} (1... b2b3 2. a1a2 b3b2)\n"
               "2. a1b1 1-0\n") != NULL,
        "%s", text);
    free(text);
}

/* Each line in brackets is numbered from the move that it replaces. */
static void test_lines_in_lines(void)
{
    static const char *const notes[] = {"(b2b3 a1a2 (a1b1 b3b2) b3b2 (b3c3 (b3d3)))\n(b2c2", NULL};
    struct pgn_match match = black_begins();

    check_about("variations in variations");
    match.notes = notes;
    char *text = pgn_write(&match, false);
    CHECK_TEXT(strstr(text, "\n\n") + 2,
               "1... b2b1 (1... b2b3 2. a1a2 (2. a1b1 b3b2) 2... b3b2 (2... b3c3 (2... b3d3)))\n"
               "(1... b2c2) 2. a1b1 1-0\n");
    free(text);
}

static void test_long_name(void)
{
    struct pgn_match match = black_begins();
    char name[400];

    check_about(
        "a name that is too long is cut between characters, a rating that none is left out");
    for (size_t i = 0; i < sizeof name - 1; i++)
        name[i] = "\u00e9"[i % 2];
    name[sizeof name - 1] = '\0';
    match.white = name;
    match.black = name + 1; /* begins with half a character */
    match.rating_after[WHITE] = PGN_RATING_MAX + 1;
    match.rating_after[BLACK] = PGN_RATING_MAX;
    char *text = pgn_write(&match, true);
    CHECK_THAT(strstr(text, "\u00e9\u00e9\"]\n[Black \"?\u00e9") != NULL &&
                   strstr(text, "WhiteRating") == NULL &&
                   strstr(text, "[BlackRating \"9999\"]") != NULL,
               "%s", text);
    const char *white = strstr(text, "[White \""), *black = strstr(text, "[Black \"");
    CHECK_INT(black - white, strlen("[White \"\"]\n") + PGN_VALUE_MAX - 1);
    CHECK_INT(strchr(black, ']') - black, strlen("[Black \"\"") + PGN_VALUE_MAX);
    free(text);
}

int main(void)
{
    test_said();
    test_written_form();
    test_short_form();
    test_lines_in_lines();
    test_long_name();
    test_random_matches();
    test_other_starts();
    return check_end("test_pgn");
}
