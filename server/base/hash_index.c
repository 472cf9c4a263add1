#include "hash_index.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"

enum { SIZE_MIN = 16 };

/* Returns SipHash-2-4 of a key, under a random key of this process, folded to 32 bits. */
static uint32_t hash_of(const void *key, size_t length)
{
    static unsigned char secret[crypto_shorthash_KEYBYTES];
    static bool has_secret;
    unsigned char hash[crypto_shorthash_BYTES];
    uint32_t folded[2];

    if (!has_secret) {
        crypto_shorthash_keygen(secret);
        has_secret = true;
    }
    crypto_shorthash(hash, key, length, secret);
    memcpy(folded, hash, sizeof folded);
    return folded[0] ^ folded[1];
}

static struct hash_entry **chain_of(const struct hash_index *index, uint32_t hash)
{
    return &index->chains[hash & (index->size - 1)];
}

static void put_in_chain(struct hash_index *index, struct hash_entry *entry)
{
    struct hash_entry **chain = chain_of(index, entry->hash);

    entry->next_in_chain = *chain;
    *chain = entry;
}

/* Doubles the chains, or makes the first ones. */
static void grow(struct hash_index *index)
{
    struct hash_entry *entry;

    if (index->size == 0)
        TAILQ_INIT(&index->all);
    index->size = index->size > 0 ? 2 * index->size : SIZE_MIN;
    free(index->chains);
    index->chains = xcalloc(index->size, sizeof *index->chains);
    TAILQ_FOREACH (entry, &index->all, link)
        put_in_chain(index, entry);
}

void hash_index_add(struct hash_index *index, struct hash_entry *entry, void *owner,
                    const void *key, size_t length)
{
    *entry = (struct hash_entry){
        .owner = owner, .key = key, .length = length, .hash = hash_of(key, length)};
    if (index->count == index->size)
        grow(index);
    index->count++;
    TAILQ_INSERT_TAIL(&index->all, entry, link);
    put_in_chain(index, entry);
}

void hash_index_remove(struct hash_index *index, struct hash_entry *entry)
{
    struct hash_entry **at = chain_of(index, entry->hash);

    while (*at != entry)
        at = &(*at)->next_in_chain;
    *at = entry->next_in_chain;
    TAILQ_REMOVE(&index->all, entry, link);
    if (--index->count > 0)
        return;
    free(index->chains);
    index->chains = NULL;
    index->size = 0;
}

void *hash_index_find(const struct hash_index *index, const void *key, size_t length)
{
    if (index->count == 0)
        return NULL;
    struct hash_entry *entry = *chain_of(index, hash_of(key, length));
    while (entry != NULL && (entry->length != length || memcmp(entry->key, key, length) != 0))
        entry = entry->next_in_chain;
    return entry != NULL ? entry->owner : NULL;
}

void *hash_index_first(const struct hash_index *index)
{
    return index->count > 0 ? TAILQ_FIRST(&index->all)->owner : NULL;
}

void *hash_index_next(const struct hash_entry *entry)
{
    const struct hash_entry *next = TAILQ_NEXT(entry, link);

    return next != NULL ? next->owner : NULL;
}
