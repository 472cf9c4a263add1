/*
 * A session: one connection's conversation. It takes complete lines and writes lines to a sink;
 * it knows nothing of sockets, so that tests drive it in memory.
 *
 * The one who opened a session (the event loop, a test) frees it with session_free() when the
 * connection is gone; the session itself never does, it only asks the sink to close.
 */
#ifndef LUDUS_SESSION_H
#define LUDUS_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "bucket.h"
#include "lobby.h"
#include "origin.h"
#include "status.h"
#include "wire.h"

struct server;

enum {
    LAG_EVERY_MS = 10000,
    ADMISSION_IDLES = 5 /* the join code must come within so many times the idle time */
};

/* Where a session's output goes. */
struct sink {
    void *context;
    /* Takes whole lines; the bytes are borrowed for the call. */
    void (*write)(void *context, const char *bytes, size_t length);
    /* Nothing more will be written: end the connection when all is out. Called once at most. */
    void (*close)(void *context);
};

struct session {
    struct server *server;
    struct player *player; /* borrowed; NULL once the session is closing */
    struct sink sink;
    struct origin *origin; /* where it comes from; NULL: no matter where */
    struct bucket commands, chat;
    bool text;                  /* set format=text */
    bool no_legal;              /* set legal=off */
    bool admitted;              /* has given the join code, or none is needed */
    bool trusted;               /* a house bot, which may send as fast as it can */
    bool closing;               /* bye was said */
    bool lost;                  /* there was no memory for what it was to be told: to be closed */
    bool spoken;                /* has sent a line */
    bool pinged;                /* and nothing heard since */
    bool measuring;             /* the last ping waits for a blank line or `ping` */
    bool in_lobby;              /* watches the lobby */
    bool welcoming;             /* being sent all its matches at once, however many they are */
    char token[TOKEN_TEXT_MAX]; /* as given out or shown on this connection; "" if none was */
    int errors_in_row;
    int64_t opened_ms;
    int64_t heard_ms; /* when the last line came */
    int64_t ping_ms;  /* when the last ping was sent */
    int64_t spent;    /* commands so far, counted as they count against the rate */
    int64_t lag_ms;   /* the time there and back, smoothed; -1: not measured, or text format */
    struct watch_list watches;
    TAILQ_ENTRY(session) link;      /* in server->sessions */
    LIST_ENTRY(session) lobby_link; /* in server->lobby_watchers while in_lobby */
};

/* Begins a session as a new guest and greets. It leaves `origin`, which was entered for it and may
 * be NULL, when it is freed. NULL, with the origin still the caller's to leave, when memory ran
 * out. */
struct session *session_open(struct server *server, struct sink sink, struct origin *origin);

/* Handles one line without its end. Any bytes, up to LINE_BYTES_MAX - 1. False, with nothing done,
 * when it has to wait for the end of the turn (turn.h): give it again after server_end_turn(). */
bool session_line(struct session *session, const char *line, size_t length);

/* The peer sent a line that is too long; it was dropped. False as above. */
bool session_line_too_long(struct session *session);

/* Begins a message to the session, in its format; `id` as in struct wire. Send it before anybody is
 * told anything else. */
struct wire session_wire(const struct session *session, const char *id);

/* Sends what was written. */
void session_send(struct session *session, const struct wire *wire);

/* Something that the session was to be told could not be put together: it is told nothing more
 * but bye, and closed when the turn is over. */
void session_lose(struct session *session);

/* Closes the sessions of which this is true. */
void session_close_lost(struct server *server);

/* Whether it has sent no line for as long as a new connection may, or has not given the join code
 * within ADMISSION_IDLES times what one may be silent. */
bool session_is_mute(const struct session *session);

/* The session is a house bot's: the limits of its address are not for it. */
void session_trust(struct session *session);

/* Asks whether the peer is there, and in JSON format measures how long the answer takes. */
void session_ping(struct session *session);

/* Whether the lag is to be measured: in JSON format, for a player whose time runs in a match,
 * when the last ping is LAG_EVERY_MS old. */
bool session_lag_is_due(const struct session *session);

/* The player has come to a match with a clock: measures his lag, unless that is going on. */
void session_measure_lag(struct session *session);

/* Answers in text or JSON from now on. What people at netcat need is not measured. */
void session_set_text(struct session *session, bool text);

/* Whether the player is connected. */
bool player_is_here(const struct player *player);

/* Begins or ends watching the lobby. */
void session_watch_lobby(struct session *session, bool watch);

/* Says bye with the reason and leaves: the seats of a guest, the watches, the name. */
void session_close(struct session *session, const char *reason);

/* The same without a word: the reply to `quit` was one. */
void session_end(struct session *session);

/* Only says bye, and asks the sink to close: for a server that ends, where no match changes. */
void session_say_bye(struct session *session, const char *reason);

/* Frees the session, after leaving as above if it has not. */
void session_free(struct session *session);

/* Has the store know when this player was here. */
void session_note_seen(struct server *server, struct player *player);

/* The session goes on as another player (a name it came back to); the guest it was is given up.
 * A session that had the name is closed. */
void session_become(struct session *session, struct player *player);

#endif
