#include "visitor.h"

#include <ctype.h>
#include <event2/buffer.h>
#include <string.h>

#include "common/message.h"
#include "server/base/log.h"
#include "server/play/rate_limit.h"

enum {
    REQUESTS_MAX = 100,       /* on one connection */
    COLLECT_MS = 10000,       /* for a collector from beginning to end */
    FOREIGN_QUIET_MS = 600000 /* between two lines of the log about foreign names */
};

/* Returns whether a line ends in the version of HTTP, as request lines do. */
static bool ends_in_version(const char *line, size_t length)
{
    const char *end = line + length;

    while (length > 0 && isspace((unsigned char)end[-1]))
        end--, length--;
    return length > 9 && memcmp(end - 9, " HTTP/", 6) == 0 && isdigit((unsigned char)end[-3]) &&
           end[-2] == '.' && isdigit((unsigned char)end[-1]);
}

/* Returns whether a line begins as a request for a path or an address does. Then its version may be
 * in the part that is cut off. */
static bool begins_as_request(const char *line, size_t length)
{
    size_t method = http_token_length(line, length);

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
    if (length >= 6 && memcmp(line, "PROXY ", 6) == 0)
        return SNIFFED_PROXY;
    if (ends_in_version(line, length) || (cut && begins_as_request(line, length)))
        return SNIFFED_REQUEST;
    size_t name = http_token_length(line, length);
    return name > 0 && name < length && line[name] == ':' ? SNIFFED_HEADER : SNIFFED_LINE;
}

static void wait_for_request(struct visitor *visitor, long seconds)
{
    visitor->due_ms = visitor->stream->set->server->now_ms + seconds * 1000LL;
}

/* A browser keeps silent connections that it has opened ahead for a minute. It takes one of them
 * for its next request only where it has none left that has had an answer: such a connection may
 * have been greeted by then, which is no answer to anything. So those with an answer stay that
 * long. */
static void wait_for_next_request(struct visitor *visitor)
{
    wait_for_request(visitor, visitor->stream->set->server->limits.idle_s);
}

void visitor_begin(struct visitor *visitor)
{
    visitor->opened_ms = visitor->stream->set->server->now_ms;
    if (visitor->kind == VISITOR_COLLECTOR)
        visitor->due_ms = visitor->opened_ms + COLLECT_MS;
    else
        wait_for_request(visitor, visitor->stream->set->server->limits.first_line_s);
    if (visitor->kind == VISITOR_NEW && stream_is_browsers(visitor->stream))
        visitor->kind = VISITOR_BROWSER;
}

/* Returns whether a request asks for something, rather than bring it. */
static bool is_get_or_head(const struct visitor *visitor)
{
    char word[5] = "";

    evbuffer_copyout(stream_input(visitor->stream), word, sizeof word);
    return memcmp(word, "GET ", 4) == 0 || memcmp(word, "HEAD ", 5) == 0;
}

/* Looks at the first line, or at as much of it as has arrived. */
static enum sniffed sniff_input(const struct visitor *visitor, bool *complete)
{
    struct evbuffer *input = stream_input(visitor->stream);
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

/* Returns whether the log is to tell of a foreign name or a proxy that is not trusted: mostly that
 * is a proxy that was not told of this server, or the other way round. Who runs both has to hear of
 * it, once; a stranger who asks again and again must not fill the log. */
static bool may_tell(struct streams *streams)
{
    int64_t now_ms = streams->server->now_ms;

    if (streams->foreign_ms != 0 && now_ms - streams->foreign_ms < FOREIGN_QUIET_MS)
        return false;
    streams->foreign_ms = now_ms;
    return true;
}

/* Sends an answer, and ends the connection if it is the last one. */
static void send_http_answer(struct visitor *visitor, struct http_answer *answer)
{
    struct stream *stream = visitor->stream;
    struct server *server = stream->set->server;
    int64_t slow_ms = server->limits.slow_s * 1000LL;

    stream_add(stream, answer->head.bytes, answer->head.length);
    if (answer->body != NULL)
        stream_add_static(stream, answer->body, answer->body_size);
    stream_send(stream);
    buffer_release(&answer->head);
    visitor->answered = true;
    if (visitor->kind == VISITOR_COLLECTOR) {
        stream->linger = LINGER_FOR_END; /* with unread input the answer could be lost */
        stream_close(stream, visitor->due_ms - server->now_ms);
        return;
    }
    bool tell = answer->why.text[0] != '\0' && may_tell(stream->set);
    log_line(tell ? LOG_INFO : LOG_DEBUG, "event=request status=%d%s%s", (int)answer->status,
             tell ? " why=" : "", tell ? log_quote(answer->why.text).text : "");
    server->tally.http[(int)answer->status / 100 - 1]++;
    visitor->due_ms = server->now_ms + slow_ms;
    if (answer->ends)
        stream_close(stream, answer->body != NULL ? slow_ms : CLOSE_WAIT_MS);
}

static void refuse_visitor(struct visitor *visitor, enum http_status status)
{
    struct http_answer answer = {.body = NULL};

    http_refuse(&answer, status);
    send_http_answer(visitor, &answer);
}

/* Makes a visitor one for another address. False: that one has too many connections already. */
static bool visit_for(struct visitor *visitor, const struct origin_key *key)
{
    struct server *server = visitor->stream->set->server;

    if (memcmp(key, &visitor->origin->key, sizeof *key) == 0)
        return true;
    struct origin *origin = origins_enter(&server->origins, key);
    bool good =
        memcmp(key, &visitor->key, sizeof *key) == 0 || rate_limit_may_connect(server, origin);
    origins_leave(&server->origins, good ? visitor->origin : origin);
    if (good)
        visitor->origin = origin;
    return good;
}

/* Finds out for whom a browser's request is. HTTP_CLAIM_NONE or HTTP_CLAIM_PEER: it may go on,
 * unless *full: that one has too many connections. */
static enum http_claim heed_claim(struct visitor *visitor, const char *head, size_t length,
                                  bool *full)
{
    struct peer_address peer;
    struct origin_key key = visitor->key;
    enum http_claim claim = http_read_claim(head, length, visitor->trusted, &peer);

    if (claim == HTTP_CLAIM_PEER)
        key = peer_key(&peer);
    *full = visitor->trusted != NULL && claim <= HTTP_CLAIM_PEER && !visit_for(visitor, &key);
    return claim;
}

/* What the request at the front asked for was looked up. */
static void wake_visitor(void *context)
{
    const struct visitor *visitor = context;

    stream_wake(visitor->stream);
}

void visitor_end(struct visitor *visitor)
{
    match_asker_leave(&visitor->asker);
}

/* Answers a browser that may ask now. False: what it asks for has to be looked up first. */
static bool answer_browser(struct visitor *visitor, const struct web_names *names, const char *head,
                           size_t length, struct http_answer *answer)
{
    struct match_asker *asker = &visitor->asker;

    if (!visitor->waits)
        visitor->requests++;
    asker->server = visitor->stream->set->server;
    asker->origin = visitor->origin;
    asker->over_tls = visitor->stream->tls;
    asker->behind_proxy = visitor->trusted != NULL;
    asker->wake = wake_visitor;
    asker->waker = visitor;
    visitor->waits = !http_answer_browser(
        answer, names, head, length, visitor->requests == REQUESTS_MAX, match_page_make, asker);
    return !visitor->waits;
}

/* Answers the request at the front of the input, if its head is complete or too long. */
static enum visit answer_request(struct visitor *visitor, const struct web_names *names)
{
    struct stream *stream = visitor->stream;
    struct evbuffer *input = stream_input(stream);
    struct http_answer answer = {.body = NULL};
    size_t count = evbuffer_get_length(input);

    if (count > HTTP_HEAD_MAX)
        count = HTTP_HEAD_MAX;
    const char *bytes = (const char *)evbuffer_pullup(input, (ev_ssize_t)count);
    size_t head = count > 0 ? http_head_length(bytes, count) : 0;
    if (head == 0 && count < HTTP_HEAD_MAX) {
        if (stream->state == STREAM_ENDED)
            stream_change(stream, STREAM_DEAD);
        return VISIT_GOES_ON;
    }
    bool full = false;
    enum http_claim claim = HTTP_CLAIM_NONE;
    if (visitor->kind != VISITOR_COLLECTOR && head > 0)
        claim = heed_claim(visitor, bytes, head, &full);
    if (visitor->kind == VISITOR_COLLECTOR)
        http_answer_metrics(&answer, stream->set->server, streams_pending_bytes(stream->set), bytes,
                            head);
    else if (head == 0)
        http_refuse(&answer, HTTP_HEAD_TOO_LARGE);
    else if (claim > HTTP_CLAIM_PEER)
        http_refuse_claim(&answer, claim);
    else if (full ||
             (!visitor->waits && !rate_limit_may_request(stream->set->server, visitor->origin)))
        http_refuse(&answer, HTTP_TOO_MANY_REQUESTS);
    else if (!answer_browser(visitor, names, bytes, head, &answer))
        return VISIT_GOES_ON;
    evbuffer_drain(input, head);
    bool upgrades = answer.status == HTTP_SWITCHING_PROTOCOLS;
    send_http_answer(visitor, &answer);
    return upgrades ? VISIT_IS_WEBSOCKET : VISIT_GOES_ON;
}

/* Answers one request, then waits until that has been read, however many have arrived. */
static enum visit answer_next_request(struct visitor *visitor, const struct web_names *names)
{
    struct stream *stream = visitor->stream;

    if (stream_pending_bytes(stream) > 0)
        return VISIT_GOES_ON;
    if (visitor->answered)
        wait_for_next_request(visitor);
    visitor->answered = false;
    enum visit visit = answer_request(visitor, names);
    if (visit == VISIT_GOES_ON && stream_is_heard(stream))
        stream_set_input(stream, visitor->answered || visitor->waits ? INPUT_PAUSED : INPUT_READ);
    return visit;
}

/* Ends a connection that says for whom it is, and may not. */
static void refuse_proxy(struct visitor *visitor, const char *why)
{
    log_line(may_tell(visitor->stream->set) ? LOG_INFO : LOG_DEBUG, "event=proxy-refused why=%s",
             log_quote(why).text);
    stream_change(visitor->stream, STREAM_DEAD);
}

enum proxy_header visitor_introduce(struct visitor *visitor, const char *bytes, size_t count,
                                    size_t *size)
{
    struct peer_address peer;
    enum proxy_header header = proxy_read(bytes, count, size, &peer);

    if (header == PROXY_PARTIAL)
        return header;
    visitor->introduced = true;
    if (header == PROXY_ABSENT)
        return header;
    if (visitor->trusted == NULL || header == PROXY_BROKEN) {
        refuse_proxy(visitor, header == PROXY_BROKEN ? "broken header"
                                                     : "its address is not in --trusted-proxy");
        return PROXY_BROKEN;
    }
    if (header == PROXY_ITSELF)
        return header;
    struct origin_key key = peer_key(&peer);
    if (!visit_for(visitor, &key)) {
        refuse_proxy(visitor, "too many connections for that address");
        return PROXY_BROKEN;
    }
    visitor->key = key;
    if (!networks_have_peer(visitor->trusted, &peer))
        visitor->trusted = NULL;
    return header;
}

/* Reads the header of the PROXY protocol that a trusted proxy may send first. False: more of it has
 * to come, or the connection ends. */
static bool read_introduction(struct visitor *visitor)
{
    struct evbuffer *input = stream_input(visitor->stream);
    size_t size = 0, count = evbuffer_get_length(input);

    if (count > PROXY_HEADER_MAX)
        count = PROXY_HEADER_MAX;
    if (visitor->introduced || count == 0)
        return true;
    const char *bytes = (const char *)evbuffer_pullup(input, (ev_ssize_t)count);
    enum proxy_header header = visitor_introduce(visitor, bytes, count, &size);
    if (header == PROXY_PARTIAL)
        return visitor->trusted == NULL || visitor->stream->state == STREAM_ENDED;
    if (header > PROXY_BROKEN)
        evbuffer_drain(input, size);
    return header != PROXY_BROKEN;
}

enum visit visitor_handle(struct visitor *visitor, const struct web_names *names)
{
    struct stream *stream = visitor->stream;
    bool complete;

    if (stream->linger == LINGER_FOR_END)
        evbuffer_drain(stream_input(stream), evbuffer_get_length(stream_input(stream)));
    if (!stream_is_heard(stream))
        return VISIT_GOES_ON;
    if (visitor->kind == VISITOR_NEW && !stream->tls && !read_introduction(visitor))
        return VISIT_GOES_ON;
    if (names == NULL && visitor->kind == VISITOR_NEW)
        return visitor->introduced || stream->state == STREAM_ENDED ? VISIT_IS_CLIENT
                                                                    : VISIT_GOES_ON;
    if (visitor->kind != VISITOR_NEW)
        return answer_next_request(visitor, names);
    enum sniffed sniffed = sniff_input(visitor, &complete);
    if (complete && sniffed == SNIFFED_REQUEST && !is_get_or_head(visitor)) {
        refuse_visitor(visitor, HTTP_METHOD_NOT_ALLOWED); /* whatever it brings */
    } else if (complete && sniffed == SNIFFED_REQUEST) {
        visitor->kind = VISITOR_BROWSER;
        return answer_next_request(visitor, names);
    } else if (sniffed == SNIFFED_PROXY) {
        refuse_proxy(visitor, stream->tls ? "TLS is spoken here" : "untrusted or incomplete");
    } else if (sniffed == SNIFFED_TLS || (complete && sniffed == SNIFFED_HEADER)) {
        refuse_visitor(visitor, HTTP_BAD_REQUEST);
    } else if (complete || stream->state == STREAM_ENDED) {
        return VISIT_IS_CLIENT;
    }
    return VISIT_GOES_ON;
}

int64_t visitor_greeting_ms(const struct visitor *visitor)
{
    int64_t wait_ms = visitor->stream->set->server->limits.first_line_s * 1000LL / 2;

    return visitor->opened_ms + (wait_ms < GREETING_WAIT_MS ? wait_ms : GREETING_WAIT_MS);
}

bool visitor_is_silent_client(struct visitor *visitor)
{
    bool complete;

    if (visitor->kind != VISITOR_NEW || !stream_is_heard(visitor->stream))
        return false;
    if (evbuffer_get_length(stream_input(visitor->stream)) == 0 ||
        sniff_input(visitor, &complete) != SNIFFED_REQUEST)
        return true;
    visitor->kind = VISITOR_BROWSER;
    return false;
}

void visitor_tick(const struct visitor *visitor)
{
    if (visitor->stream->set->server->now_ms >= visitor->due_ms && stream_is_heard(visitor->stream))
        stream_change(visitor->stream, STREAM_DEAD);
}
