/*
 * The client: one connection, one player, one match on the screen. The struct is handed down; here
 * is its main loop, which waits in one poll(), the commands to the server with their replies, and
 * the list of the matches in which the player sits. What the rooms above do with messages, they set
 * in struct client_handlers.
 */
#ifndef LUDUS_CLIENT_H
#define LUDUS_CLIENT_H

#include <stdarg.h>
#include <stdint.h>

#include "client/link/clock_ms.h"
#include "client/link/match_state.h"
#include "client/link/uplink.h"
#include "client/ludus/term/console.h"
#include "client/ludus/term/input.h"
#include "client/ludus/term/names.h"
#include "client/ludus/term/settings.h"

enum { SITTINGS_MAX = 16 };
enum { TYPED_LINE_MAX = 1000 }; /* bytes of a command; the protocol allows 1024 with id and end */

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
    char label[224];          /* "Clobber 5x6 against bob" */
    char row[224];            /* "bob, Clobber 5x6", for a list */
    char other[PLAYER_NAME_MAX];
    int ply, told_ply; /* told_ply: where the player was told of their turn */
    char game[GAME_NAME_MAX];
    char counts[POSITION_TEXT_MAX]; /* the position, where the result is to count; else "" */
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
    /* client->claim_due_ms has come. May be NULL. */
    void (*claim_due)(struct client *client);
    /* The player has typed Ctrl-C once. May be NULL. */
    void (*interrupted)(struct client *client);
    /* Prints the match on the screen, where no front shows it. May be NULL. */
    void (*draw)(struct client *client);
};

enum { CHAT_SEEN_MAX = 64 }; /* no fewer than the server sends again when one comes back */

struct client {
    const struct client_handlers *handlers; /* borrowed */
    struct uplink uplink;                   /* hello.name is "" for a guest */
    struct host *host;                      /* owned: a server of the player's own, or NULL */
    bool no_qr;                             /* show no QR codes */

    struct input input;
    struct console console;
    struct settings settings;
    const struct front *front; /* borrowed: full screen; NULL: line mode */
    int signals;               /* a signalfd */
    struct waiting waiting;    /* besides the server and the keys */

    struct match_state view;           /* the match on the screen; view.match "" for none */
    unsigned chat_seen[CHAT_SEEN_MAX]; /* hashes of the latest lines of chat, as a ring */
    unsigned chat_count;               /* lines of chat so far */
    bool looks_again;                  /* the connection is back, and its state was asked for */
    char challenge[MATCH_ID_MAX];      /* the latest challenge that waits; "" for none */
    char rematch[MATCH_ID_MAX]; /* a match left that has an offer of a rematch; "" for none */
    struct sitting sittings[SITTINGS_MAX];
    struct names names; /* by which players are shown */

    int windows;              /* connections of the player; 0: only this one, as far as is known */
    unsigned requests;        /* commands sent */
    unsigned refusals;        /* refusals received */
    unsigned tournament_news; /* events of tournaments received */
    int answer_ms;            /* how long to wait for a reply; -1: forever */
    int64_t sent_ms;          /* when the command was sent that waits for its reply; 0: none */
    char sent_move[MOVE_TEXT_MAX]; /* the move in it; "": none */
    bool aside;                    /* what is said now has nothing to do with that command */
    int interrupts;                /* Ctrl-C in a row */
    int64_t claim_due_ms;          /* when the player can claim the win; 0: never */
    bool asked_to_quit;            /* line mode has sent `quit` at the end of input */
    bool go;                       /* a match has come to the screen: leave menus */
    const char *asks; /* borrowed: what the command line asks for, "" without a name; refusals go to
                       * standard error with it. NULL: a person asks in the program */
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

/* The player wants to end the program while a friend plays at their server: full screen asks. */
void client_ask_to_quit(struct client *client);

/* Call this before writing to standard error: a front leaves the terminal. */
void client_uncover(struct client *client);

/* Prints "ludus: what: why" on standard error and ends the program with status 1. */
void client_fail(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum { CLIENT_ME_MAX = PLAYER_DISPLAY_MAX + PLAYER_NAME_MAX + 40 };

/* Writes by which name the player is shown, which one is typed, and how often else they are here;
 * `guest` stands for a guest's name. */
void client_me(const struct client *client, const char *guest, char text[CLIENT_ME_MAX]);

enum { TROUBLE_MAX = 128 };

/* Says what is wrong with the connection: it is lost, or the server has owed an answer for 5 s.
 * False, with "", when nothing is wrong. */
bool client_trouble(const struct client *client, char text[TROUBLE_MAX]);

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

/* For login.c and client_request(): waits until something happens or due_ms has come,
 * INT64_MAX for never; handles signals, and lets the uplink work. Call client_next() afterwards. */
void client_turn(struct client *client, int64_t due_ms);

/* Returns the next event of the uplink, as uplink_next() does, and learns the names in a message.
 */
enum uplink_event client_next(struct client *client, cJSON **message);

/* Sends a command and waits for its reply, which the caller owns. NULL when the line is too long
 * (which is reported), the connection was lost (it may be back), or the player quits. */
cJSON *client_request(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says why the program cannot send a line that a person typed for the server, or returns NULL. */
const char *client_line_fault(const struct client *client, const char *line);

/* Says that a line of TYPED_LINE_MAX bytes or more was not sent. */
void client_tell_too_long(struct client *client);

/* Like client_request(), but shows a refusal and returns NULL. */
cJSON *client_ask(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
cJSON *client_vask(struct client *client, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Sends a command and shows a refusal. Returns whether it was accepted. */
bool client_do(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says why something was refused: as a sentence to a person who asks for it in the program, or on
 * standard error where the command line does (client->asks). */
void client_say_refusal(struct client *client, const char *message);

/* Returns false for an error, and shows its message. */
bool client_accepted(struct client *client, const cJSON *reply);

/* Sends a command whose reply will come as a message. */
void client_post(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Like client_request(), but just returns NULL when the connection breaks or the reply takes longer
 * than timeout_ms. */
cJSON *client_exchange(struct client *client, int timeout_ms, const char *line);
/* The next message of any kind, owned by the caller; NULL after timeout_ms, or when the connection
 * breaks. */
cJSON *client_message(struct client *client, int timeout_ms);

/* Notes a state; removes the match when it is over or the player has no seat. Returns the entry,
 * owned by the client; NULL when there is none, or no room. */
struct sitting *sitting_note(struct client *client, const struct match_state *view);

/* The number of matches. */
int sitting_count(const struct client *client);

/* Whether the player sits in that match. */
bool sitting_has(const struct client *client, const char *match);

/* The entry of that match, owned by the client, or NULL. */
struct sitting *sitting_find(struct client *client, const char *match);

/* The only match that is not on the screen, borrowed; NULL when there are none or several. */
const char *sitting_other(const struct client *client);

#endif
