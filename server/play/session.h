/*
 * A session: one connection's conversation, as far as it concerns nobody else: its output, its
 * settings, and whether the peer is alive. It knows nothing of sockets, so that tests drive it in
 * memory. presence.h opens and ends sessions, dispatch.h takes their lines.
 */
#ifndef LUDUS_SESSION_H
#define LUDUS_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "server/base/bucket.h"
#include "server/base/lock.h"
#include "server/model/lobby.h"
#include "server/model/origin.h"
#include "server/model/seek.h"
#include "server/wire/wire.h"

struct look_up;
struct message;
struct server;

enum {
    WATCHES_MAX = 100,           /* matches that one session watches */
    TOURNAMENT_WATCHES_MAX = 10, /* tournaments */
    LAG_EVERY_MS = 10000,
    ADMISSION_IDLES = 5 /* the join code must come within so many times the idle time */
};

/* The target of a session's output. */
struct sink {
    void *context;
    /* Takes whole lines; the bytes are borrowed for the call. */
    void (*write)(void *context, const char *bytes, size_t length);
    /* Nothing more will be written: end the connection when all is out. Called once at most. */
    void (*close)(void *context);
    /* The session, which was asleep, can go on: call dispatch_resume(), but not from here. */
    void (*wake)(void *context);
    /* Asks the peer for a sign of life, which session_ponged() tells of. False, or NULL: it has to
     * be asked by a line. */
    bool (*ping)(void *context);
    /* Whether the peer has much output to read yet. NULL: never. */
    bool (*behind)(void *context);
};

enum session_state {
    SESSION_STRANGER, /* the join code is needed, and has not come */
    SESSION_ADMITTED,
    SESSION_CLOSING /* bye was said: nothing more is sent or heard */
};

/* The progress of a line, which may have to sleep before it is answered. */
enum line_stage {
    LINE_NEW,
    LINE_HEARD,  /* it was taken as a sign of life */
    LINE_COUNTED /* against the rate, too */
};

struct session {
    struct server *server;
    struct player *player; /* borrowed; NULL once the session is closing */
    enum session_state state;
    struct sink sink;
    struct origin *origin; /* where it comes from; NULL: no matter where */
    struct bucket commands, chat;
    bool text;                  /* set format=text */
    bool no_legal;              /* set legal=off */
    bool no_challenges;         /* set challenges=off */
    bool trusted;               /* a house bot, which may send as fast as it can */
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
    int64_t lag_ms;   /* round trip, smoothed; -1: not measured, or text format */
    struct watch_list watches;
    struct tournament_watch_list tournaments; /* that it watches */
    struct seek_list seeks;

    /* The line that is handled next, or sleeps. */
    enum line_stage line;
    int64_t arrived_ms;      /* when it came */
    struct waiter waiter;    /* it sleeps for something that a unit has locked */
    struct look_up *look_up; /* owned: its question to the keeper; NULL: none */
    int unsettled;           /* units of earlier lines that are not settled */
    bool waits_for_own;      /* it sleeps until they are */
    bool waits_for_engine;   /* it sleeps until the engine is there */

    char *again;              /* owned: a line whose unit was stale, to be run first; NULL: none */
    int64_t again_arrived_ms; /* when that one came */

    TAILQ_ENTRY(session) link;      /* in server->sessions */
    LIST_ENTRY(session) lobby_link; /* in server->lobby_watchers while in_lobby */
};

/* The one place where the state changes. It never goes back. */
void session_change(struct session *session, enum session_state state);

bool session_is_closing(const struct session *session);

/* Whether others may see and name it: it needs no join code, or has given it. */
bool session_is_admitted(const struct session *session);

/* Begins a message to the session, in its format: to be written, then sent. */
struct wire session_wire(const struct session *session, const char *id);

/* Sends what was written, at once. */
void session_send(struct session *session, const struct wire *wire);

/* Sends bytes that were written for the session before. */
void session_write(struct session *session, const char *bytes, size_t length);

/* Whether the peer is slow to read: then events that others cause at will are not sent to it. */
bool session_is_behind(const struct session *session);

/* A line has come: a sign of life, and perhaps the answer to a ping. */
void session_heard(struct session *session, const struct message *message);

/* Tells the sink that the session `waiting` can go on; its waiter calls this. */
void session_wake(void *waiting);

/* Whether it has sent no line for as long as a new connection may, or has not given the join code
 * within ADMISSION_IDLES times what one may be silent. */
bool session_is_mute(const struct session *session);

/* The session is a house bot's: the limits of its address are not for it. */
void session_trust(struct session *session);

/* The peer has answered a ping without a line. */
void session_ponged(struct session *session);

/* Asks whether the peer is there, and unless in text format measures how long the answer takes. */
void session_ping(struct session *session);

/* Whether the lag is to be measured: in JSON format, for a player whose time runs in a match,
 * when the last ping is LAG_EVERY_MS old. */
bool session_lag_is_due(const struct session *session);

/* Measures the lag of a player in a match with a clock, unless that is going on. */
void session_measure_lag(struct session *session);

/* Answers in text or JSON from now on. The lag of people at netcat is not measured. */
void session_set_text(struct session *session, bool text);

/* Drops the question of its line: an answer that is still awaited is for nobody. */
void session_drop_look_up(struct session *session);

/* Begins or ends watching the lobby. */
void session_watch_lobby(struct session *session, bool watch);

/* Says bye and asks the sink to close. The session still has its player. */
void session_say_bye(struct session *session, const char *reason);

/* Asks the sink to close without a word: the reply to `quit` was one. */
void session_hang_up(struct session *session);

#endif
