/* HTTP requests: which ones are answered, and how the others are refused. */
#include <string.h>

#include "check.h"
#include "server/net/http.h"

static const struct {
    const char *head;
    enum http_status status;
    bool is_head;
} heads[] = {
    {"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", HTTP_OK, false},
    {"GET /metrics HTTP/1.0\r\n\r\n", HTTP_OK, false},
    {"GET /metrics HTTP/1.1\n\n", HTTP_OK, false},
    {"HEAD /metrics HTTP/1.1\r\n\r\n", HTTP_OK, true},
    {"GET /metrics?name=x HTTP/1.1\r\n\r\n", HTTP_OK, false},
    {"GET http://host:1/metrics HTTP/1.1\r\n\r\n", HTTP_OK, false},
    {"GET HTTP://host/metrics?a HTTP/1.1\r\n\r\n", HTTP_OK, false},
    {"GET /metrics HTTP/1.1\r\nContent-Length: 0\r\n\r\n", HTTP_OK, false},
    {"GET /metrics HTTP/1.1\r\ncontent-length:\t1024 \r\n\r\n", HTTP_OK, false},
    {"GET /metrics HTTP/1.1\r\nEmpty:\r\n\r\n", HTTP_OK, false},
    {"GET / HTTP/1.1\r\n\r\n", HTTP_NOT_FOUND, false},
    {"GET * HTTP/1.1\r\n\r\n", HTTP_NOT_FOUND, false},
    {"GET /metric HTTP/1.1\r\n\r\n", HTTP_NOT_FOUND, false},
    {"GET /metrics/ HTTP/1.1\r\n\r\n", HTTP_NOT_FOUND, false},
    {"GET /Metrics HTTP/1.1\r\n\r\n", HTTP_NOT_FOUND, false},
    {"GET http://host HTTP/1.1\r\n\r\n", HTTP_NOT_FOUND, false},
    {"POST / HTTP/1.1\r\n\r\n", HTTP_NOT_FOUND, false},
    {"POST /metrics HTTP/1.1\r\n\r\n", HTTP_METHOD_NOT_ALLOWED, false},
    {"get /metrics HTTP/1.1\r\n\r\n", HTTP_METHOD_NOT_ALLOWED, false},
    {"POST /metrics HTTP/1.1\r\nContent-Length: 1025\r\n\r\n", HTTP_CONTENT_TOO_LARGE, false},
    {"GET /metrics HTTP/2.0\r\n\r\n", HTTP_VERSION_NOT_SUPPORTED, false},
    {"GET /metrics HTTP/0.9\r\n\r\n", HTTP_VERSION_NOT_SUPPORTED, false},
    {"\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics \r\n\r\n", HTTP_BAD_REQUEST, false},
    {" /metrics HTTP/1.1\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET  /metrics HTTP/1.1\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"G(T /metrics HTTP/1.1\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /met\x7frics HTTP/1.1\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTP/1.1 x\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTP/1\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTP/x.1\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTPS1.1\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics http/1.1\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTP/1.1\r\nno colon\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTP/1.1\r\n: x\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTP/1.1\r\nA : x\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTP/1.1\r\nA: x\r\n more\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTP/1.1\r\nContent-Length:\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTP/1.1\r\nContent-Length: -1\r\n\r\n", HTTP_BAD_REQUEST, false},
    {"GET /metrics HTTP/1.1\r\nContent-Length: 1 2\r\n\r\n", HTTP_BAD_REQUEST, false},
};

static void test_statuses(void)
{
    for (size_t i = 0; i < LENGTH(heads); i++) {
        size_t length = strlen(heads[i].head);
        bool is_head;
        check_about("%.60s", heads[i].head);
        CHECK_INT(http_head_length(heads[i].head, length), (int)length);
        CHECK_INT(http_judge(heads[i].head, length, "/metrics", &is_head), heads[i].status);
        CHECK(is_head == heads[i].is_head);
        CHECK(strlen(http_reason(heads[i].status)) > 1);
    }
}

/* A valid head has no zero bytes. */
static void test_zeros(void)
{
    const char good[] = "GET /metrics HTTP/1.1\r\nA: b\r\n\r\n";
    char head[sizeof good];
    bool is_head;

    for (size_t i = 0; i < sizeof good - 1; i++) {
        check_about("byte %d", (int)i);
        memcpy(head, good, sizeof good);
        head[i] = '\0';
        if (strchr("\r\n", good[i]) == NULL)
            CHECK_INT(http_judge(head, sizeof good - 1, "/metrics", &is_head), HTTP_BAD_REQUEST);
    }
}

/* A head is complete with its blank line, whatever follows. */
static void test_length(void)
{
    const char text[] = "GET / HTTP/1.1\r\nA: b\r\n\r\nGET / HTTP/1.1\r\n\r\n";

    for (size_t length = 0; length < sizeof text; length++) {
        check_about("of %d bytes", (int)length);
        CHECK_INT(http_head_length(text, length), length >= 24 ? 24 : 0);
    }
    CHECK_INT(http_head_length("\n\nx", 3), 2);
    CHECK_INT(http_head_length("\n\r", 2), 0);
}

int main(void)
{
    test_statuses();
    test_zeros();
    test_length();
    return check_end("test_http_request");
}
