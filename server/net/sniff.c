#include "sniff.h"

#include <ctype.h>
#include <string.h>

/* Returns whether it ends in the version of HTTP, as request lines do. */
static bool ends_in_version(const char *line, size_t length)
{
    const char *end = line + length;

    while (length > 0 && isspace((unsigned char)end[-1]))
        end--, length--;
    return length > 9 && memcmp(end - 9, " HTTP/", 6) == 0 && isdigit((unsigned char)end[-3]) &&
           end[-2] == '.' && isdigit((unsigned char)end[-1]);
}

/* Returns how many bytes at the front can be a method or the name of a header (RFC 9110, 5.6.2). */
static size_t token_length(const char *line, size_t length)
{
    size_t i = 0;

    while (i < length && line[i] != '\0' &&
           (isalnum((unsigned char)line[i]) || strchr("!#$%&'*+-.^_`|~", line[i]) != NULL))
        i++;
    return i;
}

/* Returns whether it begins as a request for a path or an address does. Then its version may be in
 * the part that is cut off. */
static bool begins_as_request(const char *line, size_t length)
{
    size_t method = token_length(line, length);

    if (method == 0 || method + 1 >= length || line[method] != ' ')
        return false;
    return line[method + 1] == '/' || memmem(line + method, length - method, "://", 3) != NULL;
}

enum sniffed sniff_first_line(const char *line, size_t length, bool cut)
{
    if (length == 0)
        return SNIFFED_BLANK;
    if (length >= 2 && line[0] == 0x16 && line[1] == 0x03)
        return SNIFFED_TLS;
    if (ends_in_version(line, length) || (cut && begins_as_request(line, length)))
        return SNIFFED_REQUEST;
    size_t name = token_length(line, length);
    return name > 0 && name < length && line[name] == ':' ? SNIFFED_HEADER : SNIFFED_LINE;
}
