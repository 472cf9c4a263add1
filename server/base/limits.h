/*
 * What the server allows its clients, as the options set it; the defaults stand in options.c.
 */
#ifndef LUDUS_LIMITS_H
#define LUDUS_LIMITS_H

#include <stdbool.h>

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

#endif
