/*
 * A match in full screen, as its files share it: which position is shown, the hint of a bot, the
 * questions that y and n answer, and premoves, which are entered while the opponent thinks.
 */
#ifndef LUDUS_SCREEN_MATCH_PART_H
#define LUDUS_SCREEN_MATCH_PART_H

#include "client/games/guide.h"
#include "client/ludus/screen/board/board_view.h"
#include "client/ludus/screen/stage/dialog.h"
#include "client/ludus/screen/stage/stage.h"
#include "client/ludus/talk/client.h"
#include "client/ludus/talk/hint.h"
#include "client/ludus/talk/record.h"
#include "pace.h"
#include "panel.h"

enum { HAND_WIDTH = 3 }; /* columns of a piece to place */

enum asking { ASKING_NOTHING, ASKING_RESIGN, ASKING_DRAW, ASKING_LEAVE };

/* The box of choices after the end. */
struct end_box {
    struct area area; /* where it is; height 0: nowhere, 1: a row without a frame */
    int at;           /* the choice that Enter takes */
};

struct match_part {
    struct stage *stage;
    struct part face; /* towards the stage */
    struct scene scene;
    int ply; /* of the scene; -1: none yet */
    const struct guide *guide;
    bool is_new; /* the player has finished no match of this game: they are told what they can do */
    struct selection selection;
    bool chooses; /* the player may choose a move, or a premove */
    struct board_view board;
    struct area moves;  /* where the moves are; height 0: nowhere */
    int hand_y, hand_x; /* where the pieces to place are; hand_y 0: nowhere */
    struct marks marks;
    bool overlay;
    bool turned; /* the board is seen from the other side */
    bool done;   /* back to the menu */
    int back;    /* rows of moves scrolled back */
    enum asking asking;
    bool lifted;    /* the mouse has gone down on a piece, and not up yet, */
    int lifted_ply; /* at that ply */
    struct edit edit;
    bool log_hidden; /* no room for chat */
    struct hint hint;
    struct end_box end;
    bool has_hint;   /* hint.move is marked on the board */
    bool looks_back; /* the board shows a past position */
    int past_ply;
    struct scene past;
    bool is_paced; /* a match of bots, watched: the board follows at the pace of the viewer, */
    int shown;     /* and shows the position after that many moves */
    struct pace pace;
    int64_t moved_ms; /* when the player's last move came to the board; 0: none yet */
    int64_t pause_ms; /* `past` is shown until then, which is before the last move; 0: no pause */
    char premove[MOVE_TEXT_MAX]; /* to be played as soon as it is the player's turn; "": none */
    int premove_ply;             /* where it was entered */
    bool is_ahead;               /* at `ply` the opponent thinks, and `ahead` is set */
    struct scene ahead;          /* the scene as if it were the player's turn, for a premove */
};

/* Whether the player has a seat in the match, and it runs. */
bool match_part_plays(const struct match_part *part);

/* Whether the board is seen from black's side. */
bool match_part_from_black(const struct match_part *part);

/* Shows the match after that many moves; after all of them it shows the present. */
void match_part_show(struct match_part *part, int ply);

/* Steps by that many moves; a negative number steps back. */
void match_part_step(struct match_part *part, int plies);

/* Call this after a new state, once the scene is read: moves that were taken back are not shown,
 * and premoves may be possible. */
void match_part_follow(struct match_part *part);

/* Whether a move can be made ahead of the player's turn: the opponent thinks, in a match with a
 * clock. False until a new state is followed. */
bool match_part_ahead(const struct match_part *part);

/* The scene in which the player chooses a move, now or ahead of their turn. */
const struct scene *match_part_choice(const struct match_part *part);

/* Shows the player's move for a moment before the opponent's answer to it. Call this after a new
 * state that has changed the ply. */
void match_part_pause(struct match_part *part, int plies);

/* The scene on the board: the past if that is shown, else the present. */
const struct scene *match_part_scene(const struct match_part *part);

/* The list of moves as it is painted. */
struct panel match_part_moves(const struct match_part *part);

/* Begins to think about the present position, whose game must be known. The hint comes as a notice
 * and is chosen on the board, so that Enter plays it. */
void match_part_hint(struct match_part *part);

/* Asks in a running match of the player's before something is done that nobody wants by mistake. */
void match_ask(struct match_part *part, enum asking asking);

/* Writes the question to be answered by y or n. Returns its word for `accept` and `decline`, "" for
 * a question of the program itself; NULL when nothing is asked. */
const char *match_ask_question(const struct match_part *part, char *text, size_t size);

/* Answers the question that stands. */
void match_ask_answer(struct match_part *part, bool yes);

/* Takes a typed line where a move can be made ahead; false when it is something else. */
bool premove_type(struct match_part *part, const char *line);

/* Takes the square of the cursor where a move can be made ahead: a piece, then where it goes. */
void premove_choose(struct match_part *part);

/* Takes the premove back; false when there is none. */
bool premove_drop(struct match_part *part);

/* Call this after a new state. Plays the premove when it is the player's turn and it is legal, and
 * drops it with a word when it is not. */
void premove_follow(struct match_part *part);

/* Shows on the board where its piece goes, or that of the move that was sent and is not answered
 * yet, and marks the squares. */
void premove_show(struct match_part *part, struct board *board);

#endif
