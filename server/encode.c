#include "encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_text.h"
#include "json_memory.h"
#include "text.h"

/* Whole numbers up to here are exact as a double. */
#define EXACT_MAX 9007199254740992.0

/* Numbers are integers (protocol.md). False for one that is none. */
static bool write_number(struct json_text *json, const char *name, double value)
{
    if (!(fabs(value) <= EXACT_MAX) || value != trunc(value))
        return false;
    json_integer(json, name, (int64_t)value);
    return true;
}

/* Writes a message and all in it. False for what no message has in it. */
static bool write_tree(struct json_text *json, const char *name, const cJSON *item)
{
    const cJSON *child;
    bool is_object = cJSON_IsObject(item);

    if (is_object || cJSON_IsArray(item)) {
        json_open(json, name, is_object ? '{' : '[');
        cJSON_ArrayForEach (child, item)
            if (!write_tree(json, is_object ? child->string : NULL, child))
                return false;
        json_close(json, is_object ? '}' : ']');
    } else if (cJSON_IsString(item)) {
        json_string(json, name, item->valuestring);
    } else if (cJSON_IsNumber(item)) {
        return write_number(json, name, item->valuedouble);
    } else if (cJSON_IsBool(item)) {
        json_bool(json, name, cJSON_IsTrue(item));
    } else if (cJSON_IsNull(item)) {
        json_null(json, name);
    } else {
        return false;
    }
    return true;
}

enum fit { FITS, TOO_LONG, NO_MESSAGE };

static enum fit encode_into(const cJSON *message, char *space, size_t size, struct encoded *encoded)
{
    struct json_text json = json_begin(space, size);

    if (!write_tree(&json, NULL, message))
        return NO_MESSAGE;
    json_raw(&json, "\n", 1);
    *encoded = (struct encoded){.bytes = space, .length = json.length};
    return json_finish(&json) ? FITS : TOO_LONG;
}

static bool encode_text(const cJSON *message, struct encoded *encoded)
{
    *encoded = (struct encoded){.bytes = text_render(message), .owned = true};
    encoded->length = encoded->bytes != NULL ? strlen(encoded->bytes) : 0;
    return encoded->bytes != NULL;
}

/* Into memory of its own. */
static bool encode_owned(const cJSON *message, struct encoded *encoded)
{
    enum fit fit = TOO_LONG;

    for (size_t size = 4096; fit == TOO_LONG; size *= 2) {
        char *space = malloc(size);
        if (space == NULL)
            return false;
        fit = encode_into(message, space, size, encoded);
        encoded->owned = fit == FITS;
        if (fit != FITS)
            free(space);
    }
    return fit == FITS;
}

bool encode(const cJSON *message, bool text, char *space, size_t size, struct encoded *encoded)
{
    *encoded = (struct encoded){.bytes = NULL};
    if (json_memory_failed())
        return false; /* something is left out */
    if (text)
        return encode_text(message, encoded);
    return (size > 0 && encode_into(message, space, size, encoded) == FITS) ||
           encode_owned(message, encoded);
}

void encoded_release(struct encoded *encoded)
{
    if (encoded->owned)
        free(encoded->bytes);
    *encoded = (struct encoded){0};
}
