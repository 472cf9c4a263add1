/* The form for a new match: the game, the seats, the clock. */
#ifndef LUDUS_SCREEN_SETUP_FORM_H
#define LUDUS_SCREEN_SETUP_FORM_H

#include "client/screen/stage/stage.h"

enum setup_kind { SETUP_BOT, SETUP_BOTH, SETUP_HOST, SETUP_BOTS };

/* Shows the form until the new match is on the screen or the player cancels. A refusal of the
 * server is shown. */
void setup_form_run(struct stage *stage, enum setup_kind kind);

#endif
