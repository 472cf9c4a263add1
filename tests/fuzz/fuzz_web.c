/*
 * Requests of browsers: server/net/http.c and visitor.c. The input is the head of a request to
 * a server that is called localhost and ludus.example.
 *
 * A request that is understood begins with a line that is never taken for one of the protocol.
 * Files and WebSockets are only for GET (files also for HEAD), only under an own name, and never
 * for a request with a body. A refusal ends the connection unless it is for a missing file. Every
 * answer but a WebSocket's protects the page. A match is asked for by a name that one can have, at
 * a ply that there can be, and its view is answered whole, and kept only where it says so.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "fuzz.h"
#include "server/net/http.h"
#include "server/net/visitor.h"

/* Counts the lines that begin with a name, in any case, and finds the value of the last one. */
static int count_headers(const char *head, size_t length, const char *name, const char **value)
{
    size_t size = strlen(name);
    int count = 0;

    for (size_t i = 0; i + size < length; i++)
        if (head[i] == '\n' && strncasecmp(head + i + 1, name, size) == 0) {
            *value = head + i + 1 + size;
            count++;
        }
    return count;
}

/* Returns whether a host is an address or one of the names. */
static bool is_own(const char *host)
{
    static const char *const names[] = {"localhost", "ludus.example"};

    host += strspn(host, " \t");
    if (isdigit((unsigned char)host[0]) || host[0] == '[')
        return strcspn(host, "ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ\r\n") ==
               strcspn(host, "\r\n"); /* no letters but those of IPv6 */
    for (size_t i = 0; i < 2; i++)
        if (strncasecmp(host, names[i], strlen(names[i])) == 0 &&
            strchr(".: \t\r\n", host[strlen(names[i])]) != NULL)
            return true;
    return false;
}

static void check_served(const char *head, size_t length, enum http_status status)
{
    const char *host = NULL, *other = NULL;

    REQUIRE(strncmp(head, "GET ", 4) == 0 ||
                (status != HTTP_SWITCHING_PROTOCOLS && strncmp(head, "HEAD ", 5) == 0),
            "another method gets %d", (int)status);
    REQUIRE(count_headers(head, length, "Host:", &host) == 1, "not one Host");
    REQUIRE(is_own(host), "a foreign name gets %d", (int)status);
    REQUIRE(count_headers(head, length, "Transfer-Encoding:", &other) == 0, "a body in chunks");
    REQUIRE(status != HTTP_SWITCHING_PROTOCOLS ||
                count_headers(head, length, "Origin:", &other) == 1,
            "a WebSocket without an origin");
}

static void check_answer(const struct http_answer *answer, const char *head, size_t length)
{
    static const char begin[] = "HTTP/1.1 ", policy[] = "\r\nContent-Security-Policy: ";
    const char *end = memmem(answer->head.bytes, answer->head.length, "\r\n\r\n", 4);

    REQUIRE(answer->head.length > sizeof begin &&
                memcmp(answer->head.bytes, begin, sizeof begin - 1) == 0 && end != NULL,
            "no answer");
    REQUIRE(answer->status == HTTP_SWITCHING_PROTOCOLS ||
                memmem(answer->head.bytes, answer->head.length, policy, sizeof policy - 1) != NULL,
            "%d without protection", (int)answer->status);
    REQUIRE(answer->status < HTTP_BAD_REQUEST || answer->status == HTTP_NOT_FOUND || answer->ends,
            "%d does not end the connection", (int)answer->status);
    REQUIRE(answer->ends ==
                (memmem(answer->head.bytes, answer->head.length, "Connection: close", 17) != NULL),
            "the answer does not tell whether it is the last one");
    if (answer->status < HTTP_BAD_REQUEST)
        check_served(head, length, answer->status);
}

static void check_sniffing(const char *head, size_t length)
{
    const char *end = memchr(head, '\n', length);
    size_t line = (size_t)(end - head);
    bool is_head;

    if (line > 0 && head[line - 1] == '\r')
        line--;
    enum http_status status = http_judge(head, length, "/", &is_head);
    enum sniffed sniffed = sniff_first_line(head, line, false);
    if (status == HTTP_OK || status == HTTP_NOT_FOUND || status == HTTP_METHOD_NOT_ALLOWED)
        REQUIRE(sniffed == SNIFFED_REQUEST || sniffed == SNIFFED_PROXY, "taken for a line");
}

/* Shows every match but those whose name begins with "n", and those of "w" not at once. */
static bool view_match(void *context, const struct match_link *link, struct match_view *view)
{
    static const char allowed[] = "0123456789-_"
                                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    bool *asked = context;
    size_t length = strlen(link->match);

    REQUIRE(length > 0 && length < sizeof link->match && strspn(link->match, allowed) == length,
            "a match of the name '%s'", link->match);
    REQUIRE(link->ply >= -1 && link->ply <= INT32_MAX, "ply %ld", link->ply);
    REQUIRE(is_own(link->host), "at the foreign name '%s'", link->host);
    *asked = true;
    if (link->match[0] == 'w')
        return false;
    view->status = link->match[0] == 'n' ? HTTP_NOT_FOUND : HTTP_OK;
    view->type = "text/plain";
    view->is_private = link->form == LINK_PAGE;
    view->is_final = link->ply >= 0;
    if (view->status == HTTP_OK)
        buffer_puts(&view->body, "the board");
    return true;
}

/* A view says how long it is, and whether it may be kept. */
static void check_view(const struct http_answer *answer, bool is_head)
{
    const char *bytes = answer->head.bytes, *end = "\r\n\r\nthe board";
    size_t length = answer->head.length, tail = is_head ? 4 : 13;

    REQUIRE(memmem(bytes, length, "\r\nContent-Length: 9\r\n", 21) != NULL, "another length");
    REQUIRE(length > tail && memcmp(bytes + length - tail, end, tail) == 0, "another body");
    REQUIRE((memmem(bytes, length, "no-cache", 8) == NULL) !=
                (memmem(bytes, length, "immutable", 9) == NULL),
            "it is not clear whether it may be kept");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct web_names names = {"localhost,ludus.example"};
    struct http_answer answer = {.body = NULL};
    const char *bytes = (const char *)data;
    size_t length = http_head_length(bytes, size);

    if (length == 0)
        return 0;
    check_sniffing(bytes, length);
    bool asked = false; /* for a match */
    if (!http_answer_browser(&answer, &names, bytes, length, false, view_match, &asked)) {
        REQUIRE(asked && answer.head.length == 0, "it waits for nothing");
        return 0;
    }
    check_answer(&answer, bytes, length);
    if (asked && answer.status == HTTP_OK)
        check_view(&answer, memcmp(bytes, "HEAD", 4) == 0);
    buffer_release(&answer.head);
    return 0;
}
