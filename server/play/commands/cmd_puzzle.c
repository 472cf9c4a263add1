/* The command about puzzles. A line says which puzzle it is about; what is remembered is the first
 * attempt of each player who has a name, which rates them and the puzzle. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/move.h"
#include "common/puzzle.h"
#include "server/play/dispatch.h"

enum { DAY_S = 86400, WORDS_OF_ATTEMPT = 3, SEED_MAX = 1000000000, SEED_STEP = 1000003 };

/* A puzzle that a line is about. */
struct asked {
    struct puzzle puzzle;
    struct rated_puzzle *rated;
    int number;
    bool daily; /* it is that of today */
};

/* Whether attempts of who asks can count: those of guests and house bots never do. */
static bool is_solver(const struct request *request)
{
    return request->player->kind == PLAYER_NAMED;
}

static const struct rating *solver_rating(const struct request *request, const struct game *game)
{
    return rating_find(&request->player->ratings, game, VARIANT_PUZZLES);
}

/* Finds the puzzle that the words name: by default that of today, of the game of the day; where
 * they only name a game, the one that suits the rating of a solver. */
static enum status read_puzzle(struct request *request, struct asked *asked)
{
    const struct rated_puzzles *puzzles = &request->server->players.puzzles;
    const struct arguments *arguments = &request->arguments;
    const char *which = arguments->count > 1 ? arguments->words[1] : "daily";
    long day = (long)(request->server->wall_s / DAY_S), typed = 0;
    const struct game *game = puzzle_daily_game(day);
    struct position start;

    if (arguments->count > 0) {
        enum status status = request_start(request, arguments->words[0], &game, &start);
        if (status != STATUS_OK)
            return status;
    }
    int count = game != NULL ? puzzle_count(game) : 0;
    if (count == 0)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "there are no puzzles of %s",
                            game != NULL ? game->name : "any game");
    if (strcasecmp(which, "daily") != 0 && !number_parse(which, strlen(which), 1, count, &typed))
        return request_fail(request, STATUS_BAD_ARGUMENTS,
                            "the puzzles of %s have numbers from 1 to %d, or daily", game->name,
                            count);
    int today = puzzle_daily_number(game, day);
    asked->rated = arguments->count == 1 && is_solver(request)
                       ? rated_puzzle_choose(puzzles, game, solver_rating(request, game))
                       : rated_puzzle_find(puzzles, game, typed > 0 ? (int)typed : today);
    asked->number = asked->rated->number;
    asked->daily = asked->number == today;
    puzzle_find(game, asked->number, &asked->puzzle);
    return STATUS_OK;
}

/* Whether the line, of a solver, is a first attempt at the puzzle. */
static bool is_first_attempt(const struct request *request, const struct asked *asked)
{
    return request->arguments.count == WORDS_OF_ATTEMPT &&
           !rating_has_tried(solver_rating(request, asked->puzzle.game), asked->number);
}

/* Whether the line asks for a storm, of this game then, which its third word may choose. */
static bool is_storm(struct request *request, const struct game **game, uint64_t *seed,
                     enum status *status)
{
    const struct arguments *arguments = &request->arguments;
    struct position start;
    long typed;

    if (arguments->count < 2 || strcasecmp(arguments->words[1], "storm") != 0)
        return false;
    *status = request_start(request, arguments->words[0], game, &start);
    *seed = (uint64_t)request->server->wall_s * SEED_STEP + (uint64_t)request->server->now_ms;
    if (*status != STATUS_OK || arguments->count == 2)
        return true;
    if (number_parse(arguments->words[2], strlen(arguments->words[2]), 0, SEED_MAX, &typed))
        *seed = (uint64_t)typed;
    else
        *status = request_fail(request, STATUS_BAD_ARGUMENTS,
                               "a storm is chosen by a number from 0 to %d", SEED_MAX);
    return true;
}

static enum status run_storm(struct request *request, const struct game *game, uint64_t seed)
{
    if (puzzle_storm_number(game, seed, 0) == 0)
        return request_fail(request, STATUS_BAD_ARGUMENTS, "there are no puzzles of %s",
                            game->name);
    request->rows = STORM_PUZZLES;
    wire_storm(request_begin(request), game, seed);
    return STATUS_OK;
}

/* Finds how the solver and the puzzles of the game are rated, and waits for what is to change. */
static enum status find_solver(struct request *request)
{
    struct lock *lock = &request->player->lock;
    struct asked asked;
    const struct game *game;
    enum status status;
    uint64_t seed;

    if (is_storm(request, &game, &seed, &status))
        return status;
    status = read_puzzle(request, &asked);
    if (status != STATUS_OK || !is_solver(request))
        return status;
    request->question = (struct question){.kind = LOOK_SOLVER, .player = request->player->id};
    snprintf(request->question.key, sizeof request->question.key, "%s", asked.puzzle.game->name);
    request->asks = request_is_shared(request);
    if (is_first_attempt(request, &asked))
        request->lock =
            lock_is_free_for(lock, &request->session->waiter) ? &asked.rated->lock : lock;
    return STATUS_OK;
}

/* What is told of the ratings as they are kept. */
static struct puzzle_score read_score(const struct request *request, const struct asked *asked)
{
    const struct rating *solver = solver_rating(request, asked->puzzle.game);

    return (struct puzzle_score){.puzzle = asked->rated->now,
                                 .attempts = asked->rated->attempts,
                                 .has_solver = is_solver(request),
                                 .solver = solver != NULL ? solver->now : glicko_start(),
                                 .solver_attempts = solver != NULL ? solver->matches : 0,
                                 .tried = rating_has_tried(solver, asked->number)};
}

/* Rates a first attempt: the score becomes what it comes to. */
static void rate_attempt(struct request *request, const struct asked *asked, bool right,
                         struct puzzle_score *score)
{
    const struct glicko_result of_solver = {score->puzzle, right},
                               of_puzzle = {score->solver, !right};
    const struct glicko before = score->solver;

    score->solver = glicko_match(score->solver, &of_solver);
    score->puzzle = glicko_match(score->puzzle, &of_puzzle);
    score->change = lround(score->solver.rating) - lround(before.rating);
    score->solver_attempts++;
    score->attempts++;
    score->counts = true;
    struct rating_draft solver = {.player = request->player,
                                  .game = asked->puzzle.game,
                                  .variant = VARIANT_PUZZLES,
                                  .now = score->solver,
                                  .matches = score->solver_attempts};
    const struct attempt_draft attempt = {.puzzle = asked->rated,
                                          .player = request->player,
                                          .now = score->puzzle,
                                          .attempts = score->attempts};
    unit_try(request_unit(request), &solver, &attempt);
}

static enum status run_puzzle(struct request *request)
{
    struct move move, reply;
    struct asked asked;
    const struct game *game;
    enum status status;
    uint64_t seed;

    if (is_storm(request, &game, &seed, &status))
        return status != STATUS_OK ? status : run_storm(request, game, seed);
    status = read_puzzle(request, &asked);
    if (status != STATUS_OK)
        return status;
    const struct puzzle *puzzle = &asked.puzzle;
    struct puzzle_score score = read_score(request, &asked);
    if (request->arguments.count < WORDS_OF_ATTEMPT) {
        wire_puzzle(request_begin(request), puzzle, asked.number, asked.daily,
                    request->server->wall_s, &score);
        return STATUS_OK;
    }
    bool told = strcasecmp(request->arguments.words[2], "answer") == 0;
    if (told)
        move = puzzle->answer;
    else if (!move_parse(puzzle->game, &puzzle->position, request->arguments.words[2], &move,
                         &request->cause))
        return STATUS_ILLEGAL_MOVE;
    bool right = move_equal(move, puzzle->answer);
    bool replied = !right && puzzle_refutation(puzzle, move, &reply);
    if (score.has_solver && !score.tried) {
        status = request_may_keep(request);
        if (status != STATUS_OK)
            return status;
        rate_attempt(request, &asked, right && !told, &score);
    }
    wire_attempt(request_begin(request), puzzle, asked.number, move, replied ? &reply : NULL, told,
                 &score);
    return STATUS_OK;
}

const struct command puzzle_commands[] = {
    {.verb = "puzzle",
     .usage = "[GAME [daily|storm [SEED]|N [MOVE|answer]]]",
     .summary = "sends a position in which one move wins, by default that of today, or of a GAME "
                "one for your rating; or tells whether MOVE is that one, or which one is",
     .max = WORDS_OF_ATTEMPT,
     .cost = COST_BOARD,
     .find = find_solver,
     .run = run_puzzle},
    {.verb = NULL},
};
