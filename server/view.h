/*
 * What clients are shown of the server's state, as JSON objects in the form of protocol.md.
 * Functions that return an object return a new one, which the caller owns; the others
 * add to one.
 */
#ifndef LUDUS_VIEW_H
#define LUDUS_VIEW_H

#include <cjson/cJSON.h>

#include "lobby.h"
#include "server.h"

/* {"type": type}, to be filled. */
cJSON *view_event(const char *type);

/* Adds a row, which it takes, to an array. Nothing without memory for that (json_memory.h). */
void view_add_row(cJSON *array, cJSON *row);

/* The first message of a connection. */
cJSON *view_greeting(const struct server *server, const struct player *player);

/* The state of a match for someone who holds `seats` in it; with_legal adds the legal moves,
 * if it is his turn. NULL when memory ran out. */
cJSON *view_state(const struct server *server, const struct table *table, unsigned seats,
                  bool with_legal);

/* The fields of the `record` of a match, added to `object`. */
void view_record(cJSON *object, const struct table *table);

/* `result` and `reason`, added to `object`. */
void view_outcome(cJSON *object, struct outcome outcome);

/* `date` in UTC as ISO 8601, added to `object`. */
void view_date(cJSON *object, time_t date);

/* `white_rating` and `black_rating`, the ratings after a match (0: not rated), added to `object`
 * as whole numbers or null. */
void view_rated(cJSON *object, const double rated[2]);

/* The fields of a game's entry in `games`, added to `object`. */
void view_game(cJSON *object, const struct game *game);

/* The `challenge` event for the one who is asked to take the seat of `color`. */
cJSON *view_challenge(const struct table *table, enum color color);

/* The `presence` event of the player in a seat. */
cJSON *view_presence(const struct server *server, const struct seat *seat);

/* The `offer` event: what has become of an offer that `from` made. */
enum offer_news { OFFER_MADE, OFFER_ACCEPTED, OFFER_REFUSED };
cJSON *view_offer(const struct table *table, enum offer what, enum color from,
                  enum offer_news news);

#endif
