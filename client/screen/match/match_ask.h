/* The questions of a match, which y and n answer: offers, challenges, and what is asked first. */
#ifndef LUDUS_SCREEN_MATCH_ASK_H
#define LUDUS_SCREEN_MATCH_ASK_H

#include "match_part.h"

/* Asks in a running match of the player's before something is done that nobody wants by mistake. */
void match_ask(struct match_part *part, enum asking asking);

/* Writes the question to be answered by y or n. Returns its word for `accept` and `decline`, "" for
 * a question of the program itself; NULL when nothing is asked. */
const char *match_ask_question(const struct match_part *part, char *text, size_t size);

/* Answers the question that stands. */
void match_ask_answer(struct match_part *part, bool yes);

#endif
