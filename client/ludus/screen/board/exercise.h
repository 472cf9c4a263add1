/*
 * A board in full screen on which one move is asked for, with what is said of it: lessons, puzzles
 * and the analysis board. It takes the keys that choose a move; what the move means is for its
 * user.
 */
#ifndef LUDUS_SCREEN_EXERCISE_H
#define LUDUS_SCREEN_EXERCISE_H

#include "client/ludus/screen/board/board_view.h"
#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/screen/stage/stage.h"

struct exercise {
    struct stage *stage;
    const struct game *game;
    struct scene scene;
    struct selection selection;
    struct board_view view;
    enum color side;       /* whose move is asked for */
    bool flip;             /* seen from black's side */
    bool overlay;          /* with the marks of the game that are shown on demand */
    bool done;             /* it takes no move */
    char said[NOTICE_MAX]; /* about the last move; "": none yet */
    struct part *face;     /* the part in which moves are typed, too; NULL: not here */
    struct edit edit;      /* what is typed */
};

/* Shows a position to move in, with the cursor in the middle of its pieces. */
void exercise_begin(struct exercise *exercise, const struct position *position);

/* Shows a position to move in after a move, with the cursor where it is. */
void exercise_go_on(struct exercise *exercise, const struct position *position, const char *last);

/* Shows a position after a move, and takes none. */
void exercise_show(struct exercise *exercise, const struct position *position, const char *last);

/* Does what a press means on the board. True when it chooses a legal move, in *move; one that is
 * not is explained. */
bool exercise_take(struct exercise *exercise, struct press press, struct move *move);

/* Reads a typed move, as a match does: with a piece in hand a square is enough. */
bool exercise_read(const struct exercise *exercise, const char *line, struct move *move,
                   struct cause *cause);

/* Chooses a legal move on the board, so that Enter plays it. */
void exercise_choose(struct exercise *exercise, struct move move);

/* Lets the player choose another move. */
void exercise_drop(struct exercise *exercise);

/* Whether the screen is wide enough for the text beside the board. */
bool exercise_is_wide(void);

/* Places a board on the screen. Returns where text has room: beside it, or above. */
struct area exercise_fit_board(struct board_view *view, const struct theme *theme,
                               const struct board *board, bool flip);

/* Paints the title, with the side that moves, and the board. Returns where text has room: beside
 * it, or above. */
struct area exercise_paint_board(struct exercise *exercise, const char *title);

/* Paints it: a title with the side that moves, the task, what is said of the move, and where there
 * is room `more` below. */
void exercise_paint(struct exercise *exercise, const char *title, const char *task,
                    const char *more);

#endif
