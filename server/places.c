#include "places.h"

#include <stdio.h>
#include <string.h>

#include "invitation.h"
#include "systemd.h"

/* Says where the server listens to who started it. */
static void note_bound(struct places *places)
{
    printf("ludusd: listening on %s\n", places->list[places->count++].bound);
    fflush(stdout);
}

/* Listens on one address and says so. An optional one may fail: a machine without IPv6. */
static bool listen_on(struct loop *loop, struct places *places, const char *address, bool optional,
                      struct cause *cause)
{
    char *bound = places->list[places->count % LISTEN_MAX].bound;

    if (!loop_listen(loop, address, NULL, bound, ADDRESS_TEXT_MAX, cause))
        return optional;
    note_bound(places);
    return true;
}

/* The same with TLS, on HOST and PORT, or, with host NULL, on the address in `port`. */
static bool listen_tls(struct loop *loop, struct places *places, const char *host, const char *port,
                       bool optional, struct cause *cause)
{
    char address[ADDRESS_TEXT_MAX + 16];
    char *bound = places->list[places->count % LISTEN_MAX].bound;

    snprintf(address, sizeof address, "%s%s%s", host != NULL ? host : "", host != NULL ? ":" : "",
             port);
    if (!loop_listen(loop, address, places->certificate, bound, ADDRESS_TEXT_MAX, cause))
        return optional;
    printf("ludusd: TLS on %s\n", bound);
    fflush(stdout);
    places->list[places->count++].tls = true;
    return true;
}

static bool listen_tls_all(struct loop *loop, struct places *places, const struct options *options,
                           struct cause *cause)
{
    const char *port = options->tls_port[0] != '\0' ? options->tls_port : "7118";

    if (options->tls_cert[0] == '\0')
        return true;
    if (strchr(port, ':') != NULL)
        return listen_tls(loop, places, NULL, port, false, cause);
    return listen_tls(loop, places, options->lan ? "0.0.0.0" : "127.0.0.1", port, false, cause) &&
           listen_tls(loop, places, options->lan ? "[::]" : "[::1]", port, true, cause);
}

/* Takes the sockets that were handed over. */
static bool adopt_all(struct loop *loop, struct places *places, int count, struct cause *cause)
{
    for (int i = 0; i < count; i++) {
        if (!loop_adopt(loop, SERVICE_FIRST_DESCRIPTOR + i,
                        places->list[places->count % LISTEN_MAX].bound, ADDRESS_TEXT_MAX, cause))
            return false;
        note_bound(places);
    }
    return true;
}

/* Where sockets were handed over, only the addresses that are named come on top of them. */
static bool listen_plain_all(struct loop *loop, struct places *places,
                             const struct options *options, int handed_over, struct cause *cause)
{
    if (!adopt_all(loop, places, handed_over, cause))
        return false;
    for (int i = 0; i < options->listen_count; i++)
        if (!listen_on(loop, places, options->listen[i], false, cause))
            return false;
    if (options->listen_count > 0 || handed_over > 0)
        return true;
    if (options->lan)
        return listen_on(loop, places, "0.0.0.0:7117", false, cause) &&
               listen_on(loop, places, "[::]:7117", true, cause);
    return listen_on(loop, places, "127.0.0.1:7117", false, cause) &&
           listen_on(loop, places, "[::1]:7117", true, cause);
}

bool places_listen(struct places *places, struct loop *loop, const struct options *options,
                   int handed_over, struct cause *cause)
{
    return listen_plain_all(loop, places, options, handed_over, cause) &&
           listen_tls_all(loop, places, options, cause);
}

void places_house_address(const struct places *places, struct house *house)
{
    const char *bound = places->list[0].bound, *port = strrchr(bound, ':');

    if (strncmp(bound, "0.0.0.0:", 8) == 0)
        snprintf(house->address, sizeof house->address, "127.0.0.1%s", port);
    else if (strncmp(bound, "[::]:", 5) == 0)
        snprintf(house->address, sizeof house->address, "[::1]%s", port);
    else
        snprintf(house->address, sizeof house->address, "%s", bound);
}

void places_invite(const struct places *places, const char *code)
{
    for (int i = 0; i < places->count; i++)
        invitation_print(places->list[i].bound, code, places->list[i].tls);
}
