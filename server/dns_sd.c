#include "dns_sd.h"

#include <avahi-client/client.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/strlst.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

#include "avahi_poll.h"
#include "log.h"

enum { RETRY_S = 30, SERVICE_NAME_MAX = BEACON_NAME_MAX + 16 };

struct dns_sd {
    const struct advert *advert;
    AvahiPoll poll;
    AvahiClient *client;    /* NULL: there is no D-Bus */
    AvahiEntryGroup *group; /* NULL: nothing was published through this client yet */
    char *name;             /* Avahi's allocator: other than at first when others have that one */
    struct event *retry;
    bool missed; /* that there is no daemon was logged */
};

/* Once, until there is a daemon again. */
static void log_missing(struct dns_sd *dns_sd, int error)
{
    if (!dns_sd->missed)
        log_line(LOG_INFO, "event=dns-sd state=missing error=%s",
                 log_quote(avahi_strerror(error)).text);
    dns_sd->missed = true;
}

static void log_failed(struct dns_sd *dns_sd)
{
    log_line(LOG_WARN, "event=dns-sd state=failed error=%s",
             log_quote(avahi_strerror(avahi_client_errno(dns_sd->client))).text);
}

static AvahiStringList *describe(const struct beacon_server *about)
{
    AvahiStringList *list = avahi_string_list_new("txtvers=1", "proto=1", NULL);

    list = avahi_string_list_add_pair(list, "version", about->version);
    list = avahi_string_list_add_pair(list, "id", about->id);
    list = avahi_string_list_add_pair(list, "code", about->code ? "yes" : "no");
    list = avahi_string_list_add_pair(list, "games", about->games);
    if (about->tls_port != 0)
        list = avahi_string_list_add_printf(list, "tls=%d", about->tls_port);
    return list;
}

/* Puts the service into the empty group; an error of Avahi, 0 for none. */
static int fill_group(struct dns_sd *dns_sd, AvahiEntryGroup *group)
{
    struct beacon_server about;

    advert_anywhere(dns_sd->advert, &about);
    AvahiStringList *list = describe(&about);
    int error = avahi_entry_group_add_service_strlst(
        group, AVAHI_IF_UNSPEC, dns_sd->advert->ipv6 ? AVAHI_PROTO_UNSPEC : AVAHI_PROTO_INET, 0,
        dns_sd->name, "_ludus._tcp", NULL, NULL,
        (uint16_t)(about.port != 0 ? about.port : about.tls_port), list);
    avahi_string_list_free(list);
    return error;
}

/* Another server has the name: takes the next one, "Ludus on kitchen #2". */
static void take_other_name(struct dns_sd *dns_sd)
{
    char *other = avahi_alternative_service_name(dns_sd->name);

    avahi_free(dns_sd->name);
    dns_sd->name = other;
}

static void fill_and_commit(struct dns_sd *dns_sd, AvahiEntryGroup *group)
{
    enum { TRIES = 20 };
    int error = AVAHI_ERR_COLLISION;

    for (int i = 0; i < TRIES && error == AVAHI_ERR_COLLISION && dns_sd->name != NULL; i++) {
        error = fill_group(dns_sd, group);
        if (error == AVAHI_ERR_COLLISION) /* with a service of this machine */
            take_other_name(dns_sd);
    }
    if (error < 0 || avahi_entry_group_commit(group) < 0)
        log_failed(dns_sd);
}

static void on_group(AvahiEntryGroup *group, AvahiEntryGroupState state, void *context)
{
    struct dns_sd *dns_sd = context;

    if (state == AVAHI_ENTRY_GROUP_ESTABLISHED) {
        dns_sd->missed = false;
        log_line(LOG_INFO, "event=dns-sd state=published name=%s", log_quote(dns_sd->name).text);
    } else if (state == AVAHI_ENTRY_GROUP_COLLISION) { /* with another machine's */
        take_other_name(dns_sd);
        avahi_entry_group_reset(group);
        fill_and_commit(dns_sd, group);
    } else if (state == AVAHI_ENTRY_GROUP_FAILURE) {
        log_failed(dns_sd);
    }
}

static void publish(struct dns_sd *dns_sd)
{
    if (dns_sd->group == NULL)
        dns_sd->group = avahi_entry_group_new(dns_sd->client, on_group, dns_sd);
    if (dns_sd->group == NULL)
        log_failed(dns_sd);
    else if (avahi_entry_group_is_empty(dns_sd->group))
        fill_and_commit(dns_sd, dns_sd->group);
}

static void try_later(struct dns_sd *dns_sd, int seconds)
{
    const struct timeval pause = {.tv_sec = seconds};

    evtimer_add(dns_sd->retry, &pause);
}

/* Comes first from within avahi_client_new(). */
static void on_client(AvahiClient *client, AvahiClientState state, void *context)
{
    struct dns_sd *dns_sd = context;

    dns_sd->client = client;
    if (state == AVAHI_CLIENT_S_RUNNING) {
        publish(dns_sd);
    } else if (state == AVAHI_CLIENT_S_COLLISION || state == AVAHI_CLIENT_S_REGISTERING) {
        if (dns_sd->group != NULL) /* the machine's own name changes: told again when it has one */
            avahi_entry_group_reset(dns_sd->group);
    } else if (state == AVAHI_CLIENT_CONNECTING) {
        log_missing(dns_sd, AVAHI_ERR_NO_DAEMON);
    } else if (state == AVAHI_CLIENT_FAILURE) { /* this client is of no use any more */
        log_missing(dns_sd, avahi_client_errno(client));
        try_later(dns_sd, 1);
    }
}

static void drop_client(struct dns_sd *dns_sd)
{
    dns_sd->group = NULL; /* it goes with the client */
    if (dns_sd->client != NULL)
        avahi_client_free(dns_sd->client);
    dns_sd->client = NULL;
}

static void on_retry(evutil_socket_t fd, short what, void *context)
{
    struct dns_sd *dns_sd = context;
    int error = 0;

    (void)fd, (void)what;
    drop_client(dns_sd);
    AvahiClient *client =
        avahi_client_new(&dns_sd->poll, AVAHI_CLIENT_NO_FAIL, on_client, dns_sd, &error);
    dns_sd->client = client;
    if (client != NULL)
        return;
    dns_sd->group = NULL;
    log_missing(dns_sd, error);
    try_later(dns_sd, RETRY_S);
}

struct dns_sd *dns_sd_open(struct event_base *base, const struct advert *advert)
{
    char name[SERVICE_NAME_MAX];
    struct dns_sd *dns_sd = calloc(1, sizeof *dns_sd);

    if (dns_sd == NULL)
        return NULL;
    snprintf(name, sizeof name, "Ludus on %.50s", advert->about.name);
    dns_sd->advert = advert;
    dns_sd->poll = avahi_poll_on(base);
    dns_sd->name = avahi_strdup(name);
    dns_sd->retry = evtimer_new(base, on_retry, dns_sd);
    if (dns_sd->name == NULL || dns_sd->retry == NULL) {
        dns_sd_close(dns_sd);
        return NULL;
    }
    on_retry(-1, 0, dns_sd);
    return dns_sd;
}

void dns_sd_close(struct dns_sd *dns_sd)
{
    if (dns_sd == NULL)
        return;
    drop_client(dns_sd);
    if (dns_sd->retry != NULL)
        event_free(dns_sd->retry);
    avahi_free(dns_sd->name);
    free(dns_sd);
}
