/*
 * Lists from the server as rows of text: aligned columns with titles for people, tab-separated
 * fields for programs. A field never holds control characters or line ends; a missing or null one
 * is "-", and text beyond 511 bytes is cut.
 */
#ifndef LUDUS_COLUMNS_H
#define LUDUS_COLUMNS_H

#include <cjson/cJSON.h>

#include "console.h"

/* Prints an array of objects; `fields` names their members, separated by spaces. `aligned` is for
 * people. */
void columns_print(struct console *console, const cJSON *rows, const char *fields, bool aligned);

/* Prints one object, with tabs between the fields. */
void columns_print_row(struct console *console, const cJSON *row, const char *fields);

/* Says "(200 of 214 players)" when the server has cut that list of its reply. */
void columns_print_rest(struct console *console, const cJSON *reply, const char *list);

#endif
