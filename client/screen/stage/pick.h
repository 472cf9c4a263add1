/* A list to choose from. */
#ifndef LUDUS_SCREEN_PICK_H
#define LUDUS_SCREEN_PICK_H

#include "stage.h"

enum { PICK_MAX = 64, PICK_LABEL_MAX = 96 };

struct pick {
    const char *title;
    const char *detail; /* below the title, or NULL */
    char labels[PICK_MAX][PICK_LABEL_MAX];
    int count;
    int at;          /* where the cursor is */
    bool until_said; /* also ends when something is said, as the rows may be out of date */
    bool top;        /* Esc has nothing to go back to; the other keys for that still end it */
    long said;       /* lines said before it was shown; set by pick_run() */
};

/* Adds a formatted row, if there is room. */
void pick_add(struct pick *pick, const char *format, ...) __attribute__((format(printf, 2, 3)));

enum { PICK_NONE = -1, PICK_BACK = -2 };
/* Shows the list. Returns the index chosen; PICK_BACK when the player goes back, PICK_NONE when a
 * match comes or the program ends, or by until_said. */
int pick_run(struct stage *stage, struct pick *pick);

#endif
