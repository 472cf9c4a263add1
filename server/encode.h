/* Messages as the bytes that go over the wire, in either format. */
#ifndef LUDUS_ENCODE_H
#define LUDUS_ENCODE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

struct encoded {
    char *bytes;
    size_t length;
    bool owned; /* bytes is to be freed */
};

/* Encodes a message, into `space` if it fits, else into memory of its own. False when memory
 * ran out, be it while the message was put together (json_memory.h). */
bool encode(const cJSON *message, bool text, char *space, size_t size, struct encoded *encoded);

void encoded_release(struct encoded *encoded);

#endif
