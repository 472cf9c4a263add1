/*
 * Messages as text for people, `set format=text`: boards and sentences in place of JSON. Made
 * from the same objects that are sent as JSON, so that both formats say the same.
 */
#ifndef LUDUS_TEXT_H
#define LUDUS_TEXT_H

#include <cjson/cJSON.h>

/* The text of a message, one or more whole lines, to be freed by the caller. NULL when memory
 * ran out. */
char *text_render(const cJSON *message);

#endif
