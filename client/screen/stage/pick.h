/* Choosing one of several: a list with a cursor. */
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
    bool until_said; /* ends as well when something is said, since the rows may have changed */
};

/* Adds a row, formatted as by printf; what has no room is left out. */
void pick_add(struct pick *pick, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Shows the list. The index chosen, or -1: Escape, a match has come, the program ends, or
 * until_said. */
int pick_run(struct stage *stage, struct pick *pick);

#endif
