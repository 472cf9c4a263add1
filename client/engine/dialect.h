/*
 * The two dialects of engines, and how each makes an engine play a game. driver.c has the rest,
 * which they have in common.
 *
 * UGI is the Universal Game Interface, as cutegames defines it (github.com/kz04px/cutegames,
 * ugi.md). It has no way to choose a game. An engine may offer an option Game, as in `setoption
 * name Game value clobber:5x6`; any other is assumed to play what it is asked to.
 *
 * UCI is the Universal Chess Interface, for Clobber as Fairy-Stockfish plays it. The option
 * UCI_Variant names the game. The built-in variant `clobber` is 5 by 6; the option VariantPath
 * names a file that defines other sizes. An engine without UCI_Variant is assumed to play Clobber
 * only.
 */
#ifndef LUDUS_ENGINE_DIALECT_H
#define LUDUS_ENGINE_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/game.h"

enum {
    SETUP_LINES_MAX = 512, /* bytes of the lines that set a game up */
    INI_PATH_MAX = 256
};

/* What an engine says about itself before its `ugiok` or `uciok`. */
struct profile {
    char name[64];
    bool offers_game;         /* UGI: the option Game */
    bool offers_variants;     /* UCI: the option UCI_Variant */
    bool offers_clobber;      /* UCI: UCI_Variant has the value clobber */
    bool offers_variant_path; /* UCI: the option VariantPath */
};

/* An engine being set up for a game. */
struct setup {
    const struct game *game;
    struct position start;       /* of the variant */
    bool awaits_confirmation;    /* the engine is known to confirm the game */
    char confirmation[128];      /* the start of the line that does */
    char ini_path[INI_PATH_MAX]; /* a temporary file for the engine; "": none */
};

struct dialect {
    const char *name;           /* "ugi": the first command, and in "ugiok", "uginewgame" */
    const char *clock_words[4]; /* of `go`: the times of white and black, and their increments */
    const char *fen_tail;       /* what follows a position after `position fen` */
};

extern const struct dialect ugi, uci;

/* Notes what a line of an engine's introduction says, in either dialect. */
void profile_note(struct profile *profile, const char *line);

/* Whether the engine can play from this start position; if not, the cause says why. */
bool dialect_can_play(const struct dialect *dialect, const struct profile *profile,
                      const struct game *game, const struct position *start, struct cause *cause);

/* Writes the lines that make the engine play setup->game from setup->start, separated by line ends,
 * and fills in the rest of *setup. The engine must be able to play it. False with the cause on
 * failure. Call setup_release() in either case. */
bool dialect_choose(const struct dialect *dialect, const struct profile *profile,
                    struct setup *setup, char lines[SETUP_LINES_MAX], struct cause *cause);

/* Deletes the temporary file, if there is one. */
void setup_release(struct setup *setup);

#endif
