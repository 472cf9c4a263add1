#include "load_idle.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "load_crowd.h"
#include "load_process.h"
#include "load_samples.h"
#include "load_scan.h"

struct idle {
    const struct idle_options *options;
    struct cause *cause;
    struct crowd crowd;
    long awaited; /* answers */
    long opened;  /* matches that `new` has asked for */
    bool waiting, failed;
};

static bool fail(struct idle *idle, const char *what, const char *shown)
{
    if (!idle->failed)
        cause_set(idle->cause, "%s%s%s", what, shown[0] != '\0' ? ": " : "", shown);
    idle->failed = true;
    return false;
}

static void say(struct idle *idle, long index, const char *verb, const char *rest)
{
    struct cause cause;

    if (!wire_send(&idle->crowd.wires[index], &cause, "%s%s", verb, rest))
        fail(idle, cause.text, "");
}

/* Opens one more match, if more are wanted. */
static void open_next(struct idle *idle, long index)
{
    char rest[80];

    if (idle->opened == idle->options->matches)
        return;
    idle->opened++;
    snprintf(rest, sizeof rest, "%.40s white=me black=me", idle->options->game);
    say(idle, index, "new ", rest);
}

static bool hear(void *context, long index, const char *line)
{
    struct idle *idle = context;
    struct message_fields fields;

    if (idle->failed)
        return false;
    if (!scan_message(line, &fields)) {
        idle->awaited--; /* bare.c speaks no JSON */
    } else if (span_is(fields.type, "error") || span_is(fields.type, "bye")) {
        fail(idle, "the server says", line);
    } else if (span_is(fields.type, "ping")) {
        say(idle, index, "", "");
    } else if (span_is(fields.type, "pong") || span_is(fields.type, "ok")) {
        idle->awaited--;
        if (span_is(fields.cmd, "new"))
            open_next(idle, index);
    }
    return !idle->failed;
}

static bool turn(struct idle *idle)
{
    struct cause cause;

    if (idle->waiting)
        idle->crowd.heard_ns = clock_ns(); /* silence is expected */
    return crowd_turn(&idle->crowd, hear, idle, &cause) || fail(idle, cause.text, "");
}

static bool await_answers(struct idle *idle, long count)
{
    idle->awaited += count;
    while (!idle->failed && idle->awaited > 0)
        turn(idle);
    return !idle->failed;
}

static bool connect_all(struct idle *idle)
{
    const struct idle_options *options = idle->options;
    unsigned run = (unsigned)time(NULL) * 1024 + (unsigned)getpid();
    char name[32];

    if (!crowd_connect(&idle->crowd, options->address, options->websocket, options->connections, 1,
                       idle->cause))
        return false;
    for (long i = 0; i < options->connections && !idle->failed; i++) {
        snprintf(name, sizeof name, " idle-%08x-%d", run, (int)i);
        say(idle, i, options->named ? "hello" : "ping", options->named ? name : "");
    }
    return await_answers(idle, options->connections);
}

/* Each connection opens its next match when the previous one is open. */
static bool open_matches(struct idle *idle)
{
    for (long i = 0; i < idle->options->connections; i++)
        open_next(idle, i);
    return await_answers(idle, idle->options->matches);
}

static bool wait_for_it(struct idle *idle, struct idle_result *result)
{
    int64_t started_ns = clock_ns(), before_ns, after_ns;
    long pid = idle->options->pid;

    idle->waiting = true;
    if (!process_cpu_ns(pid, &before_ns))
        return fail(idle, "the server has ended", "");
    while (!idle->failed && clock_ns() - started_ns < idle->options->seconds * INT64_C(1000000000))
        turn(idle);
    result->took_ns = clock_ns() - started_ns;
    if (!process_cpu_ns(pid, &after_ns))
        return fail(idle, "the server has ended", "");
    result->server_cpu_ns = after_ns - before_ns;
    return !idle->failed;
}

static bool read_memory(struct idle *idle, int64_t *bytes)
{
    return process_resident_bytes(idle->options->pid, bytes) ||
           fail(idle, "--pid: the memory of that process cannot be read", "");
}

bool load_idle(const struct idle_options *options, struct idle_result *result, struct cause *cause)
{
    struct idle idle = {.options = options, .cause = cause, .crowd = {.epoll_fd = -1}};

    *result = (struct idle_result){0};
    bool good = read_memory(&idle, &result->before_bytes) && connect_all(&idle) &&
                read_memory(&idle, &result->connected_bytes) && open_matches(&idle) &&
                read_memory(&idle, &result->matches_bytes) && wait_for_it(&idle, result);
    crowd_close(&idle.crowd);
    return good;
}
