/* Lines of files that people write, and of programs that say something. */
#ifndef LUDUS_TEXT_LINE_H
#define LUDUS_TEXT_LINE_H

#include <stdbool.h>

#include "cause.h"

/* Returns the text without the blanks and line ends around it: cuts it behind, and returns where it
 * begins. */
char *text_line_trim(char *text);

/* Makes one space of each run of blanks, and takes off those around the text, in place. */
void text_line_squeeze(char *text);

/* Splits `name = value`, without the blanks around the two. *name is NULL for a line that sets
 * nothing: a blank one, or a comment, which begins with #. A value in quotes, single or double,
 * loses them. Returns false with the cause if there is no =. */
bool text_line_setting(char *line, char **name, char **value, struct cause *cause);

#endif
