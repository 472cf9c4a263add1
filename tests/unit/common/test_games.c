/* The list of games, the words they share, and Zobrist keys. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "common/game.h"
#include "common/zobrist.h"

static int compare_keys(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static void test_zobrist(void)
{
    enum { PIECES = 64, SQUARES = 256 };
    static uint64_t keys[PIECES * SQUARES];
    int equal = 0;

    check_about("Zobrist keys");
    for (unsigned i = 0; i < PIECES * SQUARES; i++)
        keys[i] = zobrist(i / SQUARES, i % SQUARES);
    CHECK(keys[0] == 0xe220a8397b1dcdaf); /* the first output of SplitMix64 seeded with 0 */
    qsort(keys, PIECES * SQUARES, sizeof keys[0], compare_keys);
    for (int i = 1; i < PIECES * SQUARES; i++)
        equal += keys[i] == keys[i - 1];
    CHECK_INT(equal, 0);
    CHECK(keys[0] != 0);
}

/* Here the games follow. */
#define MEANT_CLOBBER(text) "unknown game '" text "' (did you mean clobber?)"
#define NO_GAME(text)       "unknown game '" text "': the games are "
#define NO_SIZE(text)       "invalid size '" text "' of Clobber: write files x ranks, 1x2 to 10x10"

static const struct {
    const char *text, *variant, *refusal; /* variant NULL: refused */
    bool unknown_game;
} opened[] = {
    {"clobber", "5x6", NULL, false},
    {"clobber:5x6", "5x6", NULL, false},
    {"CLOBBER:10X10", "10x10", NULL, false},
    {"clobber:1x2", "1x2", NULL, false},
    {"clobber:2x1", "2x1", NULL, false},
    {"xadrersi", "touch", NULL, false},
    {"Xadrersi:Attack", "attack", NULL, false},
    {"clobber:", NULL, NO_SIZE(""), false},
    {"clobber:1x1", NULL, NO_SIZE("1x1"), false},
    {"clobber:11x1", NULL, NO_SIZE("11x1"), false},
    {"clobber:1x11", NULL, NO_SIZE("1x11"), false},
    {"clobber:0x5", NULL, NO_SIZE("0x5"), false},
    {"clobber:05x6", NULL, NO_SIZE("05x6"), false},
    {"clobber:5x", NULL, NO_SIZE("5x"), false},
    {"clobber:x5", NULL, NO_SIZE("x5"), false},
    {"clobber:5", NULL, NO_SIZE("5"), false},
    {"clobber:5x6x7", NULL, NO_SIZE("5x6x7"), false},
    {"clobber:5x6:1", NULL, NO_SIZE("5x6:1"), false},
    {"clobber: 5x6", NULL, NO_SIZE(" 5x6"), false},
    {"clobber:-5x6", NULL, NO_SIZE("-5x6"), false},
    {"clobber:5555555555555555555x6", NULL, NO_SIZE("555555555555"), false},
    {"", NULL, NO_GAME(""), true},
    {":", NULL, NO_GAME(""), true},
    {":5x6", NULL, NO_GAME(""), true},
    {"chess", NULL, NO_GAME("chess"), true},
    {"clobbe", NULL, MEANT_CLOBBER("clobbe"), true},
    {"clobberr", NULL, MEANT_CLOBBER("clobberr"), true},
    {" clobber", NULL, MEANT_CLOBBER(" clobber"), true},
    {"clobber 5x6", NULL, NO_GAME("clobber 5x6"), true},
    {"abcdefghijklmnopqrstuvwxyz", NULL, NO_GAME("abcdefghijklmnopqrstuvwx"), true},
};

/* Writes what refuses a game or variant; an unknown game with the names of all games, unless one
 * was meant. */
static void write_refusal(size_t row, struct cause *cause)
{
    int used = snprintf(cause->text, sizeof cause->text, "%s",
                        opened[row].refusal != NULL ? opened[row].refusal : "");

    bool lists = used > 0 && cause->text[used - 1] == ' ';
    for (int i = 0; games[i] != NULL && lists; i++)
        used += snprintf(cause->text + used, sizeof cause->text - (size_t)used, "%s%s",
                         i == 0                 ? ""
                         : games[i + 1] != NULL ? ", "
                                                : " and ",
                         games[i]->name);
}

static void test_game_open(void)
{
    struct cause refusal;

    for (size_t i = 0; i < LENGTH(opened); i++) {
        struct position position = {.side = 99}, untouched = position;
        struct cause cause = {""};
        char variant[VARIANT_NAME_MAX];
        bool unknown = !opened[i].unknown_game;
        check_about("game '%s'", opened[i].text);
        const struct game *game = game_open(opened[i].text, &position, &unknown, &cause);
        write_refusal(i, &refusal);
        CHECK_TEXT(cause.text, refusal.text);
        CHECK_INT(unknown, opened[i].unknown_game);
        if (game != NULL) {
            game->variant_name(&position, variant);
            CHECK_TEXT(variant, opened[i].variant);
        } else {
            CHECK_TEXT(NULL, opened[i].variant);
            CHECK(memcmp(&position, &untouched, sizeof position) == 0);
        }
    }
}

/* Every game is found by name, has a default variant, and refuses an unknown variant with a
 * sentence. */
static void test_games(void)
{
    CHECK_INT(game_find("clobber:5x6", 7) == &clobber, true);
    for (const struct game *const *game = games; *game != NULL; game++) {
        struct position position;
        struct cause cause = {""};
        check_about("%s", (*game)->name);
        CHECK(game_find((*game)->name, strlen((*game)->name)) == *game);
        CHECK((*game)->start(NULL, &position, &cause) && position.side == WHITE);
        CHECK(!(*game)->start("no such variant", &position, &cause) && cause.text[0] != '\0');
        CHECK(!(*game)->parse("no such variant", "8/8 w", &position, &cause));
        CHECK((*game)->title[0] != '\0' && (*game)->summary[0] != '\0');
    }
}

/* The text of a position tells the game. */
static void test_game_of_position(void)
{
    struct position position = {.side = 99}, untouched = position;
    struct cause cause;

    CHECK(game_of_position("Pp", &position, &cause) == NULL);
    CHECK_TEXT(cause.text, "'Pp' is not a position of any game");
    CHECK(memcmp(&position, &untouched, sizeof position) == 0);
    for (const struct game *const *game = games; *game != NULL; game++) {
        struct position start;
        struct move moves[MOVES_MAX];
        char text[POSITION_TEXT_MAX];
        check_about("%s", (*game)->name);
        if (strcmp((*game)->name, "breakthrough") ==
            0) /* a game of tests, with Clobber's letters */
            continue;
        CHECK((*game)->start(NULL, &start, &cause));
        for (int ply = 0; ply < 3; ply++) {
            (*game)->format(&start, text);
            CHECK(game_of_position(text, &position, &cause) == *game);
            CHECK(memcmp(&position, &start, sizeof start) == 0);
            (*game)->legal(&start, moves);
            (*game)->apply(&start, moves[0]);
        }
    }
}

/* Variants have different keys even for equal placements, such as the empty board. */
static void test_variant_keys(void)
{
    struct position touch, attack, wide, high;
    struct cause cause;

    check_about("the keys of variants");
    CHECK(xadrersi.start("touch", &touch, &cause) && xadrersi.start("attack", &attack, &cause));
    CHECK(xadrersi.key(&touch) != xadrersi.key(&attack));
    CHECK(clobber.parse(NULL, "3/3 w", &wide, &cause) &&
          clobber.parse(NULL, "2/2/2 w", &high, &cause));
    CHECK(clobber.key(&wide) != clobber.key(&high));
}

static void test_words(void)
{
    check_about("the words of results and reasons");
    CHECK_TEXT(color_name(WHITE), "white");
    CHECK_TEXT(color_name(BLACK), "black");
    CHECK_TEXT(result_text(RESULT_NONE), "*");
    CHECK_TEXT(result_text(result_win(WHITE)), "1-0");
    CHECK_TEXT(result_text(result_win(BLACK)), "0-1");
    CHECK_TEXT(result_text(RESULT_DRAW), "1/2-1/2");
    CHECK_TEXT(reason_text(REASON_NONE), NULL);
    CHECK_TEXT(reason_text(REASON_NO_MOVES), "no-moves");
    CHECK_TEXT(reason_text(REASON_DUX_IMMOBILISED), "dux-immobilised");
    CHECK_TEXT(reason_text(REASON_ABORTED), "aborted");
}

int main(void)
{
    test_zobrist();
    test_game_open();
    test_game_of_position();
    test_games();
    test_variant_keys();
    test_words();
    return check_end("test_games");
}
