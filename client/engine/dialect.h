/*
 * The two dialects of engines: UGI (dialect_ugi.c), and UCI as Fairy-Stockfish speaks it for
 * Clobber (dialect_uci.c). driver.c has what they have in common.
 */
#ifndef LUDUS_ENGINE_DIALECT_H
#define LUDUS_ENGINE_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/game.h"

enum {
    SETUP_LINES_MAX = 512,                 /* bytes of the lines that set a game up */
    FEN_TEXT_MAX = POSITION_TEXT_MAX + 16, /* a position as engines read it */
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
    /* "ugi": the first command, and in "ugiok", "uginewgame". */
    const char *name;

    /* The words of `go` before the time of white and of black, and the increment of each. */
    const char *clock_words[4];

    /* Whether the engine can play from this start position; if not, the cause says why. NULL: it
     * can always. */
    bool (*can_play)(const struct profile *profile, const struct game *game,
                     const struct position *start, struct cause *cause);

    /* Writes the lines that make the engine play setup->game from setup->start, separated by line
     * ends, and fills in the rest of *setup. The engine must be able to play it. Returns false with
     * the cause on failure. Call setup_release() in either case. */
    bool (*choose)(const struct profile *profile, struct setup *setup, char lines[SETUP_LINES_MAX],
                   struct cause *cause);

    /* Writes a position as the engine reads it after `position fen`. */
    void (*write_fen)(const struct game *game, const struct position *position,
                      char text[FEN_TEXT_MAX]);
};

extern const struct dialect ugi, uci;

/* Notes what a line of an engine's introduction says, in either dialect. */
void profile_note(struct profile *profile, const char *line);

/* Deletes the temporary file, if there is one. */
void setup_release(struct setup *setup);

#endif
