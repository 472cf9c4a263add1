/*
 * The moves of an analysis: a tree of variations, its notation, and PGN with all of them. Of the
 * moves tried in a position the first is the main one.
 */
#ifndef LUDUS_MOVE_TREE_H
#define LUDUS_MOVE_TREE_H

#include "common/pgn.h"
#include "match_review.h"

/* A position, and the move that led to it. */
struct move_node {
    struct move_node *parent; /* NULL: the analysis begins here */
    struct move_node *first;  /* of those after a move from here; NULL: none was tried */
    struct move_node *next;   /* after another move from the parent */
    struct move_text move;    /* "" where the analysis begins */
    struct position position;
    uint64_t key;           /* of the position */
    struct outcome outcome; /* REASON_REPETITION included */
    struct reviewed told;   /* by a bot or a server, without json */
};

struct move_tree {
    const struct game *game;
    struct move_node *root;   /* owned, with all others */
    struct move_node *at;     /* what is shown */
    char match[MATCH_ID_MAX]; /* that it began with; "": none */
    bool is_changed;          /* since it began */
};

/* Begins with the moves of a match that has passed pgn_check(), or with its start alone if it has
 * none, and shows it after that many of them. The caller owns the tree. */
struct move_tree *move_tree_begin(const struct pgn_match *match, int ply);

/* Frees a tree; NULL is allowed. */
void move_tree_free(struct move_tree *tree);

/* Plays a legal move from what is shown, and shows what it leads to: a variation, if others were
 * played there before. */
void move_tree_play(struct move_tree *tree, struct move move);

/* Removes the move that led to what is shown, and all that follow; shows the position before it.
 * False where the analysis begins. */
bool move_tree_remove(struct move_tree *tree);

/* Makes the line to what is shown the main one. False if it is that already. */
bool move_tree_promote(struct move_tree *tree);

/* Shows what another move leads to, which was tried in place of the last one: the next, or with -1
 * the one before, round the end. False if there is none. */
bool move_tree_switch(struct move_tree *tree, int step);

/* The last position of the line that goes on from one. */
struct move_node *move_tree_end(struct move_node *node);

enum { NOTATION_WORD_MAX = 24 }; /* bytes with the final NUL */

/* Words to be shown: numbers and moves, with the brackets of variations. A zeroed one is empty. */
struct notation {
    struct notation_word {
        char text[NOTATION_WORD_MAX];
        struct move_node *node; /* after a move; NULL for a number */
    } * words;                  /* owned */
    int count, capacity;
};

/* Fills an empty notation: the main line, and in brackets behind each of its moves the others that
 * were tried there. Release it with notation_release(). */
void move_tree_notate(const struct move_tree *tree, struct notation *notation);
void notation_release(struct notation *notation);

/* Writes the main line and its variations as PGN; the caller frees the text. */
char *move_tree_pgn(const struct move_tree *tree);

#endif
