/* The command about puzzles. The server remembers nothing of them: whoever asks says which. */
#include <string.h>
#include <strings.h>

#include "common/move.h"
#include "common/puzzle.h"
#include "server/play/dispatch.h"

enum { DAY_S = 86400 };

/* Finds the puzzle that the words name: by default that of today, of the game of the day. */
static enum status find_puzzle(struct request *request, struct puzzle *puzzle, int *number,
                               bool *daily)
{
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
    *number = typed > 0 ? (int)typed : today;
    *daily = *number == today;
    puzzle_find(game, *number, puzzle);
    return STATUS_OK;
}

static enum status run_puzzle(struct request *request)
{
    struct puzzle puzzle;
    struct move move, reply;
    bool daily = false;
    int number = 0;

    enum status status = find_puzzle(request, &puzzle, &number, &daily);
    if (status != STATUS_OK)
        return status;
    if (request->arguments.count < 3) {
        wire_puzzle(request_begin(request), &puzzle, number, daily, request->server->wall_s);
        return STATUS_OK;
    }
    bool told = strcasecmp(request->arguments.words[2], "answer") == 0;
    if (told)
        move = puzzle.answer;
    else if (!move_parse(puzzle.game, &puzzle.position, request->arguments.words[2], &move,
                         &request->cause))
        return STATUS_ILLEGAL_MOVE;
    bool replied = !move_equal(move, puzzle.answer) && puzzle_refutation(&puzzle, move, &reply);
    wire_attempt(request_begin(request), &puzzle, number, move, replied ? &reply : NULL, told);
    return STATUS_OK;
}

const struct command puzzle_commands[] = {
    {.verb = "puzzle",
     .usage = "[GAME [daily|N [MOVE|answer]]]",
     .summary = "sends a position in which one move wins, by default that of today, or tells "
                "whether MOVE is that one, or which one is",
     .max = 3,
     .cost = COST_BOARD,
     .run = run_puzzle},
    {.verb = NULL},
};
