#include "web_answer.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

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
    return name[0] != '\0' &&
           http_list_has((struct http_text){names->text, strlen(names->text)}, name);
}

/* Returns whether the request is from a page of this server. */
static bool is_own_origin(struct http_text origin, struct http_text host)
{
    size_t scheme = 0;

    if (origin.length > 7 && strncasecmp(origin.text, "http://", 7) == 0)
        scheme = 7;
    else if (origin.length > 8 && strncasecmp(origin.text, "https://", 8) == 0)
        scheme = 8;
    return scheme > 0 && origin.length - scheme == host.length &&
           strncasecmp(origin.text + scheme, host.text, host.length) == 0;
}

static bool is_same(struct http_text a, struct http_text b)
{
    return a.length == b.length && strncasecmp(a.text, b.text, a.length) == 0;
}

/* HTTP_OK, or why the request is refused whatever it asks for. */
static enum http_status judge(const struct web_names *names, const struct http_request *request)
{
    if (!request->is_get && !request->is_head)
        return HTTP_METHOD_NOT_ALLOWED;
    if (request->has_body || (request->authority.text != NULL && request->host.text != NULL &&
                              !is_same(request->authority, request->host)))
        return HTTP_BAD_REQUEST;
    if (request->host.text == NULL && !request->is_old)
        return HTTP_BAD_REQUEST;
    if (!is_own_host(names, request->host) ||
        (request->origin.text != NULL && !is_own_origin(request->origin, request->host)))
        return HTTP_FORBIDDEN;
    return HTTP_OK;
}

static void begin(struct web_answer *answer, enum http_status status)
{
    answer->status = status;
    buffer_printf(&answer->head, "HTTP/1.1 %d %s\r\n%s", (int)status, http_reason(status),
                  protection);
}

static void end(struct web_answer *answer)
{
    buffer_puts(&answer->head, answer->ends ? "Connection: close\r\n\r\n" : "\r\n");
}

/* Refuses, with a text for people. After most of it the connection is not to be trusted. */
static void refuse(struct web_answer *answer, enum http_status status, bool is_head)
{
    const char *reason = http_reason(status), *more = "";

    if (status == HTTP_METHOD_NOT_ALLOWED)
        more = "Allow: GET, HEAD\r\n";
    else if (status == HTTP_UPGRADE_REQUIRED)
        more = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    else if (status == HTTP_TOO_MANY_REQUESTS)
        more = "Retry-After: 1\r\n";
    answer->ends |= status != HTTP_NOT_FOUND;
    begin(answer, status);
    buffer_printf(&answer->head,
                  "Content-Type: text/plain; charset=utf-8\r\nContent-Length: %zu\r\n%s",
                  strlen(reason) + 5, more);
    end(answer);
    if (!is_head)
        buffer_printf(&answer->head, "%d %s\n", (int)status, reason);
}

void web_refuse(struct web_answer *answer, enum http_status status)
{
    answer->ends = true;
    refuse(answer, status, false);
}

/* Returns whether the key is 16 bytes in base64. */
static bool is_key(struct http_text key)
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
    if (!http_list_has(request->upgrade, "websocket") || !request->wants_upgrade ||
        request->is_old || !http_text_is(request->version, "13"))
        return HTTP_UPGRADE_REQUIRED;
    if (request->origin.text == NULL)
        return HTTP_FORBIDDEN;
    if (request->key.text == NULL || !is_key(request->key) ||
        (request->protocols.text != NULL && !http_list_has(request->protocols, subprotocol)))
        return HTTP_BAD_REQUEST;
    return HTTP_SWITCHING_PROTOCOLS;
}

/* Writes the base64 of the SHA-1 of a text, by which a browser knows that its key was understood.
 */
static void digest(const char *text, char accept[32])
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    size_t length = 0;

    if (EVP_Q_digest(NULL, "SHA1", NULL, text, strlen(text), hash, &length) != 1)
        length = 0;
    EVP_EncodeBlock((unsigned char *)accept, hash, (int)length);
}

static void answer_upgrade(struct web_answer *answer, const struct http_request *request)
{
    static const char salt[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; /* RFC 6455, 4.2.2 */
    char key[64], accept[32];
    enum http_status status = judge_upgrade(request);

    if (status != HTTP_SWITCHING_PROTOCOLS) {
        refuse(answer, status, request->is_head);
        return;
    }
    snprintf(key, sizeof key, "%.24s%s", request->key.text, salt);
    digest(key, accept);
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
            if (http_list_has(tags, tag) || http_text_is(tags, "*"))
                return true;
        }
    }
    return false;
}

static void answer_file(struct web_answer *answer, const struct page_file *file,
                        const struct http_request *request)
{
    bool packed = file->packed_size > 0 && http_list_has(request->accept_encoding, "gzip");
    bool fresh = is_fresh(file, request->if_none_match);
    size_t size = packed ? file->packed_size : file->plain_size;

    begin(answer, fresh ? HTTP_NOT_MODIFIED : HTTP_OK);
    buffer_printf(&answer->head,
                  "ETag: \"%s%s\"\r\nCache-Control: no-cache\r\nVary: Accept-Encoding\r\n",
                  file->tag, packed ? "-gz" : "");
    if (!fresh) {
        buffer_printf(&answer->head, "Content-Type: %s\r\nContent-Length: %zu\r\n%s", file->type,
                      size, packed ? "Content-Encoding: gzip\r\n" : "");
        answer->body = request->is_head ? NULL : packed ? file->packed : file->plain;
        answer->body_size = request->is_head ? 0 : size;
    }
    end(answer);
}

static const struct page_file *find_file(struct http_text path)
{
    for (const struct page_file *file = page_files; file->path != NULL; file++)
        if (http_text_is(path, file->path))
            return file;
    return http_text_is(path, "/index.html") ? find_file((struct http_text){"/", 1}) : NULL;
}

void web_answer(struct web_answer *answer, const struct web_names *names, const char *head,
                size_t length, bool last)
{
    struct http_request request;
    enum http_status status = http_read(head, length, &request);

    if (status == HTTP_OK)
        status = judge(names, &request);
    answer->ends = last || request.is_old || request.wants_close;
    if (status != HTTP_OK) {
        refuse(answer, status, request.is_head);
        return;
    }
    const struct page_file *file = find_file(request.path);
    if (http_text_is(request.path, "/ws"))
        answer_upgrade(answer, &request);
    else if (file != NULL)
        answer_file(answer, file, &request);
    else
        refuse(answer, HTTP_NOT_FOUND, request.is_head);
}
