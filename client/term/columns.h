/*
 * Lists of the server as rows of text: for people in columns with a title each, for programs with
 * one tab between the fields, and nothing else. Whatever the server sends, a field holds no control
 * characters and no line ends; what is missing or null is "-".
 */
#ifndef LUDUS_COLUMNS_H
#define LUDUS_COLUMNS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

enum { FIELD_MAX = 512 }; /* bytes with the final NUL; what is longer is cut */

/* Writes the text of a field: yes and no, a list with commas, a clock as 300+5. */
void columns_field(const cJSON *value, char text[FIELD_MAX]);

/* Prints an array of objects; `fields` are the members to show, with a space between them.
 * `aligned` is for people. */
void columns_print(const cJSON *rows, const char *fields, bool aligned);

/* Prints one object with tabs, as the above without `aligned`. */
void columns_print_row(const cJSON *row, const char *fields);

#endif
