/*
 * A match as text, as PGN (the Portable Game Notation of chess): tags in brackets, an empty line,
 * numbered moves, the result. The server, the client and the tools write and read it. Knows no
 * files.
 *
 *     [Event "Rated Clobber match"]
 *     [Site "?"]
 *     [Date "2026.11.21"]
 *     [Round "-"]
 *     [White "anna"]
 *     [Black "bob"]
 *     [Result "1-0"]
 *     [UTCDate "2026.11.21"]
 *     [UTCTime "09:50:21"]
 *     [WhiteElo "1500"]
 *     [BlackElo "1500"]
 *     [Variant "Clobber 2x2"]
 *     [TimeControl "300+5"]
 *     [Game "clobber"]
 *     [Match "12"]
 *     [WhiteRating "1662"]
 *     [BlackRating "1338"]
 *     [Reason "no-moves"]
 *
 *     1. a2a1 { [%clk 0:05:05] } 1... b2b1 { [%clk 0:05:02] } 2. a1b1
 *     { [%clk 0:05:01] } 1-0
 *
 * The first seven tags are those of the standard, which are always there; UTCDate, UTCTime,
 * WhiteElo and BlackElo (before the match) where they are known. SetUp and FEN have a position
 * other than the variant's start. The tags from Game on, which may be missing, are of Ludus;
 * WhiteRating and BlackRating are after the match, and there are Rated "no" (the match was not to
 * be rated) and Termination. Comments tell as those of lichess do what is known of a move: the time
 * left on the clock [%clk], a value for White [%eval]; and the time that it took [%emt
 * 0:00:01.234]. Other moves are variations. In a tag's value, \" is a quote and \\ a backslash. If
 * black moves first, the moves begin with `1...`.
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
    PGN_FAULTS_MAX = 1000,    /* matches of a text that cannot be read */
    PGN_RATING_MAX = 9999
};

struct move_text {
    char text[MOVE_TEXT_MAX];
};

/* One match. Texts are borrowed; NULL: not known. */
struct pgn_match {
    const struct game *game;
    struct position start;
    const char *match, *white, *black;
    const char *date; /* UTC: 2026-11-21T09:50:21Z or 2026-11-21 */
    const char *event, *site, *round;
    int ratings[2];                /* of white and black before it, 1 to PGN_RATING_MAX; 0: not
                                    * known */
    int rating_after[2];           /* after it, if it was rated */
    int64_t base_ms, increment_ms; /* of the clock; base_ms 0: none */
    bool casual;                   /* it was not to be rated */
    int plies;
    const struct move_text *moves; /* `plies` of them, borrowed */
    const int64_t *times_ms;       /* of each move, below 2^32; -1: not known; NULL: none is */
    /* What is said of each move, in lines: marks such as "$4"; comments in braces; the moves of a
     * better line behind a parenthesis, "(a2a1 b2b1", in which others stand in parentheses behind
     * the move in whose place they might be played, "(a2a1 b2b1 (b2c2) a1b1"; all other lines make
     * up one comment, such as "[%eval -1.25]". NULL: nothing. Of these only marks are read. */
    const char *const *notes;
    struct outcome outcome;  /* REASON_NONE with a result: reason not known */
    const char *termination; /* how a match ended where rules and reason do not tell */
    int line;                /* where it began in the text it was read from; from 1 */
    const char *fault; /* why it could not be read, beginning with "line N: "; all but the line is
                          unknown then. NULL: it was read */
};

enum { PGN_SAID_MAX = 128, PGN_DATE_MAX = 24 };

/* What a player said of a move, as a note: the value that they gave it, in hundredths from the side
 * of `color` (`eval` NULL: none), as [%eval -0.34], which counts for white; and the line that they
 * expected, moves with spaces between them ("": none), as [%pv a2a1 b2b1]. */
void pgn_said(char text[PGN_SAID_MAX], const int *eval, enum color color, const char *pv);

/* Writes one match, with a final line end; with_times tells the time of each move, too. Returns a
 * text that the caller frees. Lines of moves have at most 79 bytes. Cuts values to PGN_VALUE_MAX,
 * and turns bytes that are not UTF-8 text into
 * '?'. Put an empty line between two matches. */
char *pgn_write(const struct pgn_match *match, bool with_times);

/* The matches of a text. */
struct pgn_file {
    struct pgn_match *matches; /* owned, with all that they point to */
    int count;
    int faulty; /* how many of them have a fault */
    char *text;
    struct move_text *moves;
    int64_t *times_ms;
    char **notes;
    size_t move_count;
    char (*dates)[PGN_DATE_MAX]; /* of the matches */
};

/* Reads a text of one or more matches. It may have any line ends, byte order marks, comments in
 * {...} or from ; to the end of the line, lines that begin with %, variations in (...), and other
 * tags; these are ignored. Marks of a move are kept, be they written $4 or as one of
 *     ! ? !! ?? !? ?!
 * A tag that tells the game and the result after the moves are required: Game "clobber", or a
 * Variant such as "Clobber 5x6", "clobber:5x6", "5x6", or a FEN that only one game has. Move
 * numbers may be missing but not wrong. A match of which the form is broken, a value is invalid or
 * a limit is exceeded has a fault, and the next one begins at the next tag that stands at the
 * beginning of a line below its moves. Returns false, with *file empty and a cause that begins with
 * "line N: ", if no match can be read, or too many cannot. Does not check whether the moves are
 * legal. */
bool pgn_read(struct pgn_file *file, const char *text, size_t length, struct cause *cause);

/* Frees what pgn_read() has made. */
void pgn_release(struct pgn_file *file);

/* Plays the match through. Returns false with the cause for a fault, an illegal move, a move after
 * the end, or an outcome that does not fit. Where the rules end the game (repetition included), the
 * outcome must be theirs; otherwise it must not claim to be, and its result must fit its reason. A
 * result without a reason may end a game at any point. */
bool pgn_check(const struct pgn_match *match, struct cause *cause);

/* Reads the words for a result and its reason (NULL: not known). Returns false, with nothing set,
 * if one of them is unknown. */
bool pgn_outcome(const char *result, const char *reason, struct outcome *outcome);

#endif
