/* libpq tries the hosts of a conninfo by itself, but without blocking it never gives one up that
 * does not answer. So each attempt has one host, and names become addresses before. */
#include "postgres_address.h"

#include <libpq-fe.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "common/xmalloc.h"

enum { OPTIONS_MAX = 64, HOSTS_MAX = 16, WAIT_MS = 2000, ADDRESS_MAX = 64 };

struct engine_address {
    PQconninfoOption *options;              /* as libpq read them */
    const char *keys[OPTIONS_MAX];          /* of those that are the same for all hosts */
    const char *values[OPTIONS_MAX];        /* borrowed from the options, or `settings` */
    char *settings;                         /* owned; of each session */
    int words;                              /* how many */
    char *hosts[HOSTS_MAX];                 /* owned; names or directories of sockets, or NULL */
    char *ports[HOSTS_MAX];                 /* owned, or NULL */
    char addresses[HOSTS_MAX][ADDRESS_MAX]; /* "": a directory, or the default */
    int host_count;
    int64_t wait_ms;
};

static const char *value_of(const struct engine_address *address, const char *keyword)
{
    for (const PQconninfoOption *option = address->options; option->keyword != NULL; option++)
        if (strcmp(option->keyword, keyword) == 0)
            return option->val;
    return NULL;
}

/* Copies the part of that number of a list with commas; the only part counts for all. NULL: there
 * is none. */
static char *part_of(const char *list, int number)
{
    if (list == NULL || list[0] == '\0')
        return NULL;
    if (strchr(list, ',') == NULL)
        number = 0;
    for (; number > 0; number--) {
        list = strchr(list, ',');
        if (list == NULL)
            return NULL;
        list++;
    }
    size_t length = strcspn(list, ",");
    return length > 0 ? xstrndup(list, length) : NULL;
}

static int count_parts(const char *list)
{
    int count = 1;

    for (; list != NULL && (list = strchr(list, ',')) != NULL; list++)
        count++;
    return count;
}

/* Finds the address of a host, which may take long. */
static bool resolve(const char *host, char text[ADDRESS_MAX], struct cause *cause)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found;

    text[0] = '\0';
    if (host == NULL || host[0] == '/' || host[0] == '@')
        return true;
    int error = getaddrinfo(host, NULL, &hints, &found);
    if (error == 0) {
        error = getnameinfo(found->ai_addr, found->ai_addrlen, text, ADDRESS_MAX, NULL, 0,
                            NI_NUMERICHOST);
        freeaddrinfo(found);
    }
    return error == 0 || cause_set(cause, "engine: %.60s: %s", host, gai_strerror(error));
}

static bool read_hosts(struct engine_address *address, struct cause *cause)
{
    const char *hosts = value_of(address, "host"), *numeric = value_of(address, "hostaddr");
    const char *ports = value_of(address, "port");
    int count = count_parts(numeric != NULL && numeric[0] != '\0' ? numeric : hosts);

    if (count > HOSTS_MAX)
        return cause_set(cause, "engine: at most %d hosts", HOSTS_MAX);
    for (int i = 0; i < count; i++) {
        char *known = part_of(numeric, i);
        address->hosts[i] = part_of(hosts, i);
        address->ports[i] = part_of(ports, i);
        address->host_count++;
        bool good = known != NULL || resolve(address->hosts[i], address->addresses[i], cause);
        if (known != NULL)
            snprintf(address->addresses[i], ADDRESS_MAX, "%s", known);
        free(known);
        if (!good)
            return false;
    }
    return true;
}

static void add_word(struct engine_address *address, const char *key, const char *value)
{
    if (address->words < OPTIONS_MAX - 4) {
        address->keys[address->words] = key;
        address->values[address->words++] = value;
    }
}

/* What each session sets, stronger than a role, a database or postgresql.conf. A timeout would
 * cancel a commit that waits for a standby, and the warning that tells of it must not be left out.
 */
static const char session_settings[] =
    "-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0"
    " -c idle_session_timeout=0 -c client_min_messages=warning";

/* Joins them to those of the conninfo, which come first: of two the last one counts. */
static char *join_settings(const char *given)
{
    const char *first = given != NULL ? given : getenv("PGOPTIONS");

    if (first == NULL)
        first = "";
    size_t size = strlen(first) + sizeof session_settings + 1;
    char *settings = xmalloc(size);

    snprintf(settings, size, "%s %s", first, session_settings);
    return settings;
}

/* Reads what is the same for all hosts. */
static void read_words(struct engine_address *address)
{
    static const char *const own[] = {"host", "hostaddr", "port", "target_session_attrs",
                                      "options"};

    address->settings = join_settings(value_of(address, "options"));
    add_word(address, "options", address->settings);
    for (const PQconninfoOption *option = address->options; option->keyword != NULL; option++) {
        bool common = option->val != NULL && option->val[0] != '\0';
        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
            common = common && strcmp(option->keyword, own[i]) != 0;
        if (common)
            add_word(address, option->keyword, option->val);
    }
    if (value_of(address, "application_name") == NULL)
        add_word(address, "application_name", "ludusd");
    add_word(address, "target_session_attrs", "read-write");
    const char *wait = value_of(address, "connect_timeout");
    int wait_s = wait != NULL ? (int)strtol(wait, NULL, 10) : 0;
    address->wait_ms = wait_s > 0 && wait_s <= 60 ? wait_s * 1000 : WAIT_MS;
}

struct engine_address *engine_address_new(const char *conninfo, struct cause *cause)
{
    struct engine_address *address = xcalloc(1, sizeof *address);
    char *error = NULL;

    address->options = PQconninfoParse(conninfo, &error);
    if (address->options == NULL) {
        cause_set(cause, "engine: %.*s", (int)strcspn(error != NULL ? error : "invalid", "\n"),
                  error != NULL ? error : "invalid");
        PQfreemem(error);
        engine_address_free(address);
        return NULL;
    }
    read_words(address);
    if (read_hosts(address, cause))
        return address;
    engine_address_free(address);
    return NULL;
}

void engine_address_free(struct engine_address *address)
{
    if (address == NULL)
        return;
    for (int i = 0; i < address->host_count; i++) {
        free(address->hosts[i]);
        free(address->ports[i]);
    }
    PQconninfoFree(address->options);
    free(address->settings);
    free(address);
}

int engine_address_files(const struct engine_address *address, const char *files[KEEPER_FILES_MAX])
{
    static const char *const keywords[KEEPER_FILES_MAX] = {"passfile", "sslrootcert", "sslcert",
                                                           "sslkey"};
    int count = 0;

    for (int i = 0; i < KEEPER_FILES_MAX; i++) {
        const char *file = value_of(address, keywords[i]);
        if (file != NULL && file[0] != '\0')
            files[count++] = file;
    }
    return count;
}

int engine_address_hosts(const struct engine_address *address)
{
    return address->host_count;
}

/* PostgreSQL commits a transaction before it waits for its standbys. When that wait is cancelled,
 * the statement succeeds, with a warning; shutting down warns with another code. The function is
 * the same in every version and language. */
static void count_doubt(void *context, const PGresult *notice)
{
    const char *function = PQresultErrorField(notice, PG_DIAG_SOURCE_FUNCTION);
    unsigned *doubts = context;

    if (function != NULL && strcmp(function, "SyncRepWaitForLSN") == 0)
        ++*doubts;
}

PGconn *engine_address_connect(const struct engine_address *address, int host, unsigned *doubts)
{
    const char *keys[OPTIONS_MAX + 4], *values[OPTIONS_MAX + 4];
    int count = address->words;

    memcpy(keys, address->keys, sizeof address->keys);
    memcpy(values, address->values, sizeof address->values);
    host %= address->host_count;
    keys[count] = "host";
    values[count++] = address->hosts[host];
    keys[count] = "hostaddr";
    values[count++] = address->addresses[host];
    keys[count] = "port";
    values[count++] = address->ports[host];
    keys[count] = values[count] = NULL;
    PGconn *connection = PQconnectStartParams(keys, values, 0);
    PQsetNoticeReceiver(connection, count_doubt, doubts);
    return connection;
}

int64_t engine_address_wait_ms(const struct engine_address *address)
{
    return address->wait_ms;
}
