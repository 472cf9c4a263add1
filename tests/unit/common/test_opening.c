/* Openings: their text, random ones, and the balanced ones that are built in. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "common/opening.h"

static void test_text(void)
{
    struct position start, end;
    struct opening opening;
    struct cause cause;
    char line[128];

    check_about("the text of an opening");
    CHECK(clobber.start("3x3", &start, &cause));
    snprintf(line, sizeof line, "startpos moves a2a1 a3b3");
    CHECK(opening_read(&clobber, &start, line, &opening, &cause));
    CHECK_INT(opening.plies, 2);
    CHECK(opening_play(&clobber, &opening, &end));
    CHECK(opening.key == clobber.key(&end));
    snprintf(line, sizeof line, "fen PpP/3/pP1 b");
    CHECK(opening_read(&clobber, &start, line, &opening, &cause));
    CHECK_INT(opening.plies, 0);
    CHECK_INT(opening.start.side, BLACK);
    snprintf(line, sizeof line, "startpos moves a1a3");
    CHECK(!opening_read(&clobber, &start, line, &opening, &cause));
    snprintf(line, sizeof line, "P2/3/3 w");
    CHECK(!opening_read(&clobber, &start, line, &opening, &cause));
    CHECK_TEXT(cause.text, "the game is over after this opening");
    snprintf(line, sizeof line, "nonsense");
    CHECK(!opening_read(&clobber, &start, line, &opening, &cause));
}

static void test_openings_of(const struct game *game)
{
    struct position start;
    struct opening_book book, again;
    struct cause cause;

    check_about("openings of %s", game->name);
    CHECK(game->start(NULL, &start, &cause));
    book_init(&book, game, &start, 5, 7);
    book_init(&again, game, &start, 5, 7);
    for (int i = 0; i < 50; i++) {
        const struct opening *opening = book_opening(&book, i);
        if (!CHECK(opening != NULL))
            break;
        struct position position = start;
        for (int ply = 0; ply < 5; ply++)
            game->apply(&position, opening->moves[ply]);
        CHECK(game->outcome(&position).result == RESULT_NONE);
        CHECK_INT(position.side, BLACK);
        CHECK(opening->key == game->key(&position));
        for (int j = 0; j < i; j++)
            CHECK(book_opening(&book, j)->key != book_opening(&book, i)->key);
    }
    CHECK(book_opening(&again, 49) != NULL &&
          book_opening(&again, 49)->key == book_opening(&book, 49)->key);
    book_release(&book);
    book_release(&again);
}

static void test_random(void)
{
    struct position start;
    struct cause cause;
    struct opening_book book;

    for (const struct game *const *game = games; *game != NULL; game++)
        test_openings_of(*game);

    check_about("a board with few openings: white has four first moves on 2x2");
    CHECK(clobber.start("2x2", &start, &cause));
    book_init(&book, &clobber, &start, 1, 1);
    CHECK(book_opening(&book, 3) != NULL);
    CHECK(book_opening(&book, 4) == NULL);
    book_release(&book);

    check_about("no opening: one pair");
    book_init(&book, &clobber, &start, 0, 1);
    CHECK(book_opening(&book, 0) != NULL);
    CHECK(book_opening(&book, 1) == NULL);
    book_release(&book);

    check_about("a match that is over within the opening");
    book_init(&book, &clobber, &start, 4, 1);
    CHECK(book_opening(&book, 0) == NULL);
    book_release(&book);
}

/* Each of the balanced ones is legal, and no two lead to one position. Clobber's 4x5 has none, as
 * the search sees who wins. */
static void test_balanced_of(const struct game *game, const char *variant)
{
    struct opening opening, other;
    struct position start;
    struct cause cause;

    check_about("balanced openings of %s:%s", game->name, variant);
    CHECK(game->start(variant, &start, &cause));
    int count = opening_count(game, &start);
    CHECK(count >= 8 || strcmp(variant, "4x5") == 0);
    for (int i = 0; i < count; i++) {
        if (!CHECK(opening_find(game, &start, i, &opening)))
            continue;
        CHECK(memcmp(&opening.start, &start, sizeof start) == 0);
        CHECK_INT(opening.plies % 2, 0);
        for (int j = 0; j < i; j++)
            CHECK(opening_find(game, &start, j, &other) && other.key != opening.key);
    }
    CHECK(!opening_find(game, &start, count, &opening));
    CHECK(!opening_find(game, &start, -1, &opening));
    check_about("and none from elsewhere");
    if (opening_find(game, &start, 0, &opening) && opening_play(game, &opening, &start))
        CHECK_INT(opening_count(game, &start), 0);
}

static void test_balanced(void)
{
    for (const struct game *const *game = games; *game != NULL; game++)
        for (const char *const *variant = (*game)->variants; *variant != NULL; variant++)
            test_balanced_of(*game, *variant);
}

int main(void)
{
    test_text();
    test_random();
    test_balanced();
    return check_end("test_opening");
}
