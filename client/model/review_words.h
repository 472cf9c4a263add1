/* A review in words. */
#ifndef LUDUS_REVIEW_WORDS_H
#define LUDUS_REVIEW_WORDS_H

#include "reviewer.h"

/* Appends a line for each move, with a bar for white's chance to win after it, marks and better
 * moves, and how many mistakes each side has made. */
void review_words(const struct pgn_match *match, const struct reviewed *plies, struct buffer *text);

#endif
