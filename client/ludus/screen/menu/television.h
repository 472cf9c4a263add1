/* A match at the right of the start menu, where there is room: one that others play in public, or,
 * when nobody has done anything for a while, two players that this program moves itself, so that
 * the server has no work and keeps nothing. It takes no keys. */
#ifndef LUDUS_SCREEN_TELEVISION_H
#define LUDUS_SCREEN_TELEVISION_H

#include "client/games/scene.h"
#include "client/ludus/screen/stage/paint.h"
#include "client/ludus/screen/stage/stage.h"

enum { TELEVISION_COLUMNS = 100, TELEVISION_X = 66 }; /* from that width on; its left edge */

/* A zeroed one is off. */
struct television {
    char match[MATCH_ID_MAX]; /* that is shown as it is played; "": none is */
    char words[384];          /* who plays, and how far it is */
    struct scene scene;       /* game NULL: nothing is shown */
    int plies;                /* of a match of our own */
    uint64_t random;
    int64_t asked_ms, due_ms; /* the last question to the server; the next move */
};

/* Looks for a match of others, when the menu comes to the screen. */
void television_begin(struct television *television, struct stage *stage);

/* Follows it; to be called when nothing was pressed. Sets when the stage is to wake. */
void television_tick(struct television *television, struct stage *stage);

void television_paint(const struct television *television, const struct stage *stage);

#endif
