/*
 * Requests over HTTP for the metrics: server/net/http.c. The input is the request.
 *
 * However it is split, its head ends in one place, with a blank line. Only GET and HEAD requests
 * for the page get it.
 */
#include <string.h>
#include <strings.h>

#include "fuzz.h"
#include "server/net/http.h"

static size_t find_head(const char *bytes, size_t size)
{
    size_t head = http_head_length(bytes, size);

    for (size_t length = 0; length <= size; length++)
        REQUIRE(http_head_length(bytes, length) == (head <= length ? head : 0),
                "of %zu bytes the head has %zu, not %zu", length, http_head_length(bytes, length),
                head);
    REQUIRE(head == 0 || (head >= 2 && head <= size && bytes[head - 1] == '\n'),
            "a head of %zu bytes", head);
    return head;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    size_t head = find_head(bytes, size);
    bool is_head = false;

    if (head == 0)
        return 0;
    enum http_status status = http_judge(bytes, head, "/metrics", &is_head);
    REQUIRE(strlen(http_reason(status)) > 0, "a status without words: %d", (int)status);
    if (status != HTTP_OK)
        return 0;
    REQUIRE(strncmp(bytes, is_head ? "HEAD " : "GET ", is_head ? 5 : 4) == 0, "another method");
    const char *page = memmem(bytes, head, "/metrics", 8);
    REQUIRE(page != NULL && memchr(bytes, '\n', (size_t)(page - bytes)) == NULL, "another page");
    REQUIRE(memchr(bytes, '\0', head) == NULL, "a zero byte is passed over");
    return 0;
}
