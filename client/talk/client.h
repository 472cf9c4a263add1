/*
 * The client: one connection, one person, one match on the screen. This is the struct that is
 * handed down, and the conversation with the server: waiting, asking, and coming back when the
 * connection is lost.
 *
 * The only poll() of the program is here. A command waits for its reply; struct client_handlers
 * gets everything else, also while a command waits.
 */
#ifndef LUDUS_CLIENT_H
#define LUDUS_CLIENT_H

#include <stdint.h>

#include "client/link/match_state.h"
#include "client/link/uplink.h"
#include "client/term/console.h"
#include "client/term/front.h"
#include "client/term/input.h"
#include "client/term/settings.h"

enum { SITTINGS_MAX = 16 };

/* What the person is asked first, when no match is on the screen. */
enum beginning {
    BEGIN_MENU,
    BEGIN_HOST, /* which match to open */
    BEGIN_JOIN, /* which to join */
    BEGIN_ALONE /* nothing: he is told that no match is open */
};

struct host;

/* A match one sits in, whether it is on the screen or not. */
struct sitting {
    char match[MATCH_ID_MAX]; /* "" for an unused entry */
    char label[128];          /* "Clobber 5x6 against bob" */
    char other[PLAYER_NAME_MAX];
    int ply, told_ply; /* of the latter the person was told that it is his turn */
    bool my_turn;
    bool with_person; /* it runs, and the other side is no bot */
    bool asked[OFFER_KINDS],
        told_offer[OFFER_KINDS]; /* offers of the other side; which were told */
};

/* Something else that is waited for: a descriptor, and what to do when it can be read, or when a
 * time has come. */
struct waiting {
    int fd;         /* -1: nothing */
    int64_t due_ms; /* of client_now_ms(); INT64_MAX: no time */
    void (*ready)(void *context);
    void *context;
};

struct client;

/* Jobs of the rooms above, set by those who open a client. A client without a server needs none. */
struct client_handlers {
    /* Handles a message that answers no request, and is none that the uplink takes. */
    void (*message)(struct client *client, const cJSON *message);
    /* Brings a lost connection back, or sets client->quit. */
    void (*lost)(struct client *client);
    /* client->claim_due_ms has come. NULL where it is never set. */
    void (*claim_due)(struct client *client);
    /* The person has typed Ctrl-C once. NULL: there is nothing to say. */
    void (*interrupted)(struct client *client);
};

struct client {
    const struct client_handlers *handlers; /* borrowed */
    struct uplink uplink;                   /* hello.name is "" for a guest */
    struct host *host;                      /* owned: the server of its own, or NULL */
    bool warned;                            /* that it ends for a friend as well */

    struct input input;
    struct console console;
    struct settings settings;
    const struct front *front; /* borrowed: who shows it all; NULL: line by line */
    int signals;               /* a signalfd */
    struct waiting waiting;    /* beside the server and the keys */

    struct match_state view;      /* the match on the screen; view.match "" for none */
    bool turned;                  /* the board is seen from the other side */
    bool redraw;                  /* draw the next state even if nothing has changed */
    bool awaiting;                /* a state must come before the next line counts */
    bool hinted;                  /* the person was told how to type moves */
    char challenge[MATCH_ID_MAX]; /* the latest that waits for an answer; "" for none */
    char rematch[MATCH_ID_MAX];   /* likewise: a match that was left, of which one is offered */
    struct sitting sittings[SITTINGS_MAX];

    unsigned requests;    /* commands numbered so far */
    unsigned refusals;    /* replies so far by which the server refused something */
    int answer_ms;        /* how long client_request() waits for a reply; -1: for ever */
    int interrupts;       /* Ctrl-C typed in a row */
    int64_t claim_due_ms; /* when the win can be claimed in the match shown; 0: nobody waits */
    int64_t paced_ms;     /* until then no more of what the server sends is handled */
    bool begun;           /* the person has been shown where he is: more can be told */
    bool go;              /* a match has come to the screen: leave the menu for it */
    bool quit;
    int status; /* the exit code */
};

/* Sets everything up but the connection. Handlers and history are borrowed; handlers may be NULL
 * for a client that never connects, code where there is none. */
void client_open(struct client *client, const struct client_handlers *handlers, const char *address,
                 const char *code, const char *history);
/* Sets where to connect, and with which join code; both are copied, NULL is none. */
void client_aim(struct client *client, const char *address, const char *code);
/* Opens a client for a program that asks a server something and ends: it reads no lines, and waits
 * ten seconds at most for a reply. */
void client_open_unattended(struct client *client, const struct client_handlers *handlers,
                            const char *address, const char *code);
/* Closes the connection and restores the terminal. */
void client_close(struct client *client);

/* From now on `front` shows everything and reads the keys; it is borrowed. NULL: line by line
 * again, to be called when the terminal is as it was. */
void client_face(struct client *client, const struct front *front);

/* To be called before anything is written to standard error: a front leaves the terminal. */
void client_uncover(struct client *client);

/* Ends the program with exit code 1 after "ludus: what: why" on standard error. */
void client_fail(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Keeps the settings for the next time; says so if that fails. */
void client_keep_settings(struct client *client);
/* Rings, if the person wants that. */
void client_ring(struct client *client);
/* Turns the bell on or off for good, and says so. */
void client_change_bell(struct client *client);

/* Waits until something happens, and handles it: messages, signals, and with a prompt also keys.
 * Comes back when messages were handled, so that the caller can look at what has changed. */
void client_wait(struct client *client, const char *prompt);

/* The next line the person has typed, or NULL if there is none yet; borrowed until the next
 * call. `prompt` is what the line answers to. */
const char *client_line(struct client *client, const char *prompt);

/* Sends a command and waits for its reply, which the caller owns. NULL when the line is too long
 * (which is told), the connection was lost meanwhile (it may be there again), or the person has
 * had enough. */
cJSON *client_request(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* As client_request(), but where the server refuses, shows its sentence and returns NULL. */
cJSON *client_ask(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sends a command whose reply is good or bad, and shows the server's sentence in the second case.
 * Whether it was good. */
bool client_do(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the reply is no error; if it is one, shows its sentence. */
bool client_accepted(struct client *client, const cJSON *reply);

/* Brings another match to the screen, whose state is on its way; "" for none. */
void client_show(struct client *client, const char *match);

/* Sends without waiting for a reply; its reply is taken as an event. */
void client_post(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* For login.c: waits until something happens, handling signals, or the uplink has something to do,
 * and lets it. uplink_next() tells what has come of it. */
void client_turn(struct client *client);

/* As client_request(), but a broken connection is just NULL, as is a reply that takes longer than
 * timeout_ms. */
cJSON *client_exchange(struct client *client, int timeout_ms, const char *line);
/* The next message of any kind, or NULL as above; the caller owns it. */
cJSON *client_message(struct client *client, int timeout_ms);
/* Milliseconds of a clock that only goes forward. */
int64_t client_now_ms(void);

#endif
