#include "likeness.h"

#include <stdbool.h>

#include "common/zobrist.h"

/* Takes stones away that can never move, as no enemy is in their group. */
static void drop_dead_stones(struct board *board)
{
    int squares = board->width * board->height;
    bool done[BOARD_SQUARES_MAX] = {false};

    for (int first = 0; first < squares; first++) {
        int group[BOARD_SQUARES_MAX], count = 0;
        bool mixed = false;
        if (done[first] || board->cell[first] == '.')
            continue;
        done[group[count++] = first] = true;
        for (int i = 0; i < count; i++) {
            int file = group[i] % board->width, rank = group[i] / board->width;
            const int near[4][2] = {
                {file - 1, rank}, {file + 1, rank}, {file, rank - 1}, {file, rank + 1}};
            mixed = mixed || board->cell[group[i]] != board->cell[first];
            for (int j = 0; j < 4; j++) {
                int square = near[j][1] * board->width + near[j][0];
                if (near[j][0] >= 0 && near[j][0] < board->width && near[j][1] >= 0 &&
                    near[j][1] < board->height && board->cell[square] != '.' && !done[square])
                    done[group[count++] = square] = true;
            }
        }
        for (int i = 0; i < count && !mixed; i++)
            board->cell[group[i]] = '.';
    }
}

/* The hash of the board as one of its 16 likenesses: mirrored, turned, and with colours exchanged.
 */
static uint64_t hash_likeness(const struct board *board, int side, int likeness)
{
    bool swaps = (likeness & 8) != 0, turns = (likeness & 4) != 0;
    int width = turns ? board->height : board->width, height = turns ? board->width : board->height;
    uint64_t hash = splitmix64((uint64_t)(width * 64 + height) * 2 + (uint64_t)(side ^ swaps) + 1);

    for (int rank = 0; rank < height; rank++)
        for (int file = 0; file < width; file++) {
            int x = likeness & 1 ? width - 1 - file : file;
            int y = likeness & 2 ? height - 1 - rank : rank;
            int cell = board->cell[turns ? x * board->width + y : y * board->width + x];
            if (swaps && cell != '.' && cell != '*')
                cell ^= 'a' ^ 'A';
            hash = splitmix64(hash * 31 + (unsigned)cell);
        }
    return hash;
}

uint64_t hash_alike(const struct game *game, const struct position *position)
{
    struct board board;
    uint64_t least = UINT64_MAX;

    game->board(position, &board);
    if (game == &clobber)
        drop_dead_stones(&board);
    for (int i = 0; i < 16; i++) {
        uint64_t hash = hash_likeness(&board, position->side, i);
        least = hash < least ? hash : least;
    }
    return least;
}

bool is_among(const uint64_t *hashes, long count, uint64_t hash)
{
    for (long i = 0; i < count; i++)
        if (hashes[i] == hash)
            return true;
    return false;
}
