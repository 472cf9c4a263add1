/*
 * Reads the words of a line one after the other: numbers and others, each after a space or at the
 * beginning. Notifications and the rows of logs and ratings consist of them. sscanf() takes three
 * times as long.
 */
#ifndef LUDUS_POSTGRES_WORDS_H
#define LUDUS_POSTGRES_WORDS_H

#include <stddef.h>
#include <stdint.h>

struct words {
    const char *at; /* borrowed: behind the last word; NULL: one was not as expected */
};

/* Read the next word. If it is not as expected they return 0 or write "", and so do all that
 * follow. */
int64_t words_integer(struct words *words);
double words_real(struct words *words);
void words_text(struct words *words, char *text, size_t size);

/* Goes to the end of the line. */
void words_skip_line(struct words *words);

#endif
