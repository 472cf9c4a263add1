/* The review of a match in line mode, and by the server. */
#ifndef LUDUS_REVIEW_GIVE_H
#define LUDUS_REVIEW_GIVE_H

#include "client/model/reviewer.h"
#include "client/talk/client.h"

/* Gets a match that is over from the server, reviews it and prints that; Ctrl-C stops it. Says why
 * there is none. */
void review_give(struct client *client, const char *match);

/* Gets a match that is over from the server, with its id there; release the file. False with the
 * cause, or "" for a refusal, which was shown. */
bool review_fetch(struct client *client, const char *match, char id[MATCH_ID_MAX],
                  struct pgn_file *file, struct cause *cause);

/* Has the server review its match, where the bot is missing here: waits for at most a minute. False
 * with reviewer->cause. */
bool review_give_by_server(struct client *client, const char *match, struct reviewer *reviewer);

#endif
