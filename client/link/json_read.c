#include "json_read.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/text.h"

const cJSON *json_member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

const char *json_text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(json_member(object, name));
}

const char *json_text_or(const cJSON *object, const char *name, const char *otherwise)
{
    const char *text = json_text(object, name);

    return text != NULL ? text : otherwise;
}

void json_copy(char *text, size_t size, const cJSON *object, const char *name)
{
    snprintf(text, size, "%s", json_text_or(object, name, ""));
    utf8_clean(text); /* a character may have been cut */
}

bool json_true(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(json_member(object, name));
}

bool json_int(const cJSON *object, const char *name, int *number)
{
    const cJSON *value = json_member(object, name);

    if (!cJSON_IsNumber(value) || value->valuedouble < INT_MIN || value->valuedouble > INT_MAX)
        return false;
    *number = (int)value->valuedouble;
    return true;
}

int json_int_or(const cJSON *object, const char *name, int otherwise)
{
    json_int(object, name, &otherwise);
    return otherwise;
}

bool json_color(const cJSON *object, const char *name, enum color *color)
{
    const char *text = json_text_or(object, name, "");

    for (enum color c = WHITE; c <= BLACK; c++)
        if (strcmp(text, color_name(c)) == 0) {
            *color = c;
            return true;
        }
    return false;
}

int64_t json_ms(const cJSON *object, const char *name)
{
    const cJSON *value = json_member(object, name);

    if (!cJSON_IsNumber(value) || !(value->valuedouble >= 0 && value->valuedouble <= 1e15))
        return -1;
    return (int64_t)value->valuedouble;
}
