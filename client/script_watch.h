/* `ludus watch` and `ludus state`: a match as it goes on, or stands; and what happens in the lobby.
 */
#ifndef LUDUS_SCRIPT_WATCH_H
#define LUDUS_SCRIPT_WATCH_H

#include "common/usage.h"

/* argv[0] is the word; returns the exit status. Their options. */
int watch_main(int argc, char *argv[]);
extern const struct usage_row watch_rows[];

#endif
