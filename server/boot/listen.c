#include "listen.h"

#include <stdio.h>
#include <string.h>

#include "common/ports.h"
#include "server/net/invitation.h"
#include "systemd.h"

/* Tells whoever started the server where it listens. */
static void note_bound(struct listen_addresses *addresses)
{
    printf("ludusd: listening on %s\n", addresses->list[addresses->count++].bound);
    fflush(stdout);
}

/* Listens on one address and says so. An optional one may fail: a machine without IPv6. */
static bool listen_on(struct loop *loop, struct listen_addresses *addresses, const char *address,
                      bool optional, struct cause *cause)
{
    char *bound = addresses->list[addresses->count % LISTEN_MAX].bound;

    if (!loop_listen(loop, address, NULL, bound, ADDRESS_TEXT_MAX, cause))
        return optional;
    note_bound(addresses);
    return true;
}

/* What listening with TLS needs. */
struct tls_listening {
    struct loop *loop;
    struct listen_addresses *addresses;
    struct ssl_ctx_st *certificate;
};

/* Listens with TLS on HOST and PORT, or, with host NULL, on the address in `port`. */
static bool listen_tls(const struct tls_listening *tls, const char *host, const char *port,
                       bool optional, struct cause *cause)
{
    char address[ADDRESS_TEXT_MAX + 16];
    struct listen_addresses *addresses = tls->addresses;
    char *bound = addresses->list[addresses->count % LISTEN_MAX].bound;

    snprintf(address, sizeof address, "%s%s%s", host != NULL ? host : "", host != NULL ? ":" : "",
             port);
    if (!loop_listen(tls->loop, address, tls->certificate, bound, ADDRESS_TEXT_MAX, cause))
        return optional;
    printf("ludusd: TLS on %s\n", bound);
    fflush(stdout);
    addresses->list[addresses->count++].tls = true;
    return true;
}

static bool listen_tls_all(const struct tls_listening *tls, const struct options *options,
                           struct cause *cause)
{
    const char *port = options->tls_port[0] != '\0' ? options->tls_port : DEFAULT_TLS_PORT_TEXT;

    if (tls->certificate == NULL)
        return true;
    if (strchr(port, ':') != NULL)
        return listen_tls(tls, NULL, port, false, cause);
    return listen_tls(tls, options->lan ? "0.0.0.0" : "127.0.0.1", port, false, cause) &&
           listen_tls(tls, options->lan ? "[::]" : "[::1]", port, true, cause);
}

/* Takes the sockets that were handed over. */
static bool adopt_all(struct loop *loop, struct listen_addresses *addresses, int count,
                      struct cause *cause)
{
    for (int i = 0; i < count; i++) {
        if (!loop_adopt(loop, SERVICE_FIRST_DESCRIPTOR + i,
                        addresses->list[addresses->count % LISTEN_MAX].bound, ADDRESS_TEXT_MAX,
                        cause))
            return false;
        note_bound(addresses);
    }
    return true;
}

/* Where sockets were handed over, only the addresses that are named come on top of them. */
static bool listen_plain_all(struct loop *loop, struct listen_addresses *addresses,
                             const struct options *options, int handed_over, struct cause *cause)
{
    if (!adopt_all(loop, addresses, handed_over, cause))
        return false;
    for (int i = 0; i < options->listen_count; i++)
        if (!listen_on(loop, addresses, options->listen[i], false, cause))
            return false;
    if (options->listen_count > 0 || handed_over > 0)
        return true;
    if (options->lan)
        return listen_on(loop, addresses, "0.0.0.0:" DEFAULT_PORT_TEXT, false, cause) &&
               listen_on(loop, addresses, "[::]:" DEFAULT_PORT_TEXT, true, cause);
    return listen_on(loop, addresses, "127.0.0.1:" DEFAULT_PORT_TEXT, false, cause) &&
           listen_on(loop, addresses, "[::1]:" DEFAULT_PORT_TEXT, true, cause);
}

bool listen_everywhere(struct listen_addresses *addresses, struct loop *loop,
                       const struct options *options, struct ssl_ctx_st *certificate,
                       int handed_over, struct cause *cause)
{
    const struct tls_listening tls = {loop, addresses, certificate};

    return listen_plain_all(loop, addresses, options, handed_over, cause) &&
           listen_tls_all(&tls, options, cause);
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

void listen_invite(const struct listen_addresses *addresses, const char *code)
{
    for (int i = 0; i < addresses->count; i++)
        invitation_print(addresses->list[i].bound, code, addresses->list[i].tls);
}
