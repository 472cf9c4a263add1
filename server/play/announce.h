/*
 * Telling people: sends events to the players and spectators of a match, of a tournament, and of
 * the lobby. It changes nothing. What a state shows to everyone is written once for each format,
 * not for each receiver.
 *
 * Servers that share a keeper tell each other what it does not keep: chat, news of the lobby. Each
 * line goes to cluster.c of the others:
 *
 *     w JSON TAB TEXT          a message as it is sent, in both formats, without their ends
 *     c ROOM FROM TEXT         a line of chat
 *     r NEXT JSON TAB TEXT     the event `rematch`, to be sent before the state of the match NEXT
 *
 * The line of a seek ends with its player:
 *
 *     p ID NODE LOGIN KIND BOT NAME
 *                              who is connected to the server NODE
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

/* Tells those who watch the lobby, at all servers, that a match was "opened", has "started" or is
 * "over". Private matches are not announced. */
void announce_lobby(struct server *server, const struct table *table, const char *what);

/* Asks the challenged players who are here. */
void announce_challenges(const struct table *table);

/* Tells the others at a match, the challenger among them, at all servers, that `from` declines. */
void announce_declined(struct server *server, const struct table *table, const struct player *from,
                       const char *reason);

/* Tells the players who are here that the server has paired them. */
void announce_paired(const struct table *table, const struct paired *paired);

/* Keeps a line of chat for those who come later, and sends it to those of a match who hear it, at
 * all servers; or, where another server has heard it first, at this one. */
void announce_chat(struct server *server, struct table *table, const struct talk_line *line);
void announce_heard_chat(struct table *table, const struct talk_line *line);

/* Sends one session the latest lines of chat that it may hear. */
void announce_past_chat(struct session *session, const struct table *table);

/* Tells the players and spectators of a match, at all servers, that `next` is its rematch. */
void announce_rematch(struct server *server, const struct table *table, const struct table *next);

/* Tells the players and spectators what has become of an offer; `everywhere`: also at other
 * servers, which find most offers in what is kept. */
void announce_offer(struct server *server, const struct table *table,
                    const struct offer_event *offer, bool everywhere);

/* Tells the others at the player's matches that the player is here, is gone, or has a new name. */
void announce_presence(const struct server *server, const struct player *player);

/* Sends a message that was written elsewhere, in both formats and without its end, to the players
 * and spectators of a match, or (NULL) of the lobby. */
void announce_written(struct server *server, const struct table *table, const char *json,
                      const char *text);

/* Tells the others at one match that a player of it is here, is gone, or has a new name. */
void announce_presence_at(const struct server *server, const struct seat *seat);

/* Brings their matches with this player to the house bots that play them here from now on, because
 * the player was at another server. Matches between house bots stay where their opener is. */
void announce_to_house(const struct player *player);

enum { WELCOME_MATCHES_MAX = 50 };

/* Sends a player who came back the latest of their unfinished matches and challenges,
 * WELCOME_MATCHES_MAX in all; `list mine` has the others. A house bot gets all. */
void announce_welcome(struct session *session);

/* Returns how many of these the player has in all. */
int announce_welcome_count(const struct player *player);

/* Sends the challenges that wait for the session's player in a match again. */
void announce_challenges_to(struct session *session, const struct table *table);

/* Tells the spectators of a tournament, and the log, of a change that has just been applied. */
void announce_tournament(const struct tournament_change *change);

enum { RELAY_LINE_MAX = 4096 }; /* of a line to other servers */

/* Asks the keeper whether the players of a match, which was opened here, are connected elsewhere:
 * what is known of them may be old. */
void announce_ask_presence(struct server *server, const struct table *table);

/* The content of a line p. */
struct presence_news {
    int64_t id;
    int node, login;
    enum player_kind kind;
    bool bot;
    char name[NAME_TEXT_MAX];
};

/* A line p. */
struct presence_text {
    char text[128];
};

/* Writes the line about a player, as this server knows them. */
struct presence_text presence_news_text(const struct server *server, const struct player *player);

/* Reads a line p. False if it is none. */
bool presence_news_read(struct presence_news *news, const char *line);

#endif
