#include "guide.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/move.h"

extern const struct guide clobber_guide, xadrersi_guide, latrunculi_guide, shakti_guide;

static const struct guide *const guides[] = {&clobber_guide, &xadrersi_guide, &latrunculi_guide,
                                             &shakti_guide};

enum { MOVES_LEFT = 20 }; /* where nobody can know */

const struct guide *guide_of(const struct game *game)
{
    for (size_t i = 0; i < sizeof guides / sizeof guides[0]; i++)
        if (guides[i]->game == game)
            return guides[i];
    return NULL;
}

int guide_eval(const struct game *game, const struct position *position)
{
    const struct guide *guide = guide_of(game);

    return guide != NULL && guide->eval != NULL ? guide->eval(position) : 0;
}

int guide_moves(const struct game *game, const struct position *position)
{
    const struct guide *guide = guide_of(game);

    return guide != NULL && guide->moves != NULL ? guide->moves(position) : MOVES_LEFT;
}

const struct look *guide_look(const struct guide *guide, char piece)
{
    const struct look *look = guide != NULL ? guide->looks : NULL;

    while (look != NULL && look->piece != piece)
        look = look->piece != 0 ? look + 1 : NULL;
    return piece != 0 ? look : NULL;
}

char guide_piece(const struct guide *guide, enum color color)
{
    const struct look *look = guide != NULL ? guide->looks : NULL;
    enum color side;

    if (look == NULL)
        return 0;
    while (look->piece != 0 && !(scene_piece(look->piece, &side) && side == color))
        look++;
    return look->piece;
}

void guide_facts(const struct guide *guide, const struct scene *scene, bool overlay,
                 char facts[FACTS_MAX])
{
    facts[0] = '\0';
    if (guide != NULL && guide->tell != NULL)
        guide->tell(scene, overlay, facts);
}

/* Writes that pieces are captured, one of which is `piece`. */
static void write_captured(const struct game *game, char piece, int taken,
                           char text[MOVE_REASON_MAX])
{
    const struct look *look = guide_look(guide_of(game), piece);
    const char *name = look != NULL ? look->name : "";
    unsigned long count = (unsigned long)taken;

    snprintf(text, MOVE_REASON_MAX,
             strcmp(name, "soldier") == 0
                 ? text_counted("captures a soldier", "captures %d soldiers", count)
             : strcmp(name, "warrior") == 0
                 ? text_counted("captures a warrior", "captures %d warriors", count)
             : strcmp(name, "stone") == 0
                 ? text_counted("captures a stone", "captures %d stones", count)
                 : text_counted("captures a piece", "captures %d pieces", count),
             taken);
}

/* Counts the pieces of a side; *last is one of them. */
static int count_pieces(const struct board *board, bool white, char *last)
{
    int count = 0;

    for (int square = 0; square < board->width * board->height; square++) {
        unsigned char cell = (unsigned char)board->cell[square];
        if (white ? isupper(cell) : islower(cell)) {
            *last = (char)cell;
            count++;
        }
    }
    return count;
}

/* Writes what the move takes off the board; false when that is nothing. */
static bool write_captures(const struct game *game, const struct position *before,
                           const struct position *after, char text[MOVE_REASON_MAX])
{
    struct board old, new;
    char piece = 0, left;
    bool white = before->side == BLACK; /* the side that loses them */

    game->board(before, &old);
    game->board(after, &new);
    int taken = count_pieces(&old, white, &left) - count_pieces(&new, white, &left);
    for (int square = 0; square < old.width * old.height && taken > 0; square++) {
        unsigned char cell = (unsigned char)old.cell[square];
        if (new.cell[square] != (char)cell && (white ? isupper(cell) : islower(cell)))
            piece = (char)cell;
    }
    if (taken > 0)
        write_captured(game, piece, taken, text);
    return taken > 0;
}

/* Whether a piece of that side stands on the next square in a direction, which is written then. */
static bool stands_beside(const struct board *board, int square, const int step[2], enum color side,
                          char text[SQUARE_TEXT_MAX])
{
    enum color color;

    if (!board_step(board, &square, step) || !scene_piece(board->cell[square], &color) ||
        color != side)
        return false;
    square_format(board->width, square, text);
    return true;
}

bool guide_captures(const struct game *game, const struct position *before, struct move move,
                    char text[CAPTURES_MAX])
{
    struct position after = *before;
    struct board old, new;
    enum color color, side = before->side;

    text[0] = '\0';
    game->apply(&after, move);
    game->board(before, &old);
    game->board(&after, &new);
    for (int square = 0; square < old.width * old.height; square++) {
        size_t used = strlen(text);
        char name[SQUARE_TEXT_MAX], one[SQUARE_TEXT_MAX], other[SQUARE_TEXT_MAX];
        if (!scene_piece(old.cell[square], &color) || color == side || new.cell[square] != '.')
            continue;
        square_format(old.width, square, name);
        used +=
            (size_t)snprintf(text + used, CAPTURES_MAX - used, "%s%s", used > 0 ? ", " : "", name);
        for (int i = 0; i < 2 && used < CAPTURES_MAX; i++) { /* along the rank, along the file */
            const int *step = board_steps[2 * i], back[2] = {-step[0], -step[1]};
            if (!stands_beside(&new, square, back, side, one) ||
                !stands_beside(&new, square, step, side, other))
                continue;
            snprintf(text + used, CAPTURES_MAX - used, _(" (between %s and %s)"), one, other);
            break;
        }
    }
    return text[0] != '\0';
}

void guide_reason(const struct game *game, const struct position *position, struct move move,
                  char text[MOVE_REASON_MAX])
{
    const struct guide *guide = guide_of(game);
    struct position after = *position;

    text[0] = '\0';
    game->apply(&after, move);
    enum result result = game->outcome(&after).result;
    bool takes =
        !(guide != NULL && guide->captures_always) && write_captures(game, position, &after, text);
    if (result == result_win((enum color)position->side)) {
        snprintf(text, MOVE_REASON_MAX, "%s", _("wins the game"));
    } else if (result == RESULT_DRAW) {
        snprintf(text, MOVE_REASON_MAX, "%s", _("draws the game"));
    } else if (takes) {
        return;
    } else if (move.kind == MOVE_PASS) {
        snprintf(text, MOVE_REASON_MAX, "%s", _("is the only one"));
    } else if (game->check != NULL && game->check(&after)) {
        snprintf(text, MOVE_REASON_MAX, "%s", _("gives check"));
    } else if (game->check != NULL && game->check(position)) {
        snprintf(text, MOVE_REASON_MAX, "%s", _("gets out of check"));
    } else if (game->score != NULL) {
        /* Write the points that the move gains. */
        int old[2], new[2], me = position->side;
        game->score(position, old);
        game->score(&after, new);
        snprintf(text, MOVE_REASON_MAX,
                 _("changes the score by %+d for you and %+d for your opponent"), new[me] - old[me],
                 new[!me] - old[!me]);
    }
}
