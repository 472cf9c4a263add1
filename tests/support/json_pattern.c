#include "json_pattern.h"

#include <stdio.h>
#include <string.h>

/* The value of a capture; NULL: there is none. */
static const char *find_capture(const struct captures *captures, const char *name, size_t length)
{
    for (int i = 0; i < captures->count; i++)
        if (strlen(captures->list[i].name) == length &&
            memcmp(captures->list[i].name, name, length) == 0)
            return captures->list[i].value;
    return NULL;
}

static bool matches_capture(struct captures *captures, const char *name, const char *got)
{
    const char *value = find_capture(captures, name, strlen(name));

    if (value != NULL)
        return strcmp(value, got) == 0;
    if (captures->count == CAPTURES_MAX)
        return false;
    int place = captures->count++;
    snprintf(captures->list[place].name, sizeof captures->list[place].name, "%s", name);
    snprintf(captures->list[place].value, CAPTURE_TEXT_MAX, "%s", got);
    return true;
}

static bool matches_members(const cJSON *pattern, const cJSON *got, bool exact,
                            struct captures *captures)
{
    const cJSON *member;
    int index = 0;

    if ((pattern->type & 0xff) != (got->type & 0xff))
        return false;
    if ((exact || cJSON_IsArray(pattern)) && cJSON_GetArraySize(pattern) != cJSON_GetArraySize(got))
        return false;
    cJSON_ArrayForEach (member, pattern) {
        const cJSON *other = cJSON_IsArray(pattern)
                                 ? cJSON_GetArrayItem(got, index++)
                                 : cJSON_GetObjectItemCaseSensitive(got, member->string);
        if (!json_matches(member, other, exact, captures))
            return false;
    }
    return true;
}

bool json_matches(const cJSON *pattern, const cJSON *got, bool exact, struct captures *captures)
{
    const char *text = cJSON_GetStringValue(pattern);

    if (got == NULL || (text != NULL && strcmp(text, "!") == 0))
        return got == NULL && text != NULL && strcmp(text, "!") == 0;
    if (text != NULL && strcmp(text, "*") == 0)
        return true;
    if (text != NULL && text[0] == '$')
        return cJSON_IsString(got) && matches_capture(captures, text + 1, got->valuestring);
    if (!cJSON_IsObject(pattern) && !cJSON_IsArray(pattern))
        return cJSON_Compare(pattern, got, true);
    return matches_members(pattern, got, exact, captures);
}

size_t captures_fill_in(const struct captures *captures, const char *text, char *line, size_t size)
{
    size_t length = 0;

    while (*text != '\0' && length < size - CAPTURE_TEXT_MAX) {
        unsigned byte;
        size_t name = strspn(text + 1, "abcdefghijklmnopqrstuvwxyz");
        const char *value = *text == '$' ? find_capture(captures, text + 1, name) : NULL;
        if (value != NULL) {
            length += (size_t)snprintf(line + length, CAPTURE_TEXT_MAX, "%s", value);
            text += 1 + name;
        } else if (sscanf(text, "\\x%2x", &byte) == 1) {
            line[length++] = (char)byte;
            text += 4;
        } else {
            line[length++] = *text++;
        }
    }
    return length;
}
