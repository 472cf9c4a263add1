#include "http.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <limits.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/text.h"
#include "peer.h"
#include "server/play/metrics.h"

/* A piece of the head, borrowed from it; text is NULL for what is not there. */
struct http_text {
    const char *text;
    size_t length;
};

struct http_request {
    bool is_get, is_head;
    struct http_text path, query;
    struct http_text authority; /* of a target http://AUTHORITY/PATH */
    bool is_old;                /* HTTP/1.0 */
    bool has_body;
    bool wants_close, wants_upgrade; /* what the Connection header says */
    struct http_text host, origin, upgrade, protocols, key, version, if_none_match, accept_encoding;
    struct http_text scheme, folder; /* what a proxy says */
};

size_t http_head_length(const char *bytes, size_t length)
{
    const char *lf = memmem(bytes, length, "\n\n", 2), *crlf = memmem(bytes, length, "\n\r\n", 3);

    if (lf != NULL && (crlf == NULL || lf < crlf))
        return (size_t)(lf - bytes) + 2;
    return crlf != NULL ? (size_t)(crlf - bytes) + 3 : 0;
}

/* Cuts the text at its first `separator`: `part` is what precedes it. False without one. */
static bool cut_text_at(struct http_text *text, char separator, struct http_text *part)
{
    const char *end = memchr(text->text, separator, text->length);

    if (end == NULL)
        return false;
    *part = (struct http_text){text->text, (size_t)(end - text->text)};
    text->text += part->length + 1;
    text->length -= part->length + 1;
    return true;
}

/* Cuts off the first line; in a complete head every line has an end. */
static struct http_text cut_line(struct http_text *rest)
{
    struct http_text line = {rest->text, 0};

    cut_text_at(rest, '\n', &line);
    if (line.length > 0 && line.text[line.length - 1] == '\r')
        line.length--;
    return line;
}

static struct http_text trim_text(struct http_text text)
{
    while (text.length > 0 && (text.text[0] == ' ' || text.text[0] == '\t'))
        text.text++, text.length--;
    while (text.length > 0 && strchr(" \t", text.text[text.length - 1]) != NULL)
        text.length--;
    return text;
}

static bool text_is(struct http_text text, const char *word)
{
    return text.text != NULL && text.length == strlen(word) &&
           memcmp(text.text, word, text.length) == 0;
}

static bool is_in_any_case(struct http_text text, const char *word)
{
    return text.length == strlen(word) && strncasecmp(text.text, word, text.length) == 0;
}

static bool text_starts(struct http_text text, const char *word)
{
    return text.length >= strlen(word) && strncasecmp(text.text, word, strlen(word)) == 0;
}

/* Returns whether the parameters of an element say q=0: "not acceptable" (RFC 9110, 12.4.2). */
static bool has_no_weight(struct http_text parameters)
{
    struct http_text weight = trim_text(parameters);

    if (!text_starts(weight, "q=0"))
        return false;
    for (size_t i = 3; i < weight.length; i++)
        if (weight.text[i] != '.' && weight.text[i] != '0')
            return false;
    return true;
}

/* Returns whether a list with commas has an element, in any case, and not with the weight q=0.
 * Other parameters behind a semicolon do not matter. */
static bool list_has(struct http_text list, const char *element)
{
    struct http_text part, name;

    for (bool more = list.text != NULL; more;) {
        more = cut_text_at(&list, ',', &part);
        if (!more)
            part = list;
        name = part;
        bool weighted = cut_text_at(&part, ';', &name);
        if (is_in_any_case(trim_text(name), element))
            return !weighted || !has_no_weight(part);
    }
    return false;
}

size_t http_token_length(const char *text, size_t length)
{
    size_t i = 0;

    while (i < length && text[i] != '\0' &&
           (isalnum((unsigned char)text[i]) || strchr("!#$%&'*+-.^_`|~", text[i]) != NULL))
        i++;
    return i;
}

/* Returns whether a text can be a method or the name of a header. */
static bool is_http_token(struct http_text part)
{
    return part.length > 0 && http_token_length(part.text, part.length) == part.length;
}

static bool is_visible(struct http_text part)
{
    for (size_t i = 0; i < part.length; i++)
        if (part.text[i] <= ' ' || part.text[i] == 0x7f)
            return false;
    return part.length > 0;
}

/* Reads a target [http://AUTHORITY]/PATH[?QUERY]. */
static void read_target(struct http_text target, struct http_request *request)
{
    static const char scheme[] = "http://";

    if (text_starts(target, scheme)) {
        target.text += sizeof scheme - 1;
        target.length -= sizeof scheme - 1;
        request->authority = target;
        if (!cut_text_at(&target, '/', &request->authority)) {
            request->path = (struct http_text){"/", 1};
            return;
        }
        target.text--;
        target.length++;
    }
    request->path = target;
    if (cut_text_at(&target, '?', &request->path))
        request->query = target;
}

/* Refuses versions other than 1.x. */
static enum http_status read_http_version(struct http_text version, struct http_request *request)
{
    if (version.length != 8 || memcmp(version.text, "HTTP/", 5) != 0 ||
        !isdigit((unsigned char)version.text[5]) || version.text[6] != '.' ||
        !isdigit((unsigned char)version.text[7]))
        return HTTP_BAD_REQUEST;
    request->is_old = version.text[7] == '0';
    return version.text[5] == '1' ? HTTP_OK : HTTP_VERSION_NOT_SUPPORTED;
}

static enum http_status read_length(struct http_text value, struct http_request *request)
{
    long bytes;

    if (!number_parse(value.text, value.length, 0, LONG_MAX, &bytes))
        return HTTP_BAD_REQUEST;
    request->has_body |= bytes > 0;
    return bytes > HTTP_BODY_MAX ? HTTP_CONTENT_TOO_LARGE : HTTP_OK;
}

/* Headers that may come once: of two, others could have believed the other one. */
static const struct {
    const char *name;
    size_t offset;
} single[] = {
    {"Host", offsetof(struct http_request, host)},
    {"Origin", offsetof(struct http_request, origin)},
    {"Upgrade", offsetof(struct http_request, upgrade)},
    {"Sec-WebSocket-Protocol", offsetof(struct http_request, protocols)},
    {"Sec-WebSocket-Key", offsetof(struct http_request, key)},
    {"Sec-WebSocket-Version", offsetof(struct http_request, version)},
    {"If-None-Match", offsetof(struct http_request, if_none_match)},
    {"Accept-Encoding", offsetof(struct http_request, accept_encoding)},
    {"X-Forwarded-Proto", offsetof(struct http_request, scheme)},
    {"X-Forwarded-Prefix", offsetof(struct http_request, folder)},
};

static enum http_status read_single(struct http_text name, struct http_text value,
                                    struct http_request *request)
{
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++) {
        struct http_text *member = (void *)((char *)request + single[i].offset);
        if (!is_in_any_case(name, single[i].name))
            continue;
        if (member->text != NULL)
            return HTTP_BAD_REQUEST;
        *member = value;
    }
    return HTTP_OK;
}

static enum http_status read_header_line(struct http_text line, struct http_request *request)
{
    struct http_text name;

    if (!cut_text_at(&line, ':', &name) || !is_http_token(name) ||
        memchr(line.text, '\0', line.length) != NULL)
        return HTTP_BAD_REQUEST;
    struct http_text value = trim_text(line);
    if (is_in_any_case(name, "Content-Length"))
        return read_length(value, request);
    if (is_in_any_case(name, "Transfer-Encoding"))
        request->has_body = true;
    if (is_in_any_case(name, "Connection")) {
        request->wants_close |= list_has(value, "close");
        request->wants_upgrade |= list_has(value, "upgrade");
    }
    return read_single(name, value, request);
}

/* Reads a complete head. HTTP_OK, or with which status to refuse it; is_head is right even then. */
static enum http_status read_request(const char *head, size_t length, struct http_request *request)
{
    struct http_text rest = {head, length}, line = cut_line(&rest), method, target;

    *request = (struct http_request){.is_get = false};
    if (!cut_text_at(&line, ' ', &method) || !cut_text_at(&line, ' ', &target) ||
        !is_http_token(method) || !is_visible(target))
        return HTTP_BAD_REQUEST;
    request->is_get = text_is(method, "GET");
    request->is_head = text_is(method, "HEAD");
    read_target(target, request);
    enum http_status status = read_http_version(line, request);
    while (status == HTTP_OK && rest.length > 0) {
        line = cut_line(&rest);
        status = line.length > 0 ? read_header_line(line, request) : HTTP_OK;
    }
    return status;
}

enum http_status http_judge(const char *head, size_t length, const char *path, bool *is_head)
{
    struct http_request request;
    enum http_status status = read_request(head, length, &request);

    *is_head = request.is_head;
    if (status != HTTP_OK)
        return status;
    if (!text_is(request.path, path))
        return HTTP_NOT_FOUND;
    return request.is_head || request.is_get ? HTTP_OK : HTTP_METHOD_NOT_ALLOWED;
}

const char *http_reason(enum http_status status)
{
    static const struct {
        enum http_status status;
        const char *reason;
    } rows[] = {
        {HTTP_SWITCHING_PROTOCOLS, "Switching Protocols"},
        {HTTP_OK, "OK"},
        {HTTP_NOT_MODIFIED, "Not Modified"},
        {HTTP_BAD_REQUEST, "Bad Request"},
        {HTTP_FORBIDDEN, "Forbidden"},
        {HTTP_NOT_FOUND, "Not Found"},
        {HTTP_METHOD_NOT_ALLOWED, "Method Not Allowed"},
        {HTTP_CONTENT_TOO_LARGE, "Content Too Large"},
        {HTTP_UPGRADE_REQUIRED, "Upgrade Required"},
        {HTTP_TOO_MANY_REQUESTS, "Too Many Requests"},
        {HTTP_HEAD_TOO_LARGE, "Request Header Fields Too Large"},
        {HTTP_SERVICE_UNAVAILABLE, "Service Unavailable"},
        {HTTP_VERSION_NOT_SUPPORTED, "HTTP Version Not Supported"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].status == status)
            return rows[i].reason;
    return "";
}

/* The page takes scripts, styles, pictures and its WebSocket from here, and nothing from elsewhere;
 * no other page shows it in a frame. There is no Cross-Origin-Opener-Policy: browsers ignore it
 * over plain HTTP from another machine and complain in the console, and elsewhere it costs them a
 * new process for each load. */
static const char protection[] =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";

enum { HTTP_REFUSAL_MAX = 320 /* bytes of the text of a refusal */ };

static const char subprotocol[] = "ludus.v1";

void web_names_init(struct web_names *names, const char *more)
{
    char machine[256] = "localhost";

    gethostname(machine, sizeof machine - 1);
    int first = (int)strcspn(machine, ".");
    snprintf(names->text, sizeof names->text, "localhost,%s,%.*s,%.*s.local,%s", machine, first,
             machine, first, machine, more);
}

static bool is_number(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)text[i]))
            return false;
    return length > 0 && length <= 5;
}

/* Copies the host of HOST[:PORT], without the brackets of an IPv6 address. False if it is none. */
static bool cut_host(struct http_text host, char name[256], bool *bracketed)
{
    const char *end = memrchr(host.text, ':', host.length);
    const char *bracket = memrchr(host.text, ']', host.length);

    *bracketed = host.length > 0 && host.text[0] == '[';
    if (end != NULL && (bracket == NULL || end > bracket)) {
        if (!is_number(end + 1, (size_t)(host.text + host.length - end) - 1))
            return false;
        host.length = (size_t)(end - host.text);
    }
    if (*bracketed && (host.length < 2 || host.text[host.length - 1] != ']'))
        return false;
    host.text += *bracketed;
    host.length -= *bracketed * 2u;
    if (host.length == 0 || host.length >= 256 || memchr(host.text, '\0', host.length) != NULL)
        return false;
    snprintf(name, 256, "%.*s", (int)host.length, host.text);
    return true;
}

/* Returns whether the server is reached by an address or one of its names. Anybody can have any
 * other name mean this server's address, and give a browser a page under that name. */
static bool is_own_host(const struct web_names *names, struct http_text host)
{
    unsigned char address[sizeof(struct in6_addr)];
    char name[256];
    bool bracketed;

    if (host.text == NULL || !cut_host(host, name, &bracketed))
        return false;
    if (bracketed)
        return inet_pton(AF_INET6, name, address) == 1;
    if (inet_pton(AF_INET, name, address) == 1)
        return true;
    size_t length = strlen(name);
    if (name[length - 1] == '.')
        name[length - 1] = '\0';
    return name[0] != '\0' && list_has((struct http_text){names->text, strlen(names->text)}, name);
}

static bool is_same_text(struct http_text a, struct http_text b)
{
    return a.length == b.length && strncasecmp(a.text, b.text, a.length) == 0;
}

/* Takes off the port that a scheme has by itself. */
static struct http_text without_port(struct http_text host, const char *port)
{
    size_t length = strlen(port);

    if (host.length > length && memcmp(host.text + host.length - length, port, length) == 0)
        host.length -= length;
    return host;
}

/* Returns whether the request is from a page of this server. */
static bool is_own_origin(struct http_text origin, struct http_text host)
{
    bool secure = text_starts(origin, "https://");
    size_t scheme = secure ? 8 : 7;

    if ((!secure && !text_starts(origin, "http://")) || origin.length == scheme)
        return false;
    origin = (struct http_text){origin.text + scheme, origin.length - scheme};
    return is_same_text(without_port(origin, secure ? ":443" : ":80"),
                        without_port(host, secure ? ":443" : ":80"));
}

/* How much of a text is told to people. */
static int shown_length(struct http_text text)
{
    return text.length < 48 ? (int)text.length : 48;
}

/* HTTP_OK, or why the request is refused whatever it asks for; the cause only of HTTP_FORBIDDEN. */
static enum http_status judge_request(const struct web_names *names,
                                      const struct http_request *request, struct cause *cause)
{
    struct http_text host = request->host, origin = request->origin;

    if (!request->is_get && !request->is_head)
        return HTTP_METHOD_NOT_ALLOWED;
    if (request->has_body || (request->authority.text != NULL && host.text != NULL &&
                              !is_same_text(request->authority, host)))
        return HTTP_BAD_REQUEST;
    if (host.text == NULL && !request->is_old)
        return HTTP_BAD_REQUEST;
    if (!is_own_host(names, host)) {
        cause_set(cause,
                  "'%.*s' is no name of this server: start it with --web-host, or ask for its "
                  "address%s%.*s%s",
                  shown_length(host), host.text != NULL ? host.text : "",
                  origin.text != NULL ? " (from a page of '" : "", shown_length(origin),
                  origin.text != NULL ? origin.text : "", origin.text != NULL ? "')" : "");
        return HTTP_FORBIDDEN;
    }
    if (origin.text != NULL && !is_own_origin(origin, host)) {
        cause_set(cause,
                  "a page of '%.*s' asks, but for '%.*s': a proxy in between must pass Host on as "
                  "it is, with its port",
                  shown_length(origin), origin.text, shown_length(host), host.text);
        return HTTP_FORBIDDEN;
    }
    return HTTP_OK;
}

static void begin_answer(struct http_answer *answer, enum http_status status)
{
    answer->status = status;
    buffer_printf(&answer->head, "HTTP/1.1 %d %s\r\n%s", (int)status, http_reason(status),
                  protection);
}

static void end_answer(struct http_answer *answer)
{
    buffer_puts(&answer->head, answer->ends ? "Connection: close\r\n\r\n" : "\r\n");
}

/* Refuses, with a text for people, and why, unless that is NULL. After most of it the connection is
 * not to be trusted. */
static void write_refusal(struct http_answer *answer, enum http_status status, bool is_head,
                          const char *why)
{
    const char *more = "";
    char text[HTTP_REFUSAL_MAX];

    int length = snprintf(text, sizeof text, "%d %s%s%s\n", (int)status, http_reason(status),
                          why != NULL ? ": " : "", why != NULL ? why : "");
    if (status == HTTP_METHOD_NOT_ALLOWED)
        more = "Allow: GET, HEAD\r\n";
    else if (status == HTTP_UPGRADE_REQUIRED)
        more = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    else if (status == HTTP_TOO_MANY_REQUESTS)
        more = "Retry-After: 1\r\n";
    answer->ends |= status != HTTP_NOT_FOUND;
    begin_answer(answer, status);
    buffer_printf(&answer->head,
                  "Content-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n%s", length,
                  more);
    end_answer(answer);
    if (!is_head)
        buffer_puts(&answer->head, text);
}

enum http_claim http_read_claim(const char *head, size_t length, const struct networks *trusted,
                                struct peer_address *peer)
{
    struct hops forwarded = {.trusted = trusted}, x_forwarded = {.trusted = trusted};
    struct http_text rest = {head, length}, line = cut_line(&rest), name;
    bool has_forwarded = false, has_x_forwarded = false;

    while (rest.length > 0) {
        line = cut_line(&rest);
        if (!cut_text_at(&line, ':', &name))
            continue;
        if (is_in_any_case(name, "Forwarded")) {
            has_forwarded = true;
            hops_add_forwarded(&forwarded, line.text, line.length);
        } else if (is_in_any_case(name, "X-Forwarded-For")) {
            has_x_forwarded = true;
            hops_add_x_forwarded(&x_forwarded, line.text, line.length);
        }
    }
    *peer = has_forwarded ? forwarded.peer : x_forwarded.peer;
    if (!has_forwarded && !has_x_forwarded)
        return HTTP_CLAIM_NONE;
    if (trusted == NULL)
        return HTTP_CLAIM_REFUSED;
    /* The proxy has written one of them, and may have passed on the other one from anybody. */
    if (has_forwarded && has_x_forwarded &&
        memcmp(&forwarded.peer, &x_forwarded.peer, sizeof *peer) != 0)
        return HTTP_CLAIM_UNCLEAR;
    return peer->known ? HTTP_CLAIM_PEER : HTTP_CLAIM_NONE;
}

void http_refuse_claim(struct http_answer *answer, enum http_claim claim)
{
    bool refused = claim == HTTP_CLAIM_REFUSED;

    answer->ends = true;
    cause_set(&answer->why, "%s",
              refused ? "Forwarded or X-Forwarded-For of a proxy that is not trusted: start the "
                        "server with --trusted-proxy"
                      : "Forwarded and X-Forwarded-For differ: the proxy must drop the one that it "
                        "does not set");
    write_refusal(answer, refused ? HTTP_FORBIDDEN : HTTP_BAD_REQUEST, false, answer->why.text);
}

void http_refuse(struct http_answer *answer, enum http_status status)
{
    answer->ends = true;
    write_refusal(answer, status, false, NULL);
}

/* Returns whether the key is 16 bytes in base64. */
static bool is_websocket_key(struct http_text key)
{
    if (key.length != 24 || memcmp(key.text + 22, "==", 2) != 0)
        return false;
    for (size_t i = 0; i < 22; i++)
        if (!isalnum((unsigned char)key.text[i]) && strchr("+/", key.text[i]) == NULL)
            return false;
    return true;
}

static enum http_status judge_upgrade(const struct http_request *request)
{
    if (!request->is_get)
        return HTTP_METHOD_NOT_ALLOWED;
    if (!list_has(request->upgrade, "websocket") || !request->wants_upgrade || request->is_old ||
        !text_is(request->version, "13"))
        return HTTP_UPGRADE_REQUIRED;
    if (request->origin.text == NULL)
        return HTTP_FORBIDDEN;
    if (request->key.text == NULL || !is_websocket_key(request->key) ||
        (request->protocols.text != NULL && !list_has(request->protocols, subprotocol)))
        return HTTP_BAD_REQUEST;
    return HTTP_SWITCHING_PROTOCOLS;
}

/* Writes the base64 of the SHA-1 of a text, by which a browser knows that its key was understood.
 */
static void digest_key(const char *text, char accept[32])
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    size_t length = 0;

    if (EVP_Q_digest(NULL, "SHA1", NULL, text, strlen(text), hash, &length) != 1)
        length = 0;
    EVP_EncodeBlock((unsigned char *)accept, hash, (int)length);
}

static void answer_upgrade(struct http_answer *answer, const struct http_request *request)
{
    static const char salt[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; /* RFC 6455, 4.2.2 */
    char key[64], accept[32];
    enum http_status status = judge_upgrade(request);

    if (status == HTTP_UPGRADE_REQUIRED) {
        /* By this the page finds out what a proxy has made of its address. */
        struct cause why;
        cause_set(&why, "this is for WebSockets of pages of %.*s", shown_length(request->host),
                  request->host.text);
        write_refusal(answer, status, request->is_head, why.text);
        return;
    }
    if (status != HTTP_SWITCHING_PROTOCOLS) {
        write_refusal(answer, status, request->is_head,
                      status == HTTP_FORBIDDEN ? "a WebSocket needs Origin" : NULL);
        return;
    }
    snprintf(key, sizeof key, "%.24s%s", request->key.text, salt);
    digest_key(key, accept);
    answer->status = status;
    answer->ends = false;
    buffer_printf(&answer->head,
                  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                  "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n",
                  accept);
    if (request->protocols.text != NULL)
        buffer_printf(&answer->head, "Sec-WebSocket-Protocol: %s\r\n", subprotocol);
    buffer_puts(&answer->head, "\r\n");
}

/* Returns whether the browser has the file, packed or not. */
static bool is_fresh(const struct page_file *file, struct http_text tags)
{
    char tag[80];

    for (int packed = 0; packed <= 1 && tags.text != NULL; packed++) {
        for (int weak = 0; weak <= 1; weak++) {
            snprintf(tag, sizeof tag, "%s\"%s%s\"", weak ? "W/" : "", file->tag,
                     packed ? "-gz" : "");
            if (list_has(tags, tag) || text_is(tags, "*"))
                return true;
        }
    }
    return false;
}

static void answer_file(struct http_answer *answer, const struct page_file *file, bool kept,
                        const struct http_request *request)
{
    bool packed = file->packed_size > 0 && list_has(request->accept_encoding, "gzip");
    bool fresh = is_fresh(file, request->if_none_match);
    size_t size = packed ? file->packed_size : file->plain_size;

    begin_answer(answer, fresh ? HTTP_NOT_MODIFIED : HTTP_OK);
    buffer_printf(&answer->head, "ETag: \"%s%s\"\r\nCache-Control: %s\r\nVary: Accept-Encoding\r\n",
                  file->tag, packed ? "-gz" : "",
                  kept ? "public, max-age=31536000, immutable" : "no-cache");
    if (!fresh) {
        buffer_printf(&answer->head, "Content-Type: %s\r\nContent-Length: %zu\r\n%s", file->type,
                      size, packed ? "Content-Encoding: gzip\r\n" : "");
        answer->body = request->is_head ? NULL : packed ? file->packed : file->plain;
        answer->body_size = request->is_head ? 0 : size;
    }
    end_answer(answer);
}

/* Cuts the folder of this version off a path. */
static bool cut_version(struct http_text *path)
{
    size_t length = strlen(page_version);

    if (path->length < length + 2 || path->text[0] != '/' || path->text[length + 1] != '/' ||
        memcmp(path->text + 1, page_version, length) != 0)
        return false;
    path->text += length + 1;
    path->length -= length + 1;
    return true;
}

/* *kept: a browser may keep it for ever, as its path changes with its contents. The page itself,
 * which names the others, is nowhere but at the top. */
static const struct page_file *find_file(struct http_text path, bool *kept)
{
    *kept = cut_version(&path);
    if (!*kept && text_is(path, "/index.html"))
        path = (struct http_text){"/", 1};
    for (const struct page_file *file = page_files; file->path != NULL; file++)
        if (text_is(path, file->path))
            return *kept && path.length == 1 ? NULL : file;
    return NULL;
}

/* Reads one parameter of a query, NAME=VALUE. Others count for nothing: those who pass links on add
 * their own. */
static bool read_parameter(struct http_text value, struct match_link *link)
{
    struct http_text name;

    return !cut_text_at(&value, '=', &name) || !text_is(name, "ply") ||
           number_parse(value.text, value.length, 0, INT_MAX, &link->ply);
}

/* Copies a text of these characters only. False, with nothing copied, if it has others or no room.
 */
static bool copy_text(struct http_text text, const char *allowed, char *to, size_t size)
{
    if (text.length >= size)
        return false;
    for (size_t i = 0; i < text.length; i++)
        if (text.text[i] == '\0' || strchr(allowed, text.text[i]) == NULL)
            return false;
    snprintf(to, size, "%.*s", (int)text.length, text.text);
    return true;
}

#define LETTERS_AND_DIGITS "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Reads the address of a match behind "/m/". False if there can be none of that name. */
static bool read_match_link(const struct http_request *request, struct match_link *link)
{
    static const char *const ends[] = {[LINK_PAGE] = "", [LINK_SVG] = ".svg", [LINK_PNG] = ".png"};
    struct http_text id = {request->path.text + 3, request->path.length - 3}, part;
    struct http_text query = request->query;
    bool good = true;

    *link = (struct match_link){.form = LINK_PAGE, .ply = -1};
    if (request->scheme.text != NULL)
        link->says_https = is_in_any_case(request->scheme, "https");
    copy_text(request->folder, LETTERS_AND_DIGITS "-._~/", link->folder, sizeof link->folder);
    for (int form = LINK_SVG; form <= LINK_PNG; form++)
        if (id.length > 4 && memcmp(id.text + id.length - 4, ends[form], 4) == 0) {
            link->form = form == LINK_SVG ? LINK_SVG : LINK_PNG;
            id.length -= 4;
            break;
        }
    for (bool more = query.text != NULL; more && good;) {
        more = cut_text_at(&query, '&', &part);
        good = read_parameter(more ? part : query, link);
    }
    return good && copy_text(id, LETTERS_AND_DIGITS "-_", link->match, sizeof link->match) &&
           copy_text(request->host, LETTERS_AND_DIGITS "-._:[]", link->host, sizeof link->host);
}

/* Answers with a view of a match. False: it takes a while. */
static bool answer_link(struct http_answer *answer, const struct http_request *request,
                        match_viewer *viewer, void *context)
{
    struct match_view view = {.status = HTTP_NOT_FOUND};
    struct match_link link;

    if (!read_match_link(request, &link))
        view.status = HTTP_BAD_REQUEST;
    else if (!viewer(context, &link, &view))
        return false;
    if (view.status != HTTP_OK) {
        write_refusal(answer, view.status, request->is_head, NULL);
        return true;
    }
    begin_answer(answer, HTTP_OK);
    buffer_printf(&answer->head,
                  "Content-Type: %s\r\nContent-Length: %zu\r\nCache-Control: %s%s\r\n", view.type,
                  view.body.length, view.is_private ? "private, " : "public, ",
                  view.is_final ? "max-age=31536000, immutable" : "no-cache");
    end_answer(answer);
    if (!request->is_head)
        buffer_add(&answer->head, view.body.bytes, view.body.length);
    buffer_release(&view.body);
    return true;
}

bool http_answer_browser(struct http_answer *answer, const struct web_names *names,
                         const char *head, size_t length, bool last, match_viewer *viewer,
                         void *context)
{
    struct http_request request;
    enum http_status status = read_request(head, length, &request);

    if (status == HTTP_OK)
        status = judge_request(names, &request, &answer->why);
    answer->ends = last || request.is_old || request.wants_close;
    if (status != HTTP_OK) {
        write_refusal(answer, status, request.is_head,
                      status == HTTP_FORBIDDEN ? answer->why.text : NULL);
        return true;
    }
    if (request.path.length > 3 && memcmp(request.path.text, "/m/", 3) == 0)
        return answer_link(answer, &request, viewer, context);
    bool kept;
    const struct page_file *file = find_file(request.path, &kept);
    if (text_is(request.path, "/ws"))
        answer_upgrade(answer, &request);
    else if (file != NULL)
        answer_file(answer, file, kept, &request);
    else
        write_refusal(answer, HTTP_NOT_FOUND, request.is_head, NULL);
    return true;
}

void http_answer_metrics(struct http_answer *answer, const struct server *server,
                         size_t pending_bytes, const char *head, size_t length)
{
    enum http_status status = HTTP_HEAD_TOO_LARGE;
    const char *type = METRICS_TYPE;
    struct buffer body = {0};
    bool is_head = false, asks_health = false;

    if (length > 0)
        status = http_judge(head, length, "/metrics", &is_head);
    if (status == HTTP_NOT_FOUND) {
        status = http_judge(head, length, "/healthz", &is_head);
        asks_health = status == HTTP_OK;
    }
    answer->ends = true;
    if (status != HTTP_OK) {
        write_refusal(answer, status, is_head, NULL);
        return;
    }
    if (!asks_health) {
        metrics_write(&body, server, pending_bytes);
    } else {
        type = "text/plain; charset=utf-8";
        if (!metrics_write_health(&body, server))
            status = HTTP_SERVICE_UNAVAILABLE;
    }
    begin_answer(answer, status);
    buffer_printf(&answer->head, "Content-Type: %s\r\nContent-Length: %zu\r\n", type, body.length);
    end_answer(answer);
    if (!is_head)
        buffer_add(&answer->head, body.bytes, body.length);
    buffer_release(&body);
}
