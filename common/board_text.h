/* Draws a board with letters, for terminals and netcat. */
#ifndef LUDUS_BOARD_TEXT_H
#define LUDUS_BOARD_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { BOARD_TEXT_MAX = 512 }; /* bytes with the final NUL; 10 by 10 takes 312 */

/* Draws `height` rows, the highest rank first, with coordinates around them and a newline after
 * each line:
 *
 *      2  p P
 *      1  P p
 *         a b
 *
 * With flip, the board is seen from black's side, a1 at the top right. */
void board_text(const char *const rows[], int height, bool flip, char text[BOARD_TEXT_MAX]);

#endif
