#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client/link/clock_ms.h"
#include "common/options.h"
#include "common/text.h"
#include "common/xmalloc.h"
#include "stop_signal.h"

enum { LAST_READS_MAX = 128 }; /* of the standard error of an engine that has ended */

void process_find(const char *name, char path[PATH_MAX])
{
    ssize_t bytes = readlink("/proc/self/exe", path, PATH_MAX - 1);

    path[bytes > 0 ? bytes : 0] = '\0';
    char *slash = strrchr(path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    bool fits = folder > 0 && folder + strlen(name) < PATH_MAX;
    if (fits)
        snprintf(path + folder, PATH_MAX - folder, "%s", name);
    if (!fits || access(path, X_OK) != 0)
        snprintf(path, PATH_MAX, "%s", name);
}

/* ---- The log of what it reads and writes ---- */

bool trace_plan_read(struct trace_plan *plan, const char *value, struct cause *cause)
{
    static const char word[] = "failed";
    size_t length = strlen(word);

    *plan = (struct trace_plan){.path = option_path(value)};
    if (strncmp(value, word, length) != 0)
        return true;
    if (strcmp(value + length, ":") == 0)
        return cause_set(cause, "a file is missing behind '%s'", value);
    if (value[length] == '\0')
        *plan = (struct trace_plan){.path = "engine-log", .only_failed = true};
    else if (value[length] == ':')
        *plan = (struct trace_plan){.path = option_path(value + length + 1), .only_failed = true};
    return true;
}

/* Opens PATH.NAME, and appends to a file that is there; or without a name holds what is added.
 * False with the cause; without a path there is nothing to do. */
static bool trace_open(struct trace *trace, const struct trace_plan *plan, const char *name,
                       int64_t now_ms, struct cause *cause)
{
    *trace = (struct trace){.only_failed = plan->only_failed, .begun_ms = now_ms};
    if (plan->path == NULL)
        return true;
    if (name == NULL) {
        trace->file = open_memstream(&trace->held, &trace->held_bytes);
        return trace->file != NULL || cause_set(cause, "--engine-log: %s", strerror(errno));
    }
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

/* Counts bytes that are about to be logged. Returns false once there are too many; *cut tells that
 * these are the first. */
static bool may_log(size_t *logged, size_t bytes, bool *cut)
{
    *cut = *logged <= LOGGED_MAX && *logged + bytes > LOGGED_MAX;
    *logged = *cut ? LOGGED_MAX + 1 : *logged + (*logged <= LOGGED_MAX ? bytes : 0);
    return *logged <= LOGGED_MAX;
}

/* Adds the lines of a text. */
static void trace_add(struct trace *trace, char mark, const char *text)
{
    bool cut;

    if (trace->file == NULL)
        return;
    if (!may_log(&trace->bytes, strlen(text) + 1, &cut)) {
        if (cut)
            fprintf(trace->file, "cut: more than %d bytes\n", LOGGED_MAX);
        fflush(trace->file);
        return;
    }
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

/* Closes the log, and takes out what it added if only failures are wanted: an empty one is deleted.
 */
static void trace_close(struct trace *trace, bool failed)
{
    if (trace->file == NULL)
        return;
    if (trace->path[0] == '\0')
        ;
    else if (trace->only_failed && !failed && trace->start == 0)
        unlink(trace->path);
    else if (trace->only_failed && !failed && ftruncate(fileno(trace->file), trace->start) != 0)
        perror(trace->path);
    fclose(trace->file);
    trace->file = NULL;
    free(trace->held);
    trace->held = NULL;
}

/* Goes on in the file of a match, with what was held for it. */
static bool trace_enter(struct trace *trace, const struct trace_plan *plan, const char *name,
                        struct cause *cause)
{
    struct trace held = *trace;
    bool is_held = held.file != NULL && held.path[0] == '\0';

    if (is_held)
        fclose(held.file); /* held.held is complete then, and at its final place */
    else
        trace_close(&held, false);
    char *text = is_held ? trace->held : NULL;
    bool opened = trace_open(trace, plan, name, is_held ? held.begun_ms : clock_ms(), cause);
    if (opened && text != NULL && trace->file != NULL) {
        fputs(text, trace->file);
        fflush(trace->file);
        trace->bytes = held.bytes;
    }
    free(text);
    return opened;
}

/* ---- A process ---- */

bool command_split(char *text, char *words[], int count_max, struct cause *cause)
{
    struct stat status;
    int count = 0;
    char *to = text;

    words[0] = NULL;
    if (strchr(text, '/') != NULL && stat(text, &status) == 0 && S_ISREG(status.st_mode)) {
        words[0] = text;
        words[1] = NULL;
        return true;
    }
    while (*(text += strspn(text, " \t")) != '\0') {
        if (count == count_max)
            return cause_set(cause, "more than %d words", count_max);
        words[count++] = to;
        words[count] = NULL;
        char quote = '\0';
        for (; *text != '\0' && (quote != '\0' || (*text != ' ' && *text != '\t')); text++) {
            bool is_quote = *text == '"' || *text == '\'';
            if (is_quote && (quote == '\0' || quote == *text)) {
                quote = quote == '\0' ? *text : '\0';
                continue;
            }
            /* Between double quotes, the backslash stands for itself before most. */
            bool escapes = *text == '\\' && quote != '\'' && text[1] != '\0' &&
                           (quote == '\0' || strchr("\"\\$`", text[1]) != NULL);
            text += escapes;
            *to++ = *text;
        }
        if (quote != '\0')
            return cause_set(cause, "a quote is not closed");
        text += *text != '\0';
        *to++ = '\0';
    }
    return (count > 0 && words[0][0] != '\0') || cause_set(cause, "no command");
}

void engine_log(bool quiet, enum log_level level, const char *text, const char *format, ...)
{
    char stamp[32], words[512], quoted[256] = "";
    time_t now = time(NULL);
    struct tm utc;
    va_list args;

    if (quiet && level < LOG_WARN)
        return;
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    if (text != NULL) {
        char clean[250];

        snprintf(clean, sizeof clean, "%s", text);
        utf8_clean(clean);
        for (char *mark = clean; (mark = strchr(mark, '"')) != NULL;)
            *mark = '\'';
        snprintf(quoted, 256, "\"%s\"", clean);
    }
    /* One call, so that lines of different processes do not mix. */
    fprintf(stderr, "time=%s level=%s %s%s\n", stamp, level == LOG_WARN ? "warn" : "info", words,
            quoted);
}

static void close_pipe(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Becomes the engine, in the child process. Writes the errno to `failed` if that is impossible. */
_Noreturn static void become_engine(const struct process_setup *setup, const int fds[3],
                                    pid_t parent, int failed)
{
    int error_fd = fds[2] >= 0 ? fds[2] : open("/dev/null", O_WRONLY | O_CLOEXEC);

    /* A group of its own keeps Ctrl-C away from the engine, and lets us kill a wrapper script
     * together with the engine it runs. */
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL); /* we ignore it, and the engine would inherit that */
    /* Of its data, not of its address space, most of which many programs only reserve. */
    rlim_t bytes = (rlim_t)setup->memory_mb << 20;
    if (setup->memory_mb > 0 && setrlimit(RLIMIT_DATA, &(struct rlimit){bytes, bytes}) != 0)
        goto failed;
    /* Nobody would end it if we were killed. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent && dup2(fds[0], STDIN_FILENO) >= 0 &&
        dup2(fds[1], STDOUT_FILENO) >= 0 && dup2(error_fd, STDERR_FILENO) >= 0 &&
        (setup->folder == NULL || chdir(setup->folder) == 0))
        execvp(setup->command[0], setup->command);
failed:;
    int error = errno;
    ssize_t written = write(failed, &error, sizeof error);
    (void)written; /* the status tells, too */
    _exit(127);
}

/* Runs the command with these descriptors for its standard input, output and error; -1 drops the
 * last. Returns 0 or an errno. */
static int spawn_engine(pid_t *pid, const struct process_setup *setup, const int fds[3])
{
    pid_t parent = getpid();
    int ends[2], error = 0;
    ssize_t length;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    *pid = fork();
    if (*pid == 0)
        become_engine(setup, fds, parent, ends[1]);
    if (*pid < 0)
        error = errno;
    close(ends[1]);
    /* The pipe ends without a word when the engine runs. */
    do
        length = *pid > 0 ? read(ends[0], &error, sizeof error) : 0;
    while (length < 0 && errno == EINTR);
    close(ends[0]);
    if (length > 0)
        waitpid(*pid, NULL, 0);
    return error;
}

/* Opens a pipe: *ours does not wait, *theirs is for the engine. Returns 0 or an errno. */
static int open_pipe(int *ours, int *theirs, bool we_write)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    *ours = ends[we_write];
    *theirs = ends[!we_write];
    fcntl(*ours, F_SETFL, O_NONBLOCK);
    return 0;
}

/* Runs the command with a pipe each way, and one for errors if they are wanted. Returns 0 or an
 * errno. */
static int spawn_with_pipes(struct process *engine, const struct process_setup *setup,
                            bool drops_errors)
{
    int theirs[3] = {-1, -1, -1};

    int error = open_pipe(&engine->in, &theirs[0], true);
    if (error == 0)
        error = open_pipe(&engine->out, &theirs[1], false);
    if (error == 0 && !drops_errors)
        error = open_pipe(&engine->err, &theirs[2], false);
    if (error == 0)
        error = spawn_engine(&engine->pid, setup, theirs);
    for (int i = 0; i < 3; i++)
        close_pipe(&theirs[i]);
    return error;
}

static void free_process(struct process *engine)
{
    close_pipe(&engine->in);
    close_pipe(&engine->out);
    close_pipe(&engine->err);
    trace_close(&engine->trace, engine->failed);
    free(engine);
}

struct process *process_start(struct process_list *engines, const struct process_setup *setup,
                              struct cause *cause)
{
    struct process *engine = xcalloc(1, sizeof *engine);
    bool drops_errors = setup->quiet && setup->trace.path == NULL;

    engine->in = engine->out = engine->err = -1;
    snprintf(engine->match, sizeof engine->match, "%s", setup->match != NULL ? setup->match : "-");
    bool started = trace_open(&engine->trace, &setup->trace, setup->match, clock_ms(), cause);
    if (!started && setup->trace.is_optional) {
        engine_log(setup->quiet, LOG_WARN, cause->text,
                   "match=%s is not logged why=", engine->match);
        started = true;
    }
    int error = started ? spawn_with_pipes(engine, setup, drops_errors) : 0;
    if (error != 0)
        started = cause_set(cause, "%.120s: %s", setup->command[0], strerror(error));
    if (!started) {
        free_process(engine);
        return NULL;
    }
    TAILQ_INSERT_TAIL(engines, engine, link);
    return engine;
}

void process_enter(struct process *engine, const struct process_setup *setup)
{
    struct cause cause;

    snprintf(engine->match, sizeof engine->match, "%s", setup->match);
    engine->errors_logged = 0;
    if (!trace_enter(&engine->trace, &setup->trace, setup->match, &cause))
        engine_log(setup->quiet, LOG_WARN, cause.text, "match=%s is not logged why=", setup->match);
}

void process_leave(struct process *engine)
{
    snprintf(engine->match, sizeof engine->match, "-");
    engine->errors_logged = 0;
    trace_close(&engine->trace, false);
}

uint64_t process_memory(const struct process *engine)
{
    unsigned long long pages = 0;
    char path[32];

    snprintf(path, sizeof path, "/proc/%d/statm", (int)engine->pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    /* The sixth number is data and stack; this is what RLIMIT_DATA counts. */
    if (fscanf(file, "%*u %*u %*u %*u %*u %20llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

bool process_vsend(struct process *engine, struct cause *cause, const char *format, va_list args)
{
    char line[PROCESS_LINE_MAX];

    int length = vsnprintf(line, sizeof line, format, args);
    if (length < 0 || length >= PROCESS_LINE_MAX)
        return cause_set(cause, "a line to the engine is too long");
    trace_add(&engine->trace, '>', line);
    line[length++] = '\n';
    engine->unanswered = 0;
    /* An empty pipe takes the whole line. One that does not is not being read. */
    ssize_t written = write(engine->in, line, (size_t)length);
    if (written == length)
        return true;
    if (written >= 0 || errno == EAGAIN)
        return cause_set(cause, "the engine does not read its input");
    return cause_set(cause, "the engine has ended or closed its input");
}

bool process_read(struct process *engine)
{
    engine->used -= engine->taken;
    memmove(engine->buffer, engine->buffer + engine->taken, engine->used);
    engine->taken = 0;
    if (engine->used == sizeof engine->buffer) {
        engine->discarding = true;
        engine->used = 0;
    }
    ssize_t count =
        read(engine->out, engine->buffer + engine->used, sizeof engine->buffer - engine->used);
    if (count < 0)
        return errno == EAGAIN || errno == EINTR;
    engine->used += (size_t)count;
    engine->unanswered += (size_t)count;
    return count > 0;
}

/* Logs a line of its standard error. */
static void log_error(struct process *engine, const char *line, bool quiet)
{
    bool cut;

    trace_add(&engine->trace, '!', line);
    if (may_log(&engine->errors_logged, strlen(line) + 1, &cut))
        engine_log(quiet, LOG_INFO, line, "match=%s engine=%d stderr=", engine->match,
                   (int)engine->pid);
    else if (cut && !quiet)
        engine_log(quiet, LOG_WARN, NULL, "match=%s engine=%d stderr is cut: more than %d bytes",
                   engine->match, (int)engine->pid, LOGGED_MAX);
}

/* Reads what has arrived at its standard error, once, and logs the lines with the match; long ones
 * in parts. */
static void process_read_errors(struct process *engine, bool quiet)
{
    char *text = engine->errors, *end;
    size_t room = sizeof engine->errors - 1 - engine->errors_used;

    ssize_t count = read(engine->err, text + engine->errors_used, room);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    size_t used = engine->errors_used + (count > 0 ? (size_t)count : 0);
    while ((end = memchr(text, '\n', used)) != NULL) {
        *end = '\0';
        log_error(engine, text, quiet);
        used -= (size_t)(end + 1 - text);
        memmove(text, end + 1, used);
    }
    if (used > 0 && (count <= 0 || used == sizeof engine->errors - 1)) {
        text[used] = '\0';
        log_error(engine, text, quiet);
        used = 0;
    }
    engine->errors_used = used;
    if (count <= 0)
        close_pipe(&engine->err);
}

char *process_next_line(struct process *engine)
{
    for (;;) {
        char *start = engine->buffer + engine->taken;
        char *end = memchr(start, '\n', engine->used - engine->taken);
        if (end == NULL)
            return NULL;
        engine->taken = (size_t)(end + 1 - engine->buffer);
        bool is_rest = engine->discarding;
        engine->discarding = false;
        if (is_rest)
            continue;
        if (end > start && end[-1] == '\r')
            end--;
        *end = '\0';
        trace_add(&engine->trace, '<', start);
        return start;
    }
}

void process_quit(struct process *engine, int64_t now_ms)
{
    static const char line[] = "quit\n";

    engine->leaving = true;
    engine->kill_ms = now_ms + QUIT_WAIT_MS;
    /* The end of its input makes engines quit that do not know the word. */
    if (write(engine->in, line, sizeof line - 1) < 0)
        engine->kill_ms = now_ms;
    close_pipe(&engine->in);
}

void process_kill(struct process *engine)
{
    engine->leaving = true;
    engine->kill_ms = INT64_MAX;
    kill(-engine->pid, SIGKILL);
    close_pipe(&engine->in);
    close_pipe(&engine->out);
}

/* Whether the process has ended, even if another one holds its output. */
static bool process_has_exited(const struct process *engine)
{
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)engine->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
}

bool process_reap(struct process_list *engines, struct process *engine, int64_t now_ms, bool quiet)
{
    int status;

    if (now_ms >= engine->kill_ms)
        process_kill(engine);
    /* It may have a lot to write before it reads `quit`. */
    if (engine->ready && engine->out >= 0) {
        engine->used = engine->taken = 0;
        if (!process_read(engine))
            close_pipe(&engine->out);
    }
    if (!process_has_exited(engine))
        return false;
    /* What it left behind ends before its group id can be used again. */
    kill(-engine->pid, SIGKILL);
    if (waitpid(engine->pid, &status, 0) != engine->pid)
        return false;
    engine_log(quiet, LOG_INFO, NULL, "engine=%d ended %s=%d", (int)engine->pid,
               WIFSIGNALED(status) ? "signal" : "exit",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    for (int i = 0; i < LAST_READS_MAX && engine->err >= 0; i++)
        process_read_errors(engine, quiet);
    TAILQ_REMOVE(engines, engine, link);
    free_process(engine);
    return true;
}

/* ---- The loop ---- */

bool engine_loop_open(struct engine_loop *loop, bool quiet)
{
    *loop = (struct engine_loop){.quiet = quiet, .now_ms = clock_ms()};
    TAILQ_INIT(&loop->engines);
    loop->signal_fd = stop_signal_watch();
    return loop->signal_fd >= 0;
}

bool engine_loop_is_to_end(void)
{
    return stop_signal_wanted() != STOP_NOT;
}

static void reap_engines(struct engine_loop *loop)
{
    struct process *engine, *next;

    for (engine = TAILQ_FIRST(&loop->engines); engine != NULL; engine = next) {
        next = TAILQ_NEXT(engine, link);
        if (engine->leaving)
            process_reap(&loop->engines, engine, clock_ms(), loop->quiet);
    }
}

bool engine_loop_wait(struct engine_loop *loop, int fd, int64_t due_ms)
{
    struct process *engine;
    size_t count = 2;

    /* Before waiting, as the signal of an ended engine may have come already. */
    reap_engines(loop);
    TAILQ_FOREACH (engine, &loop->engines, link) {
        count += 2;
        if (engine->leaving)
            due_ms = sooner_ms(due_ms, engine->kill_ms);
        else if (process_has_exited(engine))
            engine->exited = true;
        if (engine->exited)
            due_ms = INT64_MIN; /* to see whether it has left something to read */
    }
    loop->entries = xreallocarray(loop->entries, count, sizeof loop->entries[0]);
    struct pollfd *entry = loop->entries;
    *entry++ = (struct pollfd){.fd = loop->signal_fd, .events = POLLIN};
    *entry++ = (struct pollfd){.fd = fd, .events = POLLIN};
    TAILQ_FOREACH (engine, &loop->engines, link) {
        *entry++ = (struct pollfd){.fd = engine->out, .events = POLLIN};
        *entry++ = (struct pollfd){.fd = engine->err, .events = POLLIN};
    }
    bool polled = poll(loop->entries, count, until_ms(due_ms)) > 0;
    entry = loop->entries + 2;
    TAILQ_FOREACH (engine, &loop->engines, link) {
        engine->ready = polled && entry++->revents != 0;
        if (polled && entry++->revents != 0)
            process_read_errors(engine, loop->quiet);
        engine->ended = engine->exited && !engine->ready;
    }
    loop->now_ms = clock_ms();
    stop_signal_read(loop->signal_fd);
    return polled && loop->entries[1].revents != 0;
}

void engine_loop_close(struct engine_loop *loop)
{
    while (reap_engines(loop), !TAILQ_EMPTY(&loop->engines))
        engine_loop_wait(loop, -1, INT64_MAX);
    free(loop->entries);
    if (loop->signal_fd >= 0)
        close(loop->signal_fd);
}
