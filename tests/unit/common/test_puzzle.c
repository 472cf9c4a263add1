/*
 * The puzzles that the programs have: each has its reply to every wrong move, no two are the same,
 * and a sample is proved once more by the rules alone. `make puzzles-check` proves all of them.
 */
#include "common/puzzle.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "common/move.h"
#include "puzzle_proof.h"

enum { PUZZLES_LEAST = 500, SAMPLE_EVERY = 50, SAMPLE_CPU_MS = 20000, TEXT_MAX = 4096 };

/* Whether the line of moves is legal to its end, where the side that solves has won. */
static bool line_wins(const struct puzzle *puzzle)
{
    struct position position = puzzle->position;
    char text[TEXT_MAX], *rest = text;
    int plies = 0;

    snprintf(text, sizeof text, "%.*s", (int)puzzle->line.length, puzzle->line.text);
    for (char *word; (word = strsep(&rest, " ")) != NULL; plies++) {
        struct move move;
        struct cause cause;
        if (!move_parse(puzzle->game, &position, word, &move, &cause))
            return false;
        puzzle->game->apply(&position, move);
    }
    return plies == puzzle->plies &&
           puzzle->game->outcome(&position).result == result_win(puzzle->position.side);
}

/* The wrong moves that have no reply although the game goes on after them. */
static int unanswered(const struct puzzle *puzzle)
{
    struct move moves[MOVES_MAX], reply;
    int count = puzzle->game->legal(&puzzle->position, moves), missing = 0;

    for (int i = 0; i < count; i++) {
        struct position next = puzzle->position;
        puzzle->game->apply(&next, moves[i]);
        if (!move_equal(moves[i], puzzle->answer) &&
            puzzle_refutation(puzzle, moves[i], &reply) != (puzzle->game->legal(&next, NULL) > 0))
            missing++;
    }
    return missing;
}

static void test_each(const struct game *game)
{
    int count = puzzle_count(game);
    struct puzzle puzzle;
    long nodes = 0;

    check_about("%s", game->name);
    CHECK_THAT(count >= PUZZLES_LEAST, "%d puzzles", count);
    for (int i = 1; i <= count; i++) {
        check_about("%s, puzzle %d", game->name, i);
        if (!CHECK(puzzle_find(game, i, &puzzle)))
            continue;
        CHECK(puzzle.game == game);
        CHECK(line_wins(&puzzle));
        CHECK_INT(unanswered(&puzzle), 0);
        CHECK_THAT(puzzle.nodes >= nodes, "it is easier than the one before");
        nodes = puzzle.nodes;
        for (int j = 1; j < i; j++) {
            struct puzzle other;
            if (puzzle_find(game, j, &other) &&
                memcmp(&other.position, &puzzle.position, sizeof puzzle.position) == 0)
                CHECK_THAT(false, "the same as puzzle %d", j);
        }
    }
    check_about("%s", game->name);
    CHECK(!puzzle_find(game, 0, &puzzle));
    CHECK(!puzzle_find(game, count + 1, &puzzle));
}

static void test_sample(const struct game *game)
{
    int64_t start_ms = check_cpu_ms();
    uint64_t nodes = 0;

    for (int i = 1; i <= puzzle_count(game); i += SAMPLE_EVERY) {
        struct puzzle puzzle;
        struct cause cause = {.text = ""};
        check_about("%s, puzzle %d", game->name, i);
        CHECK_THAT(puzzle_find(game, i, &puzzle) && puzzle_prove(&puzzle, &nodes, &cause), "%s",
                   cause.text);
        if (check_cpu_ms() - start_ms > SAMPLE_CPU_MS)
            return;
    }
}

/* What is false is found: another move, a reply that refutes nothing, too many plies. */
static void test_false_puzzles(void)
{
    static const char true_one[] =
        "clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 2220; d4d5 "
        "a1b1 d5d6 e3d3 d2d3 a2a3 c5c4; e3d3 d3e3:a1b1 c5d5:c4d4 "
        "b1a1:c4d4";
    static const struct {
        const char *line, *why;
    } rows[] = {
        {"clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d3e3; e3d3 d4d5:a1b1",
         "its move does not win"},
        {"clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 9; 1; d4d5; e3d3 d3e3:a1b1 c5d5:c4d4 "
         "b1a1:c4d4",
         "it wins in fewer plies"},
        {"clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d4d5; a1b1", "is not refuted"},
    };
    struct puzzle puzzle;
    uint64_t nodes = 0;
    struct cause cause = {.text = ""};

    check_about("a true puzzle");
    CHECK_THAT(puzzle_read(true_one, &puzzle, &cause) && puzzle_prove(&puzzle, &nodes, &cause),
               "%s", cause.text);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%s", rows[i].line);
        CHECK(puzzle_read(rows[i].line, &puzzle, &cause));
        CHECK(!puzzle_prove(&puzzle, &nodes, &cause));
        CHECK_THAT(strstr(cause.text, rows[i].why) != NULL, "%s", cause.text);
    }
}

/* The key of a puzzle is its own; that of the first one never changes, as servers have kept it. */
static void test_keys(const struct game *game)
{
    int64_t key, other;
    long nodes;

    check_about("%s, keys", game->name);
    for (int i = 1; i <= puzzle_count(game); i++) {
        if (!CHECK(puzzle_key(game, i, &key, &nodes) && key >= 0 && nodes > 0))
            continue;
        for (int j = 1; j < i; j++)
            CHECK_THAT(puzzle_key(game, j, &other, &nodes) && other != key, "%d and %d", i, j);
    }
    if (strcmp(game->name, "clobber") == 0) {
        CHECK(puzzle_key(game, 1, &key, &nodes));
        CHECK_INT(key, INT64_C(4542737143465146323));
        CHECK_INT(nodes, 350);
    }
    CHECK(!puzzle_key(game, 0, &key, &nodes));
    CHECK(!puzzle_key(game, puzzle_count(game) + 1, &key, &nodes));
}

/* A storm goes from easy to hard, and no puzzle comes twice; another seed gives another one. */
static void test_storm(const struct game *game)
{
    int before = 0, same = 0;

    check_about("%s, a storm", game->name);
    for (int place = 0; place < STORM_PUZZLES; place++) {
        int number = puzzle_storm_number(game, 7, place);
        CHECK(number > before && number <= puzzle_count(game));
        CHECK_INT(puzzle_storm_number(game, 7, place), number);
        same += puzzle_storm_number(game, 8, place) == number;
        before = number;
    }
    CHECK(same < STORM_PUZZLES / 2);
    CHECK_INT(puzzle_storm_number(game, 7, STORM_PUZZLES), 0);
    CHECK_INT(puzzle_storm_number(game, 7, -1), 0);
}

static void test_bad_lines(void)
{
    static const char *const lines[] = {
        "",
        "clobber:5x6",
        "clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d4d5",
        "chess:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d4d5; e3d3",
        "clobber; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d4d5; e3d3",
        "clobber:6x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d4d5; e3d3",
        "clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; many; 1; d4d5; e3d3",
        "clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 0; d4d5; e3d3",
        "clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; a1a2; e3d3",
        "clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d4d5d4d5; e3d3",
        "clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; many; d4d5; e3d3",
        "clobber:of-many-files; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d4d5; e3d3",
        "clobber:5x6; ; 7; 1; d4d5; e3d3",
        "clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp/1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp/1P1pP/"
        "p1Pp1/2pP1/P2Pp/p1PP1/pP1pp/1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp/1P1pP/p1Pp1/2pP1 w; 7; 1; "
        "d4d5; e3d3",
    };

    for (size_t i = 0; i < LENGTH(lines); i++) {
        struct puzzle puzzle = {.plies = -1};
        struct cause cause = {.text = ""};
        check_about("'%s'", lines[i]);
        CHECK(!puzzle_read(lines[i], &puzzle, &cause));
        CHECK(cause.text[0] != '\0');
        CHECK_INT(puzzle.plies, -1);
    }
}

/* A game shows all its puzzles before one comes again, and the games take turns. */
static void test_daily(void)
{
    enum { DAY = 20000, GAMES = 4 };

    for (int i = 0; games[i] != NULL; i++) {
        bool seen[TEXT_MAX] = {false};
        int count = puzzle_count(games[i]);
        check_about("%s", games[i]->name);
        for (int day = DAY; day < DAY + count && count < TEXT_MAX; day++) {
            int number = puzzle_daily_number(games[i], day);
            if (CHECK(number >= 1 && number <= count))
                CHECK_THAT(!seen[number], "puzzle %d comes twice", number);
            seen[number] = true;
        }
        CHECK(puzzle_daily_number(games[i], -1) >= 1);
    }
    check_about("the game of the day");
    CHECK(puzzle_daily_game(DAY) != puzzle_daily_game(DAY + 1));
    CHECK(puzzle_daily_game(DAY) == puzzle_daily_game(DAY + GAMES));
    CHECK(puzzle_daily_game(-1) != NULL);
}

/* What follows the moves that can be read is passed over. */
static void test_broken_moves(void)
{
    static const char *const lines[] = {
        "clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d4d5 a1b1 nonsense; e3d3",
        "clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d4d5 a1b1 a1b1; e3d3",
        "clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d4d5 a1b1 d5d6d5d6; e3d3",
    };
    struct move moves[PUZZLE_PLIES_MAX], wrong, reply;
    struct puzzle puzzle;
    struct cause cause;

    for (size_t i = 0; i < LENGTH(lines); i++) {
        check_about("'%s'", lines[i]);
        if (CHECK(puzzle_read(lines[i], &puzzle, &cause)))
            CHECK_INT(puzzle_line(&puzzle, moves), 2);
    }
    check_about("a reply that is none");
    CHECK(
        puzzle_read("clobber:5x6; 1P1pP/p1Pp1/2pP1/P2Pp/p1PP1/pP1pp w; 7; 1; d4d5; e3d3 d3e3:a9b9",
                    &puzzle, &cause));
    CHECK(move_parse(puzzle.game, &puzzle.position, "d3e3", &wrong, &cause));
    CHECK(!puzzle_refutation(&puzzle, wrong, &reply));
}

static void test_task(void)
{
    struct puzzle puzzle = {.plies = 7, .position = {.side = BLACK}};
    char text[PUZZLE_TASK_MAX];

    puzzle_task(&puzzle, text);
    CHECK_TEXT(text, "Black to move and win in 4 moves. Only one first move does it.");
}

int main(void)
{
    test_broken_moves();
    for (int i = 0; games[i] != NULL; i++) {
        test_each(games[i]);
        test_keys(games[i]);
        test_storm(games[i]);
        test_sample(games[i]);
    }
    test_false_puzzles();
    test_bad_lines();
    test_daily();
    test_task();
    return check_end("test_puzzle");
}
