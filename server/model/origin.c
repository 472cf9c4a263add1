#include "origin.h"

#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

void origins_init(struct origins *origins)
{
    origins->by_key = NULL;
    origins->idle_count = 0;
    TAILQ_INIT(&origins->idle);
}

/* Frees an origin, and the networks around it that have no other. */
static void forget_origin(struct origins *origins, struct origin *origin)
{
    struct origin *wider = origin->wider;

    HASH_DEL(origins->by_key, origin);
    free(origin);
    if (wider != NULL && --wider->narrower == 0)
        forget_origin(origins, wider);
}

static void forget_oldest(struct origins *origins)
{
    struct origin *origin = TAILQ_FIRST(&origins->idle);

    TAILQ_REMOVE(&origins->idle, origin, idle);
    origins->idle_count--;
    forget_origin(origins, origin);
}

void origins_release(struct origins *origins)
{
    while (origins->idle_count > 0)
        forget_oldest(origins);
}

static bool is_loopback_key(const struct origin_key *key)
{
    static const unsigned char start[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127};

    return memcmp(key->bytes, start, sizeof start) == 0;
}

/* Returns whether the key is an IPv6 network of 64 bits: one customer may have many. */
static bool is_network(const struct origin_key *key)
{
    static const unsigned char rest[ORIGIN_KEY_BYTES / 2];

    return memcmp(key->bytes + sizeof rest, rest, sizeof rest) == 0;
}

/* The network around an origin; false: none that counts. */
static bool widen_key(const struct origin_key *key, struct origin_key *wider)
{
    *wider = *key;
    wider->network_bits = key->network_bits == 0 ? 56 : 48;
    memset(wider->bytes + wider->network_bits / 8, 0,
           sizeof wider->bytes - wider->network_bits / 8);
    return is_network(key) && key->network_bits != 48;
}

static struct origin *find_or_add(struct origins *origins, const struct origin_key *key)
{
    struct origin_key wider;
    struct origin *origin;

    HASH_FIND(hh, origins->by_key, key, sizeof *key, origin);
    if (origin != NULL)
        return origin;
    origin = xcalloc(1, sizeof *origin);
    origin->key = *key;
    origin->loopback = is_loopback_key(key);
    origin->scale = key->network_bits == 0 ? 1 : key->network_bits == 56 ? 2 : 4;
    HASH_ADD(hh, origins->by_key, key, sizeof *key, origin);
    if (widen_key(key, &wider)) {
        origin->wider = find_or_add(origins, &wider);
        origin->wider->narrower++;
    }
    return origin;
}

static void count_connection(struct origin *origin, int by)
{
    for (; origin != NULL; origin = origin->wider)
        origin->connections += by;
}

struct origin *origins_enter(struct origins *origins, const struct origin_key *key)
{
    struct origin *origin = find_or_add(origins, key);

    if (origin->is_idle) {
        TAILQ_REMOVE(&origins->idle, origin, idle);
        origins->idle_count--;
        origin->is_idle = false;
    }
    count_connection(origin, +1);
    return origin;
}

struct origin *origin_widest(const struct origin *origin)
{
    while (origin->wider != NULL)
        origin = origin->wider;
    return (struct origin *)origin;
}

bool origin_has(const struct origin *origin, const struct origin_key *address)
{
    int bits = origin->key.network_bits;

    return memcmp(origin->key.bytes, address->bytes, bits > 0 ? bits / 8 : ORIGIN_KEY_BYTES) == 0;
}

void origin_count_unfinished(struct origin *origin, int by)
{
    for (; origin != NULL; origin = origin->wider)
        origin->unfinished += by;
}

void origin_count_seeks(struct origin *origin, int by)
{
    for (; origin != NULL; origin = origin->wider)
        origin->seeks += by;
}

static void note_unused(struct origins *origins, struct origin *origin)
{
    if (origin->connections > 0 || origin->matches > 0)
        return;
    origin->is_idle = true;
    TAILQ_INSERT_TAIL(&origins->idle, origin, idle);
    if (++origins->idle_count > ORIGINS_IDLE_MAX)
        forget_oldest(origins);
}

void origins_leave(struct origins *origins, struct origin *origin)
{
    count_connection(origin, -1);
    note_unused(origins, origin);
}

void origin_hold_match(struct origin *origin)
{
    origin->matches++;
}

void origins_drop_match(struct origins *origins, struct origin *origin)
{
    origin->matches--;
    note_unused(origins, origin);
}

int64_t origin_code_wait_ms(const struct origin *origin, int64_t now_ms)
{
    int64_t wait_ms = CODE_WAIT_MS, passed_ms = now_ms - origin->wrong_ms;

    if (origin->wrong_codes < CODE_TRIES)
        return 0;
    for (int i = CODE_TRIES; i < origin->wrong_codes && wait_ms < CODE_WAIT_MAX_MS; i++)
        wait_ms *= 2;
    if (wait_ms > CODE_WAIT_MAX_MS)
        wait_ms = CODE_WAIT_MAX_MS;
    return passed_ms < wait_ms ? wait_ms - passed_ms : 0;
}

void origin_wrong_code(struct origin *origin, int64_t now_ms)
{
    if (now_ms - origin->wrong_ms >= CODE_FORGIVEN_MS)
        origin->wrong_codes = 0;
    origin->wrong_ms = now_ms;
    origin->wrong_codes++;
}
