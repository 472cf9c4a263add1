#include "lan.h"

#include <stdlib.h>

#include "advert.h"
#include "beacon_listener.h"
#include "dns_sd.h"

struct lan {
    struct advert advert;
    struct beacon_listener *beacon;
    struct dns_sd *dns_sd;
};

struct lan *lan_open(struct loop *loop, const struct places *places, const struct server *server)
{
    struct lan *lan = calloc(1, sizeof *lan);
    struct beacon_server about;
    struct cause cause;

    if (lan == NULL)
        return NULL;
    advert_make(&lan->advert, places, server);
    if (!advert_anywhere(&lan->advert, &about)) {
        log_line(LOG_INFO, "event=not-announced reason=\"no address is for the network\"");
        free(lan);
        return NULL;
    }
    lan->beacon = beacon_listener_open(loop_base(loop), &lan->advert, &cause);
    if (lan->beacon == NULL)
        log_line(LOG_WARN, "event=no-beacon error=%s", log_quote(cause.text).text);
    lan->dns_sd = dns_sd_open(loop_base(loop), &lan->advert);
    return lan;
}

void lan_close(struct lan *lan)
{
    if (lan == NULL)
        return;
    dns_sd_close(lan->dns_sd);
    beacon_listener_close(lan->beacon);
    free(lan);
}
