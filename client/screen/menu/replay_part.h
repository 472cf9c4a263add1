/* Steps through recorded matches in full screen. */
#ifndef LUDUS_SCREEN_REPLAY_PART_H
#define LUDUS_SCREEN_REPLAY_PART_H

#include "client/screen/stage/stage.h"
#include "common/pgn.h"

/* Shows the matches of a file until the person has had enough; every one must have passed
 * pgn_check(). */
void replay_part_run(struct stage *stage, const struct pgn_file *file);

/* Reads a file of that name and shows it; what is wrong with it is said. */
void replay_part_file(struct stage *stage, const char *path);

/* The same for a text; `name` says in errors what it is. */
void replay_part_text(struct stage *stage, const char *name, const char *text);

#endif
