/* The names of ludus-bot's levels, the weakest first. A test compares them with its engines. */
#ifndef LUDUS_LEVELS_H
#define LUDUS_LEVELS_H

#include <stdbool.h>

/* NULL-terminated. */
extern const char *const level_names[];

/* All names, separated by commas. */
#define LEVEL_NAMES "random,greedy,gentle,easy,medium,hard,expert,master,max"

bool level_is_known(const char *name);

#endif
