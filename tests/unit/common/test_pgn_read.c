/* Matches from text: what is read, and what is refused, by line or by move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/move.h"
#include "common/pgn.h"

enum { FILE_MAX = 1 << 20 };

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
        {"comments of lichess, over several lines",
         GAME
         "1. a2a1 { [%eval 0.17] [%clk 0:05:00] [%emt\n0:00:01.5] } 1... b2b1 { [%clk\n0:04:59]\n} "
         "2. a1b1 1-0",
         1},
        {"marks and values", GAME "1. a2a1 $4 {[%eval -1.25]} b2b1 $2 2. a1b1 1-0", 1},
        {"several", GAME MOVES GAME MOVES "\n\n" GAME "*", 3},
        {"moves in capitals", GAME "A2A1 B2B1 A1B1 1-0", 1},
        {"variations, one in the other, with comments and marks",
         GAME
         "1. a2a1 (1. a2b2! {better; or (not} b1b2 ( 1... b2a2 ) ) 1... b2b1 (2. *) 2. a1b1 1-0",
         1},
        {"a comment with a time in a variation", GAME "1. a2a1 (b2b1 {[%emt 5]}) b2b1 a1b1 1-0", 1},
        {"marks behind moves", GAME "1. a2a1! b2b1?! 2. a1b1!? $14 1-0", 1},
        {"marks apart from moves", GAME "1. a2a1 ! b2b1 ?! 2. a1b1 1-0", 1},
        {"marks and a result without blanks", GAME "1.a2a1$1$14(a2b2$2)b2b1!$7*", 1},
        {"dots apart from their number", GAME "1. a2a1 1. ... b2b1 2 a1b1 1-0", 1},
        {"a number without dots", GAME "1 a2a1 1 b2b1 2 a1b1 1-0", 1},
        {"dots on a line of their own", GAME "1\n.\na2a1 1\n...\nb2b1 2 a1b1 1-0", 1},
        {"a tag of another program, with other letters", GAME "[X-Y.z/1 \"x\"]\n" MOVES, 1},
        {"files with a byte order mark, joined",
         "\xef\xbb\xbf" GAME MOVES "\xef\xbb\xbf" GAME "1. a2a1 b2b1 2. a1b1 1-0\xef\xbb\xbf" GAME
         "*",
         3},
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

/* Tags of the standard alone, as other programs write and keep them. */
static void test_standard_tags(void)
{
    static const struct {
        const char *tags, *game, *variant, *date;
    } rows[] = {
        {"[Variant \"Clobber 2x2\"]", "clobber", "2x2", NULL},
        {"[Variant \"CLOBBER\"]", "clobber", "5x6", NULL},
        {"[Variant \"clobber:2x2\"][Date \"2026.11.21\"]", "clobber", "2x2", "2026-11-21"},
        {"[Variant \"4x5\"][Date \"????.??.??\"]", "clobber", "4x5", NULL},
        {"[Variant \"touch\"][Date \"2026.??.??\"]", "xadrersi", "touch", "2026.??.??"},
        {"[Variant \"Xadrersi attack\"][Date \"2026.11.21\"][UTCTime \"09:50:21\"]", "xadrersi",
         "attack", "2026-11-21"},
        {"[Variant \"Latrunculi XXI\"][Date \"2026.11.22\"][UTCDate \"2026.11.21\"]"
         "[UTCTime \"09:50:21\"]",
         "latrunculi", "standard", "2026-11-21T09:50:21Z"},
        {"[Variant \"latrunculi\"]", "latrunculi", "standard", NULL},
        {"[Variant \"Shakti standard\"][WhiteElo \"1500\"][BlackElo \"?\"]", "shakti", "standard",
         NULL},
        {"[SetUp \"1\"][FEN \"Pp/pP b\"]", "clobber", "2x2", NULL},
        {"[Variant \"Clobber\"][SetUp \"1\"][FEN \"Pp/pP b\"]", "clobber", "2x2", NULL},
        {"[Game \"clobber\"][Variant \"Clobber 2x2\"][Date \"2026-11-21T09:50:21Z\"]", "clobber",
         "2x2", "2026-11-21T09:50:21Z"},
    };
    struct pgn_file file;
    struct cause cause;
    char text[512], variant[VARIANT_NAME_MAX];

    for (size_t i = 0; i < LENGTH(rows); i++) {
        snprintf(
            text, sizeof text,
            "[Event \"?\"]\n[Site \"?\"]\n[Round \"1\"]\n[White \"a\"]\n[Black \"b\"]\n%s\n\n*\n",
            rows[i].tags);
        check_about("%s", rows[i].tags);
        if (!CHECK_THAT(pgn_read(&file, text, strlen(text), &cause), "%s", cause.text))
            continue;
        const struct pgn_match *match = &file.matches[0];
        match->game->variant_name(&match->start, variant);
        CHECK_TEXT(match->game->name, rows[i].game);
        CHECK_TEXT(variant, rows[i].variant);
        CHECK_TEXT(match->date != NULL ? match->date : "none",
                   rows[i].date != NULL ? rows[i].date : "none");
        CHECK_INT(match->ratings[WHITE], strstr(rows[i].tags, "1500") != NULL ? 1500 : 0);
        pgn_release(&file);
    }
}

static const struct {
    const char *text, *cause;
} bad_texts[] = {
    {"", "line 1: no match found"},
    {"\n{nothing}\n", "line 3: no match found"},
    {"hello", "line 1: a match begins with its tags, such as [Event \"?\"]"},
    {"[White \"a\"]\n\n*", "line 3: the tag Variant is missing, such as [Variant \"Clobber 5x6\"]"},
    {"[Game \"chess\"]\n*", "line 2: unknown game 'chess'"},
    {"[Variant \"Atomic\"]\n*",
     "line 2: the tag Variant 'Atomic' names no game that is known here"},
    {"[Variant \"standard\"]\n*", /* of two games */
     "line 2: the tag Variant 'standard' names no game that is known here"},
    {"[Variant \"Shaktix\"]\n*",
     "line 2: the tag Variant 'Shaktix' names no game that is known here"},
    {"[Variant \"Clobber 1x1\"] *",
     "line 1: invalid size '1x1' of Clobber: write files x ranks, 1x2 to 10x10"},
    {"[Game \"clobber\"][Variant \"Shakti\"] *",
     "line 1: invalid size 'Shakti' of Clobber: write files x ranks, 1x2 to 10x10"},
    {GAME "[FEN \"PP w\"] *", "line 3: the board has 1 rank instead of 2"},
    {GAME "[WhiteElo \"good\"] *", "line 3: invalid rating 'good'"},
    {"[Game \"clobber\"] [Variant \"1x1\"] *",
     "line 1: invalid size '1x1' of Clobber: write files x ranks, 1x2 to 10x10"},
    {GAME "[Start \"PP w\"] *", "line 3: the board has 1 rank instead of 2"},
    {GAME "[Game \"clobber\"] *", "line 3: a second tag Game"},
    {"[Game clobber] *", "line 1: a tag is written [Name \"value\"]"},
    {"[\"clobber\"] *", "line 1: a tag is written [Name \"value\"]"},
    {"[Game \"clobber\" *", "line 1: a tag is written [Name \"value\"]"},
    {"[Game \"clobber", "line 1: the value of a tag has no closing quote"},
    {"[Game \"clob\nber\"]", "line 1: the value of a tag has no closing quote"},
    {"[White \"a\\b\"]", "line 1: in the value of a tag a backslash stands before \" or \\ only"},
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
    {GAME "[Result \"0-1\"]\n" MOVES, "line 4: the moves end with 1-0, the tag Result says 0-1"},
    {GAME "1. a2a1 )a2b2) *", "line 3: unexpected ')' among the moves"},
    {GAME "1. a2a1\n(a2b2 (\n *", "line 4: this variation has no end"},
    {GAME "1. a2a1 (a2b2 {) *", "line 3: this comment has no end"},
    {GAME "1. a2a1 } *", "line 3: unexpected '}' among the moves"},
    {GAME "1. a2a1 $ *", "line 3: '$' is neither a move nor a result"},
    {GAME "1. a2a1 $1x *", "line 3: '$1x' is neither a move nor a result"},
    {GAME "1. a2a1!!! *", "line 3: 'a2a1!!!' is neither a move nor a result"},
    {GAME "1. !a2a1 *", "line 3: '!a2a1' is neither a move nor a result"},
    {GAME "1. a2-a1 *", "line 3: 'a2-a1' is neither a move nor a result"},
    {GAME "1. a2a1 2 *", "line 3: wrong move number '2': expected 1..."},
    {GAME "1. a2a1 1. b2b1 *", "line 3: wrong move number '1.': expected 1..."},
    {GAME "1. a2a1 1. . b2b1 *", "line 3: wrong move number '1..': expected 1..."},
    {GAME "1. ... a2a1 *", "line 3: wrong move number '1...': expected 1."},
    {GAME "1. a2a1 !!! *", "line 3: '!!!' is neither a move nor a result"},
    {GAME "1. a2a1 ... b2b1 *", "line 3: '...' is neither a move nor a result"},
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

/* Of a file with bad matches the good ones are read, and each bad one is named. */
static void test_among_others(void)
{
    struct pgn_file file;
    struct cause cause;
    char text[1024];

    for (size_t i = 0; i < LENGTH(bad_texts); i++) {
        const char *bad = bad_texts[i].text;
        int line = 0;
        /* Those that are bad by what they lack would find it in what follows. */
        if (strstr(bad_texts[i].cause, "no match found") != NULL || strchr(bad, '{') != NULL ||
            strstr(bad_texts[i].cause, "the result is missing") != NULL)
            continue;
        check_about("among others: %s", bad);
        snprintf(text, sizeof text, "%s%s\n*\n\n%s", GAME MOVES, bad, GAME "1. a2a1 *\n");
        if (!CHECK_THAT(pgn_read(&file, text, strlen(text), &cause), "%s", cause.text))
            continue;
        sscanf(bad_texts[i].cause, "line %d:", &line);
        snprintf(text, sizeof text, "line %d:%s", line + 3, strchr(bad_texts[i].cause, ':') + 1);
        if (CHECK_INT(file.count, 3)) {
            CHECK_INT(file.faulty, 1);
            CHECK_INT(file.matches[0].plies, 3);
            CHECK_TEXT(file.matches[0].moves[2].text, "a1b1");
            CHECK_TEXT(file.matches[1].fault, text);
            CHECK_INT(file.matches[2].plies, 1);
            CHECK_TEXT(file.matches[2].moves[0].text, "a2a1");
            CHECK(!pgn_check(&file.matches[1], &cause) && pgn_check(&file.matches[2], &cause));
            CHECK_TEXT(cause.text, text);
        }
        pgn_release(&file);
    }
}

/* A match without an end is named, and the next one is read. */
static void test_next_match(void)
{
    static const struct {
        const char *text, *cause;
    } rows[] = {
        {"1. a2a1\n", "line 4: the result is missing: 1-0, 0-1, 1/2-1/2 or * after the moves"},
        {"1. a2a1 (a2b2\n", "line 3: this variation has no end"},
        {"1. a2a1 (a2b2\n\nb2b1\n", "line 3: this variation has no end"},
        {"1. e2-e4\n\n[%emt] } {\n", "line 3: 'e2-e4' is neither a move nor a result"},
    };
    struct pgn_file file;
    struct cause cause;
    char text[256];

    check_about("the match behind one without an end");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        snprintf(text, sizeof text, "%s%s%s*", GAME, rows[i].text, GAME);
        if (!CHECK_THAT(pgn_read(&file, text, strlen(text), &cause), "%s", cause.text))
            continue;
        CHECK_INT(file.count, 2);
        CHECK_TEXT(file.matches[0].fault, rows[i].cause);
        CHECK(file.matches[1].fault == NULL && file.matches[1].plies == 0);
        int line = 3; /* behind the tags of the first */
        for (const char *at = rows[i].text; *at != '\0'; at++)
            line += *at == '\n';
        CHECK_INT(file.matches[1].line, line);
        pgn_release(&file);
    }
}

static void test_many_faults(void)
{
    struct pgn_file file;
    struct cause cause;

    check_about("too many matches that cannot be read");
    for (int faults = PGN_FAULTS_MAX; faults <= PGN_FAULTS_MAX + 1; faults++) {
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        fputs(GAME MOVES, out);
        for (int i = 0; i < faults; i++)
            fputs("[Game \"chess\"]\n1. e4 1-0\n", out);
        fclose(out);
        bool good = pgn_read(&file, text, length, &cause);
        CHECK_INT(good, faults == PGN_FAULTS_MAX);
        CHECK_INT(file.faulty, good ? faults : 0);
        pgn_release(&file);
        free(text);
    }
    CHECK_TEXT(cause.text, "line 2006: more than 1000 matches cannot be read");
}

static void test_marks(void)
{
    static const char text[] =
        GAME "$1 1. a2a1! {fine} $14 b2b1 (b2a2?) ( $3 ) $7$2 2. a1b1 ?! 1-0";
    static const char *const notes[] = {"$1\n$14", "$7\n$2", "$6"};
    struct pgn_file file;
    struct cause cause;

    check_about("marks");
    if (!CHECK_THAT(pgn_read(&file, text, strlen(text), &cause), "%s", cause.text))
        return;
    for (int i = 0; i < 3; i++)
        CHECK_TEXT(file.matches[0].notes[i], notes[i]);
    char *written = pgn_write(&file.matches[0], false);
    CHECK_THAT(strstr(written, "1. a2a1 $1 $14 b2b1 $7 $2 2. a1b1 $6 1-0") != NULL, "%s", written);
    free(written);
    pgn_release(&file);
}

static void test_refused(void)
{
    struct pgn_file file;

    for (size_t i = 0; i < LENGTH(bad_texts); i++) {
        struct cause cause = {""};
        check_about("refused: %s", bad_texts[i].text);
        if (!CHECK(!pgn_read(&file, bad_texts[i].text, strlen(bad_texts[i].text), &cause)))
            pgn_release(&file);
        CHECK_TEXT(cause.text, bad_texts[i].cause);
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
    test_accepted();
    test_standard_tags();
    test_refused();
    test_among_others();
    test_next_match();
    test_many_faults();
    test_marks();
    test_against_the_rules();
    test_repetition();
    test_limits();
    test_damage();
    return check_end("test_pgn_read");
}
