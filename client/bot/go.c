#include "go.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/base/words.h"
#include "client/bot/search/guide.h"
#include "common/cause.h"

/* The words that take a number. Those about clocks come in pairs, by colour. */
enum { TIME, INCREMENT = 2, MOVES_TO_GO = 4, MOVETIME, DEPTH, NODES, PERFT, NUMBERS };

static const struct {
    const char *word;
    const char *in_uci; /* NULL: the same */
    long min, max;
} numbers[NUMBERS] = {
    [TIME + WHITE] = {.word = "p1time", .in_uci = "wtime", .max = INT_MAX},
    [TIME + BLACK] = {.word = "p2time", .in_uci = "btime", .max = INT_MAX},
    [INCREMENT + WHITE] = {.word = "p1inc", .in_uci = "winc", .max = INT_MAX},
    [INCREMENT + BLACK] = {.word = "p2inc", .in_uci = "binc", .max = INT_MAX},
    [MOVES_TO_GO] = {.word = "movestogo", .min = 1, .max = INT_MAX},
    [MOVETIME] = {.word = "movetime", .max = INT_MAX},
    [DEPTH] = {.word = "depth", .min = 1, .max = INT_MAX},
    [NODES] = {.word = "nodes", .min = 1, .max = LONG_MAX},
    [PERFT] = {.word = "perft", .max = 1000},
};

struct reader {
    long values[NUMBERS]; /* -1: not given */
    go_remark *remark;
    void *context;
};

static int find_number(const char *word)
{
    int i = 0;

    while (i < NUMBERS && strcmp(word, numbers[i].word) != 0 &&
           (numbers[i].in_uci == NULL || strcmp(word, numbers[i].in_uci) != 0))
        i++;
    return i;
}

static void read_number(struct reader *reader, int i, const char *word, const char *text)
{
    struct cause cause;
    char *end;

    errno = 0;
    long value = strtol(text, &end, 10); /* the nearest long, if it is none */
    long nearest = value < numbers[i].min ? numbers[i].min : value;

    if (nearest > numbers[i].max)
        nearest = numbers[i].max;
    if (end == text || *end != '\0')
        nearest = numbers[i].min;
    reader->values[i] = nearest;
    bool is_exact = nearest == value && errno == 0 && end != text && *end == '\0';
    if (is_exact || (i < MOVES_TO_GO && *text == '-'))
        return;
    cause_set(&cause, "go: %s: '%.24s' is not a number from %ld to %ld: using %ld", word, text,
              numbers[i].min, numbers[i].max, nearest);
    reader->remark(reader->context, cause.text);
}

static void set_clock(struct limits *limits, const long values[NUMBERS], const struct game *game,
                      const struct position *position)
{
    long left_ms = values[TIME + position->side], increment_ms = values[INCREMENT + position->side];
    long to_go = values[MOVES_TO_GO];
    int moves = guide_moves(game, position);
    int64_t now_ms = clock_ms();

    struct clock_share share =
        clock_share(left_ms > 0 ? left_ms : 0, increment_ms > 0 ? increment_ms : 0,
                    to_go > 0 && to_go < moves ? (int)to_go : moves);
    limits->target_ms = now_ms + share.target_ms;
    limits->deadline_ms = now_ms + share.most_ms;
}

static void set_limits(struct go *go, const long values[NUMBERS], const struct game *game,
                       const struct position *position)
{
    bool clock = false;

    for (int i = TIME; i < MOVES_TO_GO; i++)
        clock = clock || values[i] >= 0;
    go->limits = NO_LIMITS;
    if (clock)
        set_clock(&go->limits, values, game, position);
    if (values[MOVETIME] >= 0 && clock_ms() + values[MOVETIME] < go->limits.deadline_ms)
        go->limits.deadline_ms = clock_ms() + values[MOVETIME];
    if (values[DEPTH] > 0)
        go->limits.depth_plies = (int)values[DEPTH];
    if (values[NODES] > 0)
        go->limits.nodes = (uint64_t)values[NODES];
    go->perft_plies = (int)values[PERFT];
    if (!clock && values[MOVETIME] < 0 && values[DEPTH] < 0 && values[NODES] < 0)
        go->infinite = true;
}

void go_read(struct go *go, char *text, const struct game *game, const struct position *position,
             go_remark *remark, void *context)
{
    struct reader reader = {.remark = remark, .context = context};

    memset(reader.values, -1, sizeof reader.values);
    *go = (struct go){.infinite = false};
    while (*text != '\0') {
        const char *word = next_word(&text);
        int i = find_number(word);
        if (i < NUMBERS) {
            read_number(&reader, i, word, next_word(&text));
        } else if (strcmp(word, "infinite") == 0) {
            go->infinite = true;
        } else {
            struct cause cause;
            cause_set(&cause, "go: unknown word '%.24s'", word);
            remark(context, cause.text);
        }
    }
    set_limits(go, reader.values, game, position);
}
