/* Steps through recorded matches in full screen. */
#ifndef LUDUS_SCREEN_REPLAY_PART_H
#define LUDUS_SCREEN_REPLAY_PART_H

#include "client/screen/stage/stage.h"
#include "common/pgn.h"

/* Shows the matches of a file until the player leaves. All must have passed pgn_check(). */
void replay_part_run(struct stage *stage, const struct pgn_file *file);

/* Reads a file and shows it; reports an error. */
void replay_part_file(struct stage *stage, const char *path);

/* Shows a PGN text; `name` stands in errors. */
void replay_part_text(struct stage *stage, const char *name, const char *text);

#endif
