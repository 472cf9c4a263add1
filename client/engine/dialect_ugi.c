/*
 * UGI, the Universal Game Interface, as cutegames defines it (github.com/kz04px/cutegames, ugi.md).
 * It has no way to choose a game. An engine may offer an option Game, as in `setoption name Game
 * value clobber:5x6`; any other is assumed to play what it is asked to.
 */
#include <stdio.h>

#include "dialect.h"

static bool ugi_choose(const struct profile *profile, struct setup *setup,
                       char lines[SETUP_LINES_MAX], struct cause *cause)
{
    char variant[VARIANT_NAME_MAX];

    (void)cause;
    lines[0] = '\0';
    setup->game->variant_name(&setup->start, variant);
    if (profile->offers_game)
        snprintf(lines, SETUP_LINES_MAX, "setoption name Game value %s:%s", setup->game->name,
                 variant);
    return true;
}

static void ugi_write_fen(const struct game *game, const struct position *position,
                          char text[FEN_TEXT_MAX])
{
    game->format(position, text);
}

const struct dialect ugi = {
    .name = "ugi",
    .clock_words = {"p1time", "p2time", "p1inc", "p2inc"},
    .can_play = NULL,
    .choose = ugi_choose,
    .write_fen = ugi_write_fen,
};
