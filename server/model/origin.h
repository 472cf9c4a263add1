/*
 * Origins: the addresses that connections come from. The connections of an address share limits:
 * their number, the rate of commands, names and matches, and wrong join codes. Whoever has an IPv6
 * network has many addresses, so connections, names and matches count for the networks of 56 and 48
 * bits around an address, too, with higher limits.
 *
 * The server owns the registry, which owns the origins; a connection enters one and its session
 * leaves it. Matches in memory hold theirs. An origin without connections and matches is remembered
 * for a while, so that reconnecting does not reset its limits.
 */
#ifndef LUDUS_ORIGIN_H
#define LUDUS_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "server/base/hash_index.h"
#include "server/base/limits.h"

enum {
    ORIGIN_KEY_BYTES = 16,
    ORIGINS_IDLE_MAX = 4096,       /* remembered without a connection or match */
    CODE_TRIES = 3,                /* wrong codes without a wait; */
    CODE_WAIT_MS = 1000,           /* then this wait, which doubles with every wrong code, */
    CODE_WAIT_MAX_MS = 60000,      /* up to this, */
    CODE_FORGIVEN_MS = 10 * 60000, /* until there was none for so long */
    ORIGIN_BURST_US = 2 * 1000000  /* the commands of two seconds at once */
};

/* Events that a peer could have logged without limit. */
enum log_event { LOG_HELLO, LOG_OPENED, LOG_STARTED, LOG_OVER, LOG_CLOSED, LOG_EVENTS };

/* An IPv6 address, the prefix that identifies a host (address_key()), or a mapped IPv4 address. */
struct origin_key {
    unsigned char bytes[ORIGIN_KEY_BYTES];
    unsigned char network_bits; /* of a network around addresses; 0: an address */
};

/* How many such lines the log takes from one address, or about one tournament. */
struct log_share {
    struct bucket lines[LOG_EVENTS];
    bool muted[LOG_EVENTS]; /* the last such line was left out */
};

struct origin {
    struct origin_key key;
    struct origin *wider; /* the network around it; NULL: none that counts */
    int narrower;         /* origins of which it is that */
    int scale;            /* factor for all its limits */
    bool loopback;
    bool is_idle; /* in the registry's list */
    int connections;
    int matches;    /* in memory that were opened or offered a rematch from there */
    int seeks;      /* that stand */
    int unfinished; /* opened from there and not over; the lobby counts them */
    struct bucket commands, names;
    struct bucket chat;       /* of guests who watch */
    struct bucket challenges; /* sent from there */
    struct bucket joins;      /* of guests */
    struct bucket drawn;      /* pictures */
    struct bucket kept;       /* what the server keeps for it */
    struct log_share log;
    uint64_t turn;   /* the latest in which it took time of the loop (rate_limit.h), */
    int64_t turn_us; /* and how much */
    int wrong_codes;
    int64_t wrong_ms; /* when the last wrong code came */
    TAILQ_ENTRY(origin) idle;
    UT_hash_handle hh; /* in the registry */
};

struct origins {
    struct origin *by_key;              /* a hash table (hash_index.h) */
    TAILQ_HEAD(idle_list, origin) idle; /* without connections and matches, longest first */
    int idle_count;
};

void origins_init(struct origins *origins);
/* Frees all origins, which must be idle. */
void origins_release(struct origins *origins);

/* Adds a connection to the origin of a key, and the origin if need be. */
struct origin *origins_enter(struct origins *origins, const struct origin_key *key);
/* Removes a connection. */
void origins_leave(struct origins *origins, struct origin *origin);

/* Returns the widest network around an origin, or the origin itself. */
struct origin *origin_widest(const struct origin *origin);

/* Whether an address is that of an origin, or in its network. */
bool origin_has(const struct origin *origin, const struct origin_key *address);

/* Adds to the unfinished matches of an origin and the networks around it. */
void origin_count_unfinished(struct origin *origin, int by);

/* Adds to the seeks of an origin and the networks around it. */
void origin_count_seeks(struct origin *origin, int by);

/* Begin and end to hold an origin for a match. */
void origin_hold_match(struct origin *origin);
void origins_drop_match(struct origins *origins, struct origin *origin);

/* Returns for how long the server rejects join codes from there; 0: it accepts them. */
int64_t origin_code_wait_ms(const struct origin *origin, int64_t now_ms);
/* Counts a wrong code from there. */
void origin_wrong_code(struct origin *origin, int64_t now_ms);

#endif
