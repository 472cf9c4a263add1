/* Splits a line into words in place. Spaces and tabs separate words. */
#ifndef LUDUS_WORDS_H
#define LUDUS_WORDS_H

/* Cuts off the first word of *text and moves *text to the next one; "" when there is none. */
char *next_word(char **text);

/* Finds `word` among the words of `text`. Ends `text` before it and returns what follows it, or
 * returns NULL and changes nothing if it is not there. */
char *cut_at_word(char *text, const char *word);

#endif
