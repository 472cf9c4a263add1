/*
 * The client: one connection, one player, one match on the screen. The struct is handed down; here
 * is its main loop, which waits in one poll(). What the rooms above do with messages,
 * they set in struct client_handlers.
 */
#ifndef LUDUS_CLIENT_H
#define LUDUS_CLIENT_H

#include <stdint.h>

#include "client/link/clock_ms.h"
#include "client/link/match_state.h"
#include "client/link/uplink.h"
#include "client/term/console.h"
#include "client/term/input.h"
#include "client/term/settings.h"

enum { SITTINGS_MAX = 16 };

/* The first question to the player when no match is on the screen. */
enum beginning {
    BEGIN_MENU,
    BEGIN_HOST, /* which match to open */
    BEGIN_JOIN, /* which match to join */
    BEGIN_SEEK, /* none: an opponent is sought already */
    BEGIN_ALONE /* nothing; they are told that no match is open */
};

struct host;

/* A match in which the player has a seat, on the screen or not. */
struct sitting {
    char match[MATCH_ID_MAX]; /* "" for an unused entry */
    char label[128];          /* "Clobber 5x6 against bob" */
    char other[PLAYER_NAME_MAX];
    int ply, told_ply; /* told_ply: where the player was told of their turn */
    bool my_turn;
    bool with_person; /* it runs against a person */
    bool asked[OFFER_KINDS],
        told_offer[OFFER_KINDS]; /* offers of the other side, and those that were reported */
};

/* Something else to wait for: a descriptor or a time, and what to do then. */
struct waiting {
    int fd;         /* -1: nothing */
    int64_t due_ms; /* by clock_ms(); INT64_MAX: never */
    void (*ready)(void *context);
    void *context;
};

struct client;

/* Jobs for the rooms above, set by those who open a client. A client without a server needs
 * none. */
struct client_handlers {
    /* Handles a message that answers no request and that the uplink does not take. */
    void (*message)(struct client *client, const cJSON *message);
    /* Brings a lost connection back, or sets client->quit. */
    void (*lost)(struct client *client);
    /* client->claim_due_ms has come. May be NULL where it is never set. */
    void (*claim_due)(struct client *client);
    /* The player has typed Ctrl-C once. May be NULL. */
    void (*interrupted)(struct client *client);
};

struct client {
    const struct client_handlers *handlers; /* borrowed */
    struct uplink uplink;                   /* hello.name is "" for a guest */
    struct host *host;                      /* owned: a server of the player's own, or NULL */
    bool no_qr;                             /* show no QR codes */
    bool asks_to_quit;                      /* full screen is to ask before the program ends */

    struct input input;
    struct console console;
    struct settings settings;
    const struct front *front; /* borrowed: full screen; NULL: line mode */
    int signals;               /* a signalfd */
    struct waiting waiting;    /* besides the server and the keys */

    struct match_state view;      /* the match on the screen; view.match "" for none */
    bool turned;                  /* the board is seen from the other side */
    bool redraw;                  /* draw the next state even if it is unchanged */
    bool awaiting;                /* a state must come before the next line counts */
    bool hinted;                  /* the player was told how to type moves */
    char challenge[MATCH_ID_MAX]; /* the latest challenge that waits; "" for none */
    char rematch[MATCH_ID_MAX];   /* a match left that has an offer of a rematch; "" for none */
    struct sitting sittings[SITTINGS_MAX];

    unsigned requests;        /* commands sent */
    unsigned refusals;        /* refusals received */
    unsigned tournament_news; /* events of tournaments received */
    int answer_ms;            /* how long to wait for a reply; -1: forever */
    int interrupts;           /* Ctrl-C in a row */
    int64_t claim_due_ms;     /* when the player can claim the win; 0: never */
    int64_t paced_ms;         /* messages wait until then */
    bool begun;               /* matches that are not on the screen may be reported */
    bool go;                  /* a match has come to the screen: leave menus */
    bool quit;
    int status; /* exit status */
};

/* Opens a client, but no connection. Handlers and history are borrowed; handlers may be NULL for a
 * client that never connects, code for no code. */
void client_open(struct client *client, const struct client_handlers *handlers, const char *address,
                 const char *code, const char *history);
/* Sets the address and the join code; both are copied, NULL is none. */
void client_aim(struct client *client, const char *address, const char *code);
/* Opens a client for a script: it reads no lines, and waits ten seconds at most for a reply. */
void client_open_unattended(struct client *client, const struct client_handlers *handlers,
                            const char *address, const char *code);
/* Closes the connection and restores the terminal. */
void client_close(struct client *client);

/* Hands screen and keys to a front (borrowed), or with NULL back to line mode. The terminal must be
 * in its usual modes then. */
void client_face(struct client *client, const struct front *front);

/* Call this before writing to standard error: a front leaves the terminal. */
void client_uncover(struct client *client);

/* Prints "ludus: what: why" on standard error and ends the program with status 1. */
void client_fail(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Saves the settings; reports a failure. */
void client_keep_settings(struct client *client);
/* Rings, if the bell is on. */
void client_ring(struct client *client);
/* Turns the bell on or off, saves that and says so. */
void client_change_bell(struct client *client);

/* Waits until something happens and handles it: messages, signals, and with a prompt also keys.
 * Returns after messages, so that the caller can look for changes. */
void client_wait(struct client *client, const char *prompt);

/* The next line typed, or NULL if there is none yet; borrowed until the next call. */
const char *client_line(struct client *client, const char *prompt);

/* Waits for the next line. NULL when a match comes to the screen or the program ends, as it does at
 * the end of input. */
const char *client_await_line(struct client *client, const char *prompt);

/* Brings another match to the screen, whose state will follow; "" for none. */
void client_show(struct client *client, const char *match);

/* For login.c and client_request.c: waits until something happens or due_ms has come,
 * INT64_MAX for never; handles signals, and lets the uplink work. Call uplink_next() afterwards. */
void client_turn(struct client *client, int64_t due_ms);

#endif
