/*
 * Boards of Clobber longer than those of matches, for the solver.
 *
 * clobber.start() and clobber.parse() take boards of up to BOARD_SIDE_MAX files and ranks. All
 * other functions of `clobber` also take whatever a longer board leads to.
 */
#ifndef LUDUS_CLOBBER_H
#define LUDUS_CLOBBER_H

#include "../game.h"

/* The most files or ranks, and the most squares, of the longer boards. */
enum { CLOBBER_LONG_SIDE = 20, CLOBBER_LONG_SQUARES = 64 };

/* Do what clobber.start() and clobber.parse(NULL, ...) do, and also take the longer boards, such as
 * "12x3". */
bool clobber_start_long(const char *variant, struct position *position, struct cause *cause);
bool clobber_parse_long(const char *text, struct position *position, struct cause *cause);

#endif
