/* Whole numbers from text, with range checks, and to text. */
#ifndef LUDUS_NUMBER_H
#define LUDUS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads `length` decimal digits as a number from min to max, both included, 0 <= min. Returns
 * false, with *value unchanged, for an empty text, any other byte, a leading zero before another
 * digit, or a number out of range. */
bool number_parse(const char *text, size_t length, long min, long max, long *value);

enum { NUMBER_DIGITS_MAX = 20 };

/* Writes at most NUMBER_DIGITS_MAX decimal digits without a final NUL and returns how many. For
 * messages so frequent that snprintf() would be too slow. */
size_t number_format(uint64_t value, char *text);

#endif
