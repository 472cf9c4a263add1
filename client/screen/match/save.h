/* Saves what is on the screen as a file of PGN. */
#ifndef LUDUS_SCREEN_SAVE_H
#define LUDUS_SCREEN_SAVE_H

#include "client/screen/stage/stage.h"

/* Asks for the name of the file and writes the text there; an existing file is replaced only if the
 * player wants that. Tells where it is, or why not. The match (NULL: without a name) and the suffix
 * make the default, ludus-MATCH.pgn. */
void save_pgn(struct stage *stage, const char *match, const char *suffix, const char *text);

/* Saves the match on the screen, as the server has recorded it. */
void save_match(struct stage *stage);

#endif
