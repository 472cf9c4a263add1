/*
 * Deadlines of tables: a flag falls, a player does not begin, a bot stalls, or everybody has
 * forgotten the match. The nearest of these is the table's deadline. referee.h acts on it.
 */
#ifndef LUDUS_DUE_H
#define LUDUS_DUE_H

#include <stdint.h>

#include "server.h"
#include "server/model/table.h"

/* What happens at a table without a command. */
enum due {
    DUE_NOTHING,
    DUE_TIMEOUT,    /* the flag falls */
    DUE_FIRST_MOVE, /* a player who took an open seat does not begin: it is open again */
    DUE_BEGIN,      /* nobody begins a match with a clock: it ends without result */
    DUE_STALL,      /* a bot does not move, and loses */
    DUE_TELLING,    /* who does not move is told that the win can be claimed, and so is the other */
    DUE_ABANDON,    /* all have been away for too long: the match is aborted */
    DUE_WHITE,      /* a match of a tournament waits no longer for that player, who loses */
    DUE_BLACK
};

/* The next of these. */
struct next_due {
    enum due due;
    int64_t at_ms; /* INT64_MAX with DUE_NOTHING */
};

/* Returns whether an open match has none of its people here. */
bool due_is_deserted(const struct table *table);

/* Finds the next deadline, whether it has expired or not. */
struct next_due due_next(const struct server *server, const struct table *table);

/* Sets the table's deadline. */
void due_set(struct server *server, struct table *table);

/* Sets the table's deadline, and what lag the side to move is forgiven. Call it when the match, its
 * seats or who of its players is here has changed, or the match was loaded. */
void due_watch(struct server *server, struct table *table);

/* A window of a player who has others has come or gone: its slot has no lag in turns that have
 * begun. */
void due_forget_lag(struct server *server, struct player *player, int slot);

/* Sets the table's deadline to the next thing, or to a moment from now if that is later: what was
 * due could not be kept. */
void due_retry(struct server *server, struct table *table);

/* Sets the deadlines of the matches that a player sits in or has opened: the player came or went.
 */
void due_watch_all_of(struct server *server, struct player *player);

/* Sets the deadlines of all tables: the limits have changed. */
void due_watch_all(struct server *server);

/* Charges nobody for a time that has just passed, in which nobody could move; and notes it for
 * those who turn out to have waited here. Sets the deadlines of all tables. */
void due_forgive_all(struct server *server, int64_t pause_ms);

/* Charges a player who has come nothing for the time for which the server where they were has kept
 * nothing: `cut_ms`, at most until it sent everyone elsewhere. */
void due_forgive_cut(struct server *server, struct player *player, int64_t cut_ms);

/* A player turns out to be the one who has been connected here by a session: they are charged
 * nothing for the time in which it waited while this server could keep nothing. */
void due_forgive_waited(struct server *server, struct player *player,
                        const struct session *session);

/* A match that this server reads only now may have been opened, or moved in, while it could keep
 * nothing: a player who was here then is not charged for that time. */
void due_forgive_loaded(const struct server *server, struct table *table);

#endif
