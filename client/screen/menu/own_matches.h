/* The player's finished matches. */
#ifndef LUDUS_SCREEN_OWN_MATCHES_H
#define LUDUS_SCREEN_OWN_MATCHES_H

#include "client/screen/stage/stage.h"

/* Lists them, the latest first, and steps through those chosen. */
void own_matches_run(struct stage *stage);

#endif
