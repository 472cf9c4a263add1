/* Whole numbers read from text, with the range checked. */
#ifndef LUDUS_NUMBER_H
#define LUDUS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads `length` bytes of decimal digits as a number from min to max (both
 * included, both >= 0). False, with *value unchanged, for an empty text, any
 * other byte, a leading zero before another digit, or a number out of range. */
bool number_parse(const char *text, size_t length, long min, long max, long *value);

enum { NUMBER_DIGITS_MAX = 20 };

/* Writes decimal digits, at most NUMBER_DIGITS_MAX and no final NUL; returns how many. For what is
 * written move by move, where snprintf() would be felt. */
size_t number_format(uint64_t value, char *text);

#endif
