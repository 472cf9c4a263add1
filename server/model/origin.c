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

static void forget_oldest(struct origins *origins)
{
    struct origin *origin = TAILQ_FIRST(&origins->idle);

    TAILQ_REMOVE(&origins->idle, origin, idle);
    origins->idle_count--;
    HASH_DEL(origins->by_key, origin);
    free(origin);
}

void origins_release(struct origins *origins)
{
    while (origins->idle_count > 0)
        forget_oldest(origins);
}

static bool is_loopback(const struct origin_key *key)
{
    static const unsigned char start[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127};

    return memcmp(key->bytes, start, sizeof start) == 0;
}

static struct origin *add(struct origins *origins, const struct origin_key *key)
{
    struct origin *origin = xcalloc(1, sizeof *origin);

    origin->key = *key;
    origin->loopback = is_loopback(key);
    HASH_ADD(hh, origins->by_key, key, sizeof *key, origin);
    return origin;
}

static bool is_unused(const struct origin *origin)
{
    return origin->connections == 0 && origin->matches == 0;
}

struct origin *origins_enter(struct origins *origins, const struct origin_key *key)
{
    struct origin *origin;

    HASH_FIND(hh, origins->by_key, key, sizeof *key, origin);
    if (origin == NULL) {
        origin = add(origins, key);
    } else if (is_unused(origin)) {
        TAILQ_REMOVE(&origins->idle, origin, idle);
        origins->idle_count--;
    }
    origin->connections++;
    return origin;
}

static void note_unused(struct origins *origins, struct origin *origin)
{
    if (!is_unused(origin))
        return;
    TAILQ_INSERT_TAIL(&origins->idle, origin, idle);
    if (++origins->idle_count > ORIGINS_IDLE_MAX)
        forget_oldest(origins);
}

void origins_leave(struct origins *origins, struct origin *origin)
{
    origin->connections--;
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
