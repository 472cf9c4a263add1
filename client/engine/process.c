#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/utf8.h"
#include "common/xmalloc.h"

enum { LAST_READS_MAX = 128 }; /* of the standard error of an engine that has ended */

extern char **environ;

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

/* The text in quotes, without a quote or a control character inside. */
static void quote(const char *text, char quoted[256])
{
    char clean[250];

    snprintf(clean, sizeof clean, "%s", text);
    utf8_clean(clean);
    for (char *mark = clean; (mark = strchr(mark, '"')) != NULL;)
        *mark = '\'';
    snprintf(quoted, 256, "\"%s\"", clean);
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
    if (text != NULL)
        quote(text, quoted);
    /* One call, so that lines of different processes do not mix. */
    fprintf(stderr, "time=%s level=%s %s%s\n", stamp, level == LOG_WARN ? "warn" : "info", words,
            quoted);
}

/* Runs the command with these descriptors for its standard input, output and error; -1 drops the
 * last. Returns 0 or an errno. */
static int spawn(pid_t *pid, char *const command[], const int fds[3])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;

    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE); /* we ignore it, and the engine would inherit that */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    /* A group of its own keeps Ctrl-C away from the engine, and lets us kill a wrapper script
     * together with the engine it runs. */
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
    if (fds[2] >= 0)
        posix_spawn_file_actions_adddup2(&actions, fds[2], STDERR_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int error = posix_spawnp(pid, command[0], &actions, &attributes, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

static void close_pipe(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
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
static int spawn_with_pipes(struct process *engine, char *const command[], bool drops_errors)
{
    int theirs[3] = {-1, -1, -1};

    int error = open_pipe(&engine->in, &theirs[0], true);
    if (error == 0)
        error = open_pipe(&engine->out, &theirs[1], false);
    if (error == 0 && !drops_errors)
        error = open_pipe(&engine->err, &theirs[2], false);
    if (error == 0)
        error = spawn(&engine->pid, command, theirs);
    for (int i = 0; i < 3; i++)
        close_pipe(&theirs[i]);
    return error;
}

static void release(struct process *engine)
{
    close_pipe(&engine->in);
    close_pipe(&engine->out);
    close_pipe(&engine->err);
    trace_close(&engine->trace, engine->failed);
    free(engine);
}

/* Opens the log of an engine. False with the cause if it must have one. */
static bool open_trace(struct process *engine, const struct process_setup *setup,
                       struct cause *cause)
{
    struct cause why;

    if (trace_open(&engine->trace, &setup->trace, setup->match, clock_ms(), &why))
        return true;
    if (!setup->trace.is_optional)
        return cause_set(cause, "%s", why.text);
    engine_log(setup->quiet, LOG_WARN, why.text, "match=%s is not logged why=", setup->match);
    return true;
}

struct process *process_start(struct process_list *engines, const struct process_setup *setup,
                              struct cause *cause)
{
    struct process *engine = xcalloc(1, sizeof *engine);
    bool drops_errors = setup->quiet && setup->trace.path == NULL;

    engine->in = engine->out = engine->err = -1;
    snprintf(engine->match, sizeof engine->match, "%s", setup->match);
    bool started = open_trace(engine, setup, cause);
    int error = started ? spawn_with_pipes(engine, setup->command, drops_errors) : 0;
    if (error != 0)
        started = cause_set(cause, "%.120s: %s", setup->command[0], strerror(error));
    if (!started) {
        release(engine);
        return NULL;
    }
    TAILQ_INSERT_TAIL(engines, engine, link);
    return engine;
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
    trace_add(&engine->trace, '!', line);
    engine_log(quiet, LOG_INFO, line, "match=%s engine=%d stderr=", engine->match,
               (int)engine->pid);
}

void process_read_errors(struct process *engine, bool quiet)
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

/* Reaps the process if it has ended. Before that, while its group id cannot be reused, kills what
 * it left behind. */
static bool wait_for(const struct process *engine, int *status)
{
    siginfo_t info = {0};

    if (waitid(P_PID, (id_t)engine->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid == 0)
        return false;
    kill(-engine->pid, SIGKILL);
    return waitpid(engine->pid, status, 0) == engine->pid;
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
    if (!wait_for(engine, &status))
        return false;
    engine_log(quiet, LOG_INFO, NULL, "engine=%d ended %s=%d", (int)engine->pid,
               WIFSIGNALED(status) ? "signal" : "exit",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    for (int i = 0; i < LAST_READS_MAX && engine->err >= 0; i++)
        process_read_errors(engine, quiet);
    TAILQ_REMOVE(engines, engine, link);
    release(engine);
    return true;
}
