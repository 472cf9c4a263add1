/*
 * Why a request was refused, as a sentence for the person who made it.
 *
 * Functions that can refuse return false and fill a struct cause; on success they leave it alone. A
 * cause has no line end and no final full stop. It is valid UTF-8 whatever it quotes: other bytes
 * become '?'.
 */
#ifndef LUDUS_CAUSE_H
#define LUDUS_CAUSE_H

#include <stdarg.h>
#include <stdbool.h>

struct cause {
    char text[200];
};

/* Formats the sentence, cut to fit. Always returns false, which makes a refusal one line:
 * `return cause_set(cause, "%s is empty", square);` */
bool cause_set(struct cause *cause, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cause_vset(struct cause *cause, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#endif
