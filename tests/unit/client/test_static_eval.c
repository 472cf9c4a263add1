/*
 * Static evaluation: values ignore colours and reflection, and see what is obvious.
 */
#include <string.h>

#include "check.h"
#include "client/games/guide.h"
#include "client/games/terms.h"
#include "common/rng.h"

enum { POSITIONS = 300, PLIES = 80 };

static uint64_t rng = 7;

/* Flips the board upside down or mirrors it; its ranks have `width` squares. */
static uint64_t turned(uint64_t set, int width, bool upside_down)
{
    uint64_t turned = 0;

    for (; set != 0; set &= set - 1) {
        int square = __builtin_ctzll(set), file = square % width, rank = square / width;
        if (upside_down)
            rank = width - 1 - rank;
        else
            file = width - 1 - file;
        turned |= (uint64_t)1 << (rank * width + file);
    }
    return turned;
}

/* Returns the position with colours swapped and the board upside down, or with its files mirrored.
 * The pairs of words by colour begin at `colored`. */
static struct position twin(const struct position *position, int colored, bool swap)
{
    struct position twin = *position;

    for (int word = 0; word < colored + 4; word++) {
        int from = swap && word >= colored ? ((word - colored) ^ 1) + colored : word;
        twin.bits[word] = turned(position->bits[from], position->width, swap);
    }
    twin.side = swap ? !position->side : position->side;
    return twin;
}

static struct position random_position(const struct game *game)
{
    struct position start, position;
    struct move moves[MOVES_MAX];
    struct cause cause;

    game->start(NULL, &start, &cause);
    do {
        position = start;
        for (int ply = rng_below(&rng, PLIES); ply > 0; ply--) {
            int count = game->legal(&position, moves);
            if (count == 0)
                break;
            game->apply(&position, moves[rng_below(&rng, count)]);
        }
    } while (game->legal(&position, NULL) == 0);
    return position;
}

static void test_symmetry(const struct terms *terms, int colored)
{
    int (*value_of)(const struct position *) = guide_of(terms->game)->value;

    for (int i = 0; i < POSITIONS; i++) {
        struct position position = random_position(terms->game);
        struct position swapped = twin(&position, colored, true);
        struct position mirrored = twin(&position, colored, false);
        char text[POSITION_TEXT_MAX];
        int found[TERMS_MAX], phase = terms->find(&position, found);
        terms->game->format(&position, text);
        check_about("%s %s", terms->game->name, text);
        CHECK(value_of(&swapped) == value_of(&position));
        CHECK(value_of(&mirrored) == value_of(&position));
        CHECK(phase >= 0 && phase <= LATE);
    }
}

static int still(const struct game *game, const char *text)
{
    struct position position;
    struct cause cause;

    check_about("%s %s", game->name, text);
    if (!CHECK(game->parse(NULL, text, &position, &cause)))
        return 0;
    return guide_of(game)->value(&position);
}

/* Returns the term of that name. */
static int term(const struct terms *terms, const char *name, const char *text)
{
    struct position position;
    struct cause cause;
    int found[TERMS_MAX], i = 0;

    if (!CHECK(terms->game->parse(NULL, text, &position, &cause)))
        return 0;
    while (i < terms->count - 1 && strcmp(terms->names[i], name) != 0)
        i++;
    terms->find(&position, found);
    return found[i];
}

static void test_latrunculi(void)
{
    /* Soldiers count for either side to move; a lead counts less as the draw comes near. */
    CHECK(still(&latrunculi, "2ssss2/3d4/8/8/8/8/4D3/1SSSSSS1 w 0") > 50);
    CHECK(still(&latrunculi, "2ssss2/3d4/8/8/8/8/4D3/1SSSSSS1 b 0") < -50);
    int lead = still(&latrunculi, "2ssss2/3d4/8/8/8/8/4D3/1SSSSSS1 w 84");
    CHECK(still(&latrunculi, "2ssss2/3d4/8/8/8/8/4D3/1SSSSSS1 w 92") == lead / 2);
    /* A soldier hangs when an enemy can reach the square on its far side. */
    CHECK_INT(term(&latrunculi_terms, "HANGING", "2s5/3d4/8/8/3Ss3/8/4D3/SSS5 w 0"), 1);
    CHECK_INT(term(&latrunculi_terms, "HANGING", "7s/3d4/8/8/3Ss3/8/4D3/SSS5 w 0"), 0);
}

static void test_shakti(void)
{
    CHECK(still(&shakti, "*5*/1w1k3/7/7/7/1W1K1W1/*5* w 0") > 50);
    CHECK(still(&shakti, "*5*/1w1k3/7/7/7/1W1K1W1/*5* b 0") < -50);
    /* Holes around the king cost points. */
    CHECK(still(&shakti, "*1***1*/1wk2w1/1***3/7/7/1W1K1W1/*5* w 0") >
          still(&shakti, "*5*/1wk2w1/7/7/7/1W1K1W1/*5* w 0"));
}

int main(void)
{
    test_symmetry(&latrunculi_terms, 0);
    test_symmetry(&shakti_terms, 1);
    test_latrunculi();
    test_shakti();
    return check_end("test_static_eval");
}
