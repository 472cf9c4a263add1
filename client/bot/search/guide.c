#include "guide.h"

#include <stddef.h>

#include "client/bot/clobber/clobber_book.h"
#include "client/bot/clobber/clobber_end.h"
#include "client/bot/eval/eval.h"
#include "common/zobrist.h"

enum { MOVES_LEFT = 20 }; /* where nobody can know */

static int count(uint64_t set)
{
    return __builtin_popcountll(set);
}

/* About two fifths of the pairs of enemy neighbours become moves of either side. The early moves
 * decide, so large boards get no more than other games. */
static int moves_clobber(const struct position *position)
{
    int moves = clobber.legal(position, NULL) / 5 + 2;

    return moves < MOVES_LEFT ? moves : MOVES_LEFT;
}

/* The value of the position after the move. */
static int hint_clobber(const struct position *before, const struct position *after)
{
    (void)before;
    return -static_eval_clobber(after) - 20000; /* always below 0: no move is loud */
}

/* The value of the position after the placement. */
static int hint_xadrersi(const struct position *before, const struct position *after)
{
    (void)before;
    int hint = -static_eval_xadrersi(after) - 15000;

    return hint > -1 ? -1 : hint < -30000 ? -30000 : hint; /* no move is loud */
}

/* Each ply fills a square. The pieces are in bits[0..1]. */
static int plies_left_xadrersi(const struct position *position)
{
    return 16 - count(position->bits[WHITE] | position->bits[BLACK]);
}

static int moves_xadrersi(const struct position *position)
{
    return (plies_left_xadrersi(position) + 1) / 2;
}

/* Checks and captures by the king. The warriors are in bits[3..4]. */
static int hint_shakti(const struct position *before, const struct position *after)
{
    int taken = count(before->bits[3 + !before->side]) - count(after->bits[3 + !before->side]);

    return 2 * taken + shakti.check(after);
}

static const struct guide guides[] = {
    {.game = &clobber,
     .eval = eval_clobber,
     .value = static_eval_clobber,
     .hint = hint_clobber,
     .hint_depth_plies = 2,
     .reduce_after = 2,
     .reduce = 120,
     .margin = 60,
     .margin_plies = 3,
     .moves = moves_clobber,
     .book = book_reply,
     .prove = clobber_prove},
    {.game = &xadrersi,
     .eval = eval_xadrersi,
     .value = static_eval_xadrersi,
     .hint = hint_xadrersi,
     .hint_depth_plies = 2,
     .reduce_after = 3,
     .reduce = 80,
     .margin = 100,
     .margin_plies = 3,
     .plies_left = plies_left_xadrersi,
     .moves = moves_xadrersi,
     .last = xadrersi_last},
    {.game = &latrunculi,
     .eval = eval_latrunculi,
     .value = static_eval_latrunculi,
     .hints = hints_latrunculi,
     .hint_depth_plies = 1,
     .loud_plies = 8,
     .reduce_after = 3,
     .reduce = 60,
     .late_moves = 4},
    {.game = &shakti,
     .eval = eval_shakti,
     .value = static_eval_shakti,
     .hint = hint_shakti,
     .hint_depth_plies = 1,
     .loud_plies = 4},
};

const struct guide *guide_of(const struct game *game)
{
    for (size_t i = 0; i < sizeof guides / sizeof guides[0]; i++)
        if (guides[i].game == game)
            return &guides[i];
    return NULL;
}

int evaluate(const struct game *game, const struct position *position)
{
    const struct guide *guide = guide_of(game);

    return guide != NULL ? guide->eval(position) : 0;
}

int guide_moves(const struct game *game, const struct position *position)
{
    const struct guide *guide = guide_of(game);

    return guide != NULL && guide->moves != NULL ? guide->moves(position) : MOVES_LEFT;
}

/* Mixes in one more word, in the way that SplitMix64 ends. */
static uint64_t mix(uint64_t key, uint64_t word)
{
    key = (key ^ word) * 0xbf58476d1ce4e5b9u;
    return key ^ key >> 29;
}

enum { NEAR_DRAW_PLIES = 84, GAME_PIECE = 1000 };

uint64_t guide_key(const struct game *game, const struct position *position)
{
    uint64_t key = zobrist(GAME_PIECE, (uint8_t)game->name[0]);
    unsigned notes = position->notes[0];

    if (game == &latrunculi && notes < NEAR_DRAW_PLIES)
        notes = 0;
    for (size_t i = 0; i < sizeof position->bits / sizeof position->bits[0]; i++)
        key = mix(key, position->bits[i]);
    key = mix(key, (uint64_t)position->side | (uint64_t)position->variant << 8 | notes << 16 |
                       (uint64_t)position->width << 32 | (uint64_t)position->height << 40);
    return key ^ key >> 32;
}
