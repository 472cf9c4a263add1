/* Whether those who seek opponents, or open a tournament, want bots: bots=yes|no|only. */
#ifndef LUDUS_BOTS_WANTED_H
#define LUDUS_BOTS_WANTED_H

#include <stdbool.h>

enum bots_wanted { BOTS_YES, BOTS_NO, BOTS_ONLY };

const char *bots_wanted_text(enum bots_wanted bots);

/* Reads the word, in any case. False: there is no such word. */
bool bots_wanted_parse(const char *text, enum bots_wanted *bots);

/* Whether they want somebody who is a bot, or is none. */
bool bots_wanted_fit(enum bots_wanted bots, bool is_bot);

#endif
