#include "trace.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "client/link/clock_ms.h"

void trace_plan_read(struct trace_plan *plan, const char *value)
{
    static const char word[] = "failed";
    size_t length = strlen(word);

    *plan = (struct trace_plan){.path = value};
    if (strncmp(value, word, length) != 0)
        return;
    if (value[length] == '\0')
        *plan = (struct trace_plan){.path = "engine-log", .only_failed = true};
    else if (value[length] == ':' && value[length + 1] != '\0')
        *plan = (struct trace_plan){.path = value + length + 1, .only_failed = true};
}

bool trace_open(struct trace *trace, const struct trace_plan *plan, const char *name,
                int64_t now_ms, struct cause *cause)
{
    *trace = (struct trace){.only_failed = plan->only_failed, .begun_ms = now_ms};
    if (plan->path == NULL)
        return true;
    int length = snprintf(trace->path, sizeof trace->path, "%s.%s", plan->path, name);
    errno = ENAMETOOLONG;
    if (length < (int)sizeof trace->path)
        trace->file = fopen(trace->path, "ae");
    if (trace->file == NULL)
        return cause_set(cause, "--engine-log: %.120s: %s", plan->path, strerror(errno));
    fseek(trace->file, 0, SEEK_END);
    trace->start = ftell(trace->file);
    return true;
}

void trace_add(struct trace *trace, char mark, const char *text)
{
    if (trace->file == NULL)
        return;
    for (;;) {
        size_t length = strcspn(text, "\n");
        fprintf(trace->file, "%lld %c %.*s\n", (long long)(clock_ms() - trace->begun_ms), mark,
                (int)length, text);
        if (text[length] == '\0' || text[length + 1] == '\0')
            break;
        text += length + 1;
    }
    fflush(trace->file); /* for people who look while it runs */
}

void trace_close(struct trace *trace, bool failed)
{
    if (trace->file == NULL)
        return;
    if (trace->only_failed && !failed && trace->start == 0)
        unlink(trace->path);
    else if (trace->only_failed && !failed && ftruncate(fileno(trace->file), trace->start) != 0)
        perror(trace->path);
    fclose(trace->file);
    trace->file = NULL;
}
