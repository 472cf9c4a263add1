#include "browser.h"

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/strlst.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/number.h"

enum { RESOLVERS_MAX = 4 * FOUND_MAX }; /* whoever fills the network with names is not followed */

struct browser {
    int pipe; /* what is found goes there */
    AvahiClient *client;
    AvahiSimplePoll *loop;
    int resolvers;
};

/* Copies the value of a pair of the TXT record; "" where there is none, or it is too long. */
static void copy_pair(AvahiStringList *list, const char *key, char *text, size_t size)
{
    AvahiStringList *pair = avahi_string_list_find(list, key);
    char *value = NULL;
    size_t length = 0;

    text[0] = '\0';
    if (pair == NULL || avahi_string_list_get_pair(pair, NULL, &value, &length) < 0)
        return;
    if (value != NULL && length < size && memchr(value, '\0', length) == NULL)
        snprintf(text, size, "%s", value);
    avahi_free(value);
}

/* An address as text, in brackets where it is IPv6, with its link where it is good there only. */
static void write_host(const AvahiAddress *address, AvahiIfIndex interface,
                       char host[FOUND_HOST_MAX])
{
    char text[AVAHI_ADDRESS_STR_MAX], link[IF_NAMESIZE] = "";
    bool ipv6 = address->proto == AVAHI_PROTO_INET6;
    bool local = ipv6 && address->data.ipv6.address[0] == 0xfe &&
                 (address->data.ipv6.address[1] & 0xc0) == 0x80;

    avahi_address_snprint(text, sizeof text, address);
    if (local && interface > 0)
        if_indextoname((unsigned)interface, link);
    snprintf(host, FOUND_HOST_MAX, "%s%s%s%s%s", ipv6 ? "[" : "", text, link[0] != '\0' ? "%" : "",
             link, ipv6 ? "]" : "");
}

/* Where the only port speaks TLS, the record says so by the same number. */
static void read_ports(struct beacon_server *about, int port, const char *tls)
{
    long number;

    about->port = port;
    if (number_parse(tls, strlen(tls), 1, 65535, &number))
        about->tls_port = (int)number;
    if (about->tls_port == port)
        about->port = 0;
}

static void on_resolved(AvahiServiceResolver *resolver, AvahiIfIndex interface,
                        AvahiProtocol protocol, AvahiResolverEvent event, const char *name,
                        const char *type, const char *domain, const char *machine,
                        const AvahiAddress *address, uint16_t port, AvahiStringList *txt,
                        AvahiLookupResultFlags flags, void *context)
{
    struct browser *browser = context;
    struct found found = {.host = ""};
    struct beacon_server *about = &found.about;
    char code[8], tls[8];

    (void)protocol, (void)type, (void)domain, (void)machine, (void)flags;
    if (event == AVAHI_RESOLVER_FOUND) {
        snprintf(about->name, sizeof about->name, "%s", name);
        copy_pair(txt, "id", about->id, sizeof about->id);
        copy_pair(txt, "version", about->version, sizeof about->version);
        copy_pair(txt, "games", about->games, sizeof about->games);
        copy_pair(txt, "code", code, sizeof code);
        copy_pair(txt, "tls", tls, sizeof tls);
        about->code = strcmp(code, "no") != 0;
        read_ports(about, port, tls);
        write_host(address, interface, found.host);
        /* Short enough to come through in one piece; when nobody listens any more, we end. */
        if (write(browser->pipe, &found, sizeof found) != (ssize_t)sizeof found)
            avahi_simple_poll_quit(browser->loop);
    }
    avahi_service_resolver_free(resolver);
    browser->resolvers--;
}

static void on_browsed(AvahiServiceBrowser *services, AvahiIfIndex interface,
                       AvahiProtocol protocol, AvahiBrowserEvent event, const char *name,
                       const char *type, const char *domain, AvahiLookupResultFlags flags,
                       void *context)
{
    struct browser *browser = context;

    (void)services, (void)flags;
    if (event == AVAHI_BROWSER_NEW && browser->resolvers < RESOLVERS_MAX &&
        avahi_service_resolver_new(browser->client, interface, protocol, name, type, domain,
                                   protocol, 0, on_resolved, browser) != NULL)
        browser->resolvers++;
}

static void on_client(AvahiClient *client, AvahiClientState state, void *context)
{
    (void)client, (void)state,
        (void)context; /* a daemon that goes away finds no more: that is all */
}

void browser_run(int pipe)
{
    struct browser browser = {.pipe = pipe, .loop = avahi_simple_poll_new()};

    if (browser.loop == NULL)
        return;
    browser.client =
        avahi_client_new(avahi_simple_poll_get(browser.loop), 0, on_client, NULL, NULL);
    if (browser.client != NULL &&
        avahi_service_browser_new(browser.client, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC,
                                  "_ludus._tcp", NULL, 0, on_browsed, &browser) != NULL)
        avahi_simple_poll_loop(browser.loop);
    if (browser.client != NULL)
        avahi_client_free(browser.client); /* and with it what it browses and resolves */
    avahi_simple_poll_free(browser.loop);
}
