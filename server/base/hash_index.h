/*
 * Hash tables for keys that strangers choose: the hash is keyed with random bytes, so nobody can
 * choose keys that collide. A zeroed index is empty; it needs no release once it is empty again.
 */
#ifndef LUDUS_HASH_INDEX_H
#define LUDUS_HASH_INDEX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

/* A member of what is found, its owner. */
struct hash_entry {
    void *owner;
    const void *key; /* borrowed */
    size_t length;
    uint32_t hash;
    struct hash_entry *next_in_chain;
    TAILQ_ENTRY(hash_entry) link;
};

/* It must not be copied while it has entries. */
struct hash_index {
    struct hash_entry **chains; /* owned */
    size_t size;                /* how many chains, a power of two; 0: none */
    size_t count;
    TAILQ_HEAD(hash_entries, hash_entry) all; /* in the order in which they came */
};

/* Adds an owner under a key that no other has, and that stays where it is. */
void hash_index_add(struct hash_index *index, struct hash_entry *entry, void *owner,
                    const void *key, size_t length);

void hash_index_remove(struct hash_index *index, struct hash_entry *entry);

/* Returns the owner of a key; NULL: there is none. */
void *hash_index_find(const struct hash_index *index, const void *key, size_t length);

/* Return the owner that came first, and the one that came next; NULL: there is none. */
void *hash_index_first(const struct hash_index *index);
void *hash_index_next(const struct hash_entry *entry);

#endif
