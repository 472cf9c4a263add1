/*
 * A match as text, in the manner of PGN: tags in brackets, an empty line, numbered moves, the
 * result. Written and read by the server, the client and the tools; knows no files.
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
 * `WhiteRating`, `BlackRating` and `Start` (the position, when it is not the variant's own start)
 * are there where they say something. Times are comments behind the moves, hours, minutes and
 * seconds: `{[%emt 0:00:01.234]}`. In a tag's value \" is a quote and \\ a backslash. When black
 * moves first, the moves begin with `1...`.
 */
#ifndef LUDUS_PGN_H
#define LUDUS_PGN_H

#include <stddef.h>
#include <stdint.h>

#include "game.h"

enum {
    PGN_BYTES_MAX = 64 << 20, /* of one text that is read */
    PGN_VALUE_MAX = 255,      /* bytes of the value of a tag */
    PGN_PLIES_MAX = 10000,    /* of one match; as many as a server allows */
    PGN_RATING_MAX = 9999
};

struct move_text {
    char text[MOVE_TEXT_MAX];
};

/* One match. Texts are borrowed and NULL where they are not known. */
struct pgn_match {
    const struct game *game;
    struct position start;
    const char *match, *date, *white, *black;
    int ratings[2];                /* of white and black, 1 to PGN_RATING_MAX; 0: not known */
    int64_t base_ms, increment_ms; /* of the clock; base_ms 0: none */
    int plies;
    const struct move_text *moves; /* `plies` of them, borrowed */
    const int64_t *times_ms;       /* one a move, below 2^32, -1 where it is not known;
                                    * NULL: none is */
    struct outcome outcome;        /* reason NONE with a result: not known */
    int line;                      /* of the text it was read from, where it begins; from 1 */
};

/* Writes one match, with a line end at its end and no line longer than 79 bytes but for tags;
 * between two matches belongs an empty line. Returns a text that the caller frees. Values longer
 * than PGN_VALUE_MAX are cut, and bytes that are not UTF-8 text become '?'. */
char *pgn_write(const struct pgn_match *match, bool with_times);

/* What a text holds. */
struct pgn_file {
    struct pgn_match *matches; /* owned, with all that they point to */
    int count;
    char *text;
    struct move_text *moves;
    int64_t *times_ms;
};

/* Reads a text of one or more matches. Any line ends; comments are {...} and ; to the end of the
 * line; lines that begin with % are passed over, and tags with other names. The tag Game and the
 * result behind the moves must be there; move numbers may be left out, but not be wrong. False
 * with the cause, which begins with "line N: ", and an empty *file: the form is broken, a value
 * makes no sense, or a limit above is exceeded. Whether the moves are legal is not looked at. */
bool pgn_read(struct pgn_file *file, const char *text, size_t length, struct cause *cause);

/* Frees what pgn_read() has made. */
void pgn_release(struct pgn_file *file);

/* Plays the match through. False with the cause: the first move that the rules forbid and why, a
 * move after the end, or an outcome that does not fit: what the rules end (repetition included)
 * must end by them, a reason of the rules must be true, and the players' own endings must go with
 * their results. A result without a reason is believed where the game goes on. */
bool pgn_check(const struct pgn_match *match, struct cause *cause);

/* Writes "3." or "3..." and the move for people; ply counts from 0. text[size]. */
void pgn_name_move(const struct pgn_match *match, int ply, char *text, size_t size);

/* Reads the words of a result and its reason (NULL: not known). False, with nothing set, when
 * one of them is no such word. */
bool pgn_outcome(const char *result, const char *reason, struct outcome *outcome);

#endif
