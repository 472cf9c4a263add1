#include "go.h"

#include <string.h>

#include "client/bot/base/words.h"
#include "client/bot/search/guide.h"
#include "common/number.h"

/* The words that take a number. Those about clocks come in pairs, by colour. */
enum { TIME, INCREMENT = 2, MOVETIME = 4, DEPTH, NODES, PERFT, NUMBERS };

static const struct {
    const char *word;
    long min, max;
} numbers[NUMBERS] = {
    [TIME + WHITE] = {.word = "p1time", .max = INT_MAX},
    [TIME + BLACK] = {.word = "p2time", .max = INT_MAX},
    [INCREMENT + WHITE] = {.word = "p1inc", .max = INT_MAX},
    [INCREMENT + BLACK] = {.word = "p2inc", .max = INT_MAX},
    [MOVETIME] = {.word = "movetime", .max = INT_MAX},
    [DEPTH] = {.word = "depth", .min = 1, .max = INT_MAX},
    [NODES] = {.word = "nodes", .min = 1, .max = LONG_MAX},
    [PERFT] = {.word = "perft", .max = 1000},
};

static bool read_number(const char *word, char **text, long values[NUMBERS], struct cause *cause)
{
    int i = 0;

    while (i < NUMBERS && strcmp(word, numbers[i].word) != 0)
        i++;
    if (i == NUMBERS)
        return cause_set(cause, "go: unknown word '%.24s'", word);
    const char *number = next_word(text);
    return number_parse(number, strlen(number), numbers[i].min, numbers[i].max, &values[i]) ||
           cause_set(cause, "%s: '%.24s' is not a number from %ld to %ld", word, number,
                     numbers[i].min, numbers[i].max);
}

static void set_clock(struct limits *limits, int64_t left_ms, int64_t increment_ms, int moves)
{
    struct clock_share share = clock_share(left_ms, increment_ms, moves);
    int64_t now_ms = clock_ms();

    limits->target_ms = now_ms + share.target_ms;
    limits->deadline_ms = now_ms + share.most_ms;
}

static void set_limits(struct limits *limits, const long values[NUMBERS], const struct game *game,
                       const struct position *position)
{
    long left_ms = values[TIME + position->side];
    long increment_ms = values[INCREMENT + position->side];
    int64_t move_deadline_ms = clock_ms() + values[MOVETIME];

    if (left_ms >= 0)
        set_clock(limits, left_ms, increment_ms > 0 ? increment_ms : 0,
                  guide_moves(game, position));
    if (values[MOVETIME] >= 0 && move_deadline_ms < limits->deadline_ms)
        limits->deadline_ms = move_deadline_ms;
    if (values[DEPTH] > 0)
        limits->depth_plies = (int)values[DEPTH];
    if (values[NODES] > 0)
        limits->nodes = (uint64_t)values[NODES];
}

bool go_parse(struct go *go, char *text, const struct game *game, const struct position *position,
              struct cause *cause)
{
    long values[NUMBERS] = {-1, -1, -1, -1, -1, -1, -1, -1};

    *go = (struct go){.limits = NO_LIMITS};
    while (*text != '\0') {
        const char *word = next_word(&text);
        if (strcmp(word, "infinite") == 0)
            go->infinite = true;
        else if (!read_number(word, &text, values, cause))
            return false;
    }
    set_limits(&go->limits, values, game, position);
    go->perft_plies = (int)values[PERFT];
    return go->infinite || go->perft_plies >= 0 || values[TIME + position->side] >= 0 ||
           values[MOVETIME] >= 0 || values[DEPTH] >= 0 || values[NODES] >= 0 ||
           cause_set(cause,
                     "go: no limit; give the time of the side to move, movetime, depth, nodes, "
                     "infinite or perft");
}
