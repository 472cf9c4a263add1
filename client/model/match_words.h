/* Words about matches that line mode and full screen share. */
#ifndef LUDUS_MATCH_WORDS_H
#define LUDUS_MATCH_WORDS_H

#include "client/link/match_state.h"

enum { GAME_LABEL_MAX = 64 }; /* bytes with the final NUL */
/* Writes "Clobber 5x6" into label and returns it. An unknown game goes by its name. */
const char *game_label(const char *game, const char *variant, char label[GAME_LABEL_MAX]);

enum { ROW_WORDS_MAX = 256 }; /* bytes with the final NUL */
/* Writes a row of the server's `list`: "Clobber 5x6, clock 300+5, white anna, black free". */
void row_words(const cJSON *row, char words[ROW_WORDS_MAX]);

/* "White" or "Black". */
const char *color_title(enum color color);

/* "offers a draw", and so on. */
const char *offer_request(enum offer offer);

enum { RESULT_LINE_MAX = 200 }; /* bytes with the final NUL */
/* Writes how a match ended: the result, the reason and a sentence. */
void result_line(const struct match_state *view, char line[RESULT_LINE_MAX]);

#endif
