#include "transcript_peer.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "common/message.h"
#include "server/net/peer.h"
#include "server/play/dispatch.h"
#include "server/play/presence.h"
#include "server/play/rate_limit.h"

/* Where all lines go that are taken, or NULL. */
static FILE *record;

void peer_record(FILE *file)
{
    record = file;
}

static void write_output(void *context, const char *bytes, size_t length)
{
    struct peer *peer = context;

    if (peer->length == 0)
        peer->got.length = 0;
    buffer_add(&peer->got, bytes, length);
    buffer_add(&peer->got, "", 1);
    peer->got.length--;
    peer->length += length;
    peer->output = peer->got.bytes + peer->got.length - peer->length;
}

static void close_peer(void *context)
{
    ((struct peer *)context)->closed = true;
}

static void wake_peer(void *context)
{
    ((struct peer *)context)->woken = true;
}

static struct sink sink_of(struct peer *peer)
{
    return (struct sink){peer, write_output, close_peer, wake_peer, NULL, NULL};
}

void peer_open(struct peer *peer, struct server *server)
{
    peer->closed = false;
    peer->session = presence_open(server, sink_of(peer), NULL);
}

static bool read_address(const char *text, struct sockaddr_storage *address)
{
    struct sockaddr_in *in = (void *)address;
    struct sockaddr_in6 *in6 = (void *)address;

    memset(address, 0, sizeof *address);
    address->ss_family = strchr(text, ':') != NULL ? AF_INET6 : AF_INET;
    return inet_pton(address->ss_family, text,
                     in6->sin6_family == AF_INET6 ? (void *)&in6->sin6_addr
                                                  : (void *)&in->sin_addr) == 1;
}

bool peer_open_from(struct peer *peer, struct server *server, const char *addresses)
{
    struct sockaddr_storage from, to = {.ss_family = AF_UNSPEC};
    char texts[2][64] = {"", ""};

    int count = sscanf(addresses, "%63s to %63s", texts[0], texts[1]);
    if (count < 1 || !read_address(texts[0], &from) || (count == 2 && !read_address(texts[1], &to)))
        return false;
    struct origin_key key = address_key((struct sockaddr *)&from, (struct sockaddr *)&to);
    struct origin *origin = origins_enter(&server->origins, &key);
    if (!rate_limit_is_full(server) && rate_limit_may_connect(server, origin))
        peer->session = presence_open(server, sink_of(peer), origin);
    if (peer->session == NULL)
        origins_leave(&server->origins, origin);
    peer->closed = peer->session == NULL;
    return true;
}

void peer_leave(struct peer *peer)
{
    if (peer->session != NULL)
        presence_free(peer->session);
    peer->session = NULL;
    peer->line_length = 0;
}

void peer_send(struct peer *peer, const char *line, size_t length)
{
    if (length >= LINE_BYTES_MAX) {
        dispatch_too_long(peer->session);
    } else if (!dispatch_line(peer->session, line, length)) {
        memcpy(peer->line, line, length);
        peer->line_length = length;
    }
}

bool peer_resume(struct peer *peer)
{
    bool woken = peer->woken && peer->session != NULL;

    peer->woken = false;
    if (woken && peer->line_length > 0 &&
        dispatch_line(peer->session, peer->line, peer->line_length))
        peer->line_length = 0;
    else if (woken && peer->line_length == 0)
        dispatch_resume(peer->session);
    return woken;
}

bool peer_take_line(struct peer *peer, char line[LINE_MAX_BYTES])
{
    const char *end = peer->length > 0 ? strchr(peer->output, '\n') : NULL;

    if (end == NULL)
        return false;
    size_t length = (size_t)(end - peer->output);
    snprintf(line, LINE_MAX_BYTES, "%.*s", (int)length, peer->output);
    if (record != NULL)
        fwrite(peer->output, 1, length + 1, record);
    peer->output += length + 1;
    peer->length -= length + 1;
    return true;
}

void peer_drop_output(struct peer *peer)
{
    peer->got.length = peer->length = 0;
    peer->output = "";
}
