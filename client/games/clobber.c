/*
 * Clobber: evaluation by local patterns (clobber_pattern.h), and near the end by who
 * wins_played_out; the groups of stones; lessons.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "clobber_pattern.h"
#include "guide.h"

__extension__ typedef unsigned __int128 set; /* of squares */

/* Tables that turn three squares of two bits each into ternary digits. No square is 3. */
#define DIGITS(low, middle, high) ((low) + 3 * (middle) + 9 * (high))
#define THREE_ROW(middle, high)                                                                    \
    DIGITS(0, middle, high), DIGITS(1, middle, high), DIGITS(2, middle, high), 0
#define THREE_BLOCK(high)                                                                          \
    THREE_ROW(0, high), THREE_ROW(1, high), THREE_ROW(2, high), THREE_ROW(0, 0)
#define SIDES_ROW(high)   0 + 3 * (high), 1 + 3 * (high), 2 + 3 * (high), 0
#define SIDES_BLOCK(high) SIDES_ROW(high), SIDES_ROW(high), SIDES_ROW(high), SIDES_ROW(0)

static const uint8_t three[64] = {THREE_BLOCK(0), THREE_BLOCK(1), THREE_BLOCK(2), THREE_BLOCK(0)};
static const uint8_t sides[64] = {SIDES_BLOCK(0), SIDES_BLOCK(1), SIDES_BLOCK(2), SIDES_BLOCK(0)};

/* Widens each of up to 10 squares from one bit to two. */
static uint32_t spread(uint32_t squares)
{
    squares = (squares | squares << 8) & 0x00ff00ffu;
    squares = (squares | squares << 4) & 0x0f0f0f0fu;
    squares = (squares | squares << 2) & 0x33333333u;
    return (squares | squares << 1) & 0x55555555u;
}

/* The ranks of a board as a side sees it, two bits a square. There is an empty rank before and
 * after the board, and an empty square before each rank. */
struct ranks {
    uint32_t rank[BOARD_SIDE_MAX + 2];
};

static int number_at(const struct ranks *ranks, int rank, int file)
{
    const uint32_t *middle = ranks->rank + rank + 1;

    return three[middle[-1] >> 2 * file & 63] + 27 * sides[middle[0] >> 2 * file & 63] +
           243 * three[middle[1] >> 2 * file & 63];
}

static void add_rank(struct patterns *patterns, int color, const struct ranks *ranks, int rank,
                     uint32_t stones)
{
    for (; stones != 0; stones &= stones - 1)
        patterns->number[color][patterns->count[color]++] =
            (uint16_t)number_at(ranks, rank, __builtin_ctz(stones));
}

void patterns_of(const struct position *position, struct patterns *patterns)
{
    set white = (set)position->bits[1] << 64 | position->bits[0];
    set black = (set)position->bits[3] << 64 | position->bits[2];
    int width = position->width, height = position->height;
    uint32_t full = (1u << width) - 1, stones[2][BOARD_SIDE_MAX];
    struct ranks ranks[2];

    patterns->count[WHITE] = patterns->count[BLACK] = 0;
    ranks[WHITE].rank[0] = ranks[BLACK].rank[0] = 0;
    ranks[WHITE].rank[height + 1] = ranks[BLACK].rank[height + 1] = 0;
    for (int rank = 0; rank < height; rank++, white >>= width, black >>= width) {
        stones[WHITE][rank] = (uint32_t)white & full;
        stones[BLACK][rank] = (uint32_t)black & full;
        uint32_t whites = spread(stones[WHITE][rank]), blacks = spread(stones[BLACK][rank]);
        ranks[WHITE].rank[rank + 1] = (whites | blacks << 1) << 2;
        ranks[BLACK].rank[rank + 1] = (blacks | whites << 1) << 2;
    }
    for (int rank = 0; rank < height; rank++)
        for (int color = WHITE; color <= BLACK; color++)
            add_rank(patterns, color, &ranks[color], rank, stones[color][rank]);
}

int pattern_number(const int squares[8])
{
    int number = 0;

    for (int i = 7; i >= 0; i--)
        number = 3 * number + squares[i];
    return number;
}

/* Plays the game out once at most PAIRS_PLAYED_OUT pairs of neighbouring enemies are left, unless
 * that takes more than POSITIONS_MAX positions. */
enum { PAIRS_PLAYED_OUT = 3, POSITIONS_MAX = 1000 };

enum { WON = 10000 };

/* The value of the patterns. */
static int static_eval_clobber(const struct position *position)
{
    struct patterns patterns;
    int value[2] = {0, 0}, side = position->side;

    patterns_of(position, &patterns);
    for (int color = WHITE; color <= BLACK; color++)
        for (int i = 0; i < patterns.count[color]; i++)
            value[color] += pattern_weights[patterns.number[color][i]];
    return value[side] - value[!side] + pattern_tempo;
}

/* Whether the side to move wins_played_out with best play. Takes the positions it makes from *left.
 * If that runs out, the answer means nothing. */
static bool wins_played_out(const struct position *position, int *left)
{
    struct move moves[MOVES_MAX];
    int moves_count = clobber.legal(position, moves);

    for (int i = 0; i<moves_count && * left> 0; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        --*left;
        if (!wins_played_out(&next, left))
            return true;
    }
    return false;
}

static int eval_clobber(const struct position *position)
{
    int left = POSITIONS_MAX;

    if (clobber.legal(position, NULL) <= PAIRS_PLAYED_OUT) {
        bool won = wins_played_out(position, &left);
        if (left > 0)
            return won ? WON : -WON;
    }
    return static_eval_clobber(position);
}

/* The value of the position after the move. */
static int hint_clobber(const struct position *before, const struct position *after)
{
    (void)before;
    return -static_eval_clobber(after) - 20000; /* always below 0: no move is loud */
}

enum { MOVES_LEFT_MAX = 20 };

/* About two fifths of the pairs of enemy neighbours become moves of either side. The early moves
 * decide, so large boards get no more than other games. */
static int moves_left_clobber(const struct position *position)
{
    int moves = clobber.legal(position, NULL) / 5 + 2;

    return moves < MOVES_LEFT_MAX ? moves : MOVES_LEFT_MAX;
}

/* A group is a set of stones connected along files and ranks. One of a single colour is out of
 * play. */
struct stone_group {
    int squares[BOARD_SQUARES_MAX];
    int count;
    bool in_play;
};

/* Finds the group of a square, and marks its squares in `seen`. */
static void find_group(const struct board *board, int square, bool seen[],
                       struct stone_group *group)
{
    int next[4];

    *group = (struct stone_group){.squares = {square}, .count = 1};
    seen[square] = true;
    for (int i = 0; i < group->count; i++) {
        int neighbours = board_neighbours(board, group->squares[i], next);
        for (int j = 0; j < neighbours; j++) {
            char stone = board->cell[next[j]];
            if (stone == '.')
                continue;
            group->in_play = group->in_play || stone != board->cell[square];
            if (!seen[next[j]])
                group->squares[group->count++] = next[j];
            seen[next[j]] = true;
        }
    }
}

/* Labels each group in play with a digit, and writes its size. Returns the number of groups. */
static int label_groups(const struct board *board, char labels[BOARD_SQUARES_MAX],
                        int sizes[BOARD_SQUARES_MAX])
{
    bool seen[BOARD_SQUARES_MAX] = {false};
    struct stone_group group;
    int count = 0;

    memset(labels, 0, BOARD_SQUARES_MAX);
    for (int square = 0; square < board->width * board->height; square++) {
        if (seen[square] || board->cell[square] == '.')
            continue;
        find_group(board, square, seen, &group);
        if (!group.in_play)
            continue;
        for (int i = 0; i < group.count; i++)
            labels[group.squares[i]] = (char)('1' + count % 9);
        sizes[count++] = group.count;
    }
    return count;
}

static void mark_groups(const struct scene *scene, bool overlay, struct marks *marks)
{
    int sizes[BOARD_SQUARES_MAX];

    if (overlay)
        label_groups(&scene->board, marks->right, sizes);
}

static void tell_groups(const struct scene *scene, bool overlay, char facts[FACTS_MAX])
{
    char labels[BOARD_SQUARES_MAX];
    int sizes[BOARD_SQUARES_MAX], count = label_groups(&scene->board, labels, sizes);

    if (scene->legal_count > 0)
        facts_add(
            facts,
            text_counted("%d legal move", "%d legal moves", (unsigned long)scene->legal_count),
            scene->legal_count);
    if (!overlay)
        return;
    facts_add(facts, text_counted("%d group in play", "%d groups in play", (unsigned long)count),
              count);
    /* Say " 1: 4  2: 11", as far as it fits beside the board. */
    enum { ROOM = 26 };
    char text[ROOM + 16] = "";
    int used = 0;
    for (int i = 0; i < count && used < ROOM - 7; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %d: %d ", i % 9 + 1, sizes[i]);
    if (count > 0)
        facts_add(facts, "Stones:%s", text);
}

/* White is solid, black stands on a broad base, and is shaded where there are no colours. */
static const struct look looks[] = {
    {'P', N_("stone"), "●", {" ▄▄▄ ", "▐███▌", " ▀▀▀ "}, {" ooo ", "ooPoo", " ooo "}},
    {'p', N_("stone"), "■", {"▗▄▄▄▖", "▐▓▓▓▌", "▝▀▀▀▘"}, {"%%%%%", "%%p%%", "%%%%%"}},
    {0},
};

const struct guide clobber_guide = {
    .game = &clobber,
    .eval = eval_clobber,
    .value = static_eval_clobber,
    .hint = hint_clobber,
    .hint_depth_plies = 2,
    .reduce_after = 2,
    .reduce = 120,
    .margin = 60,
    .margin_plies = 3,
    .moves = moves_left_clobber,
    .levels = {[GENTLE] = {.nodes = 600, .noise = 57},
               [EASY] = {.nodes = 1900, .noise = 31},
               [MEDIUM] = {.nodes = 5500, .noise = 19},
               [HARD] = {.nodes = 16000, .noise = 10},
               [EXPERT] = {.nodes = 22000, .noise = 15, .prove_nodes = 1200},
               [MASTER] = {.nodes = 65000, .noise = 6, .prove_nodes = 20000}},
    .level_squares = 30,
    .looks = looks,
    .captures_always = true,
    .overlay = N_("groups"),
    .mark = mark_groups,
    .tell = tell_groups,
};
