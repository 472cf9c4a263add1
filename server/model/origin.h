/*
 * Origins: the addresses that connections come from, with what all connections of an address share:
 * how many they are, how fast they may send, how many names and matches they may begin, and how
 * often a wrong join code came from there.
 *
 * The server owns the registry, the registry owns the origins; a connection enters one and its
 * session leaves it. Matches keep theirs as long as they are in memory. An origin without
 * connections and matches is remembered for a while, so that hanging up does not clear its account.
 */
#ifndef LUDUS_ORIGIN_H
#define LUDUS_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "server/base/bucket.h"
#include "server/base/hash_index.h"

enum {
    ORIGIN_KEY_BYTES = 16,
    ORIGINS_IDLE_MAX = 4096,       /* remembered without a connection or match */
    CODE_TRIES = 3,                /* so many wrong codes are free, */
    CODE_WAIT_MS = 1000,           /* then one has to wait, each time twice as long, */
    CODE_WAIT_MAX_MS = 60000,      /* up to this, */
    CODE_FORGIVEN_MS = 10 * 60000, /* until none has come for so long */
    ORIGIN_BURST_US = 2 * 1000000  /* commands of two seconds at once */
};

/* An IPv6 address, or as much of it as tells hosts apart (address.h), or an IPv4 address in its
 * mapped form. */
struct origin_key {
    unsigned char bytes[ORIGIN_KEY_BYTES];
};

struct origin {
    struct origin_key key;
    bool loopback;
    int connections;
    int matches;    /* that hold it: opened from there, or a rematch asked for, and in memory */
    int unfinished; /* that were opened from there and are not over; the lobby counts them */
    struct bucket commands, names;
    int wrong_codes;
    int64_t wrong_ms; /* when the last wrong code came */
    TAILQ_ENTRY(origin) idle;
    UT_hash_handle hh; /* in the registry */
};

struct origins {
    struct origin *by_key;              /* a hash table (hash_index.h) */
    TAILQ_HEAD(idle_list, origin) idle; /* without connections and matches, the longest first */
    int idle_count;
};

void origins_init(struct origins *origins);
/* Frees all; nobody may be there any more. */
void origins_release(struct origins *origins);

/* The origin of that key, with one connection more. */
struct origin *origins_enter(struct origins *origins, const struct origin_key *key);
/* The connection is gone. */
void origins_leave(struct origins *origins, struct origin *origin);

/* A match holds it from now on; and does not any more. */
void origin_hold_match(struct origin *origin);
void origins_drop_match(struct origins *origins, struct origin *origin);

/* How long no join code from there is looked at; 0: it is now. */
int64_t origin_code_wait_ms(const struct origin *origin, int64_t now_ms);
/* A wrong code came from there. */
void origin_wrong_code(struct origin *origin, int64_t now_ms);

#endif
