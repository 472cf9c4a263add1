#include "hash_index.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

unsigned hash_index(const void *key, size_t length)
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
