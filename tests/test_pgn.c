/* Matches as text: reading what was written, and errors by line or by move. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "client/bot/base/rng.h"
#include "common/move.h"
#include "common/pgn.h"

enum { PLAYED_MAX = 600, FILE_MAX = 1 << 20 };

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
    CHECK_TEXT(text, "{[%eval 12.34]}");
    pgn_said(text, &minus, WHITE, "a2a1 b2b1");
    CHECK_TEXT(text, "{[%eval -0.05]}\n{[%pv a2a1 b2b1]}");
    pgn_said(text, &minus, BLACK, "");
    CHECK_TEXT(text, "{[%eval 0.05]}");
    pgn_said(text, NULL, BLACK, "K@d4");
    CHECK_TEXT(text, "{[%pv K@d4]}");
    pgn_said(text, NULL, WHITE, "");
    CHECK_TEXT(text, "");
}

static void test_written_form(void)
{
    static const struct move_text moves[] = {{"a2a1"}, {"b2b1"}, {"a1b1"}};
    static const int64_t times_ms[] = {1234, -1, 3723004};
    struct pgn_match match = {.game = &clobber,
                              .match = "12",
                              .date = "2026-11-21T09:50:21Z",
                              .white = "an\"n\\a",
                              .black = "b\nob\xff",
                              .ratings = {1523, 0},
                              .base_ms = 300000,
                              .increment_ms = 500,
                              .casual = true,
                              .plies = 3,
                              .moves = moves,
                              .times_ms = times_ms,
                              .outcome = {RESULT_WHITE, REASON_NO_MOVES}};
    struct cause cause;

    check_about("the form of a record");
    CHECK(clobber.start("2x2", &match.start, &cause));
    char *text = pgn_write(&match, true);
    CHECK_TEXT(text, "[Game \"clobber\"]\n"
                     "[Variant \"2x2\"]\n"
                     "[Match \"12\"]\n"
                     "[Date \"2026-11-21T09:50:21Z\"]\n"
                     "[White \"an\\\"n\\\\a\"]\n"
                     "[Black \"b?ob?\"]\n"
                     "[WhiteRating \"1523\"]\n"
                     "[TimeControl \"300+0.5\"]\n"
                     "[Rated \"no\"]\n"
                     "[Result \"1-0\"]\n"
                     "[Reason \"no-moves\"]\n"
                     "\n"
                     "1. a2a1 {[%emt 0:00:01.234]} b2b1 2. a1b1 {[%emt 1:02:03.004]} 1-0\n");
    free(text);
    match = (struct pgn_match){.game = &clobber, .plies = 2, .moves = moves + 1};
    CHECK(clobber.parse(NULL, "1p/PP b", &match.start, &cause));
    match.outcome = (struct outcome){RESULT_WHITE, REASON_NO_MOVES};
    text = pgn_write(&match, true);
    CHECK_TEXT(text, "[Game \"clobber\"]\n"
                     "[Variant \"2x2\"]\n"
                     "[White \"?\"]\n"
                     "[Black \"?\"]\n"
                     "[TimeControl \"-\"]\n"
                     "[Start \"1p/PP b\"]\n"
                     "[Result \"1-0\"]\n"
                     "[Reason \"no-moves\"]\n"
                     "\n"
                     "1... b2b1 2. a1b1 1-0\n");
    free(text);

    const char *const notes[] = {"$4\n{[%eval -1.25]}", NULL};
    match.notes = notes;
    text = pgn_write(&match, false);
    CHECK_THAT(strstr(text, "\n\n1... b2b1 $4 {[%eval -1.25]} 2. a1b1 1-0\n") != NULL, "%s", text);
    free(text);
    match.notes = NULL;

    check_about(
        "a name that is too long is cut between characters, a rating that none is left out");
    char name[400];
    for (size_t i = 0; i < sizeof name - 1; i++)
        name[i] = "\u00e9"[i % 2];
    name[sizeof name - 1] = '\0';
    match.white = name;
    match.black = name + 1; /* begins with half a character */
    match.ratings[WHITE] = PGN_RATING_MAX + 1;
    match.ratings[BLACK] = PGN_RATING_MAX;
    text = pgn_write(&match, true);
    CHECK_THAT(strstr(text, "\u00e9\u00e9\"]\n[Black \"?\u00e9") != NULL &&
                   strstr(text, "WhiteRating") == NULL &&
                   strstr(text, "[BlackRating \"9999\"]") != NULL,
               "%s", text);
    const char *white = strstr(text, "[White \""), *black = strstr(text, "[Black \"");
    CHECK_INT(black - white, strlen("[White \"\"]\n") + PGN_VALUE_MAX - 1);
    CHECK_INT(strchr(black, ']') - black, strlen("[Black \"\"") + PGN_VALUE_MAX);
    free(text);
}

#define GAME  "[Game \"clobber\"]\n[Variant \"2x2\"]\n"
#define MOVES "1. a2a1 b2b1 2. a1b1 1-0\n"

static void test_accepted(void)
{
    static const struct {
        const char *title, *text;
        int matches;
    } rows[] = {
        {"few tags", GAME MOVES, 1},
        {"no variant: the default one", "[Game \"clobber\"]\n\n*\n", 1},
        {"no move numbers", GAME "a2a1 b2b1 a1b1 1-0", 1},
        {"numbers without spaces", GAME "1.a2a1 1...b2b1 2.a1b1 1-0", 1},
        {"comments",
         "; one\n% two\n" GAME "{three}1. a2a1{ [x] ; } b2b1 ; {\n2. a1b1 {\n\n} 1-0 {}", 1},
        {"a byte order mark", "\xef\xbb\xbf" GAME MOVES, 1},
        {"tabs and spaces", "\t [ Game\t \"clobber\" ] [Variant \"2x2\"]\t" MOVES, 1},
        {"CRLF", "[Game \"clobber\"]\r\n[Variant \"2x2\"]\r\n\r\n1. a2a1\r\nb2b1 2. a1b1 1-0\r\n",
         1},
        {"CR alone", "[Game \"clobber\"]\r[Variant \"2x2\"]\r\r1. a2a1\rb2b1 2. a1b1 1-0\r", 1},
        {"other tags, a result with its tag", GAME "[Event \"\"]\n[Result \"1-0\"]\n" MOVES, 1},
        {"a tag of another program", GAME "[Time_1 \"x\"]\n" MOVES, 1},
        {"ratings and a clock that nobody knows",
         GAME "[WhiteRating \"?\"][BlackRating \"-\"][TimeControl \"?\"]" MOVES, 1},
        {"no clock", GAME "[TimeControl \"-\"]" MOVES, 1},
        {"times", GAME "1. a2a1 {[%emt 0:00:00]} b2b1 {[%emt 1193:02:47.295]} 2. a1b1 1-0", 1},
        {"marks and values", GAME "1. a2a1 $4 {[%eval -1.25]} b2b1 $2 2. a1b1 1-0", 1},
        {"several", GAME MOVES GAME MOVES "\n\n" GAME "*", 3},
        {"moves in capitals", GAME "A2A1 B2B1 A1B1 1-0", 1},
        {"a resigned match", GAME "[Reason \"resign\"] 1. a2a1 1-0", 1},
        {"nobody knows why", GAME "1. a2a1 1/2-1/2", 1},
        {"broken off", GAME "[Reason \"aborted\"] 1. a2a1 *", 1},
        {"a game that is over at its start",
         "[Game \"clobber\"][Start \"P1/1p b\"][Reason \"no-moves\"] 1-0", 1},
    };
    struct pgn_file file;
    struct cause cause;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *text = rows[i].text;
        check_about("%s", rows[i].title);
        if (!CHECK_THAT(pgn_read(&file, text, strlen(text), &cause), "%s", cause.text))
            continue;
        CHECK_INT(file.count, rows[i].matches);
        for (int j = 0; j < file.count; j++)
            CHECK_THAT(pgn_check(&file.matches[j], &cause), "%s", cause.text);
        pgn_release(&file);
    }
}

static void test_refused(void)
{
    static const struct {
        const char *text, *cause;
    } rows[] = {
        {"", "line 1: no match found"},
        {"\n{nothing}\n", "line 3: no match found"},
        {"hello", "line 1: a match begins with its tags, such as [Game \"clobber\"]"},
        {GAME MOVES "1. a2a1 *",
         "line 4: a match begins with its tags, such as [Game \"clobber\"]"},
        {"[White \"a\"]\n\n*", "line 3: the tag Game is missing"},
        {"[Game \"chess\"]\n*", "line 2: unknown game 'chess'"},
        {"[Game \"clobber\"] [Variant \"1x1\"] *",
         "line 1: invalid size '1x1' of Clobber: write files x ranks, 1x2 to 10x10"},
        {GAME "[Start \"PP w\"] *", "line 3: the board has 1 rank instead of 2"},
        {GAME "[Game \"clobber\"] *", "line 3: a second tag Game"},
        {"[Game clobber] *", "line 1: a tag is written [Name \"value\"]"},
        {"[\"clobber\"] *", "line 1: a tag is written [Name \"value\"]"},
        {"[Game \"clobber\" *", "line 1: a tag is written [Name \"value\"]"},
        {"[Game \"clobber", "line 1: the value of a tag has no closing quote"},
        {"[Game \"clob\nber\"]", "line 1: the value of a tag has no closing quote"},
        {"[White \"a\\b\"]",
         "line 1: in the value of a tag a backslash stands before \" or \\ only"},
        {GAME "[WhiteRating \"good\"] *", "line 3: invalid rating 'good'"},
        {GAME "[BlackRating \"10000\"] *", "line 3: invalid rating '10000'"},
        {GAME "[TimeControl \"300+\"] *",
         "line 3: invalid time control '300+': write 300+5, in seconds, or -"},
        {GAME "[TimeControl \"0+1\"] *",
         "line 3: invalid time control '0+1': write 300+5, in seconds, or -"},
        {GAME "[TimeControl \"1.0005\"] *",
         "line 3: invalid time control '1.0005': write 300+5, in seconds, or -"},
        {GAME "[Result \"2-0\"] *", "line 3: invalid result '2-0': write 1-0, 0-1, 1/2-1/2 or *"},
        {GAME "[Reason \"bored\"] *", "line 3: unknown reason 'bored'"},
        {GAME "\n1. a2a1\nb2b1\n",
         "line 6: the result is missing: 1-0, 0-1, 1/2-1/2 or * after the moves"},
        {GAME "1. a2a1\n" GAME "*",
         "line 4: the result is missing: 1-0, 0-1, 1/2-1/2 or * after the moves"},
        {GAME "[Result \"0-1\"]\n" MOVES,
         "line 4: the moves end with 1-0, the tag Result says 0-1"},
        {GAME "1. a2a1 (a2b2) *", "line 3: unexpected '(' among the moves"},
        {GAME "1. a2a1 } *", "line 3: unexpected '}' among the moves"},
        {GAME "1. a2a1 $ *", "line 3: '$' is neither a move nor a result"},
        {GAME "1. a2a1 $1x *", "line 3: '$1x' is neither a move nor a result"},
        {GAME "1. a2a1! *", "line 3: 'a2a1!' is neither a move nor a result"},
        {GAME "1. a2-a1 *", "line 3: 'a2-a1' is neither a move nor a result"},
        {GAME "1. a2a1 1 *", "line 3: '1' is neither a move nor a result"},
        {GAME "1. a2a1\n3. b2b1 *", "line 4: wrong move number '3.': expected 1..."},
        {GAME "1... a2a1 *", "line 3: wrong move number '1...': expected 1."},
        {GAME "01. a2a1 *", "line 3: wrong move number '01.': expected 1."},
        {GAME "1. a2a1 b2b1 2.. a1b1 *", "line 3: wrong move number '2..': expected 2."},
        {GAME "1. a2a1\n{ b2b1\n*", "line 4: this comment has no end"},
        {GAME "1. a2a1 {[%emt 0:0:60]} *", "line 3: invalid time '0:0:60': write 0:00:01.234"},
        {GAME "1. a2a1 {[%emt 0:60:00]} *", "line 3: invalid time '0:60:00': write 0:00:01.234"},
        {GAME "1. a2a1 {[%emt 0:00:01.]} *", "line 3: invalid time '0:00:01.': write 0:00:01.234"},
        {GAME "1. a2a1 {[%emt 0:00:1.2345]} *",
         "line 3: invalid time '0:00:1.2345': write 0:00:01.234"},
        {GAME "1. a2a1 {[%emt 0:00:01:]} *", "line 3: invalid time '0:00:01:': write 0:00:01.234"},
        {GAME "1. a2a1 {[%emt 0:00]} *", "line 3: invalid time '0:00': write 0:00:01.234"},
        {GAME "1. a2a1 {[%emt 1193:02:47.296]} *",
         "line 3: invalid time '1193:02:47.296': write 0:00:01.234"},
        {GAME "1. a2a1 {[%emt 0:00:01.0000000000000000]} *",
         "line 3: a time is written [%emt 0:00:01.234]"},
        {GAME "1. a2a1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa *",
         "line 3: 'a2a1aaaaaaaaaaaaaaaaaaaa' is neither a move nor a result"},
        {GAME "1. a2a1 {[%emt 5} *", "line 3: a time is written [%emt 0:00:01.234]"},
        {GAME "1. a2a1 {[%emt -1:00:00]} *", "line 3: invalid time '-1:00:00': write 0:00:01.234"},
        {GAME "{[%emt 0:00:01]} *", "line 3: a time before the first move"},
        {GAME "1. a2a1\x01 *", "line 3: invalid byte 0x01: not UTF-8 text"},
        {"[White \"\xff\"]", "line 1: invalid byte 0xff: not UTF-8 text"},
    };
    struct pgn_file file;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct cause cause = {""};
        check_about("refused: %s", rows[i].text);
        if (!CHECK(!pgn_read(&file, rows[i].text, strlen(rows[i].text), &cause)))
            pgn_release(&file);
        CHECK_TEXT(cause.text, rows[i].cause);
        CHECK(file.matches == NULL && file.count == 0);
    }
}

/* Well-formed texts that break the rules. */
static void test_against_the_rules(void)
{
    static const struct {
        const char *text, *cause;
    } rows[] = {
        {GAME "1. a1b1 *", "move 1. a1b1 (ply 1): the stone on a1 is not yours: white moves"},
        {GAME "1. a2a1 b1b2 *",
         "move 1... b1b2 (ply 2): the stone on b1 is not yours: black moves"},
        {GAME "1. a2a1 b2b1 2. K@a1 *",
         "move 2. K@a1 (ply 3): pieces are not placed in this game but moved: write b2b3"},
        {GAME "1. a2a1 b2b1 2. a1b1 b1b2 *",
         "move 2... b1b2 (ply 4): the game was already over: 1-0 no-moves"},
        {"[Game \"clobber\"][Start \"1p/PP b\"] 1... a1a2 *",
         "move 1... a1a2 (ply 1): the stone on a1 is not yours: black moves"},
        {GAME "1. a2a1 b2b1 2. a1b1 *", "the result is 1-0 no-moves by the rules, not *"},
        {GAME "1. a2a1 b2b1 2. a1b1 0-1", "the result is 1-0 no-moves by the rules, not 0-1"},
        {GAME "[Reason \"resign\"]" MOVES,
         "the result is 1-0 no-moves by the rules, not 1-0 resign"},
        {GAME "[Reason \"no-moves\"] 1. a2a1 1-0",
         "the result given is 1-0 no-moves, but by the rules the game goes on"},
        {GAME "[Reason \"resign\"] 1. a2a1 *", "the result * does not go with the reason resign"},
        {GAME "[Reason \"timeout\"] 1/2-1/2",
         "the result 1/2-1/2 does not go with the reason timeout"},
        {GAME "[Reason \"draw-agreed\"] 1-0",
         "the result 1-0 does not go with the reason draw-agreed"},
        {GAME "[Reason \"aborted\"] 1-0", "the result 1-0 does not go with the reason aborted"},
    };
    struct pgn_file file;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct cause cause = {""};
        check_about("against the rules: %s", rows[i].text);
        if (!CHECK_THAT(pgn_read(&file, rows[i].text, strlen(rows[i].text), &cause), "%s",
                        cause.text))
            continue;
        CHECK(!pgn_check(&file.matches[0], &cause));
        CHECK_TEXT(cause.text, rows[i].cause);
        pgn_release(&file);
    }
}

/* Rooks of both sides move to and fro: the start position occurs a third time after eight plies. */
static void test_repetition(void)
{
#define TO_AND_FRO "a1a2 a8a7 a2a1 a7a8 "
    static const struct {
        const char *moves;
        bool good;
    } rows[] = {
        {TO_AND_FRO TO_AND_FRO "1/2-1/2", true},
        {TO_AND_FRO TO_AND_FRO "*", false},
        {TO_AND_FRO TO_AND_FRO "a1a2 *", false},
        {TO_AND_FRO "a1a2 a8a7 a2a1 1/2-1/2", false},
    };
    char text[400];
    struct pgn_file file;
    struct cause cause;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("repetition: %s", rows[i].moves);
        snprintf(text, sizeof text, "[Game \"latrunculi\"]%s %s",
                 strstr(rows[i].moves, "1/2") != NULL ? "[Reason \"repetition\"]" : "",
                 rows[i].moves);
        if (!CHECK_THAT(pgn_read(&file, text, strlen(text), &cause), "%s", cause.text))
            continue;
        CHECK_INT(pgn_check(&file.matches[0], &cause), rows[i].good);
        pgn_release(&file);
    }
}

static void test_limits(void)
{
    char *text = malloc(FILE_MAX);
    struct pgn_file file;
    struct cause cause = {""};
    size_t length;

    check_about("the limits");
    for (int plies = PGN_PLIES_MAX; text != NULL && plies <= PGN_PLIES_MAX + 1; plies++) {
        length = (size_t)snprintf(text, FILE_MAX, "[Game \"shakti\"]");
        for (int i = 0; i < plies; i++)
            length += (size_t)snprintf(text + length, FILE_MAX - length, " pass");
        length += (size_t)snprintf(text + length, FILE_MAX - length, " *");
        bool good = pgn_read(&file, text, length, &cause);
        CHECK_INT(good, plies == PGN_PLIES_MAX);
        pgn_release(&file);
    }
    CHECK_TEXT(cause.text, "line 1: more than 10000 moves in one match");
    for (int size = PGN_VALUE_MAX; text != NULL && size <= PGN_VALUE_MAX + 1; size++) {
        snprintf(text, FILE_MAX, "[Game \"shakti\"][White \"%0*d\"] *", size, 7);
        CHECK_INT(pgn_read(&file, text, strlen(text), &cause), size == PGN_VALUE_MAX);
        pgn_release(&file);
    }
    CHECK_TEXT(cause.text, "line 1: the value of a tag is longer than 255 bytes");
    CHECK(!pgn_read(&file, "", (size_t)PGN_BYTES_MAX + 1, &cause));
    CHECK_TEXT(cause.text, "line 1: the text is longer than 64 MiB");
    free(text);
}

/* Reading and checking end, whatever byte is changed. */
static void test_damage(void)
{
    static const char good[] = GAME "[White \"a\\\"b\"]\n[TimeControl \"1+0.5\"]\n\n"
                                    "1. a2a1 {[%emt 0:00:01.5]} b2b1 2. a1b1 1-0\n";
    static const char bytes[] = "\"\\[]{}%;.1 \n@aK\xff";
    struct pgn_file file;
    struct cause cause;
    int read = 0, refused = 0;

    check_about("damaged texts");
    for (size_t at = 0; at < sizeof good - 1; at++) {
        for (size_t i = 0; i < sizeof bytes - 1; i++) {
            char text[sizeof good];
            memcpy(text, good, sizeof good);
            text[at] = bytes[i];
            if (!pgn_read(&file, text, sizeof good - 1, &cause)) {
                refused++;
                continue;
            }
            read++;
            for (int j = 0; j < file.count; j++)
                pgn_check(&file.matches[j], &cause);
            pgn_release(&file);
        }
    }
    CHECK(read > 100 && refused > 100);
}

int main(void)
{
    test_said();
    test_written_form();
    test_accepted();
    test_refused();
    test_against_the_rules();
    test_repetition();
    test_limits();
    test_damage();
    test_random_matches();
    test_other_starts();
    return check_end("test_pgn");
}
