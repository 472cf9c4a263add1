/*
 * The questions of the menu. Each is one line of answer; an empty one takes what stands in
 * brackets in the prompt. Commands typed in between are run; `q` is `quit`.
 *
 * All return false when there is no answer: the person wants back to the menu (`menu`), a match
 * has come to the screen meanwhile, the server did not say what there is, or the program ends.
 */
#ifndef LUDUS_QUESTION_H
#define LUDUS_QUESTION_H

#include "client/talk/client.h"

enum { ANSWER_MAX = 64 }; /* bytes with the final NUL */

/* Any answer, without spaces around it. */
bool ask(struct client *client, const char *prompt, char answer[ANSWER_MAX]);

bool ask_color(struct client *client, const char *question, enum color *color);

/* GAME:VARIANT, from the server's list. */
bool ask_game(struct client *client, char game[ANSWER_MAX]);

/* A clock as `new` takes it, BASE+INC in seconds; "" for none. */
bool ask_clock(struct client *client, char clock[ANSWER_MAX]);

/* The name of a bot, from those who are connected. */
bool ask_bot(struct client *client, const char *question, char bot[ANSWER_MAX]);

/* A match of the server's list with that status: of the open ones those with a free seat. Says
 * so when there is none. */
bool ask_match(struct client *client, const char *status, char match[ANSWER_MAX]);

#endif
