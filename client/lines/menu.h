/*
 * Line mode: the menu, and the match on the screen. Each answer is a line; an empty one takes the
 * default in brackets. A terminal and a pipe get the same questions.
 */
#ifndef LUDUS_MENU_H
#define LUDUS_MENU_H

#include "client/play/own_seek.h"

/* Asks what `beginning` says, then shows the menu and runs the choices until the program ends. */
void menu_run(struct client *client, enum beginning beginning, struct seeking *seeking);

/* Plays or watches the match until it is over, is left, or the program ends. */
void match_lines_run(struct client *client);

#endif
