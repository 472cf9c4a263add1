/*
 * Players: everyone the server knows by a name, here or away. The server owns the registry, the
 * registry owns the players; seats and sessions borrow them.
 *
 * A guest lives as long as his connection or a seat in a match that the lobby keeps. A named
 * player is kept while the server runs, so that his token stays good; when there are too many,
 * the one that has been away longest is forgotten, if no match that the
 * lobby keeps is his. House bots stay.
 */
#ifndef LUDUS_PLAYER_H
#define LUDUS_PLAYER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

enum {
    NAME_BYTES_MAX = 24, /* of a name that a player takes */
    NAME_TEXT_MAX = 32,  /* with the final NUL; guests and house bots have longer ones */
    TOKEN_TEXT_MAX = 33  /* 128 random bits in hexadecimal, and the final NUL */
};

struct session;
struct seat;
struct table;

enum player_kind { PLAYER_GUEST, PLAYER_NAMED, PLAYER_HOUSE };

struct player {
    char name[NAME_TEXT_MAX];
    char token[TOKEN_TEXT_MAX]; /* "" but for named players */
    enum player_kind kind;
    bool bot;
    struct session *session;           /* borrowed; NULL while away */
    TAILQ_HEAD(seat_list, seat) seats; /* in matches the lobby keeps, finished ones included */
    TAILQ_HEAD(created_list, table) created; /* unfinished matches that he opened */
    int playing;                             /* seats in running matches */
    int unfinished;                          /* matches that he opened and that are not over */
    TAILQ_ENTRY(player) away;                /* in players.away while named and away */
};

struct players {
    void *by_name;                      /* a tsearch(3) tree */
    TAILQ_HEAD(away_list, player) away; /* named players who are away, the longest first */
    uint64_t guests;                    /* so many guest names have been given out */
    int named;
    int named_max;
};

void players_init(struct players *players, int named_max);
/* Frees all players. No session or seat may use them any more. */
void players_release(struct players *players);

/* The player of that name (in any case), or NULL. */
struct player *players_find(const struct players *players, const char *name);

/* A new guest named guest-N, or NULL when memory ran out. */
struct player *players_add_guest(struct players *players);

/* The house bot of a level, named bot:LEVEL; NULL when memory ran out. */
struct player *players_add_house(struct players *players, const char *level);

/* Whether a player may take this name: its form only. `me` and `open` mean something else. */
bool name_is_valid(const char *name);

/* Makes a guest a named player with a new random token. The name must be valid and free. False,
 * with nothing changed, when the registry is full or memory ran out. */
bool player_take_name(struct players *players, struct player *player, const char *name, bool bot);

/* Whether the text is the player's token. */
bool player_token_matches(const struct player *player, const char *token);

/* The player's session begins, or ends (NULL). A guest who leaves and has no seat is freed. */
void player_set_session(struct players *players, struct player *player, struct session *session);

/* Frees the player if he is a guest without session and seats. Called when a seat goes. */
void player_release_unused(struct players *players, struct player *player);

/* Whether two secrets are the same; takes the same time wherever they differ. */
bool secret_equal(const char *secret, const char *given);

/* Writes `bytes` random bytes from the system's generator as hexadecimal with a final NUL. */
void random_hex(char *text, int bytes);

#endif
