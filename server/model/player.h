/*
 * Players: everyone the server knows by a name, here or away. The server owns the registry, the
 * registry owns the players; seats and sessions borrow them.
 *
 * A guest lives as long as their connection, or a seat in a match that the lobby keeps. Named
 * players stay, so that their tokens stay good; when there are too many, the one that has been
 * away longest is forgotten, unless the lobby or the store keeps a match of theirs. House bots
 * stay.
 *
 * Only the hash of a token is kept.
 */
#ifndef LUDUS_PLAYER_H
#define LUDUS_PLAYER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "rating.h"
#include "server/base/hash_index.h"
#include "server/base/lock.h"

enum {
    NAME_BYTES_MAX = 24, /* of a name that a player takes */
    NAME_TEXT_MAX = 32,  /* with the final NUL; guests and house bots have longer ones */
    TOKEN_TEXT_MAX = 33, /* 128 random bits in hexadecimal, and the final NUL */
    TOKEN_HASH_BYTES = 32
};

struct session;
struct seat;
struct table;

enum player_kind { PLAYER_GUEST, PLAYER_NAMED, PLAYER_HOUSE };

/* What a unit may change of a player and a keeper keeps. */
struct identity {
    char name[NAME_TEXT_MAX];
    unsigned char token_hash[TOKEN_HASH_BYTES]; /* BLAKE2b; of named players only */
    enum player_kind kind;
    bool bot;
    time_t seen_s; /* when they were last connected */
};

struct player {
    int64_t id; /* no other player has it, nor had it */
    char name[NAME_TEXT_MAX];
    unsigned char token_hash[TOKEN_HASH_BYTES];
    enum player_kind kind;
    bool bot;
    bool here;               /* has a session that is not closing */
    bool stored;             /* the store has a row for them */
    bool played;             /* the store has a match that they really played */
    time_t seen_s;           /* see struct identity */
    struct session *session; /* borrowed; NULL while away */
    int64_t away_ms; /* when the last connection ended, monotonic; 0: not since the server began */
    TAILQ_HEAD(seat_list, seat) seats; /* in matches the lobby keeps, finished ones included */
    TAILQ_HEAD(created_list, table) created; /* unfinished matches that they opened */
    struct rating_list ratings;              /* owned */
    int unfinished;           /* matches that they opened and that are not over, drafts included */
    int playing;              /* seats in running matches, private ones aside */
    int timed;                /* seats in running matches with a clock */
    int holds;                /* drafts that name the player */
    struct lock lock;         /* taken by the unit that changes the identity or a rating */
    struct players *players;  /* the registry */
    TAILQ_ENTRY(player) away; /* in players.away while named and away */
    TAILQ_ENTRY(player) naming_link; /* in players.naming while new_name is not NULL */
    const char *new_name;            /* borrowed from the unit that gives it */
    char key[NAME_TEXT_MAX];         /* the name in lower case, */
    UT_hash_handle by_key;           /* by which it is found in players.by_key */
};

struct players {
    struct player *by_key;              /* a hash table (hash_index.h) */
    TAILQ_HEAD(away_list, player) away; /* named players who are away, the longest first */
    int64_t last_id;
    uint64_t guests; /* so many guest names have been given out */
    int named;
    int fresh;                              /* those of them who have not played */
    TAILQ_HEAD(naming_list, player) naming; /* guests whose new name is in a unit */
    int naming_count;
    int named_max; /* of the fresh ones */
    bool grown;    /* a name was taken since the last players_trim() */
};

void players_init(struct players *players, int named_max);

/* Frees all players. No session or seat may use them any more. */
void players_release(struct players *players);

/* The player of that name (in any case), or NULL. */
struct player *players_find(const struct players *players, const char *name);

/* The guest who is about to have that name, or NULL. */
struct player *players_find_naming(const struct players *players, const char *name);

/* A guest is about to take a name, and does or does not. */
void player_begin_naming(struct player *player, const char *name);
void player_end_naming(struct player *player);

/* Adds a guest named guest-N. */
struct player *players_add_guest(struct players *players);

/* The house bot of a level, named bot:LEVEL; a new one if there is none yet. */
struct player *players_add_house(struct players *players, const char *level);

/* Adds a player as the store has them; the id and the name must be new. */
struct player *players_add_stored(struct players *players, int64_t id, enum player_kind kind,
                                  const char *name);

/* Whether a player's name may look like that. */
bool name_is_valid(const char *name);

/* Whether the name means something else where players are named: me, open, and those of guests. */
bool name_is_reserved(const char *name);

/* The player has played a match that the store keeps, and will not be forgotten. */
void player_mark_played(struct player *player);

/* Forgets those who are more than the registry takes, as far as they may be forgotten: those who
 * have not played, have no seat, and have been away longest. */
void players_trim(struct players *players);

/* Whether there is room for one more name, if need be by forgetting somebody: players_trim() does
 * that, once the new name is kept. */
bool players_have_room(const struct players *players);

/* What is kept of a player now. */
struct identity player_identity(const struct player *player);

/* What is kept of a guest once they have taken a name, with a new random token that is written to
 * `token`. The name must be valid. */
struct identity player_named(const struct player *guest, const char *name, bool bot,
                             char token[TOKEN_TEXT_MAX]);

/* The player becomes what the identity says. A new name must be free. */
void player_settle(struct player *player, const struct identity *identity);

/* Whether the text is the player's token. */
bool player_token_matches(const struct player *player, const char *token);

/* The player's rating in that game and variant. A named player or house bot without one is rated
 * as at the start; false for guests, who are not rated. */
bool player_glicko(const struct player *player, const struct game *game, const char *variant,
                   struct glicko *glicko);

/* A time, and what tells how long a player may still be away then. */
struct instant {
    int64_t now_ms;     /* monotonic */
    int64_t started_ms; /* when the server began: nobody has been away longer */
    int grace_s;        /* a player may be away */
};

/* How long until the others at a running match may claim the win against this player, in ms; 0
 * when they may; -1 while the player is here. */
int64_t player_claim_ms(const struct player *player, const struct instant *instant);

/* Calls visit() for every player the server knows, in the order in which they came; it must
 * neither add nor free one. */
void players_each(const struct players *players,
                  void (*visit)(const struct player *player, void *context), void *context);

/* The player's session begins, or ends (NULL). A guest that leaves and is not used is freed. */
void player_set_session(struct player *player, struct session *session);

/* A draft begins and ends to name the player, who is not freed in between. */
void player_hold(struct player *player);
void player_let_go(struct player *player);

/* Frees a guest without session, seats, matches and drafts. Called when one of these goes. */
void player_release_unused(struct player *player);

/* "guest", "named" or "house". */
const char *player_kind_text(enum player_kind kind);

/* Whether two secrets are the same; the time it takes tells nothing of the first. */
bool secret_equal(const char *secret, const char *given);

/* Writes `bytes` random bytes from the system's generator as hexadecimal with a final NUL. */
void random_hex(char *text, int bytes);

#endif
