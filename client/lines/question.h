/*
 * The questions of the menu, one line of answer each. An empty answer takes the default in
 * brackets. Commands typed instead are run; `q` is `quit`.
 *
 * All functions return false without an answer: after `menu`, when a match has come to the screen,
 * when the server does not list the choices, or at the end of the program.
 */
#ifndef LUDUS_QUESTION_H
#define LUDUS_QUESTION_H

#include "client/talk/client.h"

enum { ANSWER_MAX = 64 }; /* bytes with the final NUL */

/* Asks for any text and trims it. */
bool ask(struct client *client, const char *prompt, char answer[ANSWER_MAX]);

bool ask_color(struct client *client, const char *question, enum color *color);

/* Asks for GAME:VARIANT from the server's list. */
bool ask_game(struct client *client, char game[ANSWER_MAX]);

/* Asks for a clock as `new` takes it, BASE+INC in seconds; "" for none. */
bool ask_clock(struct client *client, char clock[ANSWER_MAX]);

/* Asks for one of the connected bots. */
bool ask_bot(struct client *client, const char *question, char bot[ANSWER_MAX]);

/* Asks for a match of that status; an open one must have a free seat. Says so when there is
 * none. */
bool ask_match(struct client *client, const char *status, char match[ANSWER_MAX]);

#endif
