/*
 * A session: the part of a connection's conversation that concerns nobody else: its output, its
 * settings, and signs of life of the peer. It knows nothing of sockets, so that tests drive it in
 * memory. presence.h opens and ends sessions, dispatch.h takes their lines.
 */
#ifndef LUDUS_SESSION_H
#define LUDUS_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "server/base/limits.h"
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
    ADMISSION_IDLES = 5 /* idle times within which the join code must come */
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

/* A line that is not answered yet. It runs from its beginning each time that it is woken. */
struct pending_line {
    enum line_stage {
        LINE_NEW,
        LINE_HEARD,     /* it was taken as a sign of life */
        LINE_COUNTED,   /* against the rate, too */
        LINE_KEY_IS_NEW /* and the keeper knows no match that its once=KEY has opened */
    } stage;
    int64_t arrived_ms; /* by this clocks are charged */
    int64_t busy_us;    /* how long the loop was busy with its runs that ended asleep */
    char *text;         /* owned; of a line that runs again, else NULL: the connection has it */
};

/* What the line in front sleeps for. */
enum sleep_reason {
    AWAKE,
    SLEEPS_FOR_OWN,     /* earlier lines of the session, which are not settled */
    SLEEPS_FOR_LOCK,    /* a match, player, tournament or review that is taken: session->waiter */
    SLEEPS_FOR_ANSWER,  /* the keeper's, to session->look_up */
    SLEEPS_FOR_DATABASE /* which is away */
};

struct session {
    struct server *server;
    struct player *player; /* borrowed; NULL once the session is closing */
    struct window window;  /* among the player's while there is one */
    enum session_state state;
    struct sink sink;
    struct origin *origin; /* where it comes from; NULL: no matter where */
    struct bucket commands;
    bool text;                  /* set format=text */
    bool no_legal;              /* set legal=off */
    bool no_challenges;         /* set challenges=off */
    int matches_max;            /* hello max=N; 0: no limit but the server's */
    bool trusted;               /* a house bot, which may send as fast as it can */
    bool spoken;                /* has sent a line */
    bool pinged;                /* and nothing heard since */
    bool measuring;             /* the last ping waits for a blank line or `ping` */
    bool in_lobby;              /* watches the lobby */
    bool welcoming;             /* being sent all its matches at once, however many they are */
    bool revoked;               /* its token has ended */
    bool guessed_wrong;         /* has given a wrong code */
    bool stays_alone;           /* it is to be the only one of its player */
    bool makes_way;             /* it closes for another window, which tells how many there are */
    char token[TOKEN_TEXT_MAX]; /* as given out or shown on this connection; "" if none was */
    int64_t number;             /* counts sessions; unique */
    int errors_in_row;
    int64_t opened_ms;
    int64_t heard_ms; /* when the last line came */
    int64_t ping_ms;  /* when the last ping was sent */
    int64_t spent;    /* commands so far, counted as they count against the rate */
    int64_t lag_ms;   /* round trip, smoothed; -1: not measured, or text format */
    struct watch_list watches;
    struct tournament_watch_list tournaments; /* that it watches */
    struct seek_list seeks;

    struct pending_line again; /* a line whose unit was stale: it runs first, if it has a text */
    struct pending_line line;  /* the next one of the connection */
    enum sleep_reason sleeps;  /* the first of both */
    struct waiter waiter;
    struct look_up *look_up; /* owned: its question to the keeper; NULL: none */
    int64_t device_of;       /* the id of the player whose device code it has taken; 0: nobody's */
    int unsettled;           /* units of earlier lines that are not settled */

    TAILQ_ENTRY(session) link;      /* in server->sessions */
    LIST_ENTRY(session) lobby_link; /* in server->lobby_watchers while in_lobby */
};

/* The one place where the state changes. It never goes back. */
void session_change(struct session *session, enum session_state state);

bool session_is_closing(const struct session *session);

/* Go through a player's sessions here, oldest first; NULL after the last. Those that close are
 * among them. */
struct session *first_session_of(const struct player *player);
struct session *next_session_of(const struct session *session);

/* Returns the player's latest session here: what has to be one address' is this one's. NULL: they
 * have none. */
struct session *latest_session_of(const struct player *player);

/* Returns whether the player is a client here that has not given the join code: nobody is to hear
 * of them. */
bool player_is_stranger(const struct player *player);

/* Finds one of the seeks that a player has in any window, by its number, or returns NULL. */
struct seek *session_seek_of(const struct player *player, int64_t number);

/* Returns how many seeks a player has, in all windows. */
int session_seeks_of(const struct player *player);

/* A token of the player has ended: marks the sessions that have shown it, to be closed at the end
 * of the turn. */
void session_revoke_all(const struct player *player, int token_number);

/* At the end of the turn the session is to be the only one of its player: the others close as
 * replaced. */
void session_stay_alone(struct session *session);

/* Returns whether the player has windows here, and all of them have set challenges=off. */
bool player_refuses_challenges(const struct player *player);

/* Returns whether the player plays or is asked for as many matches as its windows here take, or as
 * `most` (0: no limit). Those that are not kept yet count, too. */
bool player_is_full(const struct player *player, int most);

/* Returns whether others may see and name it: it needs no join code, or has given it. */
bool session_is_admitted(const struct session *session);

/* Begins a message to the session, in its format: to be written, then sent. */
struct wire session_wire(const struct session *session, const char *id);

/* Sends what was written, at once. */
void session_send(struct session *session, const struct wire *wire);

/* Sends bytes that were written for the session before. */
void session_write(struct session *session, const char *bytes, size_t length);

/* Returns whether the peer is slow to read: then events that others cause at will are not sent to
 * it. */
bool session_is_behind(const struct session *session);

/* A line has come: a sign of life, and perhaps the answer to a ping. */
void session_heard(struct session *session, const struct message *message);

/* Tells the sink that the session `waiting` can go on; its waiter calls this. */
void session_wake(void *waiting);

/* The session is a house bot's: the limits of its address are not for it. */
void session_trust(struct session *session);

/* The peer has answered a ping without a line. */
void session_ponged(struct session *session);

/* Called every second. Asks a peer that is silent for a sign of life, and measures the lag of a
 * player whose time runs, in JSON format, every LAG_EVERY_MS. False: there was none for too long,
 * or no first line, or no join code within ADMISSION_IDLES times that. */
bool session_tick(struct session *session);

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
