/*
 * The book of Clobber and the proofs that it is made of. Whoever follows the book must win, and the
 * solver below must find the rest easy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "client/bot/clobber/clobber_book.h"
#include "client/bot/clobber/clobber_solve.c" /* for what no caller may do: falsify() */
#include "client/bot/search/engine.h"
#include "client/games/guide.h"
#include "common/rng.h"

enum { MEMORY_BYTES = 8 << 20, LINES = 36, NODES_BELOW = 60000 };

static uint64_t rng = 7;

static struct position start_of(int width, int height)
{
    struct position position;
    struct cause cause;
    char name[VARIANT_NAME_MAX];

    snprintf(name, sizeof name, "%ux%u", (unsigned)width % 100, (unsigned)height % 100);
    CHECK(clobber.start(name, &position, &cause));
    check_about("%s", name);
    return position;
}

/* Returns a position after `plies` random moves, or fewer. */
static struct position random_position(int width, int height, int plies)
{
    struct position position = start_of(width, height);
    struct move moves[MOVES_MAX];

    for (int count; plies-- > 0 && (count = clobber.legal(&position, moves)) > 0;)
        clobber.apply(&position, moves[rng_below(&rng, count)]);
    return position;
}

/* Returns the position with the file and rank of each square exchanged, or turned by 90 degrees. */
static struct position image_of(const struct position *position, bool turns)
{
    struct position image = {
        .side = position->side, .width = position->height, .height = position->width};

    for (int square = 0; square < position->width * position->height; square++) {
        int rank = square / position->width, file = square % position->width;
        int to = file * image.width + (turns ? image.width - 1 - rank : rank);
        for (int color = 0; color < 2; color++)
            if (position->bits[2 * color] >> square & 1)
                image.bits[2 * color] |= (uint64_t)1 << to;
    }
    return image;
}

static struct position exchanged(const struct position *position)
{
    struct position other = *position;

    other.bits[0] = position->bits[2];
    other.bits[2] = position->bits[0];
    other.side = !position->side;
    return other;
}

static bool are_images(struct position position, const struct position *other)
{
    for (int i = 0; i < 8; i++) {
        struct position colors = exchanged(&position);
        if (memcmp(&position, other, sizeof position) == 0 ||
            memcmp(&colors, other, sizeof colors) == 0)
            return true;
        position = image_of(&position, i != 3);
    }
    return false;
}

/* Equal for images and for no others. */
static void test_keys(void)
{
    int images = 0;

    for (int i = 0; i < 40; i++) {
        struct position position = random_position(4 + i % 2, 4, i % 5);
        struct move moves[MOVES_MAX];
        int count = clobber.legal(&position, moves);
        for (int j = 0; j < count * count; j++) {
            struct position one = position, other = position;
            clobber.apply(&one, moves[j / count]);
            clobber.apply(&other, moves[j % count]);
            other = j % 2 == 0 ? other : image_of(&other, true);
            other = j % 3 == 0 ? other : exchanged(&other);
            CHECK_INT(book_key(&one) == book_key(&other), are_images(one, &other));
            images += are_images(one, &other);
        }
    }
    CHECK(images > 500);
}

/* The keys of a board ascend, as the lookup requires. */
static void test_order(void)
{
    for (const struct book *book = books; book->width != 0; book++) {
        check_about("%dx%d", book->width, book->height);
        CHECK(book->width <= book->height && book->width * book->height <= 30);
        CHECK_INT((long long)strlen(book->keys), (long long)book->count * BOOK_DIGITS);
        for (int i = 1; i < book->count; i++)
            CHECK(memcmp(book->keys + (i - 1) * BOOK_DIGITS, book->keys + i * BOOK_DIGITS,
                         BOOK_DIGITS) < 0);
    }
}

static struct move prove(struct solver *solver, const struct position *position)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;

    request.limits.nodes = NODES_BELOW;
    CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_DONE);
    CHECK(answer.wins);
    return answer.move;
}

/* Plays at random against the book, and against the solver below it. */
static void play_line(struct solver *solver, const struct book *book, bool lies)
{
    struct position position =
        lies ? start_of(book->height, book->width) : start_of(book->width, book->height);
    struct move moves[MOVES_MAX], move;
    bool is_winner = book_reply(&position, &move);
    int by_book = 0;

    for (int count; (count = clobber.legal(&position, moves)) > 0; is_winner = !is_winner) {
        move = moves[rng_below(&rng, count)];
        if (is_winner && book_reply(&position, &move))
            by_book++;
        else if (is_winner)
            move = prove(solver, &position);
        clobber.apply(&position, move);
    }
    CHECK(!is_winner); /* the other side cannot move */
    CHECK(by_book > 0);
}

static void test_lines(struct solver *solver)
{
    CHECK(books[0].width != 0);
    for (const struct book *book = books; book->width != 0; book++)
        for (int i = 0; i < LINES; i++)
            play_line(solver, book, i % 2 == 1);
}

/* Whether the side to move wins by the book or by the solver below it. */
static bool is_known(struct solver *solver, const struct position *position)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;
    struct move move;

    request.limits.nodes = NODES_BELOW;
    return book_reply(position, &move) ||
           (solver_solve(solver, &request, &answer) == SOLVE_DONE && answer.wins);
}

/* Whatever the first two plies are, somebody wins by the book: at once, or after any move. */
static void test_two_plies(struct solver *solver)
{
    struct move moves[MOVES_MAX], move;
    int by_book = 0;

    for (const struct book *book = books; book->width != 0; book++)
        for (int i = 0; i < LINES; i++) {
            struct position position = random_position(book->width, book->height, 2);
            by_book += book_reply(&position, &move);
            if (is_known(solver, &position))
                continue;
            for (int j = clobber.legal(&position, moves); j-- > 0;) {
                struct position next = position;
                clobber.apply(&next, moves[j]);
                CHECK(is_known(solver, &next));
            }
        }
    CHECK(by_book * 3 > LINES);
}

/* The keys of the last proof. */
static uint64_t keys[1 << 16];

static bool is_in(const struct positions *proof, const struct position *position)
{
    uint64_t key = book_key(position);

    for (size_t i = 0; i < proof->count; i++)
        if (keys[i] == key)
            return true;
    return false;
}

static bool has_reply(const struct positions *proof, const struct position *position)
{
    struct move moves[MOVES_MAX];

    for (int i = clobber.legal(position, moves); i-- > 0;) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        if (is_in(proof, &next))
            return true;
    }
    return false;
}

/* Whatever is played in a position of the proof, the answer is in the proof, or a win below it. */
static void check_closed(struct solver *solver, const struct positions *proof)
{
    struct move moves[MOVES_MAX];

    for (size_t i = 0; i < proof->count; i++)
        for (int j = clobber.legal(&proof->at[i], moves); j-- > 0;) {
            struct position next = proof->at[i];
            clobber.apply(&next, moves[j]);
            if (!has_reply(proof, &next))
                prove(solver, &next);
        }
}

static void note_keys(const struct positions *proof)
{
    CHECK(proof->count < LENGTH(keys));
    for (size_t i = 0; i < proof->count && i < LENGTH(keys); i++)
        keys[i] = book_key(&proof->at[i]);
}

/* Whether the proof has a reply, or a new solver wins at once. */
static bool is_answered(struct solver *trial, const struct positions *proof, int effort,
                        const struct position *position)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;

    request.limits.nodes = (uint64_t)1 << effort;
    solver_forget(trial);
    return has_reply(proof, position) ||
           (solver_solve(trial, &request, &answer) == SOLVE_DONE && answer.wins);
}

/* What has no answer is lost. Returns how many have a reply. */
static int check_opening(struct solver *solver, struct solver *trial, const struct positions *proof,
                         int effort, const struct position *position, int plies)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};
    struct solve_answer answer;
    struct move moves[MOVES_MAX];
    int replies = has_reply(proof, position);

    CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_DONE);
    CHECK(!answer.wins || is_answered(trial, proof, effort, position));
    CHECK(answer.wins || replies == 0);
    for (int i = plies > 0 ? clobber.legal(position, moves) : 0; i-- > 0;) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        replies += check_opening(solver, trial, proof, effort, &next, plies - 1);
    }
    return replies;
}

static void test_openings(void)
{
    enum { PLIES = 3, EFFORT = 3 };
    struct solver *solver = solver_new(MEMORY_BYTES, false);
    struct solver *trial = solver_new(MEMORY_BYTES, false);
    struct position start = start_of(4, 4);
    struct positions proof;
    struct position refuted;

    CHECK_INT(proof_collect(&proof, solver, &start, PLIES, EFFORT, &refuted), PROOF_DONE);
    note_keys(&proof);
    CHECK(check_opening(solver, trial, &proof, EFFORT, &start, PLIES) > 1000);
    positions_release(&proof);
    solver_free(solver);
    solver_free(trial);
}

static void test_proofs(void)
{
    static const struct {
        int width, height, effort;
        bool second;
    } boards[] = {{4, 5, 7, false}, {3, 6, 7, true}, {2, 6, 0, true}, {3, 5, 2, false}};

    for (size_t i = 0; i < LENGTH(boards); i++) {
        struct solver *solver = solver_new(MEMORY_BYTES, false);
        struct position start = start_of(boards[i].width, boards[i].height);
        struct positions proof;
        struct position refuted;
        CHECK_INT(proof_collect(&proof, solver, &start, 0, boards[i].effort, &refuted), PROOF_DONE);
        CHECK(proof.count > 3);
        note_keys(&proof);
        CHECK_INT(is_in(&proof, &start), boards[i].second);
        CHECK(boards[i].second || has_reply(&proof, &start));
        check_closed(solver, &proof);
        positions_release(&proof);
        solver_free(solver);
    }
}

/* Exchanges who wins in all that a solver knows. */
static void falsify(struct solver *solver)
{
    for (size_t i = 0; i < (solver->table.mask + 1) * BUCKET_ENTRIES; i++)
        solver->table.entries[i] ^= solver->table.entries[i] != 0;
}

/* The second player wins these boards, but the solver says that each move of the first one does.
 * The walk has to find that out, at a leaf of whatever size. */
static void test_falsehoods(void)
{
    static const struct {
        int width, height, effort;
    } boards[] = {{3, 4, 0}, {3, 4, 10}, {3, 6, 0}, {3, 6, 7}, {3, 6, 12}, {2, 9, 12}};

    for (size_t i = 0; i < LENGTH(boards); i++) {
        struct position start = start_of(boards[i].width, boards[i].height), refuted;
        struct solve_request request = {.position = start, .limits = NO_LIMITS};
        struct solver *solver = solver_new(MEMORY_BYTES, false);
        struct solve_answer answer;
        struct positions proof;
        CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_DONE);
        falsify(solver);
        CHECK_INT(proof_collect(&proof, solver, &start, 0, boards[i].effort, &refuted),
                  PROOF_FALSE);
        positions_release(&proof);
        solver_forget(solver);
        request.position = refuted;
        CHECK_INT(solver_solve(solver, &request, &answer), SOLVE_DONE);
        CHECK(!answer.wins);
        solver_free(solver);
    }
}

static void keep(void *context, const struct info *info)
{
    *(struct info *)context = *info;
}

/* Level max plays by the book at once; level hard does not. */
static void test_levels(void)
{
    struct position position = random_position(books[0].width, books[0].height, 1);
    atomic_bool stop = false;
    struct info info = {0};
    struct search_question question = {.game = &clobber,
                                       .position = position,
                                       .limits = NO_LIMITS,
                                       .rng = &rng,
                                       .stop = &stop,
                                       .report = keep,
                                       .context = &info};

    question.limits.nodes = 1;
    struct move move = engine_find("max")->think(&question), known;
    CHECK(book_reply(&position, &known));
    CHECK(info.nodes == 0 && info.score > SCORE_WIN / 2 && info.pv_plies == 1);
    CHECK(memcmp(&move, &known, sizeof move) == 0);
    question.limits.nodes = 100;
    engine_find("hard")->think(&question);
    CHECK(info.nodes > 0 && abs(info.score) < SCORE_WIN / 2);
}

int main(void)
{
    struct solver *solver = solver_new(MEMORY_BYTES, false);

    test_keys();
    test_order();
    test_lines(solver);
    test_two_plies(solver);
    test_proofs();
    test_openings();
    test_falsehoods();
    test_levels();
    solver_free(solver);
    return check_end("test_clobber_book");
}
