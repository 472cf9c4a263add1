#include "load_echo.h"

#include <stdlib.h>
#include <string.h>

#include "load_crowd.h"
#include "load_process.h"

struct echoer {
    int64_t sent_ns;
    long awaited; /* answers */
    bool greeted; /* its first line, perhaps a greeting, has arrived */
};

struct echo {
    const struct echo_options *options;
    struct echo_result *result;
    struct cause *cause;
    struct crowd crowd;
    struct echoer *echoers; /* one for each connection */
    char *batch;            /* the lines that are sent together */
    size_t line_bytes;
    int64_t sent; /* lines, after the first of each connection */
    long resting; /* connections that await no answer */
    bool playing, stopping, failed;
};

static bool fail(struct echo *echo, const char *what, const char *shown)
{
    if (!echo->failed)
        cause_set(echo->cause, "%s: %s", what, shown);
    echo->failed = true;
    return false;
}

static void send_lines(struct echo *echo, long index, long count)
{
    struct echoer *echoer = &echo->echoers[index];
    struct cause cause;

    echoer->awaited = count;
    echoer->sent_ns = clock_ns();
    if (!wire_send_bytes(&echo->crowd.wires[index], echo->batch, echo->line_bytes * (size_t)count,
                         &cause))
        fail(echo, "a line cannot be sent", cause.text);
}

static bool may_go_on(const struct echo *echo)
{
    return !echo->stopping && (echo->options->lines == 0 || echo->sent < echo->options->lines);
}

/* Called when the connection has all its answers. */
static void go_on(struct echo *echo, long index)
{
    if (!echo->playing || !may_go_on(echo)) {
        echo->resting++;
        return;
    }
    echo->sent += echo->options->pipeline;
    send_lines(echo, index, echo->options->pipeline);
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static bool hear(void *context, long index, const char *line)
{
    struct echo *echo = context;
    struct echoer *echoer = &echo->echoers[index];
    bool first = !echoer->greeted;

    if (echo->failed)
        return false;
    echoer->greeted = true;
    if (first && begins(line, "{\"type\":\"hello\""))
        return true;
    if (begins(line, "{\"type\":\"error\"") || begins(line, "{\"type\":\"bye\"") || line[0] == '-')
        return fail(echo, "the server says", line);
    if (echoer->awaited == 0)
        return fail(echo, "an answer came to no line", line);
    echo->result->lines += echo->playing;
    if (--echoer->awaited > 0)
        return true;
    if (echo->playing)
        samples_add(&echo->result->answers, echo->crowd.heard_ns - echoer->sent_ns);
    go_on(echo, index);
    return !echo->failed;
}

static void turn(struct echo *echo)
{
    struct cause cause;

    if (!crowd_turn(&echo->crowd, hear, echo, &cause))
        fail(echo, "a connection", cause.text);
}

static bool prepare(struct echo *echo)
{
    const struct echo_options *options = echo->options;
    size_t length = strlen(options->line);

    echo->line_bytes = length + 1;
    echo->echoers = calloc((size_t)options->connections, sizeof *echo->echoers);
    echo->batch = malloc(echo->line_bytes * (size_t)options->pipeline);
    if (echo->echoers == NULL || echo->batch == NULL)
        return cause_set(echo->cause, "out of memory");
    for (long i = 0; i < options->pipeline; i++) {
        memcpy(echo->batch + echo->line_bytes * (size_t)i, options->line, length);
        echo->batch[echo->line_bytes * (size_t)i + length] = '\n';
    }
    return crowd_connect(&echo->crowd, options->address, options->websocket, options->connections,
                         1, echo->cause);
}

/* Exchanges a line on every connection, so that the server has accepted them all. */
static bool warm_up(struct echo *echo)
{
    for (long i = 0; i < echo->options->connections && !echo->failed; i++)
        send_lines(echo, i, 1);
    while (!echo->failed && echo->resting < echo->options->connections)
        turn(echo);
    return !echo->failed;
}

static void play(struct echo *echo)
{
    const struct echo_options *options = echo->options;
    int64_t started_ns = clock_ns();

    echo->playing = true;
    echo->resting = 0;
    for (long i = 0; i < options->connections && !echo->failed; i++)
        go_on(echo, i);
    while (!echo->failed && echo->resting < options->connections) {
        turn(echo);
        if (options->seconds > 0 &&
            clock_ns() - started_ns >= options->seconds * INT64_C(1000000000))
            echo->stopping = true;
    }
    echo->result->took_ns = clock_ns() - started_ns;
}

static bool measure(struct echo *echo)
{
    struct echo_result *result = echo->result;
    long pid = echo->options->pid;
    int64_t before_ns = 0, after_ns = 0, own_ns = own_cpu_ns();
    int64_t before_bytes = crowd_received_bytes(&echo->crowd);

    if (pid > 0 && !process_cpu_ns(pid, &before_ns))
        return cause_set(echo->cause, "--pid %ld: there is no such process", pid);
    play(echo);
    if (pid > 0 && !process_cpu_ns(pid, &after_ns))
        return cause_set(echo->cause, "--pid %ld: the process has ended", pid);
    result->server_cpu_ns = after_ns - before_ns;
    result->own_cpu_ns = own_cpu_ns() - own_ns;
    result->received_bytes = crowd_received_bytes(&echo->crowd) - before_bytes;
    return !echo->failed;
}

bool load_echo(const struct echo_options *options, struct echo_result *result, struct cause *cause)
{
    struct echo echo = {
        .options = options, .result = result, .cause = cause, .crowd = {.epoll_fd = -1}};

    *result = (struct echo_result){0};
    bool good = prepare(&echo) && warm_up(&echo) && measure(&echo);
    crowd_close(&echo.crowd);
    free(echo.echoers);
    free(echo.batch);
    samples_sort(&result->answers);
    return good;
}

void echo_release(struct echo_result *result)
{
    samples_release(&result->answers);
}
