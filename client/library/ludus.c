#include "ludus.h"

#include <stdio.h>
#include <string.h>

#include "common/game.h"
#include "common/move.h"
#include "common/zobrist.h"

#define PUBLIC __attribute__((visibility("default")))

/* What is in a struct ludus_position. */
struct inside {
    struct position position;
    uint64_t game;
};

_Static_assert(sizeof(struct inside) == sizeof(struct ludus_position), "they are copied");
_Static_assert((int)LUDUS_MOVES_MAX == (int)MOVES_MAX, "the same limit");
_Static_assert((int)LUDUS_SQUARES_MAX == (int)BOARD_SQUARES_MAX, "the same limit");
_Static_assert((int)LUDUS_DRAW == (int)RESULT_DRAW && (int)LUDUS_WHITE == (int)RESULT_WHITE &&
                   (int)LUDUS_BLACK == (int)RESULT_BLACK,
               "the same results");

static struct inside inside_of(const struct ludus_position *position)
{
    struct inside inside;

    memcpy(&inside, position, sizeof inside);
    return inside;
}

static const struct game *game_of(const struct inside *inside)
{
    return games[inside->game];
}

/* Fills a position, or says why there is none. */
static bool fill(struct ludus_position *position, const struct game *game,
                 const struct position *read, const struct cause *cause, char why[LUDUS_TEXT_MAX])
{
    struct inside inside = {.position = *read};

    if (game == NULL) {
        snprintf(why, LUDUS_TEXT_MAX, "%s", cause->text);
        return false;
    }
    while (games[inside.game] != game)
        inside.game++;
    memcpy(position, &inside, sizeof inside);
    return true;
}

/* ---- Games and positions ---- */

PUBLIC int ludus_api(void)
{
    return LUDUS_API;
}

static int count_games(void)
{
    int count = 0;

    while (games[count] != NULL)
        count++;
    return count;
}

PUBLIC const char *ludus_game_name(int game)
{
    return game >= 0 && game < count_games() ? games[game]->name : NULL;
}

PUBLIC const char *ludus_variant_name(int game, int variant)
{
    const char *const *names = ludus_game_name(game) != NULL ? games[game]->variants : NULL;

    for (int i = 0; names != NULL && names[i] != NULL; i++)
        if (i == variant)
            return names[i];
    return NULL;
}

PUBLIC bool ludus_repetition_draws(int game)
{
    return ludus_game_name(game) != NULL && games[game]->repetition_draws;
}

PUBLIC bool ludus_open(const char *text, struct ludus_position *position, char why[LUDUS_TEXT_MAX])
{
    struct position read;
    struct cause cause;

    /* Every position has a blank before the side to move, and no name of a game does. */
    const struct game *game = strchr(text, ' ') != NULL ? game_of_position(text, &read, &cause)
                                                        : game_open(text, &read, NULL, &cause);
    return fill(position, game, &read, &cause, why);
}

PUBLIC bool ludus_read(const char *game, const char *text, struct ludus_position *position,
                       char why[LUDUS_TEXT_MAX])
{
    struct position start, read;
    struct cause cause;
    char variant[VARIANT_NAME_MAX];
    const struct game *found = game_open(game, &start, NULL, &cause);

    if (found != NULL)
        found->variant_name(&start, variant);
    if (found != NULL &&
        !found->parse(strchr(game, ':') != NULL ? variant : NULL, text, &read, &cause))
        found = NULL;
    return fill(position, found, &read, &cause, why);
}

PUBLIC void ludus_write(const struct ludus_position *position, char text[LUDUS_TEXT_MAX])
{
    const struct inside inside = inside_of(position);

    game_of(&inside)->format(&inside.position, text);
}

PUBLIC void ludus_write_game(const struct ludus_position *position, char text[LUDUS_TEXT_MAX])
{
    const struct inside inside = inside_of(position);
    char variant[VARIANT_NAME_MAX];

    game_of(&inside)->variant_name(&inside.position, variant);
    snprintf(text, LUDUS_TEXT_MAX, "%s:%s", game_of(&inside)->name, variant);
}

PUBLIC int ludus_game(const struct ludus_position *position)
{
    return (int)inside_of(position).game;
}

PUBLIC int ludus_width(const struct ludus_position *position)
{
    return inside_of(position).position.width;
}

PUBLIC int ludus_height(const struct ludus_position *position)
{
    return inside_of(position).position.height;
}

PUBLIC int ludus_side(const struct ludus_position *position)
{
    return inside_of(position).position.side;
}

PUBLIC void ludus_board(const struct ludus_position *position, char cells[LUDUS_SQUARES_MAX + 1])
{
    const struct inside inside = inside_of(position);
    struct board board;

    game_of(&inside)->board(&inside.position, &board);
    int squares = board.width * board.height;
    memcpy(cells, board.cell, (size_t)squares);
    cells[squares] = '\0';
}

/* The kinds of pieces: those that are placed, or else those of the start. */
static int letters_of(const struct game *game, char letters[LUDUS_TEXT_MAX])
{
    struct position start;
    struct board board;
    struct cause cause;
    int count = 0;

    snprintf(letters, LUDUS_TEXT_MAX, "%s", game->pieces);
    if (letters[0] != '\0')
        return (int)strlen(letters);
    if (!game->start(NULL, &start, &cause))
        return 0;
    game->board(&start, &board);
    for (int i = 0; i < board.width * board.height; i++) {
        char cell = board.cell[i];
        if (cell >= 'A' && cell <= 'Z' && memchr(letters, cell, (size_t)count) == NULL)
            letters[count++] = cell;
    }
    letters[count] = '\0';
    return count;
}

PUBLIC int ludus_letters(const struct ludus_position *position, char letters[LUDUS_TEXT_MAX])
{
    const struct inside inside = inside_of(position);

    return letters_of(game_of(&inside), letters);
}

/* ---- Actions ---- */

static int squares_of(const struct inside *inside)
{
    return inside->position.width * inside->position.height;
}

static int count_actions(const struct inside *inside)
{
    const char *pieces = game_of(inside)->pieces;
    int squares = squares_of(inside);

    return (pieces[0] != '\0' ? (int)strlen(pieces) : squares) * squares + 1;
}

PUBLIC int ludus_action_count(const struct ludus_position *position)
{
    const struct inside inside = inside_of(position);

    return count_actions(&inside);
}

static int action_of(const struct inside *inside, struct move move)
{
    int squares = squares_of(inside);

    if (move.kind == MOVE_STEP)
        return move.from * squares + move.to;
    if (move.kind == MOVE_PASS)
        return count_actions(inside) - 1;
    const char *pieces = game_of(inside)->pieces;
    return (int)(strchr(pieces, move.piece) - pieces) * squares + move.to;
}

/* False if there is no such action. */
static bool move_of(const struct inside *inside, int action, struct move *move)
{
    const char *pieces = game_of(inside)->pieces;
    int squares = squares_of(inside), count = count_actions(inside);

    *move = (struct move){.kind = MOVE_PASS};
    if (action < 0 || action >= count)
        return false;
    if (action == count - 1)
        return true;
    *move = (struct move){.kind = MOVE_STEP, .to = (uint8_t)(action % squares)};
    if (pieces[0] == '\0') {
        move->from = (uint8_t)(action / squares);
    } else {
        move->kind = MOVE_PLACE;
        move->piece = pieces[action / squares];
    }
    return true;
}

PUBLIC int ludus_legal(const struct ludus_position *position, uint16_t actions[LUDUS_MOVES_MAX])
{
    const struct inside inside = inside_of(position);
    struct move moves[MOVES_MAX];
    int count = game_of(&inside)->legal(&inside.position, moves);

    for (int i = 0; i < count; i++)
        actions[i] = (uint16_t)action_of(&inside, moves[i]);
    return count;
}

static bool play_inside(struct inside *inside, int action)
{
    struct move wanted, moves[MOVES_MAX];

    if (!move_of(inside, action, &wanted))
        return false;
    int count = game_of(inside)->legal(&inside->position, moves);
    for (int i = 0; i < count; i++)
        if (move_equal(moves[i], wanted)) {
            game_of(inside)->apply(&inside->position, wanted);
            return true;
        }
    return false;
}

PUBLIC bool ludus_after(const struct ludus_position *position, int action,
                        struct ludus_position *after)
{
    struct inside inside = inside_of(position);

    if (!play_inside(&inside, action))
        return false;
    memcpy(after, &inside, sizeof inside);
    return true;
}

PUBLIC bool ludus_play(struct ludus_position *position, int action)
{
    return ludus_after(position, action, position);
}

PUBLIC int ludus_action(const struct ludus_position *position, const char *move,
                        char why[LUDUS_TEXT_MAX])
{
    const struct inside inside = inside_of(position);
    struct cause cause;
    struct move read;

    if (move_parse(game_of(&inside), &inside.position, move, &read, &cause))
        return action_of(&inside, read);
    snprintf(why, LUDUS_TEXT_MAX, "%s", cause.text);
    return -1;
}

PUBLIC bool ludus_write_action(const struct ludus_position *position, int action,
                               char text[LUDUS_TEXT_MAX])
{
    const struct inside inside = inside_of(position);
    struct move move;

    if (!move_of(&inside, action, &move))
        return false;
    move_format(&inside.position, move, text);
    return true;
}

/* ---- What a position is worth ---- */

PUBLIC enum ludus_result ludus_outcome(const struct ludus_position *position, const char **reason)
{
    const struct inside inside = inside_of(position);
    struct outcome outcome = game_of(&inside)->outcome(&inside.position);

    if (reason != NULL)
        *reason = reason_text(outcome.reason);
    return (enum ludus_result)outcome.result;
}

PUBLIC bool ludus_score(const struct ludus_position *position, int points[2])
{
    const struct inside inside = inside_of(position);

    if (game_of(&inside)->score == NULL)
        return false;
    game_of(&inside)->score(&inside.position, points);
    return true;
}

PUBLIC uint64_t ludus_key(const struct ludus_position *position)
{
    const struct inside inside = inside_of(position);

    return game_of(&inside)->key(&inside.position);
}

PUBLIC uint64_t ludus_perft(const struct ludus_position *position, int depth)
{
    const struct inside inside = inside_of(position);

    return perft(game_of(&inside), &inside.position, depth);
}

PUBLIC int ludus_plane_count(const struct ludus_position *position)
{
    char letters[LUDUS_TEXT_MAX];

    return 2 * ludus_letters(position, letters) + 2;
}

PUBLIC void ludus_planes(const struct ludus_position *position, uint8_t *planes)
{
    const struct inside inside = inside_of(position);
    char letters[LUDUS_TEXT_MAX];
    struct board board;
    int kinds = letters_of(game_of(&inside), letters), squares = squares_of(&inside);

    game_of(&inside)->board(&inside.position, &board);
    memset(planes, 0, (size_t)((2 * kinds + 1) * squares));
    memset(planes + (2 * kinds + 1) * squares, inside.position.side, (size_t)squares);
    for (int i = 0; i < squares; i++) {
        char cell = board.cell[i];
        bool is_black = cell >= 'a' && cell <= 'z';
        const char *kind = strchr(letters, is_black ? cell - 'a' + 'A' : cell);
        if (cell == '*')
            planes[2 * kinds * squares + i] = 1;
        else if (kind != NULL)
            planes[(kind - letters + (is_black ? kinds : 0)) * squares + i] = 1;
    }
}

/* ---- Many at a time ---- */

PUBLIC int ludus_step_many(struct ludus_position *positions, const int32_t *actions, int count,
                           int8_t *results, const struct ludus_position *starts)
{
    int played = 0;

    for (int i = 0; i < count; i++) {
        struct inside inside = inside_of(&positions[i]);
        results[i] = -1;
        if (!play_inside(&inside, actions[i]))
            continue;
        played++;
        results[i] = (int8_t)game_of(&inside)->outcome(&inside.position).result;
        if (results[i] != LUDUS_NONE && starts != NULL)
            positions[i] = starts[i];
        else
            memcpy(&positions[i], &inside, sizeof inside);
    }
    return played;
}

PUBLIC void ludus_mask_many(const struct ludus_position *positions, int count, uint8_t *masks,
                            int stride)
{
    for (int i = 0; i < count; i++, masks += stride) {
        const struct inside inside = inside_of(&positions[i]);
        struct move moves[MOVES_MAX];
        memset(masks, 0, (size_t)stride);
        for (int j = game_of(&inside)->legal(&inside.position, moves); j-- > 0;)
            masks[action_of(&inside, moves[j])] = 1;
    }
}

/* SplitMix64, as the bots have it: any number can be the state. */
static uint64_t next_number(uint64_t *seed)
{
    return splitmix64(*seed += 0x9e3779b97f4a7c15u);
}

static bool choose_at_random(const struct inside *inside, uint64_t *seed, struct move *move)
{
    struct move moves[MOVES_MAX];
    int count = game_of(inside)->legal(&inside->position, moves);

    if (count > 0)
        *move = moves[next_number(seed) % (unsigned)count];
    return count > 0;
}

PUBLIC void ludus_random_many(const struct ludus_position *positions, int count, uint64_t *seed,
                              int32_t *actions)
{
    for (int i = 0; i < count; i++) {
        const struct inside inside = inside_of(&positions[i]);
        struct move move;
        actions[i] = choose_at_random(&inside, seed, &move) ? action_of(&inside, move) : -1;
    }
}

PUBLIC int ludus_random_game(struct ludus_position *position, uint64_t *seed, int plies_max)
{
    struct inside inside = inside_of(position);
    struct move move;
    int plies = 0;

    while (plies < plies_max && choose_at_random(&inside, seed, &move)) {
        game_of(&inside)->apply(&inside.position, move);
        plies++;
    }
    memcpy(position, &inside, sizeof inside);
    return plies;
}
