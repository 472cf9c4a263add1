/* The person's finished matches, to be chosen from and stepped through. */
#ifndef LUDUS_SCREEN_OWN_MATCHES_H
#define LUDUS_SCREEN_OWN_MATCHES_H

#include "client/screen/stage/stage.h"

/* Lists them, the latest first; comes back when the person has had enough. */
void own_matches_run(struct stage *stage);

#endif
