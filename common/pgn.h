/*
 * A match as text in the manner of PGN: tags in brackets, an empty line, numbered moves, the
 * result. The server, the client and the tools write and read it. Knows no files.
 *
 *     [Game "clobber"]
 *     [Variant "2x2"]
 *     [Match "12"]
 *     [Date "2026-11-21T09:50:21Z"]
 *     [White "anna"]
 *     [Black "bob"]
 *     [TimeControl "300+5"]
 *     [Result "1-0"]
 *     [Reason "no-moves"]
 *
 *     1. a2a1 b2b1 2. a1b1 1-0
 *
 * `WhiteRating`, `BlackRating`, `Rated "no"` (the match was not to be rated), `Start` (a position
 * other than the variant's start) and `Termination` appear only where needed. Times are comments
 * after the moves, in hours, minutes and seconds:
 * `{[%emt 0:00:01.234]}`. In a tag's value, \" is a quote and \\ a backslash. If black moves first,
 * the moves begin with `1...`.
 */
#ifndef LUDUS_PGN_H
#define LUDUS_PGN_H

#include <stddef.h>
#include <stdint.h>

#include "game.h"

enum {
    PGN_BYTES_MAX = 64 << 20, /* of a text to read */
    PGN_VALUE_MAX = 255,      /* bytes of a tag's value */
    PGN_PLIES_MAX = 10000,    /* of one match; servers allow as many */
    PGN_RATING_MAX = 9999
};

struct move_text {
    char text[MOVE_TEXT_MAX];
};

/* One match. Texts are borrowed; NULL: not known. */
struct pgn_match {
    const struct game *game;
    struct position start;
    const char *match, *date, *white, *black;
    int ratings[2];                /* of white and black, 1 to PGN_RATING_MAX; 0: not known */
    int64_t base_ms, increment_ms; /* of the clock; base_ms 0: none */
    bool casual;                   /* it was not to be rated */
    int plies;
    const struct move_text *moves; /* `plies` of them, borrowed */
    const int64_t *times_ms;       /* of each move, below 2^32; -1: not known; NULL: none is */
    /* Behind each move: words separated by line ends, such as "$4\n{[%eval -1.25]}"; NULL: none.
     * Written only. */
    const char *const *notes;
    struct outcome outcome; /* REASON_NONE with a result: reason not known */
    const char
        *termination; /* how a match ended that neither rules nor players did; written only */
    int line;         /* where it began in the text it was read from; from 1 */
};

enum { PGN_SAID_MAX = 128 };

/* What a player said of a move, as a note: the value that they gave it, in hundredths from the side
 * of `color` (`eval` NULL: none), as {[%eval -0.34]}, which counts for white; and the line that
 * they expected, moves with spaces between them ("": none), as {[%pv a2a1 b2b1]}. */
void pgn_said(char text[PGN_SAID_MAX], const int *eval, enum color color, const char *pv);

/* Writes one match, with a final line end. Returns a text that the caller frees. Lines of moves
 * have at most 79 bytes. Cuts values to PGN_VALUE_MAX, and turns bytes that are not UTF-8 text into
 * '?'. Put an empty line between two matches. */
char *pgn_write(const struct pgn_match *match, bool with_times);

/* The matches of a text. */
struct pgn_file {
    struct pgn_match *matches; /* owned, with all that they point to */
    int count;
    char *text;
    struct move_text *moves;
    int64_t *times_ms;
};

/* Reads a text of one or more matches. It may have any line ends, comments in {...} or from ; to
 * the end of the line, lines that begin with %, marks such as $4, and other tags; these are
 * ignored. The tag Game and the result after the moves are required; move numbers may be missing
 * but not wrong. Returns false, with *file empty and a cause that begins with "line N: ", if the
 * form is broken, a value is invalid or a limit is exceeded. Does not check whether the moves are
 * legal. */
bool pgn_read(struct pgn_file *file, const char *text, size_t length, struct cause *cause);

/* Frees what pgn_read() has made. */
void pgn_release(struct pgn_file *file);

/* Plays the match through. Returns false with the cause for an illegal move, a move after the end,
 * or an outcome that does not fit. Where the rules end the game (repetition included), the outcome
 * must be theirs; otherwise it must not claim to be, and its result must fit its reason. A result
 * without a reason may end a game at any point. */
bool pgn_check(const struct pgn_match *match, struct cause *cause);

/* Reads the words for a result and its reason (NULL: not known). Returns false, with nothing set,
 * if one of them is unknown. */
bool pgn_outcome(const char *result, const char *reason, struct outcome *outcome);

#endif
