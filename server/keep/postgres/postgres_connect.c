#include "postgres_connect.h"

#include <libpq-fe.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "common/xmalloc.h"
#include "server/base/tally.h"

enum { OPTIONS_MAX = 64, HOSTS_MAX = 16, WAIT_MS = 2000, ADDRESS_MAX = 64 };

struct database_address {
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

static const char *option_value(const struct database_address *address, const char *keyword)
{
    for (const PQconninfoOption *option = address->options; option->keyword != NULL; option++)
        if (strcmp(option->keyword, keyword) == 0)
            return option->val;
    return NULL;
}

/* Copies the part of that number of a list with commas; the only part counts for all. NULL: there
 * is none. */
static char *list_part(const char *list, int number)
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
static bool resolve_host(const char *host, char text[ADDRESS_MAX], struct cause *cause)
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
    return error == 0 || cause_set(cause, "database: %.60s: %s", host, gai_strerror(error));
}

static bool read_hosts(struct database_address *address, struct cause *cause)
{
    const char *hosts = option_value(address, "host"), *numeric = option_value(address, "hostaddr");
    const char *ports = option_value(address, "port");
    int count = count_parts(numeric != NULL && numeric[0] != '\0' ? numeric : hosts);

    if (count > HOSTS_MAX)
        return cause_set(cause, "database: at most %d hosts", HOSTS_MAX);
    for (int i = 0; i < count; i++) {
        char *known = list_part(numeric, i);
        address->hosts[i] = list_part(hosts, i);
        address->ports[i] = list_part(ports, i);
        address->host_count++;
        bool good = known != NULL || resolve_host(address->hosts[i], address->addresses[i], cause);
        if (known != NULL)
            snprintf(address->addresses[i], ADDRESS_MAX, "%s", known);
        free(known);
        if (!good)
            return false;
    }
    return true;
}

static void add_option(struct database_address *address, const char *key, const char *value)
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
static void read_options(struct database_address *address)
{
    static const char *const own[] = {"host", "hostaddr", "port", "target_session_attrs",
                                      "options"};

    address->settings = join_settings(option_value(address, "options"));
    add_option(address, "options", address->settings);
    for (const PQconninfoOption *option = address->options; option->keyword != NULL; option++) {
        bool common = option->val != NULL && option->val[0] != '\0';
        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
            common = common && strcmp(option->keyword, own[i]) != 0;
        if (common)
            add_option(address, option->keyword, option->val);
    }
    if (option_value(address, "application_name") == NULL)
        add_option(address, "application_name", "ludusd");
    add_option(address, "target_session_attrs", "read-write");
    const char *wait = option_value(address, "connect_timeout");
    int wait_s = wait != NULL ? (int)strtol(wait, NULL, 10) : 0;
    address->wait_ms = wait_s > 0 && wait_s <= 60 ? wait_s * 1000 : WAIT_MS;
}

struct database_address *address_new(const char *conninfo, struct cause *cause)
{
    struct database_address *address = xcalloc(1, sizeof *address);
    char *error = NULL;

    address->options = PQconninfoParse(conninfo, &error);
    if (address->options == NULL) {
        cause_set(cause, "database: %.*s", (int)strcspn(error != NULL ? error : "invalid", "\n"),
                  error != NULL ? error : "invalid");
        PQfreemem(error);
        address_free(address);
        return NULL;
    }
    read_options(address);
    if (read_hosts(address, cause))
        return address;
    address_free(address);
    return NULL;
}

void address_free(struct database_address *address)
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

int address_files(const struct database_address *address, const char *files[KEEPER_FILES_MAX])
{
    static const char *const keywords[KEEPER_FILES_MAX] = {"passfile", "sslrootcert", "sslcert",
                                                           "sslkey"};
    int count = 0;

    for (int i = 0; i < KEEPER_FILES_MAX; i++) {
        const char *file = option_value(address, keywords[i]);
        if (file != NULL && file[0] != '\0')
            files[count++] = file;
    }
    return count;
}

int address_hosts(const struct database_address *address)
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

PGconn *address_connect(const struct database_address *address, int host, unsigned *doubts)
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

int64_t address_wait_ms(const struct database_address *address)
{
    return address->wait_ms;
}

int answer_rows(const struct answer *answer)
{
    return answer->result != NULL ? PQntuples(answer->result) : 0;
}

bool answer_is_null(const struct answer *answer, int row, int column)
{
    return PQgetisnull(answer->result, row, column) != 0;
}

const char *answer_text(const struct answer *answer, int row, int column)
{
    return PQgetvalue(answer->result, row, column);
}

int64_t answer_integer(const struct answer *answer, int row, int column)
{
    return strtoll(answer_text(answer, row, column), NULL, 10);
}

double answer_real(const struct answer *answer, int row, int column)
{
    return strtod(answer_text(answer, row, column), NULL);
}

bool answer_bool(const struct answer *answer, int row, int column)
{
    return answer_text(answer, row, column)[0] == 't';
}

/* The first line of a message. */
static void copy_line(char *line, size_t size, const char *text)
{
    size_t length = strcspn(text, "\n");

    snprintf(line, size, "%.*s", (int)(length < size ? length : size - 1), text);
}

struct answer answer_lost(const char *why)
{
    struct answer answer = {.state = ANSWER_LOST};

    copy_line(answer.message, sizeof answer.message, why);
    return answer;
}

/* Serialization failures and deadlocks only say that others were first. */
static bool is_conflict(const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    return state != NULL && strncmp(state, "40", 2) == 0;
}

bool answer_is_last(const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    return state == NULL || strncmp(state, "57P", 3) == 0 || strncmp(state, "08", 2) == 0 ||
           strcmp(state, "25006") == 0;
}

struct answer answer_read(const PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    struct answer answer = {.result = result};

    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
        return answer;
    answer.state = is_conflict(result) ? ANSWER_CONFLICT : ANSWER_FAILED;
    answer.result = NULL;
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    copy_line(answer.message, sizeof answer.message,
              text != NULL ? text : PQresultErrorMessage(result));
    return answer;
}

struct blocking {
    PGconn *connection;
    unsigned doubts; /* commits that may not be safe */
    bool conflict;   /* the last statement has failed as others were first */
};

/* Waits until the connection is there; false when it cannot be made in time. */
static bool wait_connected(PGconn *connection, int64_t wait_ms)
{
    int64_t until_ms = tally_now_us() / 1000 + wait_ms, left_ms;
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;

    while ((next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING) &&
           (left_ms = until_ms - tally_now_us() / 1000) > 0) {
        struct pollfd socket = {.fd = PQsocket(connection),
                                .events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT};
        if (socket.fd < 0 || poll(&socket, 1, (int)left_ms) <= 0)
            break;
        next = PQconnectPoll(connection);
    }
    return next == PGRES_POLLING_OK;
}

struct blocking *blocking_open(const struct database_address *address, struct cause *cause)
{
    struct blocking *blocking = xcalloc(1, sizeof *blocking);

    for (int host = 0; host < address_hosts(address); host++) {
        blocking->connection = address_connect(address, host, &blocking->doubts);
        int64_t wait_ms = address_wait_ms(address);
        if (wait_connected(blocking->connection, wait_ms))
            return blocking;
        cause_set(cause, "database: %.*s", (int)strcspn(PQerrorMessage(blocking->connection), "\n"),
                  PQerrorMessage(blocking->connection));
        PQfinish(blocking->connection);
    }
    free(blocking);
    return NULL;
}

void blocking_close(struct blocking *blocking)
{
    if (blocking != NULL)
        PQfinish(blocking->connection);
    free(blocking);
}

bool blocking_run(struct blocking *blocking, const char *sql, int *value, struct cause *cause)
{
    unsigned doubts = blocking->doubts;
    PGresult *result = PQexec(blocking->connection, sql);
    ExecStatusType status = PQresultStatus(result);
    bool good =
        status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;

    blocking->conflict = !good && is_conflict(result);
    if (good && blocking->doubts != doubts)
        good = cause_set(cause,
                         "database: the wait for a standby was cancelled: what was committed is "
                         "lost if the primary is");
    else if (!good)
        cause_set(cause, "database: %.*s", (int)strcspn(PQresultErrorMessage(result), "\n"),
                  PQresultErrorMessage(result));
    else if (value != NULL && PQntuples(result) > 0)
        *value = (int)strtol(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    return good;
}

bool blocking_was_conflict(const struct blocking *blocking)
{
    return blocking->conflict;
}
