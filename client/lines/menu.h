/*
 * The menu: what to do, with whom, in which game. Each answer is a line; an empty one takes what
 * stands in brackets. The same questions are asked on a terminal and of a pipe.
 */
#ifndef LUDUS_MENU_H
#define LUDUS_MENU_H

#include "client/talk/client.h"

/* Asks what `beginning` says; then shows the menu and does what is chosen, again and again until
 * the program ends. */
void menu_run(struct client *client, enum beginning beginning);

#endif
