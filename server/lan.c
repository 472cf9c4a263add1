#include "lan.h"

#include <event2/event.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "advert.h"
#include "beacon_listener.h"
#include "dns_sd.h"
#include "side_process.h"

enum { LOOK_MS = 10000 }; /* how often the teller is looked after */

struct lan {
    struct advert advert;
    struct beacon_listener *beacon;
    pid_t teller; /* tells by DNS-SD; -1: nobody does, for now */
};

/* Avahi's client library waits for the daemon, up to 25 seconds, and ends the process when memory
 * runs out: neither is for a server with players in it. */
static void tell(void *context)
{
    const struct lan *lan = context;
    struct event_base *base = event_base_new();

    if (base != NULL && dns_sd_open(base, &lan->advert) != NULL)
        event_base_dispatch(base);
}

/* Avahi's library may have ended it: then the next one tells. */
static void look_after(void *context)
{
    struct lan *lan = context;
    int status;

    if (lan->teller > 0) {
        if (waitpid(lan->teller, &status, WNOHANG) != lan->teller)
            return;
        log_line(LOG_WARN, "event=dns-sd state=ended %s=%d",
                 WIFSIGNALED(status) ? "signal" : "exit",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    lan->teller = side_process_start("ludusd-dns-sd", tell, lan);
}

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
    look_after(lan);
    loop_call_every(loop, LOOK_MS, look_after, lan); /* it may fail: then nobody looks after it */
    return lan;
}

void lan_close(struct lan *lan)
{
    if (lan == NULL)
        return;
    side_process_end(lan->teller);
    beacon_listener_close(lan->beacon);
    free(lan);
}
