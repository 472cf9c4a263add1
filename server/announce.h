/*
 * Telling people: every change of a match goes through here to its players and watchers, and to
 * those who watch the lobby. What a state shows to everyone is written once, not once for each
 * receiver.
 */
#ifndef LUDUS_ANNOUNCE_H
#define LUDUS_ANNOUNCE_H

#include "lobby.h"
#include "server.h"
#include "session.h"
#include "wire_event.h"

/* Sends the state to one session. */
void announce_state_to(struct session *session, const struct table *table);

/* The match has changed: the state goes to all. When it has just ended, it is rated, logged, told
 * in the lobby and moved to the finished ones: every match ends here; else its deadline is set
 * anew. */
void announce_change(struct server *server, struct table *table);

/* A new match was opened. */
void announce_opened(struct server *server, const struct table *table);

/* Starts the match if both seats are taken, and tells everyone; else only the state. */
void announce_start_or_state(struct server *server, struct table *table);

/* Asks the challenged players who are here. */
void announce_challenges(const struct table *table);

/* These go to the players and watchers of a match: what somebody says there, and that `next` is its
 * rematch. */
void announce_chat(const struct table *table, const struct player *from, const char *text);
void announce_rematch(const struct table *table, const struct table *next);

/* What has become of an offer of `from`. */
void announce_offer(const struct table *table, enum offer what, enum color from,
                    enum offer_news offer_news);

/* The player has come, gone or taken a name: tells the others at his matches. */
void announce_presence(const struct server *server, const struct player *player);

/* The player came back to his name: sends him his running matches and his challenges, and a ping
 * if there is a clock among them. */
void announce_welcome(struct session *session);

#endif
