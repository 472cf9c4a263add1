/*
 * What is different between the two dialects that engines speak: UGI (ugi.c), and UCI as
 * Fairy-Stockfish speaks it for Clobber (uci.c). All else is the same in both, and in talk.c.
 */
#ifndef LUDUS_ENGINE_DIALECT_H
#define LUDUS_ENGINE_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/game.h"

enum {
    SETUP_LINES_MAX = 512,                 /* bytes of the lines that set a game up */
    FEN_TEXT_MAX = POSITION_TEXT_MAX + 16, /* a position as engines get it */
    INI_PATH_MAX = 256
};

/* What an engine tells about itself before its `ugiok` or `uciok`. */
struct profile {
    char name[64];
    bool offers_game;         /* UGI: the option Game */
    bool offers_variants;     /* UCI: the option UCI_Variant */
    bool offers_clobber;      /* ... with a value clobber */
    bool offers_variant_path; /* UCI: the option VariantPath */
};

/* An engine being set up for a game. */
struct setup {
    const struct game *game;
    struct position start;       /* of the variant */
    bool awaits_confirmation;    /* the engine is known to say that it took the game */
    char confirmation[128];      /* how the line begins in which it does */
    char ini_path[INI_PATH_MAX]; /* a temporary file that it reads; "" : none */
};

struct dialect {
    /* "ugi": the first command, and in "ugiok", "uginewgame". */
    const char *name;

    /* The words before the times that white and black have left, and get for each move. */
    const char *clock_words[4];

    /* Whether such an engine can be asked to play from this start position; if not, the cause
     * says why. NULL: whatever is asked of it. */
    bool (*can_play)(const struct profile *profile, const struct game *game,
                     const struct position *start, struct cause *cause);

    /* Writes the lines that make the engine play setup->game from setup->start, with line ends
     * between them, and fills in the rest of *setup. It must be a game that it can play. False
     * with the cause when that fails. setup_release() afterwards in either case. */
    bool (*choose)(const struct profile *profile, struct setup *setup, char lines[SETUP_LINES_MAX],
                   struct cause *cause);

    /* Writes a position as the engine reads it after `position fen`. */
    void (*write_fen)(const struct game *game, const struct position *position,
                      char text[FEN_TEXT_MAX]);
};

extern const struct dialect ugi, uci;

/* Notes what a line of the engine's introduction tells, whatever its dialect. */
void profile_note(struct profile *profile, const char *line);

/* Removes the temporary file, if there is one. */
void setup_release(struct setup *setup);

#endif
