/* The QR code of the page where a friend's browser joins, in place of the board of a match that
 * waits for them. */
#ifndef LUDUS_SCREEN_QR_VIEW_H
#define LUDUS_SCREEN_QR_VIEW_H

#include "client/screen/stage/paint.h"
#include "client/screen/stage/stage.h"

/* Paints the code in the middle of the area if the match on the screen waits at the player's own
 * server. False where there is none, it is not wanted, or the terminal cannot show it. */
bool qr_view_paint(const struct stage *stage, const struct area *area);

#endif
