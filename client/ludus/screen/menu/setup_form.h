/* The form for a new match: the game, the seats, the clock, which are remembered; and waiting for
 * an opponent whom the server is to find. */
#ifndef LUDUS_SCREEN_SETUP_FORM_H
#define LUDUS_SCREEN_SETUP_FORM_H

#include "client/ludus/screen/stage/stage.h"
#include "client/ludus/talk/play.h"

enum setup_kind {
    SETUP_BOT,
    SETUP_BOTH,
    SETUP_HOST,
    SETUP_BOTS,
    SETUP_CHALLENGE,
    SETUP_SEEK,
    SETUP_TOURNAMENT
};

/* Waits until the match comes to the screen, the player cancels or the server refuses. Takes the
 * seek back if nobody was found. */
void seek_part_wait(struct stage *stage, struct seeking *seeking);

/* Shows the form until the new match is on the screen or the player cancels. SETUP_SEEK waits for
 * an opponent first; SETUP_TOURNAMENT opens one, which is that of the stage then. A refusal of the
 * server is shown. */
void setup_form_run(struct stage *stage, enum setup_kind kind);

/* Shows the form for a match against that player, who is challenged by it. */
void setup_form_challenge(struct stage *stage, const char *name);

#endif
