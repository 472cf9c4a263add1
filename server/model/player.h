/*
 * Players: everyone in memory, online or away. The server owns the registry, which owns the
 * players; seats and sessions borrow them.
 *
 * A player is here while any of their connections is, each a window, at this server or at others
 * that share its lobby. A guest, whose windows are all at one server, lives as long as these, or a
 * seat in a match in the lobby. Named players stay, so that their tokens stay valid; if there are
 * too many, the registry forgets the one that has been away longest, unless the lobby or the store
 * has a match of theirs. House bots stay.
 *
 * A player has a token on each of their devices. Only the hash of a token is stored.
 */
#ifndef LUDUS_PLAYER_H
#define LUDUS_PLAYER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "display.h"
#include "rated_puzzle.h"
#include "rating.h"
#include "server/base/hash_index.h"
#include "server/base/limits.h"
#include "server/base/lock.h"
#include "server/base/nodes.h"

enum {
    NAME_BYTES_MAX = 24, /* of a name that a player takes */
    NAME_TEXT_MAX = 32,  /* with the final NUL; guests and house bots may have longer names */
    TOKEN_TEXT_MAX = 33, /* 128 random bits in hexadecimal, and the final NUL */
    TOKEN_HASH_BYTES = 32,
    TOKENS_MAX = 16,      /* of one player */
    TOKEN_LABEL_MAX = 40, /* with the final NUL */
    DEVICE_CODE_MAX = 10, /* four characters, a dash, four, and the final NUL */
    DEVICE_S = 300,       /* how long a device code is good */
    WINDOWS_MAX = 16      /* connections of one player, the most that --player-connections allows */
};

struct session;
struct seat;
struct table;

/* What proves on one device who a player is. */
struct token {
    int number; /* from 1, among those of the player */
    unsigned char hash[TOKEN_HASH_BYTES];
    char label[TOKEN_LABEL_MAX]; /* the client= that got it; "": it did not say */
    time_t since_s;              /* when; 0: unknown */
};

struct tokens {
    int count;
    struct token list[]; /* by their numbers */
};

/* A code by which another connection gets a token of its own, once. */
struct device {
    char code[DEVICE_CODE_MAX]; /* "": it was used */
    int64_t until_ms;
    /* Who has used it, and what they get: */
    enum {
        DEVICE_OFFERED,
        DEVICE_KEEPING,
        DEVICE_KEPT,
        DEVICE_STALE, /* another server was first */
        DEVICE_FAILED
    } state;
    int64_t taker; /* the number of their session; 0: it has gone, and so is the token to */
    char token[TOKEN_TEXT_MAX];
    int number; /* of the token */
};

enum player_kind { PLAYER_GUEST, PLAYER_NAMED, PLAYER_HOUSE };

/* The part of a player that a unit may change and a keeper stores. */
struct identity {
    char name[NAME_TEXT_MAX];
    unsigned char token_hash[TOKEN_HASH_BYTES]; /* BLAKE2b, of token 1; of named players only */
    enum player_kind kind;
    bool bot;
    time_t seen_s;                                         /* when they were last connected */
    char display[DISPLAY_TEXT_MAX], looks[LOOKS_TEXT_MAX]; /* see display.h; "": none */
};

/* How a player calls themselves, beside the name. */
struct display {
    struct player *player;
    char text[DISPLAY_TEXT_MAX];
    char looks[LOOKS_TEXT_MAX];
    UT_hash_handle by_looks; /* in players.by_looks */
};

/* One connection of a player at this server. The session has it, and nobody below play/ looks into
 * that. */
struct window {
    struct session *session; /* set by the session */
    int slot;                /* no other window of the player has it; 0 to WINDOWS_MAX */
    int token;               /* the number of the token with which it has come; 0: with none */
    TAILQ_ENTRY(window) link;
};
TAILQ_HEAD(window_list, window);

/* The connections of a player at another server. */
struct place {
    int node;
    int windows; /* how many */
};

struct places {
    int count;           /* at least 1 */
    struct place list[]; /* by node */
};

struct player {
    int64_t id; /* never reused */
    char name[NAME_TEXT_MAX];
    enum player_kind kind;
    bool bot, here; /* to be set with player_set(). Here is who is online: has a window that is not
                     * closing, or is at another server */
    bool stored;    /* the store has a row for them */
    bool played;    /* the store has a match in which both sides moved */
    time_t seen_s;  /* see struct identity */
    struct window_list windows; /* oldest first; those at this server */
    int window_count;
    struct places *elsewhere; /* owned; where else they are connected; NULL: nowhere */
    int login; /* the number of their latest coming back here, at a shared keeper, which counts them
                */
    struct rating_list ratings; /* owned */
    int holds;                  /* drafts and notes that name the player */
    int drafted;                /* matches in which drafts give them a seat */
    int playing;                /* seats in running public matches */
    int timed;                  /* seats in running matches with a clock */

    /* What moves need is above, and together. */
    int unfinished;          /* matches that they opened and that are not over, drafts included */
    struct display *display; /* owned; NULL: none */
    int64_t away_ms;         /* when the last connection ended, monotonic; 0: not since the start */
    int64_t cut_ms; /* since when the last server at which they were keeps nothing; 0: it does */
    TAILQ_HEAD(seat_list, seat) seats; /* in the matches of the lobby, finished ones included */
    TAILQ_HEAD(created_list, table) created; /* unfinished matches that they opened */
    struct bucket chat;                      /* of the player, in all windows */
    struct bucket challenges;                /* that the player gets */
    struct bucket joins, watch_chat; /* of seats of strangers, and as a spectator; of names only */
    struct lock lock;                /* taken by the unit that changes the identity or a rating */
    unsigned char token_hash[TOKEN_HASH_BYTES]; /* of token 1; nobody's once that has ended */
    int last_token;          /* the highest number that one has had here: none gets it again */
    struct tokens *tokens;   /* owned; NULL: token 1 is the only one, and nothing is known of it. At
                                a shared keeper as they were at the last LOOK_TOKENS (keeper.h) */
    struct device *device;   /* owned; NULL: none was offered */
    struct players *players; /* the registry */
    TAILQ_ENTRY(player) away;        /* in players.away while named and away */
    TAILQ_ENTRY(player) naming_link; /* in players.naming while one of these is not NULL: */
    const char *new_name;            /* borrowed from the unit that gives it */
    const char *new_looks;           /* the same, of a display name */
    char key[NAME_TEXT_MAX];         /* the name in lower case: */
    UT_hash_handle by_key;           /* the key in players.by_key */
    UT_hash_handle by_id;            /* in players.by_id */
};

/* Hears that a player is here now or no longer, or is a bot; NULL: nobody does. */
struct player_observer {
    void (*changed)(void *context, struct player *player);
    void *context;
};

struct players {
    struct player *by_key, *by_id;      /* hash tables (hash_index.h) */
    struct display *by_looks;           /* the same */
    TAILQ_HEAD(away_list, player) away; /* named players who are away, longest first */
    int64_t last_id;
    int node;           /* of this server; 0: it shares its players with none */
    struct numbers ids; /* for `last_id`; if they have an end, guests are named by their ids */
    uint64_t guests;    /* the number of the last guest name */
    int named;
    int fresh;                              /* named players who have not played */
    TAILQ_HEAD(naming_list, player) naming; /* whose new name, or display name, is in a unit */
    int naming_count;                       /* new names */
    int named_max;                          /* of the fresh ones */
    bool grown;                             /* a name was taken since the last players_trim() */
    struct player_observer observer;
    struct rated_puzzles puzzles; /* that they try */
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

/* Begin and end to reserve a guest's new name, or what a player's new display name looks like,
 * while it is in a unit. One of them is NULL. */
void player_begin_naming(struct player *player, const char *name, const char *looks);
void player_end_naming(struct player *player);

/* Finds a player other than `own` whose display name, or, of house bots and named players, whose
 * name looks so; or returns NULL. With `names` false names do not count. It goes over all names. */
const struct player *players_find_like(const struct players *players, const struct player *own,
                                       const char *looks, bool names);

/* Finds a player other than `own` whose new name or display name in a unit looks so, or returns
 * NULL. */
struct player *players_find_naming_like(const struct players *players, const struct player *own,
                                        const char *looks);

/* Gives the player this display name; "": none. */
void player_set_display(struct player *player, const char *display, const char *looks);

/* The player's display name; NULL: none. */
static inline const char *player_display(const struct player *player)
{
    return player->display != NULL ? player->display->text : NULL;
}

/* Adds a guest named guest-N. */
struct player *players_add_guest(struct players *players);

/* Finds or adds the house bot of a level, named bot:LEVEL. */
struct player *players_add_house(struct players *players, const char *level);

/* Forgets all but house bots whom nobody here needs: the keeper has them. */
void players_forget_unused(struct players *players);

/* Adds a player from the store; the id and the name must be new. */
struct player *players_add_stored(struct players *players, int64_t id, enum player_kind kind,
                                  const char *name);

/* Returns whether a name has valid characters and a valid length. */
bool name_is_valid(const char *name);

/* Returns whether a name is reserved: me, open, and those of guests. */
bool name_is_reserved(const char *name);

/* Notes that the store has a match of the player, who is then never forgotten. */
void player_mark_played(struct player *player);

/* Forgets players beyond the limit: those away longest who have not played and have no seat. */
void players_trim(struct players *players);

/* Returns whether there is room for one more name. It may rely on players_trim() to forget somebody
 * once the new name is kept. */
bool players_have_room(const struct players *players);

/* Returns the identity of a player. */
struct identity player_identity(const struct player *player);

/* Returns the identity of a guest who takes a valid name, and writes a new random token to `token`.
 */
struct identity player_named(const struct player *guest, const char *name, bool bot,
                             char token[TOKEN_TEXT_MAX]);

/* Sets whether the player is a bot, and is here. */
void player_set(struct player *player, bool bot, bool here);

/* Copies the player's display name; "" for none. */
void player_copy_display(const struct player *player, char display[DISPLAY_TEXT_MAX]);

/* Applies an identity to its player, but for the display name. A new name must be free. */
void player_settle(struct player *player, const struct identity *identity);

/* Writes the hash by which a token is kept. */
void token_hash(unsigned char hash[TOKEN_HASH_BYTES], const char *token);

/* Returns the number of the player's token that the text is; 0: it is none of theirs. */
int player_find_token(const struct player *player, const char *token);

/* Returns the tokens of a player with one more, which gets a number; or without one. The caller
 * owns them. `label` may be NULL. */
struct tokens *tokens_with(const struct player *player, const char *token, const char *label,
                           time_t now_s, int *number);
struct tokens *tokens_without(const struct player *player, int number);

/* Returns how many tokens the player has, and the one at a place. A guest may have none. */
int player_token_count(const struct player *player);
struct token player_token_at(const struct player *player, int place);

/* Adds a token that was kept, unless there are TOKENS_MAX. */
void player_add_token(struct player *player, const struct token *token);

/* Gives the player these tokens, which they own from then on. */
void player_set_tokens(struct player *player, struct tokens *tokens);

/* Makes a device code. */
void device_code_new(char code[DEVICE_CODE_MAX]);

/* Writes a device code, given in any case and with or without the dash, as it was made. False: it
 * is none. */
bool device_code_read(char code[DEVICE_CODE_MAX], const char *given);

/* Offers a device code, good until then, in place of an older one. */
struct device *player_offer_device(struct player *player, const char *code, int64_t until_ms);

/* Returns whether the text is the player's device code, as device_code_read() takes it. */
bool player_device_matches(const struct player *player, const char *code, int64_t now_ms);

/* Forgets the device code. */
void player_drop_device(struct player *player);

/* Gets the player's rating in a game and variant, or the initial one. False for guests, who are not
 * rated. */
bool player_glicko(const struct player *player, const struct game *game, const char *variant,
                   struct glicko *glicko);

/* Gets the rating of a house bot that no match moves (anchor.h). False, with nothing changed:
 * theirs moves. */
bool player_anchor(const struct player *player, const struct game *game, const char *variant,
                   struct glicko *glicko);

/* A time, with what decides how long a player may still be away. */
struct instant {
    int64_t now_ms;     /* monotonic */
    int64_t started_ms; /* when the server started: nobody counts as away for longer */
    int grace_s;        /* how long a player may be away */
    time_t wall_s;      /* calendar time */
    int stall_days;     /* how long a person may think where no clock runs; 0: for ever */
};

/* Returns how long until the opponent in a running match may claim the win, in ms; 0: now; -1: not
 * while the player is online. */
int64_t player_claim_ms(const struct player *player, const struct instant *instant);

/* Calls visit() for every player in the order in which they came. It must not add or free one. */
void players_each(const struct players *players,
                  void (*visit)(const struct player *player, void *context), void *context);

/* Returns whether the player has a window at this server. */
static inline bool player_is_connected(const struct player *player)
{
    return player->window_count > 0;
}

/* Adds a window, which makes the player be here. They have at most WINDOWS_MAX others. */
void player_add_window(struct player *player, struct window *window);

/* Removes a window. After the last one the player is away, which may free a guest
 * (player_release_unused()). */
void player_remove_window(struct player *player, struct window *window);

/* Sets at which other servers the player is connected, which the player owns from then on; NULL: at
 * none. */
void player_set_elsewhere(struct player *player, struct places *elsewhere);

/* Adds a place to a list, whose nodes are lower. Returns the list, which is made if it is NULL. */
struct places *places_add(struct places *places, int node, int windows);

/* Returns a copy without those at servers that are not alive; NULL: there are none left. */
struct places *places_alive(const struct places *places, const struct nodes *alive);

/* For how long all servers of a list have kept nothing; 0 if it is NULL. */
int64_t places_silence_ms(const struct places *places, const struct nodes *nodes);

/* Either may be NULL. */
bool places_are_same(const struct places *one, const struct places *other);

/* Returns how many connections a player has at all servers. */
int player_window_total(const struct player *player);

/* Returns whether this is the one of the servers at which a player is that acts where only one is
 * to: the lowest. Nobody else acts for a player who is nowhere. */
bool player_is_ours(const struct player *player);

/* Begin and end to hold a player, so that they are not freed in between. */
void player_hold(struct player *player);
void player_let_go(struct player *player);

/* Frees a guest without windows, seats, matches, drafts and lock. Call it when one of these goes.
 */
void player_release_unused(struct player *player);

/* "guest", "named" or "house". */
const char *player_kind_text(enum player_kind kind);

/* Compares two secrets in a time that tells nothing about the first. */
bool secret_equal(const char *secret, const char *given);

/* Writes `bytes` random bytes from the system's generator as hexadecimal with a final NUL. */
void random_hex(char *text, int bytes);

/* Whom somebody wants who seeks opponents, or opens a tournament: bots=yes|no|only. */
enum bots_wanted { BOTS_YES, BOTS_NO, BOTS_ONLY };

const char *bots_wanted_text(enum bots_wanted bots);

/* Parses the word, in any case. False: there is no such word. */
bool bots_wanted_parse(const char *text, enum bots_wanted *bots);

/* Returns whether they want somebody who is a bot, or is none. */
bool bots_wanted_fit(enum bots_wanted bots, bool is_bot);

#endif
