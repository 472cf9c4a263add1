#include "found.h"

#include <stdio.h>
#include <string.h>

#include "common/utf8.h"

static bool is_loopback(const char *host)
{
    return strncmp(host, "127.", 4) == 0;
}

void found_add(struct found_list *found, const struct beacon_server *about, const char *host)
{
    int i = 0;

    while (i < found->count && strcmp(found->list[i].about.id, about->id) != 0)
        i++;
    if (i == FOUND_MAX || (i < found->count && !is_loopback(found->list[i].host)))
        return;
    struct found *entry = &found->list[i];
    found->count += i == found->count;
    entry->about = *about;
    utf8_clean(entry->about.name);
    utf8_clean(entry->about.version);
    utf8_clean(entry->about.games);
    snprintf(entry->host, sizeof entry->host, "%s", host);
}

int found_order(const struct found *a, const struct found *b)
{
    int order = strcmp(a->about.name, b->about.name);

    return order != 0 ? order : strcmp(a->about.id, b->about.id);
}

void found_address(const struct found *server, char address[LINK_ADDRESS_MAX])
{
    bool tls = server->about.tls_port != 0;
    int port = tls ? server->about.tls_port : server->about.port;
    const char *prefix = tls ? "tls://" : "";

    if (port == (tls ? DEFAULT_TLS_PORT : DEFAULT_PORT))
        snprintf(address, LINK_ADDRESS_MAX, "%s%s", prefix, server->host);
    else
        snprintf(address, LINK_ADDRESS_MAX, "%s%s:%d", prefix, server->host, port);
}

void found_describe(const struct found *server, char line[FOUND_LINE_MAX])
{
    char address[LINK_ADDRESS_MAX];

    found_address(server, address);
    snprintf(line, FOUND_LINE_MAX, "%.100s  %s  %s%s", address, server->about.name,
             server->about.code ? "with a join code  " : "", server->about.games);
}
