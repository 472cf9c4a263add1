/* Whether the moves and the outcome of a record are what the rules say. */
#include <stdlib.h>

#include "move.h"
#include "pgn.h"
#include "xmalloc.h"

enum { MOVE_NAME_MAX = 24 };

/* A match on its way: the position after `plies` moves, and the keys of all positions up to it. */
struct play {
    const struct game *game;
    struct position position;
    uint64_t *keys;
    int plies;
};

/* rules.md, threefold repetition: the same key for the third time, the start included. */
static bool repeated_three_times(const struct play *play)
{
    int times = 0;

    for (int i = 0; i <= play->plies; i++)
        times += play->keys[i] == play->keys[play->plies];
    return times >= 3;
}

/* What the rules say of the position; what it decides itself goes before repetition. */
static struct outcome outcome_of(const struct play *play)
{
    struct outcome outcome = play->game->outcome(&play->position);

    if (outcome.result == RESULT_NONE && play->game->repetition_draws && repeated_three_times(play))
        return (struct outcome){RESULT_DRAW, REASON_REPETITION};
    return outcome;
}

static bool play_move(struct play *play, const struct pgn_match *match, struct cause *cause)
{
    struct outcome outcome = outcome_of(play);
    char name[MOVE_NAME_MAX];
    struct cause why;
    struct move move;

    pgn_name_move(match, play->plies, name, sizeof name);
    if (outcome.result != RESULT_NONE)
        return cause_set(cause, "move %s (ply %d): the game was already over: %s %s", name,
                         play->plies + 1, result_text(outcome.result), reason_text(outcome.reason));
    if (!move_parse(play->game, &play->position, match->moves[play->plies].text, &move, &why))
        return cause_set(cause, "move %s (ply %d): %s", name, play->plies + 1, why.text);
    play->game->apply(&play->position, move);
    play->keys[++play->plies] = play->game->key(&play->position);
    return true;
}

static bool check_outcome(const struct play *play, struct outcome said, struct cause *cause)
{
    struct outcome ruled = outcome_of(play);
    const char *reason = reason_text(said.reason);

    if (ruled.result != RESULT_NONE) {
        if (said.result == ruled.result &&
            (said.reason == ruled.reason || said.reason == REASON_NONE))
            return true;
        return cause_set(cause, "the result is %s %s by the rules, not %s%s%s",
                         result_text(ruled.result), reason_text(ruled.reason),
                         result_text(said.result), reason != NULL ? " " : "",
                         reason != NULL ? reason : "");
    }
    if (said.reason == REASON_NONE || outcome_is_of_players(said))
        return true;
    if (said.reason < REASON_RESIGN)
        return cause_set(cause, "the result given is %s %s, but by the rules the game goes on",
                         result_text(said.result), reason);
    return cause_set(cause, "the result %s does not go with the reason %s",
                     result_text(said.result), reason);
}

bool pgn_check(const struct pgn_match *match, struct cause *cause)
{
    struct play play = {.game = match->game, .position = match->start};
    bool good = true;

    play.keys = xreallocarray(NULL, (size_t)match->plies + 1, sizeof *play.keys);
    play.keys[0] = play.game->key(&play.position);
    while (good && play.plies < match->plies)
        good = play_move(&play, match, cause);
    good = good && check_outcome(&play, match->outcome, cause);
    free(play.keys);
    return good;
}
