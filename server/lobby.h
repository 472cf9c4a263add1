/*
 * The lobby: every match the server keeps, with who sits in it and who watches it. A `table` is
 * a match together with its people.
 *
 * The server owns the lobby, the lobby owns the tables and their matches. Finished matches are
 * kept for records and rematches until newer ones push them out. The lobby tells nobody
 * anything; announce.h does.
 */
#ifndef LUDUS_LOBBY_H
#define LUDUS_LOBBY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "deadline.h"
#include "match.h"
#include "origin.h"
#include "player.h"

enum { TABLE_ID_MAX = 24 }; /* bytes with the final NUL */

struct seat {
    struct table *table;
    struct player *player; /* borrowed; NULL: open to anyone */
    bool joined;           /* false with a player: challenged, has not accepted yet */
    uint8_t color;
    TAILQ_ENTRY(seat) link; /* in player->seats */
};

/* A session watches a table. */
struct watch {
    struct table *table;
    struct session *session;
    LIST_ENTRY(watch) by_table;   /* in table->watches */
    LIST_ENTRY(watch) by_session; /* in the session's list */
};
LIST_HEAD(watch_list, watch);

struct table {
    char id[TABLE_ID_MAX];
    int64_t number; /* matches are counted as they are opened, */
    int64_t ended;  /* and as they end; 0: not over */
    bool touched;   /* turn.h keeps what it was */
    bool is_private;
    bool finished;            /* lobby_finish() was called */
    bool started;             /* the match has been played, however little */
    time_t date;              /* when it was opened */
    time_t changed_s;         /* when the match last changed, calendar time */
    struct deadline deadline; /* of the nearest thing that is to happen by itself; see referee.h */
    struct match match;
    struct seat seats[2];
    double rated[2];           /* the ratings after the match, by colour; 0: it was not rated */
    struct player *creator;    /* borrowed; NULL once over */
    struct origin *origin;     /* where it was opened, if that counts; held until it is freed */
    struct origin *asked_from; /* where the rematch was asked for that is offered; likewise */
    struct watch_list watches; /* owned; players are not among them */
    int watcher_count;
    TAILQ_ENTRY(table) link;       /* in lobby.unfinished or lobby.finished */
    TAILQ_ENTRY(table) by_creator; /* in creator->created */
};

struct lobby {
    struct players *players;                            /* borrowed */
    struct origins *origins;                            /* borrowed */
    void *by_id;                                        /* a tsearch(3) tree */
    TAILQ_HEAD(table_list, table) unfinished, finished; /* oldest first */
    struct deadlines deadlines;                         /* of the unfinished tables */
    int open, playing, over;
    int finished_max;
    int64_t opened, ended; /* so many matches were ever opened, and are over */
};

/* What a table was before it changed. */
struct table_copy {
    struct match match; /* owned */
    struct player *players[2], *creator;
    bool joined[2];
    bool finished, started;
    int64_t ended;
    time_t changed_s;
    double rated[2];
};

void lobby_init(struct lobby *lobby, struct players *players, struct origins *origins,
                int finished_max);
void lobby_release(struct lobby *lobby);

/* Opens a match with two open seats, as one that `creator` is answerable for, and `origin`, which
 * may be NULL. Its id is a number, or for a private one hard to guess. NULL when memory ran out. */
struct table *lobby_open(struct lobby *lobby, const struct game *game, const struct position *start,
                         bool is_private, struct player *creator, struct origin *origin,
                         time_t date);

/* A rematch was asked for from there; NULL: from where it does not count. */
void lobby_note_asked(struct lobby *lobby, struct table *table, struct origin *origin);

struct table_label {
    char text[TABLE_ID_MAX + 8];
};

/* What the log calls the match: its id, or for a private one, whose id is a secret, private-N. */
struct table_label table_label(const struct table *table);

/* The table of that id, or NULL. */
struct table *lobby_find(const struct lobby *lobby, const char *id);

/* Gives a free seat to a player; joined: he sits, else he is challenged. */
void table_give_seat(struct table *table, enum color color, struct player *player, bool joined);
/* The challenged player takes his seat. */
void table_join_seat(struct table *table, enum color color);

/* The seats that the player has taken, as a set of colours. */
unsigned table_seats_of(const struct table *table, const struct player *player);
/* The seats to which the player is challenged, as a set of colours. */
unsigned table_challenges_of(const struct table *table, const struct player *player);

/* Starts the match if both seats are taken; whether it did. */
bool lobby_start_if_full(struct lobby *lobby, struct table *table, int64_t now_ms);

/* Moves a table whose match is over to the finished ones. Call it once, when the match has just
 * ended. */
void lobby_finish(struct lobby *lobby, struct table *table);

/* Frees the oldest finished tables beyond the limit. */
void lobby_trim(struct lobby *lobby);

/* Keeps what the table is. False when memory ran out. */
bool table_save(const struct table *table, struct table_copy *copy);
void table_copy_release(struct table_copy *copy);
/* Makes the table what it was, and takes the match out of the copy. */
void lobby_restore(struct lobby *lobby, struct table *table, struct table_copy *copy);
/* Frees a table that was just opened: it has not been. */
void lobby_remove(struct lobby *lobby, struct table *table);
/* Adds a table that was kept, and takes the match out of the copy. Those that have ended must come
 * in that order. NULL, with nothing taken, when memory ran out. */
struct table *lobby_add(struct lobby *lobby, const char *id, int64_t number, bool is_private,
                        time_t date, struct table_copy *copy);

/* The session begins to watch; `list` is where it keeps its watches. False when memory ran out.
 * It must not watch the table yet. */
bool table_watch(struct table *table, struct session *session, struct watch_list *list);
/* The session's watch of that table, or NULL. */
struct watch *table_find_watch(const struct table *table, const struct watch_list *list);
/* Ends a watch and frees it. */
void table_unwatch(struct watch *watch);

#endif
