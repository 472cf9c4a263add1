/*
 * The server without its event loop: sessions, players and the lobby, as one struct that is
 * handed down. The loop feeds it lines and the time; tests do the same in memory.
 */
#ifndef LUDUS_SERVER_H
#define LUDUS_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <time.h>

#include "common/buffer.h"
#include "house.h"
#include "lobby.h"
#include "origin.h"
#include "player.h"
#include "tally.h"
#include "turn.h"

enum { CODE_TEXT_MAX = 64 };

struct store;

/* What may be set by options; the defaults stand in options.c. */
struct limits {
    int connections;    /* in all */
    int line_bytes;     /* of a line with its end; LINE_BYTES_MAX at most */
    int names;          /* named players that are remembered */
    int matches;        /* unfinished matches that one player may have opened */
    int finished;       /* finished matches that are kept */
    int errors;         /* in a row, before the connection is closed */
    int idle_s;         /* silence before the connection is closed; a ping goes out at half of it */
    int text_idle_s;    /* the same for connections in text format, where people think */
    int first_line_s;   /* a new connection must have sent a line by then */
    int pending_bytes;  /* unread output of one connection before it is closed */
    int slow_s;         /* a quarter of that may be unread for so long */
    int lines_per_turn; /* commands of one connection before the others get their turn */
    int grace_s;        /* a player may be away before the other claims the win */
    int abandon_days;   /* a match whose players are gone waits for them */
    int bot_stall_s;    /* a bot may take for a move where no clock runs */
    int drain_s;        /* peers may take to read their last lines when the server ends */
    int unfinished;     /* matches in all */
    int watchers;       /* of one match */
    int rate;           /* commands a second on one connection; 0: any number */
    int chat_bytes;     /* of one line of chat */
    int chat_rate;      /* lines of chat a minute on one connection; 0: any number */
    int address_connections; /* from one address */
    int address_rate;        /* commands a second from one address; 0: any number */
    int address_names;       /* new names an hour from one address; 0: any number */
    int address_matches;     /* unfinished matches opened from one address */
    bool limit_loopback;     /* these four hold for loopback as well */
};

struct counters {
    uint64_t connections, commands, errors, moves, matches;
};

struct server {
    struct limits limits;
    char code[CODE_TEXT_MAX]; /* join code; "" for none */
    int64_t now_ms;           /* monotonic; set by the loop before it hands anything over */
    time_t wall_s;            /* calendar time, likewise */
    int64_t started_ms;
    time_t started_s;    /* the same by the calendar */
    bool stopping;       /* everyone has been told */
    bool some_lost;      /* sessions are to be closed: session_close_lost() */
    bool guests_wait;    /* matches of guests who are gone could not be ended yet */
    struct store *store; /* borrowed; NULL: everything is in memory only */
    struct turn turn;
    struct players players;
    struct lobby lobby;
    struct house house;
    struct origins origins;
    TAILQ_HEAD(session_list, session) sessions;
    LIST_HEAD(lobby_watcher_list, session) lobby_watchers;
    int session_count;
    struct counters counters;
    struct tally tally;
    struct buffer reply, event; /* where messages are written before they are sent */
};

void server_init(struct server *server, const struct limits *limits);

/* Has other limits from now on. */
void server_set_limits(struct server *server, const struct limits *limits);

/* Goes on with what the store has: its players, and every match as it stood. From then on
 * everything is written to it. The server must be new. Guests cannot come back, so their unfinished
 * matches are aborted. False with the cause. */
bool server_take_up(struct server *server, struct store *store, struct cause *cause);

/* Adds the house bots' names, so that bot:LEVEL can be given a seat. False when memory ran out. */
bool server_add_levels(struct server *server);

/* Whether the player can ever come: a house bot that the store remembers may be none of this
 * server's. */
bool server_has_player(const struct server *server, const struct player *player);

/* Whether somebody of this address may connect: he takes from what its connections may do. The
 * origin may be NULL: memory has run out. */
bool server_may_connect(struct server *server, struct origin *origin);

/* Whether there are as many unfinished matches as there may be. */
bool server_is_full(const struct server *server);

/* What was handled goes together: it is written to the store, then told. The loop calls this when
 * it has handled what was there, before it waits again. */
void server_end_turn(struct server *server);

/* Pings and closes silent sessions, and starts house bots that are due. Called every
 * second. */
void server_tick(struct server *server);

/* When something is to happen at a match by itself, such as a flag falling: the nearest time, or
 * -1. It changes with every call of a session. */
int64_t server_next_deadline_ms(const struct server *server);

/* Does what is due at the matches by now. */
void server_run_deadlines(struct server *server);

/* Says bye to everyone. */
void server_shutdown(struct server *server);

/* Frees everything but the store; there may be no sessions left. */
void server_release(struct server *server);

#endif
