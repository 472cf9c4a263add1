/*
 * A player's connection to a server: connects, reads the greeting, sends hello, answers pings,
 * detects a dead server, and reconnects with its token. The pauses between attempts double, but
 * stay short, so that a restarted server has its players back within a second. After two minutes of
 * absence an attempt is made every 5 s. Where the server shares its lobby with others, the next of
 * them is tried at once.
 *
 * It works in any event loop. The owner waits until uplink->link.fd is readable or uplink_due_ms()
 * has come, calls uplink_receive() or uplink_tick(), and then uplink_next() until it returns
 * UPLINK_NOTHING. Only connecting blocks. All times are now_ms of one monotonic clock.
 *
 * It knows nothing of matches. It borrows only hello.program, so that it can be copied.
 */
#ifndef LUDUS_UPLINK_H
#define LUDUS_UPLINK_H

#include <stdint.h>

#include "identity.h"
#include "link.h"

enum {
    /* Bytes with the final NUL. HELLO_NAME_MAX exceeds the longest valid name, so that a name cut
     * to fit is never somebody else's. */
    HELLO_NAME_MAX = 64,
    HELLO_CODE_MAX = 129,
    BACKOFF_FIRST_MS = 100,
    BACKOFF_SHORT_MS = 500,
    BACKOFF_SHORT_FOR_MS = 120000,
    BACKOFF_LONG_MS = 5000,
    BACKOFF_LASTED_MS = 10000 /* a connection that lasted so long resets the pauses */
};

/*
 * The servers of one lobby: the one that the user named, and the others that it names in `nodes`
 * (protocol.md). A client goes to the next one when its own is gone. The others are known for as
 * long as the program runs and never saved: they are a server's word, not the user's.
 */
enum { SERVERS_MAX = 32, SERVER_TEXT_MAX = 144 };

struct servers {
    char at[LINK_ADDRESS_MAX]; /* of the one in use, or tried next */
    char others[SERVERS_MAX][SERVER_TEXT_MAX];
    int count; /* of the others */
    int place; /* of `at`, as far as it is there: 0 is home, then the others */
};

/* The fields of the command hello. */
struct hello {
    char name[HELLO_NAME_MAX];   /* "": a guest, who needs no hello */
    char token[TOKEN_MAX];       /* "": none */
    char code[HELLO_CODE_MAX];   /* "": none */
    char device[HELLO_CODE_MAX]; /* the code of another device, instead of a token; "": none */
    const char *program;         /* sent as client=; NULL: not sent */
    int matches_max;             /* that the server holds it to; 0: not sent */
    bool bot; /* who is to be the only connection of its name: two would both move */
};

enum hello_answer {
    HELLO_NONE, /* no answer yet */
    HELLO_WELCOME,
    HELLO_TAKEN, /* the name belongs to somebody with another token */
    HELLO_BAD_CODE,
    HELLO_LATER, /* the server is busy now */
    HELLO_REFUSED
};

struct backoff {
    int64_t lost_ms; /* when the connection was lost */
    int pause_ms;    /* the last pause; 0 before the first */
};

enum uplink_stage {
    UPLINK_ENDED,     /* not opened, or over; `cause` says why, "" after quit */
    UPLINK_DOWN,      /* not connected; the next attempt is due at uplink_due_ms() */
    UPLINK_CONNECTED, /* waits for the greeting */
    UPLINK_GREETED,   /* waits for the reply to hello */
    UPLINK_IN         /* logged in, or a guest */
};

enum uplink_event {
    UPLINK_NOTHING,
    UPLINK_WELCOME, /* logged in, the first time or again */
    UPLINK_REFUSED, /* hello was refused, with `answer` and `cause`: ask again or close */
    UPLINK_MESSAGE, /* a message for the owner; after `name` the hello is that of the new name */
    UPLINK_LOST     /* the connection is gone: see `stage` */
};

struct uplink {
    /* Set by the owner before uplink_open(), with everything else zero, or later. */
    char address[LINK_ADDRESS_MAX]; /* tokens are kept for this one, whichever server is in use */
    struct hello hello;             /* the token of this address replaces `token` */
    bool comes_back;
    bool is_patient;  /* tries the first connection again, too */
    int64_t retry_ms; /* how long to try */
    int quiet_ms;     /* after so much silence the server is asked whether it is there; 0: 60 s */

    /* Read by the owner. */
    struct link link;
    enum uplink_stage stage;
    enum hello_answer answer; /* to the last hello */
    int64_t later_ms;         /* HELLO_LATER: the server hears a hello after so long; else 0 */
    struct cause cause;
    char name[HELLO_NAME_MAX];        /* given by the server, to guests as well */
    char display[PLAYER_DISPLAY_MAX]; /* the player's display name then; "": none */
    bool new_token;                   /* with the last welcome, or the last message `name` */
    int matches;            /* then: how many the player has, if only the latest come; else 0 */
    bool code_needed;       /* by the greeting */
    char bye[32];           /* the reason of the server for closing; "": none */
    int tries;              /* failed attempts since the connection was lost */
    struct servers servers; /* .at is the address of the one in use, or tried next */

    char key[TLS_KEY_MAX]; /* of the last server; "": none */
    bool broken;           /* uplink_next() will return UPLINK_LOST */
    bool was_in, asked, leaves;
    int64_t in_ms;    /* time of the login */
    int64_t heard_ms; /* time of the last input */
    int64_t asked_ms; /* time of the ping that followed, if `asked` */
    int64_t wait_ms;  /* when the greeting or the reply to hello is overdue; 0: none is awaited */
    int64_t try_ms, give_up_ms;
    struct backoff backoff;
};

/* Begins; the next uplink_tick() connects. If nobody accepts the connection, the uplink ends unless
 * it is patient; if somebody does who is no Ludus server, it ends. */
void uplink_open(struct uplink *uplink, int64_t now_ms);

bool uplink_is_up(const struct uplink *uplink);

/* Sends hello again, after the owner has changed it. */
void uplink_hello(struct uplink *uplink, int64_t now_ms);

/* Sends a line, formatted as by printf. If that fails, uplink_next() returns UPLINK_LOST. */
void uplink_send(struct uplink *uplink, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads what has arrived, and waits if nothing has. */
void uplink_receive(struct uplink *uplink, int64_t now_ms);

/* Connects, or sends a ping to a silent server, if that is due. */
void uplink_tick(struct uplink *uplink, int64_t now_ms);

/* Returns when uplink_tick() is due; INT64_MAX: never. */
int64_t uplink_due_ms(const struct uplink *uplink);

/* Returns what has happened. With UPLINK_MESSAGE the caller owns *message; otherwise it is NULL. */
enum uplink_event uplink_next(struct uplink *uplink, int64_t now_ms, cJSON **message);

/* Closes the connection for good. May be called again. */
void uplink_close(struct uplink *uplink);

/* Whether an error code is temporary, so that the same command may succeed later. */
bool refusal_may_pass(const char *code);

/* Explains a bye that rules out reconnecting, as a sentence; NULL for any other reason. */
const char *farewell(const char *reason);

/* Notes that a working connection was lost after held_ms. If it lasted only shortly, the pauses
 * continue from the last one instead of the first. */
void backoff_begin(struct backoff *backoff, int64_t now_ms, int64_t held_ms);

/* Returns the pause before the next attempt, in milliseconds. */
int backoff_next_ms(struct backoff *backoff, int64_t now_ms);

/* Begins with the address that the user gave: with every function below it is `home`. */
void servers_init(struct servers *servers, const char *home);

/* Takes the addresses of `nodes` of a message, if it has any. They get TLS if home has it. Invalid
 * ones and those beyond SERVERS_MAX are left out. */
void servers_take(struct servers *servers, const char *home, const cJSON *message);

/* Whether the one in use is the one that the user named. */
bool servers_is_home(const struct servers *servers, const char *home);

/* Turns to any of the servers but the one in use, which is gone. */
void servers_leave(struct servers *servers, const char *home, unsigned seed);

/* Turns to the next one. Returns whether that begins another round through all. */
bool servers_next(struct servers *servers, const char *home);

#endif
