/*
 * The dialects of engines: what each calls things, and how it makes an engine play a game and ask
 * for a move. driver.c has the rest, in the words of UGI.
 *
 * UGI is the Universal Game Interface, as cutegames defines it (github.com/kz04px/cutegames,
 * ugi.md). It has no way to choose a game. An engine may offer an option Game, as in `setoption
 * name Game value clobber:5x6`; any other is assumed to play what it is asked to.
 *
 * UCI is the Universal Chess Interface, for Clobber as Fairy-Stockfish plays it. The option
 * UCI_Variant names the game. The built-in variant `clobber` is 5 by 6; the option VariantPath
 * names a file that defines other sizes. An engine without UCI_Variant is assumed to play Clobber
 * only.
 *
 * GTP is the Go Text Protocol, version 2, for Clobber. An engine is told
 *
 *     boardsize N, or boardsize WIDTH HEIGHT of a board that is not square
 *     clear_board               sets the stones up as Clobber begins: black on a1
 *     play w a1a2               moves as Ludus writes them, with every letter from a to j
 *     time_settings, time_left  in whole seconds, 0 stones in a match with a clock
 *     genmove w                 answered by resign or a move, in any case: a1a2, a1-a2, "a1 a2"
 *
 * White moves first. Each move is asked for after clear_board and all moves of the match, so an
 * engine needs no `undo`. One whose list_commands has `ludus-position`, with a position as Ludus
 * writes it, can begin in any position; others can begin only at the start of the board.
 *
 * Known problem: an engine cannot be stopped; the time that it has must be over first.
 */
#ifndef LUDUS_ENGINE_DIALECT_H
#define LUDUS_ENGINE_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/buffer.h"
#include "course.h"
#include "dialect.h"

enum {
    SETUP_LINES_MAX = 512, /* bytes of the lines that set a game up */
    INI_PATH_MAX = 256
};

/* The time for one move. */
struct budget {
    bool clock;     /* the match has a clock; otherwise movetime_ms counts */
    uint64_t nodes; /* unless 0: limits the search instead of a time; movetime_ms is then the most
                     * that it may take */
    int64_t movetime_ms;
    int64_t left_ms[2], increment_ms[2]; /* by colour */
};

/* What an engine says about itself when it is greeted. */
struct profile {
    char name[64];
    bool offers_game;         /* UGI: the option Game */
    bool offers_variants;     /* UCI: the option UCI_Variant */
    bool offers_clobber;      /* UCI: UCI_Variant has the value clobber */
    bool offers_variant_path; /* UCI: the option VariantPath */
    bool offers_position;     /* GTP: the command ludus-position */
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
    const char *name;     /* as in --protocol */
    const char *greeting; /* the lines that greet an engine */
    const char *greeted;  /* the end of its answer */
    const char *ready;    /* asks for `readyok` */
    const char *newgame;
    const char *stop;            /* NULL: it cannot be told to move at once */
    const char *option_words[2]; /* before the name and the value of an option */
    const char *clock_words[4];  /* UGI, UCI: of `go`: the times and the increments of both */
    const char *fen_tail;        /* UGI, UCI: what follows a position after `position fen` */

    /* Writes the lines that make the engine play setup->game from setup->start, separated by line
     * ends, and fills in the rest of *setup. The engine must be able to play it. False with the
     * cause. Call setup_release() in either case. */
    bool (*choose)(const struct profile *profile, struct setup *setup, char lines[SETUP_LINES_MAX],
                   struct cause *cause);

    /* Writes the lines that ask for a move in the last position of the course. False with the
     * cause. */
    bool (*ask)(const struct dialect *dialect, const struct profile *profile,
                const struct setup *setup, const struct course *course, const struct budget *budget,
                struct buffer *lines, struct cause *cause);
};

extern const struct dialect ugi, uci, gtp;

/* What kind of program answers the greeting of another dialect with this line: a sentence, or
 * NULL if that cannot be told. */
const char *dialect_guess(const char *line);

/* Notes what a line of an engine's introduction says, in any dialect. */
void profile_note(struct profile *profile, const char *line);

/* Whether the engine can play from this start position; if not, the cause says why. */
bool dialect_can_play(const struct dialect *dialect, const struct profile *profile,
                      const struct game *game, const struct position *start, struct cause *cause);

/* Deletes the temporary file, if there is one. */
void setup_release(struct setup *setup);

enum { GTP_TEXT_MAX = 256 };

/* Returns what a line of the engine means in the words of UGI, in text[]; the line itself if it
 * means nothing there. */
const char *gtp_hear(const char *line, char text[GTP_TEXT_MAX]);

/* All dialects, NULL-terminated. */
extern const struct dialect *const all_dialects[];

/* Finds a dialect by its name, in any case, or NULL. */
const struct dialect *dialect_find(const char *name);

#endif
