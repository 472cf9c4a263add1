/*
 * Positions as text, and the rules applied to them. The first byte is the game and variant
 * (fuzz_game()), the rest the text.
 *
 * A refused position changes nothing and gets a cause. An accepted one is written back unchanged,
 * and is over exactly when it has no legal moves. These are distinct, can be written and read, and
 * lead to positions with these properties; illegal moves are explained. Mirrored, it has the
 * mirrored moves and an equal outcome.
 */
#include <stdlib.h>
#include <string.h>

#include "common/move.h"
#include "fuzz.h"
#include "symmetry.h"

enum { FOLLOWED = 6 /* legal moves to play */, EXPLAINED = 24 };

struct moves {
    int count;
    struct move list[MOVES_MAX];
};

static bool is_among(const struct moves *moves, struct move move)
{
    for (int i = 0; i < moves->count; i++)
        if (move_equal(moves->list[i], move))
            return true;
    return false;
}

static void require_same(const struct game *game, const struct position *a,
                         const struct position *b, const char *what)
{
    char texts[2][POSITION_TEXT_MAX];

    game->format(a, texts[0]);
    game->format(b, texts[1]);
    REQUIRE(memcmp(a, b, sizeof *a) == 0, "%s: %s is not %s", what, texts[0], texts[1]);
    REQUIRE(game->key(a) == game->key(b), "%s: keys differ for %s", what, texts[0]);
}

/* Writing and reading it changes nothing. */
static void check_text(const struct game *game, const struct position *position)
{
    char text[POSITION_TEXT_MAX], again[POSITION_TEXT_MAX], variant[VARIANT_NAME_MAX];
    struct position read;
    struct cause cause = {""};

    game->format(position, text);
    game->variant_name(position, variant);
    REQUIRE(strlen(text) < POSITION_TEXT_MAX && strlen(variant) < VARIANT_NAME_MAX, "no end");
    memset(&read, 0x55, sizeof read);
    REQUIRE(game->parse(variant, text, &read, &cause), "%s is refused: %s", text, cause.text);
    require_same(game, &read, position, "read again");
    game->format(&read, again);
    REQUIRE(strcmp(text, again) == 0, "%s is written as %s", text, again);
}

/* Lists the legal moves: each once, and none in a finished position. */
static void check_moves(const struct game *game, const struct position *position,
                        struct moves *moves)
{
    struct outcome outcome = game->outcome(position);
    char text[MOVE_TEXT_MAX];

    moves->count = game->legal(position, moves->list);
    REQUIRE(moves->count >= 0 && moves->count <= MOVES_MAX, "%d moves", moves->count);
    REQUIRE(game->legal(position, NULL) == moves->count, "%d moves are counted differently",
            moves->count);
    REQUIRE((moves->count == 0) == (outcome.result != RESULT_NONE),
            "%d moves, and the result is %s", moves->count, result_text(outcome.result));
    REQUIRE((outcome.result == RESULT_NONE) == (outcome.reason == REASON_NONE), "no reason");
    REQUIRE(outcome.reason < REASON_RESIGN && outcome.reason != REASON_REPETITION,
            "the position knows the reason %s", reason_text(outcome.reason));
    for (int i = 0; i < moves->count; i++) {
        struct moves before = {.count = i};
        memcpy(before.list, moves->list, (size_t)i * sizeof before.list[0]);
        move_format(position, moves->list[i], text);
        REQUIRE(!is_among(&before, moves->list[i]), "%s is there twice", text);
    }
}

static struct outcome seen_outcome(const struct symmetry *symmetry, struct outcome outcome)
{
    if (symmetry->swap && outcome.result == RESULT_WHITE)
        outcome.result = RESULT_BLACK;
    else if (symmetry->swap && outcome.result == RESULT_BLACK)
        outcome.result = RESULT_WHITE;
    return outcome;
}

static void check_traits(const struct game *game, const struct position *position,
                         const struct position *seen)
{
    int points[2], seen_points[2];

    if (game->check != NULL)
        REQUIRE(game->check(position) == game->check(seen), "in check on one side of the mirror");
    if (game->score == NULL)
        return;
    game->score(position, points);
    game->score(seen, seen_points);
    REQUIRE(points[WHITE] == seen_points[WHITE] && points[BLACK] == seen_points[BLACK],
            "%d:%d points, in the mirror %d:%d", points[WHITE], points[BLACK], seen_points[WHITE],
            seen_points[BLACK]);
}

static void check_symmetry(const struct symmetry *symmetry, const struct game *game,
                           const struct position *position, const struct moves *moves)
{
    struct position seen;
    struct moves seen_moves;
    char text[MOVE_TEXT_MAX];

    if (!symmetry_fits(symmetry, game))
        return;
    symmetry_position(symmetry, game, position, &seen);
    check_moves(game, &seen, &seen_moves);
    REQUIRE(seen_moves.count == moves->count, "%d moves, in the mirror %d", moves->count,
            seen_moves.count);
    for (int i = 0; i < moves->count; i++) {
        move_format(position, moves->list[i], text);
        REQUIRE(is_among(&seen_moves, symmetry_move(symmetry, position, moves->list[i])),
                "%s is not legal in the mirror", text);
    }
    struct outcome outcome = seen_outcome(symmetry, game->outcome(position));
    struct outcome other = game->outcome(&seen);
    REQUIRE(outcome.result == other.result && outcome.reason == other.reason,
            "the result is %s, in the mirror %s", result_text(outcome.result),
            result_text(other.result));
    check_traits(game, position, &seen);
}

/* Playing and mirroring commute. */
static void check_played(const struct symmetry *symmetry, const struct game *game,
                         const struct position *position, struct move move)
{
    struct position next = *position, seen_next, seen;

    if (!symmetry_fits(symmetry, game))
        return;
    game->apply(&next, move);
    symmetry_position(symmetry, game, &next, &seen_next);
    symmetry_position(symmetry, game, position, &seen);
    game->apply(&seen, symmetry_move(symmetry, position, move));
    require_same(game, &seen, &seen_next, "played in the mirror");
}

static void check_legal(const struct game *game, const struct position *position, struct move move)
{
    struct position next = *position;
    struct moves moves;
    struct move read;
    struct cause cause = {""};
    char text[MOVE_TEXT_MAX];

    move_format(position, move, text);
    REQUIRE(strlen(text) < MOVE_TEXT_MAX, "no end");
    REQUIRE(move_parse(game, position, text, &read, &cause), "%s is refused: %s", text, cause.text);
    REQUIRE(move_equal(read, move), "%s is another move", text);
    game->apply(&next, move);
    REQUIRE(next.side != position->side, "%s is followed by a move of the same side", text);
    check_text(game, &next);
    check_moves(game, &next, &moves);
}

/* Returns a random, well-formed move. */
static struct move some_move(const struct game *game, const struct position *position,
                             struct dice *dice)
{
    unsigned squares = (unsigned)(position->width * position->height);
    struct move move = {.to = (uint8_t)dice_throw(dice, squares)};

    if (dice_throw(dice, 20) == 0)
        return (struct move){.kind = MOVE_PASS};
    if (game->pieces[0] != '\0') {
        move.kind = MOVE_PLACE;
        move.piece = game->pieces[dice_throw(dice, (unsigned)strlen(game->pieces))];
    } else {
        move.kind = MOVE_STEP;
        move.from = (uint8_t)dice_throw(dice, squares);
    }
    return move;
}

static void check_explained(const struct game *game, const struct position *position,
                            const struct moves *moves, struct dice *dice)
{
    char text[MOVE_TEXT_MAX];

    for (int i = 0; i < EXPLAINED && moves->count > 0; i++) {
        struct move move = some_move(game, position, dice), read;
        struct cause cause = {""};
        bool legal = is_among(moves, move);
        move_format(position, move, text);
        REQUIRE(move_parse(game, position, text, &read, &cause) == legal, "%s: %s", text,
                legal ? "refused" : "accepted");
        if (!legal)
            fuzz_require_cause(&cause);
    }
}

static void check_position(const struct game *game, const struct position *position,
                           struct dice *dice)
{
    static const struct symmetry symmetries[] = {
        {.mirror = true}, {.transpose = true}, {.flip = true, .swap = true}};
    size_t symmetry_count = sizeof symmetries / sizeof symmetries[0];
    struct moves moves;

    check_text(game, position);
    check_moves(game, position, &moves);
    for (size_t i = 0; i < symmetry_count; i++)
        check_symmetry(&symmetries[i], game, position, &moves);
    for (int i = 0; i < moves.count && i < FOLLOWED; i++) {
        struct move move = moves.list[dice_throw(dice, (unsigned)moves.count)];
        check_legal(game, position, move);
        check_played(&symmetries[dice_throw(dice, (unsigned)symmetry_count)], game, position, move);
    }
    check_explained(game, position, &moves, dice);
}

/* The input is the seed. */
static struct dice dice_of(const uint8_t *data, size_t size)
{
    struct dice dice = {size};

    for (size_t i = 0; i < size; i++)
        dice.state = (dice.state ^ data[i]) * UINT64_C(1099511628211);
    return dice;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct position position, untouched;
    struct cause cause = {""};
    const char *variant;

    if (size == 0)
        return 0;
    const struct game *game = fuzz_game(data[0], &variant);
    char *text = strndup((const char *)data + 1, size - 1);
    struct dice dice = dice_of(data, size);
    if (text == NULL)
        abort();
    memset(&untouched, 0x5a, sizeof untouched);
    position = untouched;
    if (game->parse(variant, text, &position, &cause)) {
        char written[POSITION_TEXT_MAX];
        game->format(&position, written);
        REQUIRE(strcmp(written, text) == 0, "%s is written as %s", text, written);
        check_position(game, &position, &dice);
    } else {
        fuzz_require_cause(&cause);
        REQUIRE(memcmp(&position, &untouched, sizeof position) == 0, "what was refused is changed");
    }
    free(text);
    return 0;
}
