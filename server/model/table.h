/*
 * A table: a match with its people. Players sit at it, sessions watch it.
 *
 * A table that others can see is in the lobby (lobby.h) and does not change in place, but for a
 * move that another server has kept. Changes go into a draft: a table that nobody can find, which
 * shares the plies of the match. When the draft is kept, lobby_settle() applies it; otherwise
 * table_drop() frees it, and there is nothing to undo. While a draft exists the table is locked.
 */
#ifndef LUDUS_TABLE_H
#define LUDUS_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "match.h"
#include "origin.h"
#include "player.h"
#include "server/base/limits.h"
#include "server/base/lock.h"
#include "talk.h"

enum {
    TABLE_ID_MAX = 24,  /* bytes with the final NUL */
    ONCE_KEY_MAX = 33,  /* of a KEY of `new once=KEY` */
    ONCE_TEXT_MAX = 56, /* of a key with its player */
    JOIN_CODE_MAX = 33, /* of a WORD of `new code=WORD` */
    KICKED_MAX = 8      /* the latest who have lost a seat of a match */
};

struct seat {
    struct table *table;
    struct player *player; /* borrowed; NULL: open to anyone */
    bool joined;           /* false with a player: challenged, not accepted yet */
    bool was_open;         /* the player took it when it was open to anyone */
    bool is_drafted;       /* this draft gives it: it is counted in player->drafted */
    uint8_t color;
    TAILQ_ENTRY(seat) link; /* in player->seats, once the table is in the lobby */
};

/* Somebody who has lost their seat. */
struct kicked {
    int64_t player;         /* their id, */
    bool is_guest;          /* who cannot come back after a restart */
    struct origin_key from; /* of a guest: where they were connected from; else all zero */
};

/* A session watches a table. */
struct watch {
    struct table *table;
    struct session *session;
    LIST_ENTRY(watch) by_table;   /* in table->watches */
    LIST_ENTRY(watch) by_session; /* in the session's list */
};
LIST_HEAD(watch_list, watch);

/* When something must happen at a table. All zero but the table: not set. */
struct deadline {
    struct table *table; /* borrowed */
    int64_t at_ms;
    int place; /* in the heap, from 1; 0: not set */
};

struct table {
    char id[TABLE_ID_MAX];
    int64_t number;           /* counts matches as they open; unique */
    int64_t ended;            /* counts matches as they end; 0: not over */
    char once[ONCE_TEXT_MAX]; /* "PLAYER KEY" of `new once=KEY`, with the player's id; "": none */
    char code[JOIN_CODE_MAX]; /* the word that opens its open seats; "": they need none */
    bool is_private;
    bool casual;      /* it never counts for the ratings: opened so, or made so later */
    bool started;     /* both seats were taken and play began */
    char *broken;     /* owned; why the match could not be read whole, so that it is read-only until
                         `ludusd check --repair` has mended it; NULL: it was. It has no draft, nothing
                         falls due in it, and players may be missing. */
    int version;      /* counts the changes that a shared keeper has of it */
    time_t date;      /* when it was opened, calendar time */
    time_t changed_s; /* when it last changed, offers not counted, calendar time */
    struct match match;
    struct seat seats[2];
    double rating_after[2];    /* the ratings after the match, by colour; 0: unrated */
    struct player *creator;    /* borrowed; NULL once over */
    struct origin *origin;     /* that opened it, if that is limited; held until freed */
    struct origin *asked_from; /* that asked for the rematch on offer; held until freed */
    int64_t tournament;        /* the number of the tournament it belongs to; 0: none */
    int pairing, round;        /* its place there, and in which round */
    int kicked_count;
    struct kicked kicked[KICKED_MAX];

    /* Not drafted. */
    struct lock lock;         /* taken by the unit that has a draft */
    struct deadline deadline; /* of the next timeout or forfeit; see due.h */
    time_t told_s;            /* since when it had not changed when its players were told of that */
    struct bucket chat;       /* of those who watch */
    struct talk talk;         /* owned: what was said lately */
    struct watch_list watches; /* owned; players do not watch */
    int watcher_count;
    /* Of the windows of the player to move, by their slots, as the turn began. The clock forgives
     * the longest; a move from a faster window is forgiven less. */
    uint8_t lags_ms[WINDOWS_MAX + 1];
    TAILQ_ENTRY(table) link;        /* in lobby.unfinished or lobby.finished */
    TAILQ_ENTRY(table) by_unplayed; /* in lobby.unplayed */
    TAILQ_ENTRY(table) by_creator;  /* in creator->created */
    UT_hash_handle by_id;           /* in lobby.by_id */
    UT_hash_handle by_once;         /* in lobby.by_once, unless `once` is "" */
};

/* A finished match as a row of `history`, from memory or from a store. */
struct history_row {
    char id[TABLE_ID_MAX];
    const struct game *game;
    char variant[VARIANT_NAME_MAX];
    char names[2][NAME_TEXT_MAX]; /* by colour */
    struct outcome outcome;
    time_t date; /* when it was opened */
    int plies;
    bool casual;
    double rating_after[2]; /* the ratings after it, by colour; 0: unrated */
};

/* Makes a draft of a table in the lobby. It holds its players (player.h). */
struct table *table_draft(struct table *table);

/* Lets go of the players in the seats of a draft or a new table. */
void table_let_go(struct table *table);

/* Frees a draft that was not kept, or what is left of one that was. */
void table_drop(struct table *draft);

struct table_label {
    char text[TABLE_ID_MAX + 8];
};

/* Returns the match's name in the log: its id, or private-N, as the id of a private match is a
 * secret. */
struct table_label table_label(const struct table *table);

/* Returns the name of the player in a seat, or NULL. */
const char *seat_name(const struct seat *seat);

/* Returns player_claim_ms() of the player in a seat; -1 unless the match is running. */
int64_t seat_claim_ms(const struct seat *seat, const struct instant *instant);

/* Returns how long until the opponent may claim the win because the person in a seat, whose turn it
 * is, does not move, in ms; 0: now; -1: never, as it is not their turn, or a clock runs. By the
 * calendar. */
int64_t seat_stall_ms(const struct seat *seat, const struct instant *instant);

/* When players are told of that: when half of the time is left. */
int64_t stall_told_ms(const struct instant *instant);

/* Returns whether a draft differs from its table by more than offers. */
bool table_has_moved(const struct table *table, const struct table *draft);

/* Gives a seat of a draft, free or the player's, to a player, who has joined or is challenged. */
void table_give_seat(struct table *draft, enum color color, struct player *player, bool joined);

/* Frees the seat of a draft that a player took when it was open, and takes the match back to its
 * start. The player is kicked from then on; so is everyone from a guest's origin, or NULL. */
void table_free_seat(struct table *draft, enum color color, const struct origin *origin);

/* Returns whether a player, connected from that origin or NULL, is kicked. */
bool table_is_kicked(const struct table *table, const struct player *player,
                     const struct origin *origin);

/* Gives a seat of a table that is read from a store, in any state of the match. */
void table_set_seat(struct table *table, enum color color, struct player *player, bool joined);

/* Makes a draft one of a match that does not count for the ratings. */
void table_make_casual(struct table *draft);

/* Returns whether the match counts for the ratings if both sides move and it ends with a result: it
 * is not casual, began at the start of its variant or at an opening of a tournament, and two
 * different players sit there, both named or house bots. */
bool table_can_be_rated(const struct table *table);

/* Returns whether the match ended without a move: that costs nothing, so it must not evict others,
 * and is not kept. */
bool table_is_unplayed(const struct table *table);

/* Returns the seats that a player has taken, as a set of colours: none in a broken match. */
unsigned table_seats_of(const struct table *table, const struct player *player);

/* Returns the seats to which a player is challenged, as a set of colours: none in a broken match.
 */
unsigned table_challenges_of(const struct table *table, const struct player *player);

/* Returns whether the match concerns nobody but the player who opened it: it is still open, or
 * between house bots. */
bool table_is_openers_own(const struct table *table);

/* The guest who is gone and without whom the match cannot go on, or NULL. */
struct player *table_gone_guest(const struct table *table);

/* Adds a watch of a session that does not watch the table yet to its `list`. */
void table_watch(struct table *table, struct session *session, struct watch_list *list);

/* Finds the watch of a table in a session's list, or returns NULL. */
struct watch *table_find_watch(const struct table *table, const struct watch_list *list);

/* Counts the tables that a session watches. */
int watch_count(const struct watch_list *list);

/* Ends a watch and frees it. */
void table_unwatch(struct watch *watch);

/* A heap of deadlines, the nearest on top. It borrows each while it is set. The times are those of
 * any monotonic clock. */
struct deadlines {
    struct deadline **heap; /* owned, of borrowed deadlines; heap[0] is place 1 */
    int count, capacity;
};

void deadlines_release(struct deadlines *deadlines);

/* Sets or moves a deadline. */
void deadline_set(struct deadlines *deadlines, struct deadline *deadline, int64_t at_ms);

/* Removes a deadline from the heap, if it is set. */
void deadline_clear(struct deadlines *deadlines, struct deadline *deadline);

/* Returns the nearest deadline, or NULL. */
struct deadline *deadlines_first(const struct deadlines *deadlines);

#endif
