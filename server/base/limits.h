/* The options that the server uses while it runs: limits on what clients may use. They change on
 * SIGHUP. The defaults are in options.c. */
#ifndef LUDUS_LIMITS_H
#define LUDUS_LIMITS_H

#include <stdbool.h>

struct limits {
    int connections;    /* in all */
    int line_bytes;     /* of a line with its end; LINE_BYTES_MAX at most */
    int names;          /* remembered players with a name */
    int matches;        /* unfinished matches opened by one player */
    int finished;       /* finished matches kept in memory */
    int errors;         /* consecutive ones, before the connection is closed */
    int idle_s;         /* silence before the connection is closed; a ping is sent at half of it */
    int text_idle_s;    /* silence before a connection in text format is closed */
    int first_line_s;   /* time for a new connection to send its first line */
    int pending_bytes;  /* unread output of one connection before it is closed */
    int slow_s;         /* time for which a quarter of that may stay unread */
    int lines_per_turn; /* commands of one connection before others get their turn */
    int grace_s;        /* absence of a player before the opponent may claim the win */
    int abandon_days;   /* absence of all players before a match is aborted */
    int bot_stall_s;    /* time for a move of a bot when no clock runs */
    int first_move_s;   /* time for the first move of a player who took an open seat, when no clock
                           runs; 0: unlimited */
    int keep_days;      /* age of finished matches that leave the store; 0: they stay */
    int keep_megabytes; /* size of the store above which the oldest leave it; 0: unlimited */
    int drain_s;        /* time for clients to read their last lines when the server stops */
    int unfinished;     /* unfinished matches in all */
    int watchers;       /* of one match */
    int rate;           /* commands a second on one connection; 0: unlimited */
    int chat_bytes;     /* of one line of chat */
    int chat_rate;      /* lines of chat a minute on one connection; 0: unlimited */
    int watch_chat;     /* lines of chat a minute of the watchers of a match, or from an address; 0:
                           unlimited */
    int challenges;     /* challenges a minute to one player; 0: unlimited */
    int address_kept;   /* megabytes a day kept for one address; 0: unlimited */
    int guest_joins;    /* open matches a minute that guests from an address join; 0: unlimited */
    int address_connections; /* from one address */
    int address_rate;        /* commands a second from one address; 0: unlimited */
    int address_names;       /* new names an hour from one address; 0: unlimited */
    int address_matches;     /* unfinished matches opened from one address */
    bool limit_loopback;     /* apply these four to loopback, too */
};

#endif
