/* Opens a server of the player's own to friends on the network. */
#ifndef LUDUS_INVITE_H
#define LUDUS_INVITE_H

#include "client/talk/client.h"

/* Moves the client to an own server on the network, and says how friends join: the private one is
 * opened with all its matches, and the one on the screen stays there; from elsewhere a new server
 * is started. False with the cause; the client is then where it was, or the program ends. */
bool invite_begin(struct client *client, struct cause *cause);

/* The command `invite`: says how friends join, and before that opens the private server. */
void invite_tell(struct client *client);

#endif
