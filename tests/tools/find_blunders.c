/*
 * Counts the moves of a player that threw a win away, in matches of Clobber.
 *
 *     find_blunders PGN PLAYER SKIP [NODES]
 *
 * PGN is a file of `ludus-bot gauntlet --pgn` or of records; the first SKIP moves of each match,
 * which nobody chose, do not count. The solver judges each position, within NODES nodes (3000000),
 * the last ones first. A position that it cannot decide, and those before it, do not count either.
 * Each blunder is printed with the position, the move and a winning one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/clobber/clobber_solve.h"
#include "common/move.h"
#include "common/pgn.h"
#include "common/xmalloc.h"

enum { MEMORY_BYTES = 512 << 20, NODES_STANDARD = 3000000, PLIES_MOST = BOARD_SQUARES_MAX };

static struct {
    struct solver *solver;
    uint64_t nodes;
    int won, blunders, lost, undecided;
} judge;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "find_blunders: %s: %s\n", what, why);
    exit(1);
}

static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "re");
    char *text = xmalloc(PGN_BYTES_MAX);

    if (file == NULL)
        fail(path, "cannot be opened");
    *length = fread(text, 1, PGN_BYTES_MAX, file);
    fclose(file);
    return text;
}

/* Returns whether the position could be decided. */
static bool decide(const struct position *position, struct solve_answer *answer)
{
    struct solve_request request = {.position = *position, .limits = NO_LIMITS};

    request.limits.nodes = judge.nodes;
    return solver_solve(judge.solver, &request, answer) == SOLVE_DONE;
}

static void print_blunder(const struct position *position, const char *move, struct move better)
{
    char text[POSITION_TEXT_MAX], other[MOVE_TEXT_MAX];

    clobber.format(position, text);
    move_format(position, better, other);
    printf("%s: %s instead of %s\n", text, move, other);
}

/* Judges the moves of a side, whose positions are given, from the last one on. */
static void judge_side(const struct pgn_match *match, const struct position *positions, int side,
                       int skip)
{
    for (int ply = match->plies - 1; ply >= skip; ply--) {
        struct solve_answer before, after;
        if (positions[ply].side != side)
            continue;
        if (!decide(&positions[ply + 1], &after) || !decide(&positions[ply], &before)) {
            judge.undecided += (ply - skip) / 2 + 1;
            return;
        }
        judge.lost += !before.wins;
        judge.won += before.wins;
        judge.blunders += before.wins && after.wins;
        if (before.wins && after.wins)
            print_blunder(&positions[ply], match->moves[ply].text, before.move);
    }
}

static void judge_match(const struct pgn_match *match, const char *player, int skip)
{
    struct position positions[PLIES_MOST + 1] = {match->start};
    struct cause cause;

    if (match->game != &clobber)
        fail("a match", "not of Clobber");
    if (!pgn_check(match, &cause))
        fail("a match", cause.text);
    for (int ply = 0; ply < match->plies; ply++) {
        struct move move;
        if (!move_parse(&clobber, &positions[ply], match->moves[ply].text, &move, &cause))
            fail("a move", cause.text);
        positions[ply + 1] = positions[ply];
        clobber.apply(&positions[ply + 1], move);
    }
    if (match->white != NULL && strcmp(match->white, player) == 0)
        judge_side(match, positions, WHITE, skip);
    if (match->black != NULL && strcmp(match->black, player) == 0)
        judge_side(match, positions, BLACK, skip);
}

int main(int argc, char **argv)
{
    struct pgn_file file;
    struct cause cause;
    size_t length;

    if (argc < 4 || argc > 5)
        fail("usage", "find_blunders PGN PLAYER SKIP [NODES]");
    judge.nodes = argc > 4 ? strtoull(argv[4], NULL, 10) : NODES_STANDARD;
    judge.solver = solver_new(MEMORY_BYTES, true);
    if (judge.solver == NULL)
        fail("memory", "not enough");
    char *text = read_text(argv[1], &length);
    if (!pgn_read(&file, text, length, &cause))
        fail(argv[1], cause.text);
    for (int i = 0; i < file.count; i++)
        judge_match(&file.matches[i], argv[2], (int)strtol(argv[3], NULL, 10));
    printf("matches: %d\nmoves in won positions: %d\nblunders: %d\nmoves in lost positions: %d\n"
           "undecided: %d\n",
           file.count, judge.won, judge.blunders, judge.lost, judge.undecided);
    pgn_release(&file);
    solver_free(judge.solver);
    free(text);
    return 0;
}
