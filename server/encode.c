#include "encode.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* cJSON wants a little more room than it uses. */
enum { CJSON_SLACK = 8 };

bool encode(const cJSON *message, bool text, char *space, size_t size, struct encoded *encoded)
{
    *encoded = (struct encoded){.bytes = space};
    if (text) {
        encoded->bytes = text_render(message);
        encoded->owned = true;
        encoded->length = encoded->bytes != NULL ? strlen(encoded->bytes) : 0;
        return encoded->bytes != NULL;
    }
    if (size <= CJSON_SLACK ||
        !cJSON_PrintPreallocated((cJSON *)message, space, (int)size - CJSON_SLACK, false)) {
        char *printed = cJSON_PrintUnformatted(message);
        if (printed == NULL)
            return false;
        encoded->length = strlen(printed);
        encoded->bytes = realloc(printed, encoded->length + 2);
        encoded->owned = true;
        if (encoded->bytes == NULL) {
            free(printed);
            return false;
        }
    } else {
        encoded->length = strlen(space);
    }
    memcpy(encoded->bytes + encoded->length, "\n", 2);
    encoded->length++;
    return true;
}

void encoded_release(struct encoded *encoded)
{
    if (encoded->owned)
        free(encoded->bytes);
    *encoded = (struct encoded){0};
}
