#include "libpq_fake.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/queue.h>
#include <unistd.h>

#include "common/xmalloc.h"
#include "server/base/tally.h"

enum { RULES_MAX = 64, SENT_MAX = 4096, VALUES_MAX = 20, CELLS_MAX = 4096, PREPARED_MAX = 80 };

struct libpq_fake libpq;

struct rule {
    const char *part, *text;
    enum libpq_how how;
    int times; /* 0: always */
    bool spent;
    libpq_maker *make;
};

struct sent {
    char *sql;
    char *values[VALUES_MAX];
    int count;
};

struct pg_result {
    ExecStatusType status;
    char state[6];        /* "": none */
    char *text;           /* owned; the message, or the cells, each ended by a NUL */
    const char *function; /* of a warning; NULL: none */
    const char *cells[CELLS_MAX];
    int columns, rows;
    bool ends, breaks; /* it is no result but the end of some; the connection is gone */
    STAILQ_ENTRY(pg_result) next;
};

struct notice {
    PGnotify notify; /* first: libpq's user frees it as one block */
    STAILQ_ENTRY(notice) next;
    char payload[];
};

struct pg_conn {
    int socket;
    ConnStatusType status;
    bool listens, silent, dead, unflushed, unsynced, aborted;
    char *prepared[PREPARED_MAX]; /* owned */
    PQnoticeReceiver receive;
    void *receiver;
    STAILQ_HEAD(, pg_result) results;
    STAILQ_HEAD(, notice) notices;
    LIST_ENTRY(pg_conn) link;
};

static LIST_HEAD(, pg_conn) connections = LIST_HEAD_INITIALIZER(connections);
static struct rule rules[RULES_MAX];
static int rule_count;
static struct sent sent[SENT_MAX];
static int sent_count;

int64_t fake_now_us(void) __asm__("__wrap_tally_now_us");

int64_t fake_now_us(void)
{
    return libpq.now_us += libpq.step_us;
}

void libpq_forget_sent(void)
{
    for (; sent_count > 0; sent_count--) {
        struct sent *last = &sent[sent_count - 1];
        for (int i = 0; i < last->count; i++)
            free(last->values[i]);
        free(last->sql);
    }
}

void libpq_reset(void)
{
    rule_count = 0;
    libpq_forget_sent();
    libpq = (struct libpq_fake){.now_us = libpq.now_us + 1000000};
}

static struct rule *add_rule(const char *part)
{
    if (rule_count == RULES_MAX)
        abort();
    rules[rule_count] = (struct rule){.part = part, .text = ""};
    return &rules[rule_count++];
}

void libpq_answer(const char *part, enum libpq_how how, const char *text)
{
    libpq_answer_next(part, 0, how, text);
}

void libpq_answer_next(const char *part, int times, enum libpq_how how, const char *text)
{
    struct rule *rule = add_rule(part);

    rule->how = how;
    rule->text = text;
    rule->times = times;
}

void libpq_answer_by(const char *part, libpq_maker *make)
{
    add_rule(part)->make = make;
}

static const struct rule *find_rule(const char *sql, bool use)
{
    static const struct rule none = {.text = ""};

    for (int i = rule_count - 1; i >= 0; i--) {
        struct rule *rule = &rules[i];
        if (rule->spent || strstr(sql, rule->part) == NULL)
            continue;
        rule->spent = use && rule->times > 0 && --rule->times == 0;
        return rule;
    }
    return &none;
}

int libpq_sent(const char *part)
{
    int count = 0;

    for (int i = 0; i < sent_count; i++)
        count += strstr(sent[i].sql, part) != NULL;
    return count;
}

int libpq_sent_with(const char *part, int number, const char *value)
{
    int found = 0;

    for (int i = 0; i < sent_count; i++)
        found += strstr(sent[i].sql, part) != NULL && number < sent[i].count &&
                 sent[i].values[number] != NULL && strcmp(sent[i].values[number], value) == 0;
    return found;
}

const char *libpq_value(const char *part, int number)
{
    for (int i = sent_count - 1; i >= 0; i--)
        if (strstr(sent[i].sql, part) != NULL)
            return number < sent[i].count ? sent[i].values[number] : NULL;
    return NULL;
}

static void note_sent(const char *sql, const char *const *values, int count)
{
    if (sent_count == SENT_MAX)
        abort();
    struct sent *last = &sent[sent_count++];
    *last = (struct sent){.sql = xstrdup(sql), .count = count};
    for (int i = 0; i < count; i++)
        last->values[i] = values[i] != NULL ? xstrdup(values[i]) : NULL;
}

static struct pg_result *result_new(ExecStatusType status)
{
    struct pg_result *result = xcalloc(1, sizeof *result);

    result->status = status;
    return result;
}

static struct pg_result *error_new(const char *text)
{
    struct pg_result *result = result_new(PGRES_FATAL_ERROR);

    snprintf(result->state, sizeof result->state, "%.5s", text);
    result->text = xstrdup(text + strlen(result->state));
    return result;
}

static struct pg_result *rows_new(const char *text)
{
    struct pg_result *result = result_new(PGRES_TUPLES_OK);
    int cells = 0;

    result->text = xstrdup(text);
    for (char *at = result->text; *at != '\0'; at++) {
        result->cells[cells++] = at;
        at += strcspn(at, "|;");
        result->rows += *at == ';';
        if (result->rows == 0 || (*at == ';' && result->rows == 1))
            result->columns = cells;
        if (*at == '\0' || cells == CELLS_MAX)
            abort();
        *at = '\0';
    }
    return result;
}

static void push(PGconn *connection, struct pg_result *result)
{
    if (connection->silent)
        PQclear(result);
    else
        STAILQ_INSERT_TAIL(&connection->results, result, next);
}

static void push_end(PGconn *connection)
{
    struct pg_result *end = result_new(PGRES_EMPTY_QUERY);

    end->ends = true;
    push(connection, end);
}

static struct pg_result *make_answer(const struct rule *rule, const char *const *values)
{
    if (rule->make != NULL)
        return rows_new(rule->make(values));
    if (rule->how == LIBPQ_LATE)
        return rows_new("");
    if (rule->how == LIBPQ_ROWS || rule->how == LIBPQ_IN_DOUBT)
        return rows_new(rule->text);
    return error_new(rule->text);
}

static void push_break(PGconn *connection)
{
    struct pg_result *result = result_new(PGRES_FATAL_ERROR);

    result->text = xstrdup("server closed the connection unexpectedly\n\tThis means trouble");
    result->breaks = true;
    push(connection, result);
}

/* Sends a warning out of a function of PostgreSQL. */
static void warn(const PGconn *connection, const char *function)
{
    struct pg_result *warning = result_new(PGRES_NONFATAL_ERROR);

    memcpy(warning->state, "01000", sizeof warning->state);
    warning->text = xstrdup("a warning, in any language");
    warning->function = function;
    connection->receive(connection->receiver, warning);
    PQclear(warning);
}

/* Answers a statement. False when it cannot be sent. */
static bool run_statement(PGconn *connection, const char *sql, const char *const *values, int count)
{
    const struct rule *rule = find_rule(sql, true);

    note_sent(sql, values, count);
    connection->listens = connection->listens || strstr(sql, "LISTEN") != NULL;
    connection->silent =
        connection->silent || rule->how == LIBPQ_SILENCE || rule->how == LIBPQ_UNFLUSHED;
    connection->unflushed = connection->unflushed || rule->how == LIBPQ_UNFLUSHED;
    connection->unsynced = connection->unsynced || rule->how == LIBPQ_UNSYNCED;
    connection->dead = connection->dead || rule->how == LIBPQ_UNSENT;
    if (connection->dead)
        return false;
    if (connection->unflushed || connection->unsynced)
        return true;
    if (rule->how == LIBPQ_IN_DOUBT)
        warn(connection, "SyncRepWaitForLSN");
    if (rule->how == LIBPQ_BREAK)
        push_break(connection);
    else if (connection->aborted)
        push(connection, result_new(PGRES_PIPELINE_ABORTED));
    else
        push(connection, make_answer(rule, values));
    if (rule->how == LIBPQ_LATE)
        push(connection, error_new(rule->text));
    connection->aborted = connection->aborted || rule->how == LIBPQ_ERROR;
    push_end(connection);
    return true;
}

void libpq_break_all(void)
{
    PGconn *connection;

    LIST_FOREACH (connection, &connections, link)
        push_break(connection);
}

void libpq_notify(const char *payload)
{
    size_t size = strlen(payload) + 1;
    PGconn *connection;

    LIST_FOREACH (connection, &connections, link) {
        if (!connection->listens)
            continue;
        struct notice *notice = xcalloc(1, sizeof *notice + size);
        memcpy(notice->payload, payload, size);
        notice->notify.extra = notice->payload;
        STAILQ_INSERT_TAIL(&connection->notices, notice, next);
    }
}

/* libpq's own functions. */

PGconn *PQconnectStartParams(const char *const *keywords, const char *const *values, int expand)
{
    PGconn *connection = xcalloc(1, sizeof *connection);

    (void)keywords, (void)values, (void)expand;
    libpq.connects++;
    connection->socket = libpq.no_socket ? -1 : eventfd(1, EFD_CLOEXEC);
    connection->status = libpq.refuses ? CONNECTION_BAD : CONNECTION_STARTED;
    STAILQ_INIT(&connection->results);
    STAILQ_INIT(&connection->notices);
    LIST_INSERT_HEAD(&connections, connection, link);
    return connection;
}

PostgresPollingStatusType PQconnectPoll(PGconn *connection)
{
    if (libpq.fails)
        return PGRES_POLLING_FAILED;
    if (libpq.reads > 0)
        return libpq.reads-- % 2 == 0 ? PGRES_POLLING_READING : PGRES_POLLING_WRITING;
    connection->status = CONNECTION_OK;
    return PGRES_POLLING_OK;
}

void PQfinish(PGconn *connection)
{
    struct pg_result *result;
    struct notice *notice;

    if (connection == NULL)
        return;
    while ((result = STAILQ_FIRST(&connection->results)) != NULL) {
        STAILQ_REMOVE_HEAD(&connection->results, next);
        PQclear(result);
    }
    while ((notice = STAILQ_FIRST(&connection->notices)) != NULL) {
        STAILQ_REMOVE_HEAD(&connection->notices, next);
        free(notice);
    }
    for (int i = 0; i < PREPARED_MAX; i++)
        free(connection->prepared[i]);
    LIST_REMOVE(connection, link);
    if (connection->socket >= 0)
        close(connection->socket);
    free(connection);
}

int PQsocket(const PGconn *connection)
{
    return connection->socket;
}

ConnStatusType PQstatus(const PGconn *connection)
{
    return connection->status;
}

char *PQerrorMessage(const PGconn *connection)
{
    (void)connection;
    return "connection to the database failed\n";
}

int PQsetnonblocking(PGconn *connection, int on)
{
    (void)connection, (void)on;
    return libpq.blocks ? -1 : 0;
}

PQnoticeReceiver PQsetNoticeReceiver(PGconn *connection, PQnoticeReceiver receive, void *context)
{
    connection->receive = receive;
    connection->receiver = context;
    warn(connection, NULL);
    warn(connection, "AnyOther");
    return receive;
}

int PQenterPipelineMode(PGconn *connection)
{
    (void)connection;
    return !libpq.no_pipeline;
}

int PQflush(PGconn *connection)
{
    if (connection->unflushed)
        return -1;
    return libpq.left > 0 && libpq.left-- > 0;
}

int PQconsumeInput(PGconn *connection)
{
    return !libpq.unreadable && !connection->dead;
}

int PQisBusy(PGconn *connection)
{
    return connection->silent || libpq.holds || (libpq.partial > 0 && libpq.partial-- > 0);
}

int PQsendQuery(PGconn *connection, const char *sql)
{
    return run_statement(connection, sql, NULL, 0);
}

PGresult *PQexec(PGconn *connection, const char *sql)
{
    const struct rule *rule = find_rule(sql, true);

    (void)connection;
    note_sent(sql, NULL, 0);
    return make_answer(rule, NULL);
}

int PQsendQueryParams(PGconn *connection, const char *sql, int count, const Oid *types,
                      const char *const *values, const int *lengths, const int *formats, int format)
{
    (void)types, (void)lengths, (void)formats, (void)format;
    return run_statement(connection, sql, values, count);
}

int PQsendPrepare(PGconn *connection, const char *name, const char *sql, int count,
                  const Oid *types)
{
    long number = strtol(name + 1, NULL, 10);
    const struct rule *rule = find_rule(sql, false);

    (void)count, (void)types;
    if (rule->how == LIBPQ_UNKNOWN)
        find_rule(sql, true);
    if (name[0] != 's' || number < 0 || number >= PREPARED_MAX ||
        connection->prepared[number] != NULL)
        abort();
    if (connection->aborted)
        push(connection, result_new(PGRES_PIPELINE_ABORTED));
    else if (rule->how == LIBPQ_UNKNOWN)
        push(connection, error_new(rule->text));
    else
        push(connection, result_new(PGRES_COMMAND_OK));
    connection->aborted = connection->aborted || rule->how == LIBPQ_UNKNOWN;
    if (!connection->aborted)
        connection->prepared[number] = xstrdup(sql);
    push_end(connection);
    return 1;
}

int PQsendQueryPrepared(PGconn *connection, const char *name, int count, const char *const *values,
                        const int *lengths, const int *formats, int format)
{
    const char *sql = connection->prepared[strtol(name + 1, NULL, 10)];

    (void)lengths, (void)formats, (void)format;
    if (sql == NULL && !connection->aborted)
        abort();
    return run_statement(connection, sql != NULL ? sql : "", values, count);
}

int PQpipelineSync(PGconn *connection)
{
    libpq.syncs++;
    connection->aborted = false;
    connection->dead = connection->dead || connection->unsynced;
    push(connection, result_new(PGRES_PIPELINE_SYNC));
    return !connection->dead;
}

PGresult *PQgetResult(PGconn *connection)
{
    struct pg_result *result = STAILQ_FIRST(&connection->results);

    if (result == NULL)
        return NULL;
    STAILQ_REMOVE_HEAD(&connection->results, next);
    if (result->breaks)
        connection->status = CONNECTION_BAD;
    if (!result->ends)
        return result;
    PQclear(result);
    return NULL;
}

void PQclear(PGresult *result)
{
    if (result == NULL)
        return;
    free(result->text);
    free(result);
}

PGnotify *PQnotifies(PGconn *connection)
{
    struct notice *notice = STAILQ_FIRST(&connection->notices);

    if (notice == NULL)
        return NULL;
    STAILQ_REMOVE_HEAD(&connection->notices, next);
    return &notice->notify;
}

void PQfreemem(void *memory)
{
    free(memory);
}

ExecStatusType PQresultStatus(const PGresult *result)
{
    return result->status;
}

char *PQresultErrorField(const PGresult *result, int field)
{
    struct pg_result *own = (struct pg_result *)result;

    if (result->state[0] == '\0')
        return NULL;
    if (field == PG_DIAG_SOURCE_FUNCTION)
        return (char *)own->function;
    return field == PG_DIAG_SQLSTATE ? own->state : own->text;
}

char *PQresultErrorMessage(const PGresult *result)
{
    return result->text != NULL ? result->text : "";
}

int PQntuples(const PGresult *result)
{
    return result->rows;
}

char *PQgetvalue(const PGresult *result, int row, int column)
{
    const char *cell =
        column < result->columns ? result->cells[row * result->columns + column] : "";

    return (char *)(strcmp(cell, "~") != 0 ? cell : "");
}

int PQgetisnull(const PGresult *result, int row, int column)
{
    return column >= result->columns ||
           strcmp(result->cells[row * result->columns + column], "~") == 0;
}
