/*
 * A text that is written by stdio and kept in memory. Unlike with open_memstream(3), which goes on
 * after it has lost a piece for want of memory, a text that is not whole is none.
 */
#ifndef LUDUS_MEMORY_FILE_H
#define LUDUS_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct memory_file {
    FILE *file;
    char *text;
    size_t length, capacity;
    bool failed;
    char buffer[1024];
};

/* Begins a text, to be written to the file that is returned. NULL when memory ran out. */
FILE *memory_file_open(struct memory_file *memory);

/* Ends it. The text with a final NUL, to be freed by the caller, and its length (NULL: not
 * wanted). NULL when memory ran out on the way. */
char *memory_file_close(struct memory_file *memory, size_t *length);

#endif
