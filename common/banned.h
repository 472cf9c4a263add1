/*
 * Calls that have no place in this code, turned into compile errors. Included
 * by every file through the compiler's -include option.
 *
 * Bounded copies go through snprintf() or memcpy(); numbers are parsed with
 * number_parse() from number.h, which checks the range.
 */
#ifndef LUDUS_BANNED_H
#define LUDUS_BANNED_H

/* The headers that declare them come first, so that only uses are hit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi gets

#endif
