#include "postgres_link.h"

#include <errno.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "common/json_text.h"
#include "common/xmalloc.h"
#include "server/base/tally.h"

enum {
    CONNECT_AGAIN_MS = 200,
    LASTED_MS = 1000,
    EVENTS_MAX = 8,
    PREPARED_MAX = 64,
    TOGETHER_MAX = 16 /* asks between two syncs: until the second, notifications wait */
};

/* A statement that is asked again and again: planning some takes longer than running them. */
struct prepared {
    char *sql; /* owned */
    size_t length;
    char name[8];    /* under which a connection knows it */
    bool is_current; /* this connection does */
};

struct statement {
    struct prepared *prepared; /* borrowed; NULL: there are too many */
    char *sql;                 /* owned; not used if it is prepared */
    char *values[LINK_VALUES_MAX];
    int count;
};

struct ask {
    struct statement statement;
    struct statement *leader; /* owned; committed before it is run; NULL: none */
    int leads;                /* results of the leader that are to come */
    bool again, answered;
    bool prepares;  /* its next result is that of preparing it */
    bool continued; /* the next one follows without a sync in between */
    PGresult *rows; /* owned; the result, until it is committed; NULL: none yet */
    answer_taker *taker;
    void *context;
    STAILQ_ENTRY(ask) next;
};
STAILQ_HEAD(asks, ask);

enum link_state { LINK_DOWN, LINK_CONNECTING, LINK_GREETING, LINK_UP };

struct postgres_link {
    const struct database_address *address;
    int poller;
    char *greeting;
    const struct link_calls *calls;
    void *context;
    PGconn *connection; /* NULL: down */
    enum link_state state;
    bool gate_closed;
    int host;         /* to which it connects next */
    int tries;        /* hosts that were tried since the last pause */
    unsigned doubts;  /* commits that may not be safe */
    int timer;        /* wakes the poller when it is time to connect; owned, -1: none */
    int64_t next_ms;  /* when to connect */
    int64_t up_ms;    /* since when it is up */
    int64_t since_ms; /* since when something that was begun is not done; 0: nothing is */
    int64_t now_ms;
    uint32_t wanted;          /* events that the poller waits for */
    int descriptor;           /* that it waits at; -1: none */
    struct asks sent, unsent; /* in order */
    struct statement *leader; /* of what is asked next; owned, NULL: none */
    int together;             /* asks that were sent since the last sync */
    struct prepared prepared[PREPARED_MAX];
    int prepared_count;
};

/* Finds a statement, or adds it. NULL: there are too many. */
static struct prepared *find_prepared(struct postgres_link *link, const char *sql)
{
    size_t length = strlen(sql);
    int count = link->prepared_count;

    for (struct prepared *all = link->prepared, *each = all; each < all + count; each++)
        if (each->length == length && memcmp(each->sql, sql, length) == 0)
            return each;
    if (count == PREPARED_MAX)
        return NULL;
    struct prepared *prepared = &link->prepared[link->prepared_count++];
    prepared->sql = xstrdup(sql);
    prepared->length = length;
    snprintf(prepared->name, sizeof prepared->name, "s%d", count);
    return prepared;
}

static void statement_set(struct statement *statement, struct postgres_link *link, const char *sql,
                          const char *const *values, int count)
{
    statement->prepared = find_prepared(link, sql);
    statement->sql = statement->prepared == NULL ? xstrdup(sql) : NULL;
    statement->count = count;
    for (int i = 0; i < count; i++)
        if (values[i] != NULL)
            statement->values[i] = xstrdup(values[i]);
}

static void statement_release(struct statement *statement)
{
    for (int i = 0; i < statement->count; i++)
        free(statement->values[i]);
    free(statement->sql);
}

static void leader_free(struct statement *leader)
{
    if (leader != NULL)
        statement_release(leader);
    free(leader);
}

static void ask_free(struct ask *ask)
{
    leader_free(ask->leader);
    statement_release(&ask->statement);
    PQclear(ask->rows);
    free(ask);
}

static void asks_free(struct asks *asks)
{
    struct ask *ask;

    while ((ask = STAILQ_FIRST(asks)) != NULL) {
        STAILQ_REMOVE_HEAD(asks, next);
        ask_free(ask);
    }
}

/* Without a timer, link_tick() connects. */
static void add_timer(struct postgres_link *link)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = link};

    link->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (link->timer >= 0)
        epoll_ctl(link->poller, EPOLL_CTL_ADD, link->timer, &event);
}

/* 0: never. */
static void set_timer(const struct postgres_link *link, int64_t wait_ms)
{
    const struct itimerspec when = {
        .it_value = {.tv_sec = wait_ms / 1000, .tv_nsec = wait_ms % 1000 * 1000000}};

    timerfd_settime(link->timer, 0, &when, NULL);
}

struct postgres_link *link_new(const struct database_address *address, int poller,
                               const char *greeting, const struct link_calls *calls, void *context)
{
    struct postgres_link *link = xcalloc(1, sizeof *link);

    link->address = address;
    link->poller = poller;
    link->greeting = greeting != NULL ? xstrdup(greeting) : NULL;
    link->calls = calls;
    link->context = context;
    link->descriptor = -1;
    STAILQ_INIT(&link->sent);
    STAILQ_INIT(&link->unsent);
    add_timer(link);
    return link;
}

void link_free(struct postgres_link *link)
{
    if (link == NULL)
        return;
    PQfinish(link->connection);
    if (link->timer >= 0)
        close(link->timer);
    asks_free(&link->sent);
    asks_free(&link->unsent);
    leader_free(link->leader);
    while (link->prepared_count > 0)
        free(link->prepared[--link->prepared_count].sql);
    free(link->greeting);
    free(link);
}

bool link_is_up(const struct postgres_link *link)
{
    return link->state == LINK_UP;
}

unsigned link_doubts(const struct postgres_link *link)
{
    return link->doubts;
}

bool link_is_idle(const struct postgres_link *link)
{
    return STAILQ_EMPTY(&link->sent) && STAILQ_EMPTY(&link->unsent);
}

/* Tells the poller which events to wait for at the socket, which libpq may have replaced. */
static void wait_for_events(struct postgres_link *link, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = link};
    int descriptor = PQsocket(link->connection);

    if (descriptor < 0 || (descriptor == link->descriptor && events == link->wanted &&
                           link->state != LINK_CONNECTING))
        return;
    link->descriptor = descriptor;
    link->wanted = events;
    if (epoll_ctl(link->poller, EPOLL_CTL_MOD, descriptor, &event) != 0)
        epoll_ctl(link->poller, EPOLL_CTL_ADD, descriptor, &event);
}

/* Sorts out what was sent: it is sent again, or is lost. */
static void sort_out_sent(struct postgres_link *link, const struct answer *lost_answer)
{
    struct asks again = STAILQ_HEAD_INITIALIZER(again), lost = STAILQ_HEAD_INITIALIZER(lost);
    struct ask *ask;

    while ((ask = STAILQ_FIRST(&link->sent)) != NULL) {
        STAILQ_REMOVE_HEAD(&link->sent, next);
        PQclear(ask->rows);
        ask->rows = NULL;
        if (ask->again && !ask->answered)
            STAILQ_INSERT_TAIL(&again, ask, next);
        else
            STAILQ_INSERT_TAIL(&lost, ask, next);
    }
    STAILQ_CONCAT(&again, &link->unsent);
    STAILQ_CONCAT(&link->unsent, &again);
    while ((ask = STAILQ_FIRST(&lost)) != NULL) {
        STAILQ_REMOVE_HEAD(&lost, next);
        if (!ask->answered)
            ask->taker(ask->context, lost_answer);
        ask_free(ask);
    }
}

/* Schedules the next attempt. A connection that has lasted is made again at once. */
static void schedule_connect(struct postgres_link *link)
{
    bool lasted = link->state == LINK_UP && link->now_ms - link->up_ms >= LASTED_MS;
    int64_t wait_ms = lasted ? 1 : CONNECT_AGAIN_MS;

    link->next_ms = link->now_ms + wait_ms;
    set_timer(link, wait_ms);
}

void link_wake(struct postgres_link *link, int64_t wait_ms)
{
    if (link->state == LINK_UP)
        set_timer(link, wait_ms);
}

void link_break(struct postgres_link *link, const char *why)
{
    if (link->state == LINK_DOWN)
        return;
    const struct answer lost = answer_lost(why); /* `why` may be the connection's */
    PQfinish(link->connection);                  /* its socket leaves the poller as it is closed */
    link->connection = NULL;
    link->together = 0;
    for (int i = 0; i < link->prepared_count; i++)
        link->prepared[i].is_current = false;
    if (link->state != LINK_UP)
        link->host++;
    schedule_connect(link);
    link->state = LINK_DOWN;
    link->descriptor = -1;
    link->since_ms = 0;
    sort_out_sent(link, &lost);
    link->calls->down(link->context, lost.message);
}

static void break_failed(struct postgres_link *link)
{
    link_break(link, PQerrorMessage(link->connection));
}

static void connect_now(struct postgres_link *link)
{
    set_timer(link, 0);
    link->connection = address_connect(link->address, link->host, &link->doubts);
    link->state = LINK_CONNECTING;
    link->since_ms = link->now_ms;
    if (PQstatus(link->connection) == CONNECTION_BAD || PQsetnonblocking(link->connection, 1) != 0)
        break_failed(link);
    else
        wait_for_events(link, EPOLLOUT);
}

/* Writes as much as the socket takes, and waits to write the rest. */
static void flush_output(struct postgres_link *link)
{
    int left = PQflush(link->connection);

    if (left < 0)
        break_failed(link);
    else
        wait_for_events(link, EPOLLIN | (left > 0 ? EPOLLOUT : 0));
}

/* *prepares: the first result is that of preparing it. */
static bool send_statement(struct postgres_link *link, const struct statement *statement,
                           bool *prepares)
{
    const char *const *values = (const char *const *)statement->values;
    struct prepared *prepared = statement->prepared;

    *prepares = prepared != NULL && !prepared->is_current;
    if (prepared == NULL)
        return PQsendQueryParams(link->connection, statement->sql, statement->count, NULL, values,
                                 NULL, NULL, 0) == 1;
    if (*prepares && PQsendPrepare(link->connection, prepared->name, prepared->sql, 0, NULL) != 1)
        return false;
    prepared->is_current = true;
    return PQsendQueryPrepared(link->connection, prepared->name, statement->count, values, NULL,
                               NULL, 0) == 1;
}

/* Sends the leader as a transaction of its own. */
static bool send_leader(struct postgres_link *link, struct ask *ask)
{
    const struct statement begin = {find_prepared(link, "BEGIN"), .sql = "BEGIN"};
    const struct statement commit = {find_prepared(link, "COMMIT"), .sql = "COMMIT"};
    const struct statement *const all[] = {&begin, ask->leader, &commit};
    bool prepares;

    ask->leads = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!send_statement(link, all[i], &prepares))
            return false;
        ask->leads += 1 + prepares;
    }
    return true;
}

/* Whether the next ask follows without a sync. A failure undoes all between two syncs: here that
 * only reads, as leaders are committed by themselves. */
static bool is_continued(const struct postgres_link *link, const struct ask *ask)
{
    const struct ask *next = STAILQ_NEXT(ask, next);

    return ask->leader != NULL && next != NULL && next->leader != NULL &&
           link->together < TOGETHER_MAX - 1;
}

static bool send_ask(struct postgres_link *link, struct ask *ask)
{
    ask->continued = is_continued(link, ask);
    link->together = ask->continued ? link->together + 1 : 0;
    return (ask->leader == NULL || send_leader(link, ask)) &&
           send_statement(link, &ask->statement, &ask->prepares) &&
           (ask->continued || PQpipelineSync(link->connection) == 1);
}

/* Sends the first ask that is not sent. False when the connection fails. */
static bool send_next(struct postgres_link *link)
{
    struct ask *ask = STAILQ_FIRST(&link->unsent);

    if (!send_ask(link, ask))
        return false;
    STAILQ_REMOVE_HEAD(&link->unsent, next);
    STAILQ_INSERT_TAIL(&link->sent, ask, next);
    if (link->since_ms == 0)
        link->since_ms = link->now_ms;
    return true;
}

static bool may_send(const struct postgres_link *link)
{
    return link->state == LINK_UP && !link->gate_closed && !STAILQ_EMPTY(&link->unsent);
}

static void send_all(struct postgres_link *link)
{
    while (may_send(link))
        if (!send_next(link))
            break_failed(link);
    if (link->state == LINK_UP)
        flush_output(link);
}

void link_ask(struct postgres_link *link, const char *sql, const char *const *values, int count,
              bool again, answer_taker *taker, void *context)
{
    struct ask *ask = xcalloc(1, sizeof *ask);

    statement_set(&ask->statement, link, sql, values, count);
    ask->leader = link->leader;
    link->leader = NULL;
    ask->again = again;
    ask->taker = taker;
    ask->context = context;
    STAILQ_INSERT_TAIL(&link->unsent, ask, next);
    if (ask->leader == NULL)
        link_send(link);
}

void link_send(struct postgres_link *link)
{
    bool good = true;

    if (!may_send(link))
        return;
    while (good && !STAILQ_EMPTY(&link->unsent))
        good = send_next(link);
    /* What fails here is noticed when there is work: takers are not called from here. */
    if (good)
        wait_for_events(link, EPOLLIN | (PQflush(link->connection) != 0 ? EPOLLOUT : 0));
}

void link_lead(struct postgres_link *link, const char *sql, const char *const *values, int count)
{
    leader_free(link->leader);
    link->leader = xcalloc(1, sizeof *link->leader);
    statement_set(link->leader, link, sql, values, count);
}

/* The ask is done, and all that was sent may be. */
static void end_ask(struct postgres_link *link, struct ask *ask)
{
    STAILQ_REMOVE_HEAD(&link->sent, next);
    ask_free(ask);
    link->since_ms = STAILQ_EMPTY(&link->sent) ? 0 : link->now_ms;
}

static void answer_ask(struct ask *ask, const struct answer *answer)
{
    ask->answered = true;
    ask->taker(ask->context, answer);
}

/* Takes a result of the leader. False if it failed: then its transaction is still open. */
static bool read_led(struct ask *ask, const struct answer *answer)
{
    if (answer->state == ANSWER_ROWS) {
        ask->leads--;
        return true;
    }
    answer_ask(ask, answer);
    return false;
}

/* All that the first ask did is committed: answers it, if it has not failed. */
static void read_sync(struct postgres_link *link, struct ask *ask)
{
    if (!ask->answered) {
        const struct answer answer = answer_read(ask->rows);
        answer_ask(ask, &answer);
    }
    if (link->state == LINK_UP) /* else it is freed */
        end_ask(link, ask);
}

/* Takes one result, *result: NULL then, if it is kept. False when the connection is gone, or is to
 * go. */
static bool read_result(struct postgres_link *link, PGresult **result)
{
    struct ask *ask = STAILQ_FIRST(&link->sent);

    if (ask == NULL || PQstatus(link->connection) == CONNECTION_BAD)
        return false;
    if (PQresultStatus(*result) == PGRES_PIPELINE_SYNC) {
        read_sync(link, ask);
        return true;
    }
    const struct answer answer = answer_read(*result);
    if (ask->answered)
        return true; /* what follows a failure */
    if (answer.state == ANSWER_FAILED && answer_is_last(*result))
        return false;
    if (ask->leads > 0)
        return read_led(ask, &answer);
    if (ask->prepares && answer.state == ANSWER_ROWS) {
        ask->prepares = false;
        return true;
    }
    if (ask->prepares)
        ask->statement.prepared->is_current = false; /* it failed */
    if (answer.state == ANSWER_ROWS && !ask->continued) {
        ask->rows = *result; /* it comes before the commit, which can still fail, or wait */
        *result = NULL;
        return true;
    }
    bool continued = ask->continued;
    answer_ask(ask, &answer);
    /* If it failed, the next one did not run: its result breaks the connection. */
    if (continued && link->state == LINK_UP)
        end_ask(link, ask);
    return true;
}

/* The greeting has run, or failed. */
static void read_greeting(struct postgres_link *link)
{
    PGresult *result;
    bool good = true;

    while (good && !PQisBusy(link->connection) &&
           (result = PQgetResult(link->connection)) != NULL) {
        good =
            PQresultStatus(result) == PGRES_COMMAND_OK || PQresultStatus(result) == PGRES_TUPLES_OK;
        PQclear(result);
    }
    if (good && PQisBusy(link->connection))
        return;
    if (!good || PQenterPipelineMode(link->connection) != 1) {
        break_failed(link);
        return;
    }
    link->state = LINK_UP;
    link->up_ms = link->now_ms;
    link->since_ms = 0;
    link->calls->up(link->context);
    send_all(link);
}

static void pass_notifications(struct postgres_link *link)
{
    PGnotify *notice;

    while (link->state == LINK_UP && (notice = PQnotifies(link->connection)) != NULL) {
        link->calls->notified(link->context, notice->extra);
        PQfreemem(notice);
    }
}

static void read_results(struct postgres_link *link)
{
    int ends = 0; /* in a row: each query ends with NULL, and so does everything */

    pass_notifications(link);
    while (link->state == LINK_UP && ends < 2 && !PQisBusy(link->connection)) {
        PGresult *result = PQgetResult(link->connection);
        ends = result == NULL ? ends + 1 : 0;
        bool good = result == NULL || read_result(link, &result);
        if (!good && link->state == LINK_UP)
            link_break(link, result != NULL ? PQresultErrorMessage(result)
                                            : PQerrorMessage(link->connection));
        PQclear(result);
        pass_notifications(link);
    }
}

static void connect_further(struct postgres_link *link)
{
    switch (PQconnectPoll(link->connection)) {
    case PGRES_POLLING_READING:
        wait_for_events(link, EPOLLIN);
        break;
    case PGRES_POLLING_WRITING:
        wait_for_events(link, EPOLLOUT);
        break;
    case PGRES_POLLING_OK:
        link->state = LINK_GREETING;
        if (PQsendQuery(link->connection, link->greeting != NULL ? link->greeting : "") == 1)
            flush_output(link);
        else
            break_failed(link);
        break;
    default:
        break_failed(link);
    }
}

/* Tries all hosts before it pauses. */
static void try_next_host(struct postgres_link *link)
{
    if (link->state == LINK_DOWN && ++link->tries < address_hosts(link->address))
        connect_now(link);
}

/* Begins a round through all hosts if it is time. */
static void connect_when_due(struct postgres_link *link)
{
    if (link->now_ms < link->next_ms)
        return;
    link->tries = 0;
    connect_now(link);
}

void link_work(struct postgres_link *link, int64_t now_ms)
{
    link->now_ms = now_ms;
    if (link->state == LINK_DOWN) {
        connect_when_due(link);
        return;
    }
    if (link->state == LINK_CONNECTING) {
        connect_further(link);
        try_next_host(link);
        return;
    }
    if (PQconsumeInput(link->connection) != 1) {
        break_failed(link);
        return;
    }
    if (link->state == LINK_GREETING)
        read_greeting(link);
    else
        read_results(link);
    if (link->state == LINK_UP)
        send_all(link);
}

void link_tick(struct postgres_link *link, int64_t now_ms, int64_t silence_max_ms)
{
    bool connects = link->state == LINK_CONNECTING || link->state == LINK_GREETING;

    link->now_ms = now_ms;
    if (connects)
        silence_max_ms = address_wait_ms(link->address);
    if (link->since_ms != 0 && now_ms - link->since_ms > silence_max_ms) {
        link->host += link->state == LINK_UP; /* it may be gone for good */
        link_break(link, connects ? "no connection in time" : "no answer");
    } else if (link->state == LINK_DOWN || link->state == LINK_UP) {
        link_work(link, now_ms);
    }
}

void link_set_gate(struct postgres_link *link, bool open)
{
    if (link->gate_closed != open)
        return;
    link->gate_closed = !open;
    if (open)
        send_all(link);
}

int links_open(void)
{
    return epoll_create1(EPOLL_CLOEXEC);
}

void links_wait(int poller, int64_t now_ms, int wait_ms)
{
    struct epoll_event events[EVENTS_MAX];

    int count = epoll_wait(poller, events, EVENTS_MAX, wait_ms);
    for (int i = 0; i < count; i++)
        link_work(events[i].data.ptr, now_ms);
}

int64_t postgres_real_ms(void)
{
    return tally_now_us() / 1000;
}

struct number_text number_text(int64_t number)
{
    struct number_text text;

    *json_put_number(text.text, number) = '\0';
    return text;
}

void array_add(struct buffer *array, int64_t number)
{
    buffer_puts(array, array->length > 0 ? "," : "{");
    buffer_integer(array, number);
}

const char *array_end(struct buffer *array)
{
    buffer_add(array, "}", 2);
    return array->bytes;
}

void postgres_ignore(void *context, const struct answer *answer)
{
    (void)context, (void)answer;
}
