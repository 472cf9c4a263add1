/* Steps through recorded matches in full screen. */
#ifndef LUDUS_SCREEN_REPLAY_PART_H
#define LUDUS_SCREEN_REPLAY_PART_H

#include "client/ludus/screen/stage/stage.h"
#include "common/pgn.h"

/* Shows the matches of a file until the player leaves. All must have passed pgn_check(). */
void replay_part_run(struct stage *stage, const struct pgn_file *file);

/* Reads a file and shows it. False after an error was said. */
bool replay_part_file(struct stage *stage, const char *path);

/* Gets a match from the server and shows it; reports a refusal. */
void replay_part_match(struct stage *stage, const char *match);

#endif
