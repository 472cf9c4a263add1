/* Steps through recorded matches at a terminal: in full screen, or by a board, a line typed, the
 * next board. */
#ifndef LUDUS_STEPPER_H
#define LUDUS_STEPPER_H

#include "common/pgn.h"

/* Shows the first match of the file and obeys what is typed until the person quits; every match
 * must have passed pgn_check(). by_lines: not in full screen. Returns the exit status. */
int stepper_run(const struct pgn_file *file, bool by_lines);

#endif
