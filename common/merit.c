#include "merit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "move.h"

/* How a game is won, by the reason of its end: by the move at once, or by a line that it begins.
 * `counts`: the number of moves is told, too. */
static const struct {
    const char *now, *later;
    bool counts;
} ends[] = {
    [REASON_NO_MOVES] = {N_("makes the last move"), N_("keeps the last move"), false},
    [REASON_SCORE] = {N_("wins on points"), N_("wins on points"), false},
    [REASON_DUX_IMMOBILISED] = {N_("surrounds the dux"), N_("surrounds the dux"), true},
    [REASON_NO_SOLDIERS] = {N_("captures the last soldier"), N_("captures the last soldier"), true},
    [REASON_CHECKMATE] = {N_("mates"), N_("mates"), true},
};

/* The pieces of the side that does not move which are gone after the move: their number, and the
 * name of the last one. */
static int count_captured(const struct game *game, const struct position *before,
                          const struct position *after, const char **name)
{
    struct board was, is;
    int count = 0;

    game->board(before, &was);
    game->board(after, &is);
    for (int square = 0; square < was.width * was.height; square++) {
        char piece = was.cell[square];
        bool theirs = before->side == WHITE ? islower((unsigned char)piece) != 0
                                            : isupper((unsigned char)piece) != 0;
        if (!theirs || is.cell[square] == piece)
            continue;
        count++;
        for (const struct symbol *symbol = game->symbols; symbol != NULL && symbol->letter != '\0';
             symbol++)
            if (symbol->letter == toupper((unsigned char)piece))
                *name = symbol->name;
    }
    return count;
}

/* Where every move captures, that says nothing of one. */
static bool every_move_captures(const struct game *game, const struct position *position)
{
    struct move moves[MOVES_MAX];
    const char *name;
    int count = game->legal(position, moves);

    for (int i = 0; i < count; i++) {
        struct position after = *position;
        game->apply(&after, moves[i]);
        if (count_captured(game, position, &after, &name) == 0)
            return false;
    }
    return true;
}

/* The points by which the side leads. */
static int lead_of(const struct game *game, const struct position *position, int side)
{
    int points[2];

    game->score(position, points);
    return points[side] - points[!side];
}

static void tell_captured(int count, const char *name, char text[MERIT_MAX])
{
    unsigned long number = (unsigned long)count;

    snprintf(text, MERIT_MAX,
             strcmp(name, "soldier") == 0
                 ? text_counted("captures the soldier", "captures %d soldiers", number)
             : strcmp(name, "warrior") == 0
                 ? text_counted("captures the warrior", "captures %d warriors", number)
             : strcmp(name, "stone") == 0
                 ? text_counted("captures the stone", "captures %d stones", number)
                 : text_counted("captures the piece", "captures %d pieces", number),
             count);
}

/* What the move itself does. */
static void tell_deed(const struct game *game, const struct position *before,
                      const struct position *after, char text[MERIT_MAX])
{
    const char *name = "piece";
    int captured = count_captured(game, before, after, &name);
    int gain = game->score == NULL
                   ? 0
                   : lead_of(game, after, before->side) - lead_of(game, before, before->side);

    if (captured > 0 && !every_move_captures(game, before))
        tell_captured(captured, name, text);
    else if (game->check != NULL && game->check(after))
        snprintf(text, MERIT_MAX, "%s", _("gives check"));
    else if (gain > 0)
        snprintf(text, MERIT_MAX,
                 text_counted("gains %d point", "gains %d points", (unsigned long)gain), gain);
}

void merit_tell(const struct game *game, const struct position *position,
                const struct best_line *line, char text[MERIT_MAX])
{
    int side = position->side;
    struct position first = *position, last = *position;
    struct cause cause;
    struct move move;

    text[0] = '\0';
    for (int i = 0; i < line->plies; i++) {
        if (!move_parse(game, &last, line->moves[i], &move, &cause))
            return;
        game->apply(&last, move);
        if (i == 0)
            first = last;
    }
    struct outcome end = game->outcome(&last);
    bool wins = side == WHITE ? line->eval >= EVAL_CERTAIN : line->eval <= -EVAL_CERTAIN;
    if (line->plies == 0)
        return;
    if (end.result == result_win(side) && end.reason < sizeof ends / sizeof ends[0] &&
        ends[end.reason].now != NULL) {
        bool now = line->plies == 1;
        const char *how = _(now ? ends[end.reason].now : ends[end.reason].later);
        if (now || !ends[end.reason].counts)
            snprintf(text, MERIT_MAX, "%s", how);
        else
            snprintf(text, MERIT_MAX, _("%s in %d"), how, (line->plies + 1) / 2);
    } else if (wins) {
        snprintf(text, MERIT_MAX, "%s",
                 line->exact ? _("keeps the last move") : _("wins by force"));
    } else {
        tell_deed(game, position, &first, text);
    }
}
