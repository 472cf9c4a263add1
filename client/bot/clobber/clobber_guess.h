/*
 * A guess at who wins a group, from local patterns: see client/bot/eval/clobber_pattern.h.
 */
#ifndef LUDUS_BOT_CLOBBER_GUESS_H
#define LUDUS_BOT_CLOBBER_GUESS_H

#include "clobber_group.h"

/* How well `color` stands in the group, in hundredths of the natural logarithm of the odds. */
int guess_group(const struct group *group, int stride, int color);

#endif
