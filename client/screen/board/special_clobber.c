/* Clobber on the screen: the groups of stones, on demand. */
#include <stdio.h>
#include <string.h>

#include "special.h"

/* A group is a set of stones connected along files and ranks. One of a single colour is out of
 * play. */
struct group {
    int squares[BOARD_SQUARES_MAX];
    int count;
    bool in_play;
};

/* Finds the group of a square, and marks its squares in `seen`. */
static void find_group(const struct board *board, int square, bool seen[], struct group *group)
{
    int next[4];

    *group = (struct group){.squares = {square}, .count = 1};
    seen[square] = true;
    for (int i = 0; i < group->count; i++) {
        int neighbours = special_neighbours(board, group->squares[i], next);
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
    struct group group;
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

static void mark(const struct scene *scene, bool overlay, struct marks *marks)
{
    int sizes[BOARD_SQUARES_MAX];

    if (overlay)
        label_groups(&scene->board, marks->right, sizes);
}

/* Says " 1: 4  2: 11", as far as it fits beside the board. */
static void tell_sizes(const int sizes[], int count, struct lines *lines)
{
    enum { ROOM = 26 };
    char text[ROOM + 16] = "";
    int used = 0;

    for (int i = 0; i < count && used < ROOM - 7; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %d: %d ", i % 9 + 1, sizes[i]);
    if (count > 0)
        special_say(lines, "Stones:%s", text);
}

static void tell(const struct scene *scene, bool overlay, struct lines *lines)
{
    char labels[BOARD_SQUARES_MAX];
    int sizes[BOARD_SQUARES_MAX], count = label_groups(&scene->board, labels, sizes);

    if (scene->legal_count > 0)
        special_say(lines, "%d legal move%s", scene->legal_count,
                    scene->legal_count == 1 ? "" : "s");
    if (!overlay)
        return;
    special_say(lines, "%d group%s in play", count, count == 1 ? "" : "s");
    tell_sizes(sizes, count, lines);
}

static const char *const rules[] = {
    "Each turn you capture: one of your stones takes the place of an enemy stone next to it, up, "
    "down, left or right. There is no other move.",
    "If you cannot capture on your turn, you lose. There are no draws.",
    "A group of stones of one colour is out of play. What happens in one group changes nothing in "
    "the others; the last capture on the whole board wins.",
    NULL};

const struct special special_clobber = {
    .game = &clobber,
    .symbols = "P●p■",
    .drawless = true,
    .overlay = "groups",
    .mark = mark,
    .tell = tell,
    .rules = rules,
};
