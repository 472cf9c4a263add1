/*
 * A game: a set of rules, as a table of functions over plain values.
 *
 * This is the lowest layer, through which matches, bots, tests and the client work. It knows no
 * JSON, sockets, time, names of players, malloc or mutable globals. A new game is one file in
 * games/ and one line in games/games.c.
 *
 * Squares are numbered from a1 = 0 along the rank, then rank by rank: square = rank * width + file,
 * with file and rank counted from 0.
 */
#ifndef LUDUS_GAME_H
#define LUDUS_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "text.h"

enum {
    BOARD_SIDE_MAX = 10, /* files or ranks of the largest board */
    BOARD_SQUARES_MAX = BOARD_SIDE_MAX * BOARD_SIDE_MAX,
    MOVES_MAX = 320,         /* no position of any game has more legal moves: 5 kinds of
                              * piece on 63 empty squares, in Xadrersi, make 315 */
    POSITION_TEXT_MAX = 160, /* bytes with the final NUL; the longest takes 112 */
    MOVE_TEXT_MAX = 8,       /* bytes with the final NUL: "a10b10" */
    VARIANT_NAME_MAX = 16    /* bytes with the final NUL */
};

enum color { WHITE, BLACK };

/* "white" or "black". */
const char *color_name(enum color color);

/*
 * A position: a plain value without pointers, copied with `=` and compared with memcmp(), since
 * unused bytes are zero. It holds all that is needed to play on, except what only the history tells
 * (repetition). Each game defines at the top of its file what `bits` and `notes` mean.
 */
struct position {
    uint64_t bits[7];
    uint8_t side; /* enum color: who is to move */
    uint8_t width, height;
    uint8_t variant; /* the game's own numbering */
    uint8_t notes[4];
};

enum move_kind { MOVE_STEP, MOVE_PLACE, MOVE_PASS };

/* A move: from-to, a placement, or a pass. Unused members are zero. */
struct move {
    uint8_t kind; /* enum move_kind */
    uint8_t from; /* MOVE_STEP: a square */
    uint8_t to;   /* MOVE_STEP, MOVE_PLACE: a square */
    char piece;   /* MOVE_PLACE: the letter, upper case */
};

enum result { RESULT_NONE, RESULT_WHITE, RESULT_BLACK, RESULT_DRAW };

enum reason {
    REASON_NONE,
    REASON_NO_MOVES,
    REASON_SCORE,
    REASON_DUX_IMMOBILISED,
    REASON_NO_SOLDIERS,
    REASON_REPETITION,
    REASON_NO_CAPTURE,
    REASON_CHECKMATE,
    /* By the match, never by a game: */
    REASON_RESIGN,
    REASON_DRAW_AGREED,
    REASON_TIMEOUT,
    REASON_FORFEIT,
    REASON_ABORTED
};

struct outcome {
    enum result result; /* RESULT_NONE: the game is not over */
    enum reason reason; /* REASON_NONE while it is not */
};

/* "1-0", "0-1", "1/2-1/2", or "*" for RESULT_NONE. */
const char *result_text(enum result result);
/* The word in rules and protocol, such as "no-moves"; NULL for REASON_NONE. */
const char *reason_text(enum reason reason);

/* Whether a match can end like this by what its players do: the reason is REASON_RESIGN or a later
 * one, and the result fits it. */
bool outcome_is_of_players(struct outcome outcome);

/* The result in which `color` wins. */
enum result result_win(enum color color);

/* A board as letters: cell[square] is a piece (upper case white, lower case black), '.' for an
 * empty square or '*' for a hole. */
struct board {
    int width, height;
    char cell[BOARD_SQUARES_MAX];
};

/* A small board on which a player does one thing that the rules are about. */
struct lesson {
    const char *title;
    const char *task;    /* what the rule is, and what to do now */
    const char *variant; /* NULL: the default */
    const char *position;
    /* clang-format off
     * The effect that counts as done, and all moves that have it, separated by spaces;
     * tests/unit/client/test_lessons.c holds one against the other:
     *     takes SQUARE...     takes enemy pieces, or removes tiles, on exactly these squares
     *     ends RESULT REASON  ends the game so
     *     moves SQUARE        any legal move of the piece there
     *     to SQUARE           any legal move to there
     *     places PIECE        any legal placement of that piece
     *     checks              gives check
     *     wins                wins against any reply, to the end of the game
     *     gains               no other move leaves the player as far ahead in points
     * clang-format on */
    const char *effect;
    const char *moves;
    const char *done; /* what has happened */
    /* The rules page draws the board between these two corners, as "a3f6", of at most seven files,
     * before and after the first of the moves. NULL: it leaves the lesson out. */
    const char *frame;
};

/* What stands on the board. */
struct symbol {
    char letter;      /* of a piece, upper case, or '*'; 0 ends a list */
    const char *name; /* for people */
    const char *does; /* for people: goes on from the name */
};

enum { ADVICE_MAX = 240 }; /* bytes with the final NUL */

struct game {
    const char *name;             /* one lower-case word */
    const char *title;            /* for people */
    const char *summary;          /* for people, one sentence: how to play and win */
    const char *variants_text;    /* for people: the variants */
    const char *const *rules;     /* for people: paragraphs, NULL-terminated */
    const struct lesson *lessons; /* for people, from easy to hard */
    int lesson_count;             /* 0: it has none */
    const struct symbol *symbols; /* NULL: none is explained */
    const char *const *variants;  /* those to offer, NULL-terminated, the default first;
                                   * start() may know more (all sizes of Clobber) */
    const char *pieces;           /* letters of pieces placed from hand; "": none are */
    bool repetition_draws;        /* the match is drawn when a key() occurs three times */
    bool drawless;                /* one side always wins: no program for people offers a draw */

    /* Sets the start position of the variant (NULL: the default one). Returns false, with *position
     * unchanged, if there is no such variant. */
    bool (*start)(const char *variant, struct position *position, struct cause *cause);

    /* Reads a position exactly in the form of rules.md. With variant NULL the position decides, or
     * it is the default. Returns false, with *position unchanged, if the text breaks the form or
     * the rules refuse the position. A position that was accepted works with every other function.
     */
    bool (*parse)(const char *variant, const char *text, struct position *position,
                  struct cause *cause);

    /* Writes the one text that parse() reads as this position. */
    void (*format)(const struct position *position, char text[POSITION_TEXT_MAX]);

    /* Writes the name of the position's variant. */
    void (*variant_name)(const struct position *position, char name[VARIANT_NAME_MAX]);

    /* Fills the whole board. */
    void (*board)(const struct position *position, struct board *board);

    /* Returns the number of legal moves, 0 exactly when outcome() says that the game is over.
     * Writes them to `moves`, unless that is NULL, in an order that depends on the position only.
     */
    int (*legal)(const struct position *position, struct move moves[MOVES_MAX]);

    /* Plays a legal move. Undefined for any other move. */
    void (*apply)(struct position *position, struct move move);

    /* The outcome by the position alone. Repetition is the match's affair. */
    struct outcome (*outcome)(const struct position *position);

    /* A hash, equal for positions with the same placement, side to move and variant (in Xadrersi
     * also the last square and the call), whatever their counters. Where repetition draws,
     * positions with equal keys repeat each other. */
    uint64_t (*key)(const struct position *position);

    /* Names the rule that an illegal move breaks, in a sentence that a player understands. The game
     * is not over; the squares of the move are on the board and its piece is in `pieces`; its kind
     * is from-to where `pieces` is empty, else placement, or pass. Undefined for a legal move. */
    void (*explain)(const struct position *position, struct move move, struct cause *cause);

    /* Says in a sentence, for people who do not know the rules, what the side to move can do in
     * this state of the game, which is not over, and not which move is good. NULL: the summary
     * stands for all. */
    void (*advise)(const struct position *position, char text[ADVICE_MAX]);

    /* Whether the side to move is in check; NULL in games without check. */
    bool (*check)(const struct position *position);

    /* The points of white and black so far; NULL in games without points. */
    void (*score)(const struct position *position, int points[2]);
};

extern const struct game clobber, xadrersi, latrunculi, shakti;

/* All games, NULL-terminated, in the order in which lists show them. */
extern const struct game *const games[];

/* The game whose name (any case) is the first `length` bytes of `name`, or NULL. */
const struct game *game_find(const char *name, unsigned long length);

/* Writes what the side to move can do, by advise(). False, with "", when the game is over. */
bool game_advise(const struct game *game, const struct position *position, char text[ADVICE_MAX]);

/* Reads "GAME" or "GAME:VARIANT" and sets the start position. Returns the game, or NULL with the
 * cause and *position unchanged. *unknown_game (may be NULL) then tells an unknown game from an
 * unknown variant. */
const struct game *game_open(const char *text, struct position *position, bool *unknown_game,
                             struct cause *cause);

/* Reads a position of the first game that has its form. Returns that game, or NULL with the cause
 * and *position unchanged. Of variants that a position does not show, it takes the default. */
const struct game *game_of_position(const char *text, struct position *position,
                                    struct cause *cause);

/* The number of sequences of exactly `depth` legal moves from the position; 1 for depth 0. Counts
 * the last ply by legal(), without playing it ("bulk counting"). To test move generators. */
uint64_t perft(const struct game *game, const struct position *position, int depth);

#endif
