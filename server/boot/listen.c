#include "listen.h"

#include <stdio.h>
#include <string.h>

#include "common/ports.h"
#include "systemd.h"

/* Arguments of the functions below. */
struct listening {
    struct loop *loop;
    struct listen_addresses *addresses;
    struct ssl_ctx_st *certificate; /* NULL: without TLS */
    bool lan;                       /* on all addresses where none is named */
    struct cause *cause;
};

/* Prints where the server has just begun to listen. */
static void print_last(const struct listen_addresses *addresses)
{
    bool tls = addresses->list[addresses->count - 1].tls;

    printf("ludusd: %s on %s\n", tls ? "TLS" : "listening",
           addresses->list[addresses->count - 1].bound);
    fflush(stdout);
}

static bool listen_on(const struct listening *to, const char *address)
{
    if (!loop_listen(to->loop, address, to->certificate, to->addresses, to->cause))
        return false;
    print_last(to->addresses);
    return true;
}

/* Listens on a port of the default addresses. IPv6 may fail: not every machine has it. */
static bool listen_on_port(const struct listening *to, const char *port)
{
    char ipv4[ADDRESS_TEXT_MAX], ipv6[ADDRESS_TEXT_MAX];

    snprintf(ipv4, sizeof ipv4, "%s:%.8s", to->lan ? "0.0.0.0" : "127.0.0.1", port);
    snprintf(ipv6, sizeof ipv6, "%s:%.8s", to->lan ? "[::]" : "[::1]", port);
    if (!listen_on(to, ipv4))
        return false;
    listen_on(to, ipv6);
    return true;
}

/* Listens without TLS: on the sockets handed over and the addresses named, or else on the default
 * addresses. */
static bool listen_plain(const struct listening *to, const struct options *options, int handed_over)
{
    for (int i = 0; i < handed_over; i++) {
        if (!loop_adopt(to->loop, SERVICE_FIRST_DESCRIPTOR + i, to->addresses, to->cause))
            return false;
        print_last(to->addresses);
    }
    for (int i = 0; i < options->listen_count; i++)
        if (!listen_on(to, options->listen[i]))
            return false;
    return options->listen_count > 0 || handed_over > 0 || listen_on_port(to, DEFAULT_PORT_TEXT);
}

static bool listen_tls(const struct listening *to, const struct options *options)
{
    const char *port = options->tls_port[0] != '\0' ? options->tls_port : DEFAULT_TLS_PORT_TEXT;

    return strchr(port, ':') != NULL ? listen_on(to, port) : listen_on_port(to, port);
}

bool listen_everywhere(struct listen_addresses *addresses, struct loop *loop,
                       const struct options *options, struct ssl_ctx_st *certificate,
                       int handed_over, struct cause *cause)
{
    const struct listening plain = {loop, addresses, NULL, options->lan, cause},
                           tls = {loop, addresses, certificate, options->lan, cause};

    return listen_plain(&plain, options, handed_over) &&
           (certificate == NULL || listen_tls(&tls, options));
}

void listen_for_bots(const struct listen_addresses *addresses, struct house_bots *house)
{
    const char *bound = addresses->list[0].bound, *port = strrchr(bound, ':');

    if (strncmp(bound, "0.0.0.0:", 8) == 0)
        snprintf(house->address, sizeof house->address, "127.0.0.1%s", port);
    else if (strncmp(bound, "[::]:", 5) == 0)
        snprintf(house->address, sizeof house->address, "[::1]%s", port);
    else
        snprintf(house->address, sizeof house->address, "%s", bound);
}
