/* `ludus list`, who, top, history, games, stats and moves: one question each, whose answer is a
 * list. */
#ifndef LUDUS_SCRIPT_ASK_H
#define LUDUS_SCRIPT_ASK_H

#include "common/usage.h"

/* argv[0] is the word; returns the exit status. Their options. */
int ask_main(int argc, char *argv[]);
extern const struct usage_row ask_rows[];

#endif
