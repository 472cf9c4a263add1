/*
 * The levels of ludus-bot by name, the weakest first: what the server may ask for. A test compares
 * them with the engines that there are.
 */
#ifndef LUDUS_LEVELS_H
#define LUDUS_LEVELS_H

#include <stdbool.h>

/* All of them, NULL at the end. */
extern const char *const level_names[];

/* The same as one text, separated by commas. */
#define LEVEL_NAMES "random,greedy,easy,medium,hard,max"

bool level_is_known(const char *name);

#endif
