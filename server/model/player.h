/*
 * Players: everyone in memory, online or away. The server owns the registry, which owns the
 * players; seats and sessions borrow them.
 *
 * A guest lives as long as their connection, or a seat in a match in the lobby. Named players stay,
 * so that their tokens stay valid; if there are too many, the registry forgets the one that has
 * been away longest, unless the lobby or the store has a match of theirs. House bots stay.
 *
 * Only the hash of a token is stored.
 */
#ifndef LUDUS_PLAYER_H
#define LUDUS_PLAYER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "rating.h"
#include "server/base/bucket.h"
#include "server/base/hash_index.h"
#include "server/base/lock.h"
#include "server/base/numbers.h"

enum {
    NAME_BYTES_MAX = 24, /* of a name that a player takes */
    NAME_TEXT_MAX = 32,  /* with the final NUL; guests and house bots may have longer names */
    TOKEN_TEXT_MAX = 33, /* 128 random bits in hexadecimal, and the final NUL */
    TOKEN_HASH_BYTES = 32
};

struct session;
struct seat;
struct table;

enum player_kind { PLAYER_GUEST, PLAYER_NAMED, PLAYER_HOUSE };

/* The part of a player that a unit may change and a keeper stores. */
struct identity {
    char name[NAME_TEXT_MAX];
    unsigned char token_hash[TOKEN_HASH_BYTES]; /* BLAKE2b; of named players only */
    enum player_kind kind;
    bool bot;
    time_t seen_s; /* when they were last connected */
};

struct player {
    int64_t id; /* never reused */
    char name[NAME_TEXT_MAX];
    enum player_kind kind;
    bool bot;
    bool here;     /* online: has a session that is not closing, or is at another server */
    bool stored;   /* the store has a row for them */
    bool played;   /* the store has a match in which both sides moved */
    time_t seen_s; /* see struct identity */
    struct session *session;    /* borrowed; NULL while away, or at another server */
    int node;                   /* the server that they are connected to; 0: none, or this one */
    int login;                  /* counts how often they have come back, at a shared keeper */
    struct rating_list ratings; /* owned */
    int holds;                  /* drafts and notes that name the player */
    int playing;                /* seats in running public matches */
    int timed;                  /* seats in running matches with a clock */

    /* What moves need is above, and together. */
    int unfinished;  /* matches that they opened and that are not over, drafts included */
    int64_t away_ms; /* when the last connection ended, monotonic; 0: not since the start */
    TAILQ_HEAD(seat_list, seat) seats; /* in the matches of the lobby, finished ones included */
    TAILQ_HEAD(created_list, table) created; /* unfinished matches that they opened */
    struct bucket challenges;                /* that the player gets */
    struct lock lock; /* taken by the unit that changes the identity or a rating */
    unsigned char token_hash[TOKEN_HASH_BYTES];
    struct players *players;         /* the registry */
    TAILQ_ENTRY(player) away;        /* in players.away while named and away */
    TAILQ_ENTRY(player) naming_link; /* in players.naming while new_name is not NULL */
    const char *new_name;            /* borrowed from the unit that gives it */
    char key[NAME_TEXT_MAX];         /* the name in lower case: */
    UT_hash_handle by_key;           /* the key in players.by_key */
    UT_hash_handle by_id;            /* in players.by_id */
};

struct players {
    struct player *by_key, *by_id;      /* hash tables (hash_index.h) */
    TAILQ_HEAD(away_list, player) away; /* named players who are away, longest first */
    int64_t last_id;
    struct numbers ids; /* for `last_id`; if they have an end, guests are named by their ids */
    uint64_t guests;    /* the number of the last guest name */
    int named;
    int fresh;                              /* named players who have not played */
    TAILQ_HEAD(naming_list, player) naming; /* guests whose new name is in a unit */
    int naming_count;
    int named_max; /* of the fresh ones */
    bool grown;    /* a name was taken since the last players_trim() */
};

void players_init(struct players *players, int named_max);

/* Frees all players. No session or seat may use them any more. */
void players_release(struct players *players);

/* Finds a player by name, in any case, or returns NULL. */
struct player *players_find(const struct players *players, const char *name);

/* Finds a player by id, or returns NULL. */
struct player *players_find_id(const struct players *players, int64_t id);

/* Finds the guest whose new name is in a unit, or returns NULL. */
struct player *players_find_naming(const struct players *players, const char *name);

/* Begin and end to reserve a guest's new name, while it is in a unit. */
void player_begin_naming(struct player *player, const char *name);
void player_end_naming(struct player *player);

/* Adds a guest named guest-N. */
struct player *players_add_guest(struct players *players);

/* Finds or adds the house bot of a level, named bot:LEVEL. */
struct player *players_add_house(struct players *players, const char *level);

/* Forgets all but house bots whom nobody here needs: the keeper has them. */
void players_forget_unused(struct players *players);

/* Adds a player from the store; the id and the name must be new. */
struct player *players_add_stored(struct players *players, int64_t id, enum player_kind kind,
                                  const char *name);

/* Whether a name has valid characters and a valid length. */
bool name_is_valid(const char *name);

/* Whether a name is reserved: me, open, and those of guests. */
bool name_is_reserved(const char *name);

/* Notes that the store has a match of the player, who is then never forgotten. */
void player_mark_played(struct player *player);

/* Forgets players beyond the limit: those away longest who have not played and have no seat. */
void players_trim(struct players *players);

/* Whether there is room for one more name. It may rely on players_trim() to forget somebody once
 * the new name is kept. */
bool players_have_room(const struct players *players);

/* Returns the identity of a player. */
struct identity player_identity(const struct player *player);

/* Returns the identity of a guest who takes a valid name, and writes a new random token to `token`.
 */
struct identity player_named(const struct player *guest, const char *name, bool bot,
                             char token[TOKEN_TEXT_MAX]);

/* Applies an identity to its player. A new name must be free. */
void player_settle(struct player *player, const struct identity *identity);

/* Writes the hash by which a token is kept. */
void token_hash(unsigned char hash[TOKEN_HASH_BYTES], const char *token);

/* Whether the text is the player's token. */
bool player_token_matches(const struct player *player, const char *token);

/* Gets the player's rating in a game and variant, or the initial one. False for guests, who are not
 * rated. */
bool player_glicko(const struct player *player, const struct game *game, const char *variant,
                   struct glicko *glicko);

/* A time, with what decides how long a player may still be away. */
struct instant {
    int64_t now_ms;     /* monotonic */
    int64_t started_ms; /* when the server started: nobody counts as away for longer */
    int grace_s;        /* how long a player may be away */
};

/* Returns how long until the opponent in a running match may claim the win, in ms; 0: now; -1: not
 * while the player is online. */
int64_t player_claim_ms(const struct player *player, const struct instant *instant);

/* Calls visit() for every player in the order in which they came. It must not add or free one. */
void players_each(const struct players *players,
                  void (*visit)(const struct player *player, void *context), void *context);

/* Sets the player's session; NULL: it has ended, which may free a guest
 * (player_release_unused()). */
void player_set_session(struct player *player, struct session *session);

/* Begin and end to hold a player, so that they are not freed in between. */
void player_hold(struct player *player);
void player_let_go(struct player *player);

/* Frees a guest without session, seats, matches, drafts and lock. Call it when one of these goes.
 */
void player_release_unused(struct player *player);

/* "guest", "named" or "house". */
const char *player_kind_text(enum player_kind kind);

/* Compares two secrets in a time that tells nothing about the first. */
bool secret_equal(const char *secret, const char *given);

/* Writes `bytes` random bytes from the system's generator as hexadecimal with a final NUL. */
void random_hex(char *text, int bytes);

#endif
