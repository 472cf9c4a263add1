#include "visitor.h"

#include <event2/buffer.h>
#include <string.h>

#include "common/message.h"
#include "server/base/log.h"
#include "server/play/rate_limit.h"
#include "sniff.h"

enum {
    REQUESTS_MAX = 100,  /* on one connection */
    BROWSED_MS = 10000,  /* for which a request tells that a browser is about */
    CLOSE_WAIT_MS = 5000 /* for a peer to read a refusal */
};

static void wait_for_request(struct connection *connection)
{
    const struct server *server = connection->stream.set->server;

    connection->due_ms = server->now_ms + server->limits.first_line_s * 1000LL;
}

void visitor_begin(struct connection *connection)
{
    connection->opened_ms = connection->stream.set->server->now_ms;
    wait_for_request(connection);
}

/* Returns whether a request asks for something, rather than bring it. */
static bool asks(const struct connection *connection)
{
    struct evbuffer *input = stream_input(&connection->stream);
    char word[5] = "";

    evbuffer_copyout(input, word, sizeof word);
    return memcmp(word, "GET ", 4) == 0 || memcmp(word, "HEAD ", 5) == 0;
}

/* Looks at the first line, or at as much of it as has arrived. */
static enum sniffed sniff(const struct connection *connection, bool *complete)
{
    struct evbuffer *input = stream_input(&connection->stream);
    size_t count = evbuffer_get_length(input);

    if (count > LINE_BYTES_MAX)
        count = LINE_BYTES_MAX;
    const char *bytes = (const char *)evbuffer_pullup(input, (ev_ssize_t)count);
    const char *end = count > 0 ? memchr(bytes, '\n', count) : NULL;
    size_t length = end != NULL ? (size_t)(end - bytes) : count;
    *complete = end != NULL || count == LINE_BYTES_MAX;
    if (end != NULL && length > 0 && bytes[length - 1] == '\r')
        length--;
    return sniff_first_line(bytes, length, end == NULL);
}

static void browse(struct connection *connection)
{
    connection->browses = true;
    connection->origin->browsed_ms = connection->stream.set->server->now_ms;
}

static void respond(struct connection *connection, struct web_answer *answer)
{
    struct stream *stream = &connection->stream;
    struct server *server = stream->set->server;

    log_line(LOG_DEBUG, "event=request status=%d", (int)answer->status);
    server->tally.http[(int)answer->status / 100 - 1]++;
    stream_add(stream, answer->head.bytes, answer->head.length);
    if (answer->body != NULL)
        stream_add_static(stream, answer->body, answer->body_size);
    stream_send(stream);
    buffer_release(&answer->head);
    connection->answered = true;
    connection->due_ms = server->now_ms + server->limits.slow_s * 1000LL;
    if (answer->ends)
        stream_close(stream, answer->body != NULL ? server->limits.slow_s * 1000LL : CLOSE_WAIT_MS);
}

static void refuse(struct connection *connection, enum http_status status)
{
    struct web_answer answer = {.body = NULL};

    web_refuse(&answer, status);
    respond(connection, &answer);
}

/* Answers the request at the front of the input, if its head is complete or too long. */
static enum visit take_request(struct connection *connection, const struct web_names *names)
{
    struct evbuffer *input = stream_input(&connection->stream);
    struct server *server = connection->stream.set->server;
    struct web_answer answer = {.body = NULL};
    size_t count = evbuffer_get_length(input);

    if (count > HTTP_HEAD_MAX)
        count = HTTP_HEAD_MAX;
    const char *bytes = (const char *)evbuffer_pullup(input, (ev_ssize_t)count);
    size_t head = count > 0 ? http_head_length(bytes, count) : 0;
    if (head == 0 && count < HTTP_HEAD_MAX) {
        if (connection->stream.state == STREAM_ENDED)
            stream_change(&connection->stream, STREAM_DEAD);
        return VISIT_GOES_ON;
    }
    browse(connection);
    if (head == 0)
        web_refuse(&answer, HTTP_HEAD_TOO_LARGE);
    else if (!rate_limit_may_request(server, connection->origin))
        web_refuse(&answer, HTTP_TOO_MANY_REQUESTS);
    else
        web_answer(&answer, names, bytes, head, ++connection->requests == REQUESTS_MAX);
    evbuffer_drain(input, head);
    bool upgrades = answer.status == HTTP_SWITCHING_PROTOCOLS;
    respond(connection, &answer);
    return upgrades ? VISIT_IS_WEBSOCKET : VISIT_GOES_ON;
}

/* Answers one request, then waits until that has been read, however many have arrived. */
static enum visit take_requests(struct connection *connection, const struct web_names *names)
{
    struct stream *stream = &connection->stream;

    if (stream_pending_bytes(stream) > 0)
        return VISIT_GOES_ON;
    if (connection->answered)
        wait_for_request(connection);
    connection->answered = false;
    enum visit visit = take_request(connection, names);
    if (visit == VISIT_GOES_ON && stream_is_heard(stream))
        stream_set_input(stream, connection->answered ? INPUT_PAUSED : INPUT_READ);
    return visit;
}

enum visit visitor_take(struct connection *connection, const struct web_names *names)
{
    bool complete;

    if (!stream_is_heard(&connection->stream))
        return VISIT_GOES_ON;
    if (connection->browses)
        return take_requests(connection, names);
    enum sniffed sniffed = sniff(connection, &complete);
    if (complete && sniffed == SNIFFED_REQUEST && !asks(connection)) {
        refuse(connection, HTTP_METHOD_NOT_ALLOWED); /* whatever it brings */
    } else if (complete && sniffed == SNIFFED_REQUEST) {
        browse(connection);
        return take_requests(connection, names);
    } else if (sniffed == SNIFFED_TLS || (complete && sniffed == SNIFFED_HEADER)) {
        refuse(connection, HTTP_BAD_REQUEST);
    } else if (complete || connection->stream.state == STREAM_ENDED) {
        return VISIT_IS_CLIENT;
    }
    return VISIT_GOES_ON;
}

bool visitor_is_silent_client(struct connection *connection)
{
    int64_t now_ms = connection->stream.set->server->now_ms;
    int64_t browsed_ms = connection->origin->browsed_ms;
    bool empty = evbuffer_get_length(stream_input(&connection->stream)) == 0, complete;

    if (connection->browses || !stream_is_heard(&connection->stream))
        return false;
    if (empty && browsed_ms > 0 && now_ms - browsed_ms < BROWSED_MS &&
        now_ms - connection->opened_ms < BROWSER_WAIT_MS)
        return false;
    if (empty || sniff(connection, &complete) != SNIFFED_REQUEST)
        return true;
    browse(connection);
    return false;
}

void visitor_tick(struct connection *connection)
{
    const struct server *server = connection->stream.set->server;

    if (server->now_ms >= connection->due_ms && stream_is_heard(&connection->stream))
        stream_change(&connection->stream, STREAM_DEAD);
}
