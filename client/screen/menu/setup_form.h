/* The form by which a match is opened: the game, who plays, the clock. */
#ifndef LUDUS_SCREEN_SETUP_FORM_H
#define LUDUS_SCREEN_SETUP_FORM_H

#include "client/screen/stage/stage.h"

enum setup_kind { SETUP_BOT, SETUP_BOTH, SETUP_HOST, SETUP_BOTS };

/* Asks, and opens the match; then it is on the screen. False when the person does not want to, or
 * the server refuses, which is said. */
bool setup_form_run(struct stage *stage, enum setup_kind kind);

#endif
