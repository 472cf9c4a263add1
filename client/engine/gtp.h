/*
 * The Go Text Protocol, version 2, for Clobber. An engine is told
 *
 *     boardsize N, or boardsize WIDTH HEIGHT of a board that is not square
 *     clear_board               sets the stones up as Clobber begins: black on a1
 *     play w a1a2               moves as Ludus writes them, with every letter from a to j
 *     time_settings, time_left  in whole seconds, 0 stones in a match with a clock
 *     genmove w                 answered by resign or a move, in any case: a1a2, a1-a2, "a1 a2"
 *
 * White moves first. Each move is asked for after clear_board and all moves of the match, so an
 * engine needs no `undo`. One whose list_commands has `ludus-position`, with a position as Ludus
 * writes it, can begin in any position; others can begin only at the start of the board.
 *
 * Known problem: an engine cannot be stopped; the time that it has must be over first.
 */
#ifndef LUDUS_GTP_H
#define LUDUS_GTP_H

#include "dialect.h"

enum { GTP_TEXT_MAX = 256 };

extern const struct dialect gtp;

/* Returns what a line of the engine means in the words of UGI, in text[]; the line itself if it
 * means nothing there. */
const char *gtp_hear(const char *line, char text[GTP_TEXT_MAX]);

#endif
