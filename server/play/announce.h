/*
 * Telling people: sends events to the players and watchers of a match, and to those who watch the
 * lobby. It changes nothing. What a state shows to everyone is written once for each format,
 * not for each receiver.
 */
#ifndef LUDUS_ANNOUNCE_H
#define LUDUS_ANNOUNCE_H

#include "server.h"
#include "server/model/lobby.h"
#include "server/wire/wire.h"
#include "session.h"

/* Sends the state to one session. */
void announce_state_to(struct session *session, const struct table *table);

/* Sends the state to all at the table; `challenged`: also to players who have not joined. */
void announce_state(struct server *server, const struct table *table, bool challenged);

/* Tells those who watch the lobby that a match was "opened", has "started" or is "over". Private
 * matches are nobody's business. */
void announce_lobby(struct server *server, const struct table *table, const char *what);

/* Asks the challenged players who are here. */
void announce_challenges(const struct table *table);

/* Tells the others at a match, thus the challenger, that `from` does not want it. */
void announce_declined(const struct table *table, const struct player *from, const char *reason);

/* Tells both players, as far as they are here, that the server has paired them. */
void announce_paired(const struct table *table, const struct paired *paired);

/* Sends chat to the players and watchers of a match. */
void announce_chat(const struct table *table, const struct player *from, const char *text);

/* Tells the players and watchers of a match that `next` is its rematch. */
void announce_rematch(const struct table *table, const struct table *next);

/* Tells the players and watchers what has become of an offer of `from`. */
void announce_offer(const struct table *table, enum offer what, enum color from,
                    enum offer_news offer_news);

/* Tells the others at the player's matches that the player is here, is gone, or has a new name. */
void announce_presence(const struct server *server, const struct player *player);

/* Sends a message that was written elsewhere, in both formats and without its end, to the players
 * and watchers of a match, or (NULL) to those who watch the lobby. */
void announce_written(struct server *server, const struct table *table, const char *json,
                      const char *text);

/* Tells the others at one match that a player of it is here, is gone, or has a new name. */
void announce_presence_at(const struct server *server, const struct seat *seat);

/* Brings a match to its players who are here: challenges, or else its state. */
void announce_arrival(struct server *server, struct table *table);

/* Brings their matches with this player to the house bots that play them here from now on, because
 * the player was at another server. Matches between house bots stay where their opener is. */
void announce_to_house(const struct player *player);

/* Sends a player who came back their running matches and their challenges. */
void announce_welcome(struct session *session);

#endif
