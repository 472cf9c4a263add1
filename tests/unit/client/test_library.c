/*
 * libludus.so says what the games say: its functions, linked in, against those of game.h, in every
 * position of random games of all games and variants.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "client/library/ludus.h"
#include "common/game.h"
#include "common/move.h"
#include "common/rng.h"

enum { GAMES_ENOUGH = 60, PLIES_MAX = 1000, PLANES_MAX = 12 };

/* The same position, in both forms. */
struct subject {
    const struct game *game;
    struct position position;
    struct ludus_position other;
};

static void texts_agree(const struct subject *s)
{
    char want[POSITION_TEXT_MAX], got[LUDUS_TEXT_MAX], name[LUDUS_TEXT_MAX], why[LUDUS_TEXT_MAX];
    struct ludus_position read;

    s->game->format(&s->position, want);
    ludus_write(&s->other, got);
    CHECK_TEXT(got, want);
    ludus_write_game(&s->other, name);
    CHECK(ludus_read(name, got, &read, why) && memcmp(&read, &s->other, sizeof read) == 0);
}

/* Each legal move is an action of its own, and no other action is legal. */
static void moves_agree(const struct subject *s)
{
    struct move moves[MOVES_MAX];
    uint16_t actions[LUDUS_MOVES_MAX];
    uint8_t mask[10001];
    char text[MOVE_TEXT_MAX], got[LUDUS_TEXT_MAX], why[LUDUS_TEXT_MAX];
    int count = s->game->legal(&s->position, moves), all = ludus_action_count(&s->other), ones = 0;

    CHECK_INT(ludus_legal(&s->other, actions), count);
    CHECK(all <= (int)sizeof mask);
    ludus_mask_many(&s->other, 1, mask, all);
    for (int i = 0; i < count; i++) {
        move_format(&s->position, moves[i], text);
        CHECK(actions[i] < all && mask[actions[i]] == 1);
        CHECK(ludus_write_action(&s->other, actions[i], got));
        CHECK_TEXT(got, text);
        CHECK_INT(ludus_action(&s->other, text, why), actions[i]);
    }
    for (int i = 0; i < all; i++)
        ones += mask[i];
    CHECK_INT(ones, count); /* so no two moves share an action */
    for (int i = -1; i <= all; i++) {
        struct ludus_position after = s->other;
        bool is_legal = i >= 0 && i < all && mask[i] == 1;
        if (!is_legal)
            CHECK(!ludus_play(&after, i) && memcmp(&after, &s->other, sizeof after) == 0);
        i += is_legal || all < 100 ? 0 : 37; /* not every one of ten thousand */
    }
}

static void worth_agrees(const struct subject *s)
{
    struct outcome want = s->game->outcome(&s->position);
    const char *reason;
    int points[2], got[2];

    CHECK_INT(ludus_outcome(&s->other, &reason), want.result);
    CHECK_TEXT(reason, reason_text(want.reason));
    CHECK(ludus_key(&s->other) == s->game->key(&s->position));
    CHECK_INT(ludus_side(&s->other), s->position.side);
    CHECK(ludus_score(&s->other, got) == (s->game->score != NULL));
    if (s->game->score != NULL) {
        s->game->score(&s->position, points);
        CHECK(memcmp(points, got, sizeof points) == 0);
    }
}

/* The board can be drawn from the planes. */
static void planes_agree(const struct subject *s)
{
    uint8_t planes[PLANES_MAX * LUDUS_SQUARES_MAX];
    char letters[LUDUS_TEXT_MAX], cells[LUDUS_SQUARES_MAX + 1];
    int kinds = ludus_letters(&s->other, letters);
    struct board board;

    s->game->board(&s->position, &board);
    int squares = board.width * board.height, count = ludus_plane_count(&s->other);
    CHECK(count == 2 * kinds + 2 && count <= PLANES_MAX);
    ludus_board(&s->other, cells);
    CHECK(memcmp(cells, board.cell, (size_t)squares) == 0);
    ludus_planes(&s->other, planes);
    for (int square = 0; square < squares; square++) {
        char drawn = '.';
        for (int plane = 0; plane < 2 * kinds; plane++)
            if (planes[plane * squares + square] != 0)
                drawn = (char)(letters[plane % kinds] + (plane < kinds ? 0 : 'a' - 'A'));
        if (planes[2 * kinds * squares + square] != 0)
            drawn = '*';
        CHECK(drawn == board.cell[square]);
        CHECK(planes[(2 * kinds + 1) * squares + square] == s->position.side);
    }
}

static void play_one(const char *start, uint64_t *rng)
{
    struct subject s;
    struct cause cause;
    char why[LUDUS_TEXT_MAX];
    struct move moves[MOVES_MAX];

    s.game = game_open(start, &s.position, NULL, &cause);
    if (!CHECK(s.game != NULL && ludus_open(start, &s.other, why)))
        return;
    for (int ply = 0; ply < PLIES_MAX; ply++) {
        texts_agree(&s);
        worth_agrees(&s);
        planes_agree(&s);
        moves_agree(&s);
        int count = s.game->legal(&s.position, moves);
        if (count == 0)
            break;
        uint16_t actions[LUDUS_MOVES_MAX];
        int choice = rng_below(rng, count);
        ludus_legal(&s.other, actions);
        s.game->apply(&s.position, moves[choice]);
        CHECK(ludus_play(&s.other, actions[choice]));
    }
}

/* A game by ludus_random_game() is the one that the same numbers choose here. */
static void random_games_agree(const char *start)
{
    for (uint64_t seed = 0; seed < GAMES_ENOUGH; seed++) {
        uint64_t mine = seed, its = seed;
        struct position position;
        struct ludus_position other;
        struct cause cause;
        char why[LUDUS_TEXT_MAX], text[POSITION_TEXT_MAX];
        struct move moves[MOVES_MAX];
        const struct game *game = game_open(start, &position, NULL, &cause);
        int plies = 0, count;
        if (!CHECK(game != NULL && ludus_open(start, &other, why)))
            return;
        for (; plies < PLIES_MAX && (count = game->legal(&position, moves)) > 0; plies++)
            game->apply(&position, moves[rng_below(&mine, count)]);
        CHECK_INT(ludus_random_game(&other, &its, PLIES_MAX), plies);
        game->format(&position, text);
        ludus_write(&other, why);
        CHECK_TEXT(why, text);
        CHECK(mine == its);
    }
}

static void many_at_a_time(void)
{
    struct ludus_position starts[3], positions[3];
    int32_t actions[3];
    int8_t results[3];
    char why[LUDUS_TEXT_MAX], text[LUDUS_TEXT_MAX];

    for (int i = 0; i < 3; i++)
        CHECK(ludus_open("Pp w", &starts[i], why));
    memcpy(positions, starts, sizeof starts);
    actions[0] = actions[1] = ludus_action(&starts[0], "a1b1", why);
    actions[2] = ludus_action_count(&starts[0]);
    CHECK_INT(ludus_step_many(positions, actions, 3, results, NULL), 2);
    CHECK(results[0] == LUDUS_WHITE && results[1] == LUDUS_WHITE && results[2] == -1);
    ludus_write(&positions[0], text);
    CHECK_TEXT(text, "1P b");
    CHECK(memcmp(&positions[2], &starts[2], sizeof starts[2]) == 0);
    CHECK_INT(ludus_step_many(positions, actions, 3, results, starts),
              0); /* those games are over */
    memcpy(positions, starts, sizeof starts);
    CHECK_INT(ludus_step_many(positions, actions, 3, results, starts), 2);
    CHECK(results[0] == LUDUS_WHITE && memcmp(positions, starts, sizeof starts) == 0);
    uint64_t seed = 7;
    ludus_random_many(starts, 3, &seed, actions);
    CHECK_INT(actions[1], ludus_action(&starts[1], "a1b1", why));
    CHECK_INT(ludus_random_game(&positions[0], &seed, 0), 0);
}

static void refusals(void)
{
    struct ludus_position position = {{1}}, before = position;
    char why[LUDUS_TEXT_MAX];

    CHECK(!ludus_open("chess", &position, why) && strstr(why, "chess") != NULL);
    CHECK(!ludus_open("PPx w", &position, why));
    CHECK(!ludus_read("clobber:3x3", "Pp w", &position, why));
    CHECK(!ludus_read("nothing", "Pp w", &position, why));
    CHECK(memcmp(&position, &before, sizeof position) == 0);
    CHECK(ludus_open("clobber:2x1", &position, why));
    CHECK_INT(ludus_action(&position, "a1a2", why), -1);
    CHECK(strstr(why, "a2") != NULL);
    CHECK(!ludus_write_action(&position, -1, why) && !ludus_write_action(&position, 5, why));
    CHECK(ludus_game_name(-1) == NULL && ludus_variant_name(-1, 0) == NULL);
    CHECK(ludus_variant_name(0, -1) == NULL && !ludus_repetition_draws(99));
    CHECK_INT(ludus_api(), LUDUS_API);
}

int main(void)
{
    uint64_t rng = 1;
    char start[LUDUS_TEXT_MAX];
    struct ludus_position position;

    for (int game = 0; ludus_game_name(game) != NULL; game++)
        for (int i = 0; ludus_variant_name(game, i) != NULL; i++) {
            snprintf(start, sizeof start, "%s:%s", ludus_game_name(game),
                     ludus_variant_name(game, i));
            check_about("%s", start);
            for (int j = 0; j < 4; j++)
                play_one(start, &rng);
            random_games_agree(start);
            CHECK(ludus_open(start, &position, start) && ludus_game(&position) == game);
        }
    check_about("clobber:10x2");
    play_one("clobber:10x2", &rng);
    check_about("many");
    many_at_a_time();
    refusals();
    return check_end("test_library");
}
