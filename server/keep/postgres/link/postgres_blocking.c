#include "postgres_blocking.h"

#include <libpq-fe.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "common/xmalloc.h"
#include "server/base/tally.h"

struct blocking {
    PGconn *connection;
    unsigned doubts; /* commits that may not be safe */
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

struct blocking *blocking_open(const struct engine_address *address, struct cause *cause)
{
    struct blocking *blocking = xcalloc(1, sizeof *blocking);

    for (int host = 0; host < engine_address_hosts(address); host++) {
        blocking->connection = engine_address_connect(address, host, &blocking->doubts);
        int64_t wait_ms = engine_address_wait_ms(address);
        if (wait_connected(blocking->connection, wait_ms))
            return blocking;
        cause_set(cause, "engine: %.*s", (int)strcspn(PQerrorMessage(blocking->connection), "\n"),
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

    if (good && blocking->doubts != doubts)
        good =
            cause_set(cause, "engine: the wait for a standby was cancelled: what was committed is "
                             "lost if the primary is");
    else if (!good)
        cause_set(cause, "engine: %.*s", (int)strcspn(PQresultErrorMessage(result), "\n"),
                  PQresultErrorMessage(result));
    else if (value != NULL && PQntuples(result) > 0)
        *value = (int)strtol(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    return good;
}
