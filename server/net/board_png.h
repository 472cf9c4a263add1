/* The board of a match as a PNG file, for programs that show pictures beside links and take no SVG.
 * The only user of zlib. */
#ifndef LUDUS_BOARD_PNG_H
#define LUDUS_BOARD_PNG_H

#include "common/match_picture.h"

/* The least size that these programs show at full width: a picture is made in the loop, and takes
 * it a quarter of the time that twice the width would. */
enum { BOARD_PNG_WIDTH = 600, BOARD_PNG_HEIGHT = 315 };

/* Adds the board in the middle of a frame, without the title. */
void board_png(const struct match_picture *picture, struct buffer *png);

#endif
