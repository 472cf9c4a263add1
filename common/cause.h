/*
 * Why something was refused, as a sentence for the person who asked.
 *
 * Functions that can refuse return false and fill a struct cause; on success
 * they leave it alone. A cause holds no line end and no final full stop, and is UTF-8 whatever was
 * quoted in it: bytes that are none are shown as '?'.
 */
#ifndef LUDUS_CAUSE_H
#define LUDUS_CAUSE_H

#include <stdarg.h>
#include <stdbool.h>

struct cause {
    char text[200];
};

/* Formats the sentence, cut to fit. Always returns false, so that a refusal is
 * one line: `return cause_set(cause, "%s is empty", square);` */
bool cause_set(struct cause *cause, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cause_vset(struct cause *cause, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#endif
