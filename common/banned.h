/*
 * Turns unsafe calls into compile errors. The compiler includes this header in every file, by its
 * option -include. Copy with snprintf() or memcpy(); parse numbers with number_parse(), which
 * checks their range.
 */
#ifndef LUDUS_BANNED_H
#define LUDUS_BANNED_H

/* Their declarations come first, so that only uses are errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok atoi gets

#endif
