/* Numbers, squares, moves, positions and boards as text. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "common/buffer.h"
#include "common/game.h"
#include "common/move.h"
#include "common/position_text.h"
#include "common/text.h"

static void test_number(void)
{
    static const struct {
        const char *text;
        long min, max, value; /* value -1: refused */
    } rows[] = {
        {"0", 0, 10, 0},
        {"7", 0, 10, 7},
        {"10", 0, 10, 10},
        {"11", 0, 10, -1},
        {"0", 1, 10, -1},
        {"1", 1, 10, 1},
        {"00", 0, 10, -1},
        {"01", 0, 10, -1},
        {"", 0, 10, -1},
        {"-1", 0, 10, -1},
        {"+1", 0, 10, -1},
        {" 1", 0, 10, -1},
        {"1 ", 0, 10, -1},
        {"1x", 0, 10, -1},
        {"0x1", 0, 10, -1},
        {"1.0", 0, 10, -1},
        {"9", 0, 5, -1},
        {"65535", 0, 65535, 65535},
        {"65536", 0, 65535, -1},
        {"9223372036854775807", 0, 9223372036854775807, 9223372036854775807},
        {"9223372036854775808", 0, 9223372036854775807, -1},
        {"99999999999999999999999999", 0, 9223372036854775807, -1},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        long value = -1;
        check_about("number '%s' from %ld to %ld", rows[i].text, rows[i].min, rows[i].max);
        bool read =
            number_parse(rows[i].text, strlen(rows[i].text), rows[i].min, rows[i].max, &value);
        CHECK_INT(value, rows[i].value);
        CHECK_INT(read, rows[i].value != -1);
    }
    long value = -1;
    check_about("only the given bytes of a number count");
    CHECK(number_parse("123", 2, 0, 99, &value) && value == 12);
}

static void test_numbers_written(void)
{
    static const uint64_t values[] = {0, 9, 10, 100, 1234567890, UINT64_MAX};

    for (size_t i = 0; i < LENGTH(values); i++) {
        char text[NUMBER_DIGITS_MAX + 1], want[32];
        snprintf(want, sizeof want, "%llu", (unsigned long long)values[i]);
        check_about("the digits of %s", want);
        text[number_format(values[i], text)] = '\0';
        CHECK_TEXT(text, want);
    }
}

static void test_integers_appended(void)
{
    static const int64_t values[] = {0, -1, 42, INT64_MAX, INT64_MIN};
    struct buffer text = {0}, want = {0};

    for (size_t i = 0; i < LENGTH(values); i++) {
        buffer_integer(&text, values[i]);
        buffer_printf(&want, "%lld", (long long)values[i]);
    }
    buffer_add(&text, "", 1);
    buffer_add(&want, "", 1);
    CHECK_TEXT(text.bytes, want.bytes);
    buffer_release(&text);
    buffer_release(&want);
}

static void test_squares(void)
{
    static const struct {
        const char *variant, *text;
        int square;
        const char *refusal;
    } rows[] = {
        {"5x6", "a1", 0, NULL},
        {"5x6", "e6", 29, NULL},
        {"5x6", "B2", 6, NULL},
        {"10x10", "a10", 90, NULL},
        {"10x10", "J10", 99, NULL},
        {"1x10", "a10", 9, NULL},
        {"10x1", "j1", 9, NULL},
        {"5x6", "f1", -1, "f1 is off the board"},
        {"5x6", "a7", -1, "a7 is off the board"},
        {"5x6", "a0", -1, "a0 is off the board"},
        {"5x6", "a01", -1, "a01 is off the board"},
        {"5x6", "z999999", -1, "z999999 is off the board"},
        {"5x6", "", -1, "'' is not a square: write a file and a rank, such as b2"},
        {"5x6", "a", -1, "'a' is not a square: write a file and a rank, such as b2"},
        {"5x6", "1", -1, "'1' is not a square: write a file and a rank, such as b2"},
        {"5x6", "1a", -1, "'1a' is not a square: write a file and a rank, such as b2"},
        {"5x6", "@1", -1, "'@1' is not a square: write a file and a rank, such as b2"},
        {"5x6", "a1 ", -1, "'a1 ' is not a square: write a file and a rank, such as b2"},
        {"5x6", "a1a2", -1, "'a1a2' is not a square: write a file and a rank, such as b2"},
        {"5x6", "a1234567", -1, "'a1234567' is not a square: write a file and a rank, such as b2"},
        {"5x6", "\u00e41", -1, "'\u00e41' is not a square: write a file and a rank, such as b2"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct position position;
        struct cause cause = {""};
        check_about("square '%s' of %s", rows[i].text, rows[i].variant);
        CHECK(clobber.start(rows[i].variant, &position, &cause));
        CHECK_INT(square_parse(&position, rows[i].text, &cause), rows[i].square);
        CHECK_TEXT(cause.text, rows[i].refusal != NULL ? rows[i].refusal : "");
    }
}

static void test_square_format(void)
{
    char text[SQUARE_TEXT_MAX];

    check_about("squares as text");
    square_format(5, 0, text);
    CHECK_TEXT(text, "a1");
    square_format(5, 29, text);
    CHECK_TEXT(text, "e6");
    square_format(10, 99, text);
    CHECK_TEXT(text, "j10");
    square_format(1, 9, text);
    CHECK_TEXT(text, "a10");
}

#define NO_STEP(text)  "'" text "' is not a move: write it as b2b3: from square, to square"
#define NO_PLACE(text) "'" text "' is not a move: write it as Q@d4: the piece, @ and the square"

/* On Clobber 5x6, or on the empty board of Xadrersi. */
static const struct {
    const struct game *game;
    const char *text, *refusal;
} move_texts[] = {
    {&clobber, "b1a1", NULL},
    {&clobber, "B1A1", NULL},
    {&clobber, "b1A1", NULL},
    {&clobber, "", NO_STEP("")},
    {&clobber, "@", NO_STEP("@")},
    {&clobber, "P@", NO_STEP("P@")},
    {&clobber, "P@a1", "pieces are not placed in this game but moved: write b2b3"},
    {&clobber, "P@k1", "k1 is off the board"},
    {&clobber, "a", NO_STEP("a")},
    {&clobber, "a0", "a0 is off the board"},
    {&clobber, "a01", "a01 is off the board"},
    {&clobber, "a1", NO_STEP("a1")},
    {&clobber, "a1b", NO_STEP("a1b")},
    {&clobber, "a1b0", "b0 is off the board"},
    {&clobber, "b1a1 ", NO_STEP("b1a1 ")},
    {&clobber, " b1a1", NO_STEP(" b1a1")},
    {&clobber, "b1a1q", NO_STEP("b1a1q")},
    {&clobber, "b1-a1", NO_STEP("b1-a1")},
    {&clobber, "b1a1b1", NO_STEP("b1a1b1")},
    {&clobber, "k1k2", "k1 is off the board"},
    {&clobber, "a1k2", "k2 is off the board"},
    {&clobber, "a7a6", "a7 is off the board"},
    {&clobber, "a10a9", "a10 is off the board"},
    {&clobber, "a999999a1", "a999999 is off the board"},
    {&clobber, "a4294967297b1", NO_STEP("a4294967297b1")},
    {&clobber, "b1a1b1a1b1a1b1a1b1a1b1a1", NO_STEP("b1a1b1a1b1a1b1a1b1a1")},
    {&clobber, "\n", NO_STEP("?")},
    {&clobber, "passe", NO_STEP("passe")},
    {&clobber, "pas", NO_STEP("pas")},
    {&clobber, "PASS", "passing is not allowed in Clobber"},
    {&xadrersi, "K@a1", NULL},
    {&xadrersi, "k@a1", NULL},
    {&xadrersi, "k@A1", NULL},
    {&xadrersi, "@", NO_PLACE("@")},
    {&xadrersi, "K", NO_PLACE("K")},
    {&xadrersi, "K@", NO_PLACE("K@")},
    {&xadrersi, "K@a", NO_PLACE("K@a")},
    {&xadrersi, "K@a1a", NO_PLACE("K@a1a")},
    {&xadrersi, "K@@a1", NO_PLACE("K@@a1")},
    {&xadrersi, "KK@a1", NO_PLACE("KK@a1")},
    {&xadrersi, "a1", NO_PLACE("a1")},
    {&xadrersi, "K@a9", "a9 is off the board"},
    {&xadrersi, "K@i1", "i1 is off the board"},
    {&xadrersi, "P@a1", "unknown piece P: the pieces are KQRBN"},
    {&xadrersi, "a1a2", "pieces do not move in this game but are placed: write Q@d4"},
};

static void test_moves(void)
{

    for (size_t i = 0; i < LENGTH(move_texts); i++) {
        const struct move unset = {9, 9, 9, '9'};
        struct position position;
        struct move move = unset;
        struct cause cause = {""};
        check_about("move '%s' in %s", move_texts[i].text, move_texts[i].game->name);
        CHECK(move_texts[i].game->start(NULL, &position, &cause));
        bool read = move_parse(move_texts[i].game, &position, move_texts[i].text, &move, &cause);
        CHECK_TEXT(cause.text, move_texts[i].refusal != NULL ? move_texts[i].refusal : "");
        CHECK(read == (move_texts[i].refusal == NULL) && move_equal(move, unset) == !read);
    }
}

static void test_long_move(void)
{
    char text[5000];
    struct position position;
    struct move move;
    struct cause cause = {""};

    check_about("a very long move");
    memset(text, '1', sizeof text - 1);
    text[0] = 'a';
    text[sizeof text - 1] = '\0';
    CHECK(clobber.start(NULL, &position, &cause));
    CHECK(!move_parse(&clobber, &position, text, &move, &cause));
    CHECK_TEXT(cause.text, NO_STEP("a1111111111111111111"));
}

static void test_move_format(void)
{
    struct position position;
    struct cause cause;
    char text[MOVE_TEXT_MAX];

    check_about("moves as text");
    CHECK(clobber.start("10x10", &position, &cause));
    move_format(&position, (struct move){.from = 89, .to = 99}, text);
    CHECK_TEXT(text, "j9j10");
    move_format(&position, (struct move){.from = 90, .to = 91}, text);
    CHECK_TEXT(text, "a10b10");
    move_format(&position, (struct move){.kind = MOVE_PLACE, .to = 27, .piece = 'Q'}, text);
    CHECK_TEXT(text, "Q@h3");
    move_format(&position, (struct move){.kind = MOVE_PASS}, text);
    CHECK_TEXT(text, "pass");
}

static void test_fields(void)
{
    static const struct {
        const char *text, *refusal;
    } rows[] = {
        {"8/8 w", NULL},
        {"8/8", "the position has 1 field instead of 2: placement, side"},
        {"8/8 w 0 1", "the position has 4 fields instead of 2: placement, side"},
        {"", "a position is placement, side, separated by single spaces"},
        {" ", "a position is placement, side, separated by single spaces"},
        {"8/8  w", "a position is placement, side, separated by single spaces"},
        {"8/8 w ", "a position is placement, side, separated by single spaces"},
    };
    struct field fields[2];

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct cause cause = {""};
        check_about("the fields of '%s'", rows[i].text);
        bool split = fields_split(rows[i].text, fields, 2, "placement, side", &cause);
        CHECK_INT(split, rows[i].refusal == NULL);
        CHECK_TEXT(cause.text, rows[i].refusal != NULL ? rows[i].refusal : "");
    }
}

static void test_field_number(void)
{
    struct cause cause;
    uint8_t value = 77;

    check_about("a number as a field");
    CHECK(field_number((struct field){"100", 3}, "the counter", 0, 100, &value, &cause));
    CHECK_INT(value, 100);
    CHECK(!field_number((struct field){"101", 3}, "the counter", 0, 100, &value, &cause));
    CHECK_TEXT(cause.text, "the counter is a number from 0 to 100, not 101");
    CHECK_INT(value, 100);
}

/* On a board of 3 files by 2 ranks with the pieces K and k and holes. */
static void test_placement(void)
{
    static const struct {
        const char *text, *cells, *refusal;
    } rows[] = {
        {"3/3", "......", NULL},
        {"K1k/*2", "*..K.k", NULL},
        {"12/3", NULL, "invalid run of empty squares: 12"},
        {"3/Q2", NULL, "unknown piece 'Q'"},
        {"3/4", NULL, "the rank '4' has 4 squares instead of 3"},
        {"3/3/3", NULL, "the board has more than 2 ranks"},
        {"3", NULL, "the board has 1 rank instead of 2"},
        {"3/", NULL, "the rank '' has 0 squares instead of 3"},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct field field = {rows[i].text, strlen(rows[i].text)};
        struct board board;
        struct cause cause = {""};
        char text[POSITION_TEXT_MAX] = "";
        check_about("the placement '%s'", rows[i].text);
        bool read = placement_parse(field, "Kk*", 3, 2, &board, &cause);
        CHECK_INT(read, rows[i].refusal == NULL);
        CHECK_TEXT(cause.text, rows[i].refusal != NULL ? rows[i].refusal : "");
        if (!read)
            continue;
        CHECK(memcmp(board.cell, rows[i].cells, 6) == 0);
        CHECK_INT((long long)placement_format(&board, text), (long long)field.length);
        CHECK_TEXT(text, rows[i].text);
    }
}

static void test_board_text(void)
{
    const struct board small = {.width = 2, .height = 3, .cell = ".*PppP"};
    struct board large;
    char text[BOARD_TEXT_MAX];

    board_clear(&large, 10, 10);
    large.cell[0] = 'Q';
    large.cell[9] = 'R';
    large.cell[19] = 'n';
    large.cell[90] = 'k';

    check_about("a drawn board");
    board_text(&small, false, text);
    CHECK_TEXT(text, "  3  p P\n"
                     "  2  P p\n"
                     "  1  . *\n"
                     "     a b\n");
    board_text(&small, true, text);
    CHECK_TEXT(text, "  1  * .\n"
                     "  2  p P\n"
                     "  3  P p\n"
                     "     b a\n");
    board_text(&large, false, text);
    CHECK_TEXT(text, " 10  k . . . . . . . . .\n"
                     "  9  . . . . . . . . . .\n"
                     "  8  . . . . . . . . . .\n"
                     "  7  . . . . . . . . . .\n"
                     "  6  . . . . . . . . . .\n"
                     "  5  . . . . . . . . . .\n"
                     "  4  . . . . . . . . . .\n"
                     "  3  . . . . . . . . . .\n"
                     "  2  . . . . . . . . . n\n"
                     "  1  Q . . . . . . . . R\n"
                     "     a b c d e f g h i j\n");
    board_text(&large, true, text);
    CHECK_TEXT(text, "  1  R . . . . . . . . Q\n"
                     "  2  n . . . . . . . . .\n"
                     "  3  . . . . . . . . . .\n"
                     "  4  . . . . . . . . . .\n"
                     "  5  . . . . . . . . . .\n"
                     "  6  . . . . . . . . . .\n"
                     "  7  . . . . . . . . . .\n"
                     "  8  . . . . . . . . . .\n"
                     "  9  . . . . . . . . . .\n"
                     " 10  . . . . . . . . . k\n"
                     "     j i h g f e d c b a\n");
}

static void test_utf8(void)
{
    static const struct {
        const char *text;
        size_t bytes; /* of its first character; 0: must not be shown */
    } rows[] = {
        {"a", 1},
        {"ab", 1},
        {" ", 1},
        {"\u00e9", 2},
        {"\u20ac", 3},
        {"\U0001f600", 4},
        {"\n", 0},
        {"\x1b", 0},
        {"\x7f", 0},
        {"\x80", 0},             /* begins in the middle */
        {"\xc3", 0},             /* ends in the middle */
        {"\xe2\x82", 0},         /* ends in the middle */
        {"\xc3(", 0},            /* continues with something else */
        {"\xc1\xa1", 0},         /* overlong */
        {"\xe0\x82\x85", 0},     /* overlong */
        {"\xf0\x82\x82\xac", 0}, /* overlong */
        {"\xed\xa0\x80", 0},     /* a surrogate */
        {"\xf4\x90\x80\x80", 0}, /* beyond U+10FFFF */
        {"\xf8\x88\x80\x80", 0},
        {"\xff", 0},
        {"\xc2\x85", 0}, /* a control character */
        {"\u202e", 0},   /* reverses the direction of writing */
        {"\u2066", 0},
        {"\u061c", 0},
        {"\u200e", 0},
        {"\u200f", 0},
        {"\u2010", 3}, /* a hyphen */
        {"\u2028", 0}, /* ends the line */
        {"\u2027", 3},
        {"\u2069", 0},
        {"\u206a", 3},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("row %zu of UTF-8", i);
        CHECK_INT((long long)utf8_character(rows[i].text, strlen(rows[i].text)),
                  (long long)rows[i].bytes);
    }
}

static void test_utf8_clean(void)
{
    char text[] = "a\xc3\xa9\xc3\x1b\xe2\x82\xacz\xe2\x82";

    check_about("invalid UTF-8 is replaced");
    CHECK(!utf8_is_clean(text, strlen(text)));
    utf8_clean(text);
    CHECK_TEXT(text, "a\u00e9??\u20acz??");
    CHECK(utf8_is_clean(text, strlen(text)) && utf8_is_clean("", 0));
}

/* A quotation and a sentence that end within a character. */
static void test_cause(void)
{
    struct cause cause;
    char text[300];

    check_about("a cause is UTF-8");
    CHECK(!cause_set(&cause, "'%.2s' is no word", "a\u00e9"));
    CHECK_TEXT(cause.text, "'a?' is no word");
    memset(text, 'x', sizeof text);
    memcpy(text + sizeof cause.text - 2, "\u00e9", 3);
    CHECK(!cause_set(&cause, "%s", text));
    CHECK_INT((long long)strlen(cause.text), sizeof cause.text - 1);
    CHECK(cause.text[sizeof cause.text - 2] == '?');
}

static void test_meant_words(void)
{
    static const struct {
        const char *typed, *words[4], *meant;
    } rows[] = {
        {"lsit", {"list", "who"}, "list"},
        {"LIST", {"list"}, "list"},
        {"hisotry", {"history"}, "history"},
        {"shutdown", {"show", "shut"}, NULL},
        {"hrad", {"hard", "harm"}, "hard"},
        {"card", {"hard", "cards"}, "hard"},
        {"x", {"me"}, NULL},
        {"", {"", "who"}, ""},
        {"aaaaaaaaaaaaaaaaaaaaaaaaa", {"aaaaaaaaaaaaaaaaaaaaaaaab"}, NULL},
    };
    char text[MEANT_TEXT_MAX];

    check_about("the word that was meant");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct meant_word meant;
        meant_begin(&meant, rows[i].typed);
        for (int j = 0; j < 4 && rows[i].words[j] != NULL; j++)
            meant_try(&meant, rows[i].words[j]);
        CHECK_TEXT(meant.word != NULL ? meant.word : "none",
                   rows[i].meant != NULL ? rows[i].meant : "none");
        if (i == 0)
            CHECK_TEXT(meant_text(&meant, "--", text), " (did you mean --list?)");
        if (rows[i].meant == NULL)
            CHECK_TEXT(meant_text(&meant, "--", text), "");
    }
}

int main(void)
{
    test_utf8();
    test_utf8_clean();
    test_cause();
    test_meant_words();
    test_number();
    test_numbers_written();
    test_integers_appended();
    test_squares();
    test_square_format();
    test_moves();
    test_long_move();
    test_move_format();
    test_fields();
    test_field_number();
    test_placement();
    test_board_text();
    return check_end("test_text");
}
