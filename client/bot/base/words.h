/* A line of commands, taken apart in place. Words are separated by spaces and tabs. */
#ifndef LUDUS_BOT_WORDS_H
#define LUDUS_BOT_WORDS_H

/* Cuts off the first word of *text and moves *text to the next one; "" when there is none. */
char *next_word(char **text);

/* Ends `text` before the first `word` in it, and returns what follows that; NULL, with nothing
 * changed, when it is not there. */
char *cut_at_word(char *text, const char *word);

#endif
