/*
 * Players: everyone the server knows by a name, here or away. The server owns the registry, the
 * registry owns the players; seats and sessions borrow them.
 *
 * A guest lives as long as his connection or a seat in a match that the lobby keeps. A named
 * player stays, so that his token stays good; when there are too many, the one that has been away
 * longest is forgotten, if no match that the lobby or the store keeps is his. House bots stay.
 *
 * Of a token only the hash is kept.
 */
#ifndef LUDUS_PLAYER_H
#define LUDUS_PLAYER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "rating.h"

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

struct player {
    int64_t id; /* no other player has it, nor had it */
    char name[NAME_TEXT_MAX];
    unsigned char token_hash[TOKEN_HASH_BYTES]; /* BLAKE2b; of named players only */
    enum player_kind kind;
    bool bot;
    bool stored;                       /* the store has a row for him */
    bool played;                       /* the store has a match that he really played */
    bool unused;                       /* in players.unused */
    time_t seen_s;                     /* when he was last connected */
    struct session *session;           /* borrowed; NULL while away */
    TAILQ_HEAD(seat_list, seat) seats; /* in matches the lobby keeps, finished ones included */
    TAILQ_HEAD(created_list, table) created; /* unfinished matches that he opened */
    struct rating_list ratings;              /* owned */
    int playing;                             /* seats in running matches, private ones aside */
    int timed;                               /* those of them that have a clock */
    int64_t away_ms; /* when his last connection ended, monotonic; 0: not since the server began */
    int unfinished;  /* matches that he opened and that are not over */
    TAILQ_ENTRY(player) away;       /* in players.away while named and away */
    LIST_ENTRY(player) unused_link; /* in players.unused */
};

/* What turn.h may have to put back. */
struct player_copy {
    char name[NAME_TEXT_MAX];
    unsigned char token_hash[TOKEN_HASH_BYTES];
    enum player_kind kind;
    bool bot;
    time_t seen_s;
};

struct players {
    void *by_name;                         /* a tsearch(3) tree */
    TAILQ_HEAD(away_list, player) away;    /* named players who are away, the longest first */
    LIST_HEAD(unused_list, player) unused; /* guests to be freed once nothing is held */
    bool held;                             /* nobody is freed: a turn may have to be undone */
    int64_t last_id;
    uint64_t guests; /* so many guest names have been given out */
    int named;
    int fresh;     /* those of them who have not played */
    int named_max; /* of the fresh ones */
    bool grown;    /* a name was taken since the last players_trim() */
};

void players_init(struct players *players, int named_max);
/* Frees all players. No session or seat may use them any more. */
void players_release(struct players *players);

/* The player of that name (in any case), or NULL. */
struct player *players_find(const struct players *players, const char *name);

/* A new guest named guest-N, or NULL when memory ran out. */
struct player *players_add_guest(struct players *players);

/* The house bot of a level, named bot:LEVEL; a new one if there is none yet. NULL when memory ran
 * out. */
struct player *players_add_house(struct players *players, const char *level);

/* Adds a player as the store has him; the id and the name must be new. NULL when memory ran out. */
struct player *players_add_stored(struct players *players, int64_t id, enum player_kind kind,
                                  const char *name);

/* Whether a player's name may look like that. */
bool name_is_valid(const char *name);

/* Whether the name means something else where players are named: me, open, and those of guests. */
bool name_is_reserved(const char *name);

/* He has played a match that the store keeps, and will not be forgotten. */
void player_mark_played(struct players *players, struct player *player);

/* Forgets those who are more than the registry takes, as far as they may be forgotten: those who
 * have not played, have no seat, and have been away longest. */
void players_trim(struct players *players);

/* Whether there is room for one more name, if need be by forgetting somebody: players_trim() does
 * that, when the new name is kept. */
bool players_have_room(const struct players *players);

/* Makes a guest a named player, with a new random token which is written to `token`. The name must
 * be valid and free. False, with nothing changed, when memory ran out. */
bool player_take_name(struct players *players, struct player *player, const char *name, bool bot,
                      char token[TOKEN_TEXT_MAX]);

/* Whether the text is the player's token. */
bool player_token_matches(const struct player *player, const char *token);

/* The player's rating in that game and variant. A named player or house bot who has none is rated
 * as at the start; false for guests, who are not rated. */
bool player_glicko(const struct player *player, const struct game *game, const char *variant,
                   struct glicko *glicko);

/* Calls visit() for every player the server knows, in no particular order; it must neither add nor
 * free one. */
void players_each(const struct players *players,
                  void (*visit)(const struct player *player, void *context), void *context);

/* The player's session begins, or ends (NULL). A guest who leaves and has no seat is freed. */
void player_set_session(struct players *players, struct player *player, struct session *session);

/* Frees the player if he is a guest without session and seats, now or once nothing is held. Called
 * when a seat goes. */
void player_release_unused(struct players *players, struct player *player);
/* Frees what player_release_unused() could not, as nothing is held any more. */
void players_sweep(struct players *players);

void player_save(const struct player *player, struct player_copy *copy);
/* Makes the player what he was; a name that he has taken since is free again. Without memory for
 * that the server ends at once: it has a store. */
void player_restore(struct players *players, struct player *player, const struct player_copy *copy);

/* "guest", "named" or "house". */
const char *player_kind_text(enum player_kind kind);

/* Whether two secrets are the same; the time it takes tells nothing of the first. */
bool secret_equal(const char *secret, const char *given);

/* Writes `bytes` random bytes from the system's generator as hexadecimal with a final NUL. */
void random_hex(char *text, int bytes);

#endif
