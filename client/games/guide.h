/*
 * A guide: what clients and bots know of a game beyond its rules. It judges positions and shows
 * them. Each game has its guide in NAME.c, beside its weights if it has any.
 *
 * Every member is optional. A game without a guide is searched by its rules alone, shown by its
 * letters.
 */
#ifndef LUDUS_GUIDE_H
#define LUDUS_GUIDE_H

#include "scene.h"

/* A game won. All values stay well below. */
enum { SCORE_WIN = 30000 };

/* The levels that search with a limit. */
enum { GENTLE, EASY, MEDIUM, HARD, EXPERT, MASTER, LEVELS };

/* What makes a level weak enough. */
struct level {
    uint32_t nodes;       /* positions to search; 0: no limit */
    int noise;            /* the largest random error of an evaluation, either way */
    uint32_t prove_nodes; /* of these, for proofs, in games that have a solver */
};

enum { DRAWING_WIDTH = 5, DRAWING_HEIGHT = 3 };

/* How a piece of one side looks on the screen. */
struct look {
    char piece;         /* its letter; 0 ends a list */
    const char *name;   /* for people */
    const char *symbol; /* of one column, filled */
    /* In large squares: in UTF-8, and in ASCII with the letter of the piece. */
    const char *blocks[DRAWING_HEIGHT];
    const char *letters[DRAWING_HEIGHT];
};

/* Letters beside the pieces; 0: none. */
struct marks {
    char left[BOARD_SQUARES_MAX], right[BOARD_SQUARES_MAX];
    bool by_side; /* left is about white, right about black */
};

struct guide {
    const struct game *game;

    /* The evaluation. Values are for the side to move, 0 is even. */

    /* In hundredths of a point, soldier or warrior, or in those of value(). May look a move ahead.
     * The game is not over. */
    int (*eval)(const struct position *position);
    /* The static evaluation, in hundredths of the natural logarithm of the odds of winning. It must
     * be fast, and may assume that nothing is about to be captured and that the game is not over.
     * NULL: searches use none of the members below, either. */
    int (*value)(const struct position *position);
    /* How early to try the move from one position to the other, -30000 to 30000; above 0: before
     * the moves that the search itself likes. */
    int (*hint)(const struct position *before, const struct position *after);
    /* Instead of hint(), where faster: sets hints[i] for each move. */
    void (*hints)(const struct position *position, const struct move *moves, int count,
                  int32_t *hints);
    int hint_depth_plies; /* the least depth at which hints are worth their time */
    int loud_plies;       /* quiescence search: follow moves with a hint above 0 so far */
    int reduce_after;     /* late move reductions: the moves searched to full depth; 0: all */
    int reduce;           /* by how much to reduce the others, in hundredths */
    int late_moves;       /* late move pruning: within three plies of the leaves, this many
                           * quiet moves times the square of the depth are searched; 0: all */
    /* Where a move may soon end the game: moves to these squares are neither reduced nor left out.
     * NULL: nowhere. */
    uint64_t (*vital)(const struct position *position);
    /* Whether the other side threatens to win at once, by a move to the last of these squares. It
     * may be wrong about a piece that cannot move. NULL: the game knows no such threats. */
    bool (*threatened)(const struct position *position);
    /* Futility pruning: how far value() may be off, for each ply of depth, within margin_plies of
     * the leaves; 0: no pruning. */
    int margin;
    int margin_plies;
    /* The plies left in the game, where that is certain; else NULL. A search that reaches the end
     * prunes nothing, and goes no deeper. */
    int (*plies_left)(const struct position *position);
    /* With one ply left by plies_left(): the best result for the side to move, 1 a win, 0 a draw,
     * -1 a loss. NULL: search it. */
    int (*last)(const struct position *position);
    int count_from; /* notes[0] counts plies towards a draw, and matters from here on; 0: always */
    /* An estimate of the moves the side to move has still to make, for its clock; NULL: 20. */
    int (*moves)(const struct position *position);
    struct level levels[LEVELS];
    int exact_plies;   /* levels from HARD on play the last exact_plies without error, by
                        * plies_left() */
    int level_squares; /* the nodes of levels are for a board of this size; 0: for any */

    /* The screen. */

    const struct look *looks;
    bool captures_always; /* every move does, so that it need not be said */
    bool chequered;       /* the rules speak of light and dark squares */
    /* The name of what is shown on demand, and whether it is shown at first; NULL: nothing. */
    const char *overlay;
    bool overlay_at_first;
    /* Marks an empty board; overlay: with what is shown on demand. */
    void (*mark)(const struct scene *scene, bool overlay, struct marks *marks);
    /* Adds the short lines beside the board, by facts_add(). */
    void (*tell)(const struct scene *scene, bool overlay, char facts[FACTS_MAX]);
};

/* The guide of a game, or NULL; the game may be NULL. */
const struct guide *guide_of(const struct game *game);

/* How good the position is for the side to move, by eval(). 0 without one. The game is not over. */
int guide_eval(const struct game *game, const struct position *position);

/* An estimate of the moves that the side to move has still to make. */
int guide_moves(const struct game *game, const struct position *position);

/* The look of a piece, or NULL; the guide may be NULL. */
const struct look *guide_look(const struct guide *guide, char piece);

/* Writes the short lines beside the board; "" if there are none. The guide may be NULL. */
void guide_facts(const struct guide *guide, const struct scene *scene, bool overlay,
                 char facts[FACTS_MAX]);

/* The first piece of that side; 0: none. */
char guide_piece(const struct guide *guide, enum color color);

enum { CAPTURES_MAX = 200 }; /* bytes with the final NUL */

/* Writes which pieces a legal move takes away from where it ends, and what holds each of them:
 * "c4 (between b4 and d4), d7". False, with "", when it takes none. */
bool guide_captures(const struct game *game, const struct position *before, struct move move,
                    char text[CAPTURES_MAX]);

enum { MOVE_REASON_MAX = 120 }; /* bytes with the final NUL */

/* Writes the end of "This move ...", for a legal move: "wins the game", "captures a soldier". */
void guide_reason(const struct game *game, const struct position *position, struct move move,
                  char text[MOVE_REASON_MAX]);

#endif
