/* The form for a new match: the game, the seats, the clock. */
#ifndef LUDUS_SCREEN_SETUP_FORM_H
#define LUDUS_SCREEN_SETUP_FORM_H

#include "client/screen/stage/stage.h"
#include "setup_fields.h"

/* Shows the form until the new match is on the screen or the player cancels. SETUP_SEEK waits for
 * an opponent first. A refusal of the server is shown. */
void setup_form_run(struct stage *stage, enum setup_kind kind);

/* Shows the form for a match against that player, who is challenged by it. */
void setup_form_challenge(struct stage *stage, const char *name);

#endif
