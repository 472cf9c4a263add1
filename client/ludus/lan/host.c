#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "client/engine/process.h"
#include "client/engine/server_process.h"
#include "client/link/identity.h"

enum {
    START_MS = 20000,
    STOP_MS = 6000, /* it gives its clients three seconds */
    OUTPUT_MAX = 8192
};

/* How to start the server. */
struct start {
    struct host_terms terms;
    char program[PATH_MAX], log[PATH_MAX];
    char store[PATH_MAX]; /* a directory, or "none"; "": the usual one */
    char
        notify[sizeof(((struct sockaddr_un *)0)->sun_path) + 1]; /* as systemd writes it: "@name" */
    int notified;                                                /* the socket of that name */
    bool free_port;
};

/* Whether the usual port of this machine is free on all addresses. */
static bool usual_port_is_free(void)
{
    const struct sockaddr_in all = {.sin_family = AF_INET, .sin_port = htons(DEFAULT_PORT)};
    const int one = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_free = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
                   bind(fd, (const struct sockaddr *)&all, sizeof all) == 0 && listen(fd, 1) == 0;

    if (fd >= 0)
        close(fd);
    return is_free;
}

/* Opens a socket, named by the kernel, on which the server reports that it is ready. */
static bool open_notify(struct start *start, struct cause *cause)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    socklen_t length = sizeof name;

    start->notified = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (start->notified < 0 ||
        bind(start->notified, (const struct sockaddr *)&name, sizeof name.sun_family) != 0 ||
        getsockname(start->notified, (struct sockaddr *)&name, &length) != 0)
        return cause_set(cause, "no socket for the server: %s", strerror(errno));
    snprintf(start->notify, sizeof start->notify, "@%.*s",
             (int)(length - offsetof(struct sockaddr_un, sun_path) - 1), name.sun_path + 1);
    return true;
}

enum { WORDS_MAX = 12 };

/* Writes the command line, with a final NULL. A private server needs no configuration. */
static void write_words(const struct start *start, const char *words[WORDS_MAX])
{
    const struct host_terms *terms = &start->terms;
    int count = 0;

    words[count++] = start->program;
    if (terms->lan) {
        words[count++] = "--lan";
        words[count++] = "--hosted";
    }
    if (terms->private_store)
        words[count++] = "--config=none";
    if (terms->new_code)
        words[count++] = "--new-code";
    if (!terms->lan || start->free_port) {
        words[count++] = "--listen";
        words[count++] = terms->lan ? "0.0.0.0:0" : "127.0.0.1:0";
    }
    if (start->store[0] != '\0') {
        words[count++] = "--data";
        words[count++] = start->store;
    }
    words[count] = NULL;
}

/* Waits for the server to report that it is ready; false when it has ended or takes too long. */
static bool wait_ready(const struct host *host, const struct start *start)
{
    struct pollfd fds[] = {{.fd = start->notified, .events = POLLIN}, {.fd = host->output}};
    char state[64];

    if (poll(fds, 2, START_MS) <= 0 || fds[0].revents == 0)
        return false;
    ssize_t length = recv(start->notified, state, sizeof state - 1, MSG_DONTWAIT);
    state[length > 0 ? length : 0] = '\0';
    return strcmp(state, "READY=1") == 0;
}

/* Copies what follows `prefix` on the first line that begins so; false if there is none. */
static bool find_line(const char *output, const char *prefix, char *text, size_t size)
{
    size_t length = strlen(prefix);

    while (output != NULL && strncmp(output, prefix, length) != 0) {
        output = strchr(output, '\n');
        output += output != NULL;
    }
    if (output == NULL)
        return false;
    output += length;
    snprintf(text, size, "%.*s", (int)strcspn(output, "\n"), output);
    return true;
}

/* Reads what the server prints at its start; it prints nothing later. */
static void read_output(struct host *host)
{
    char output[OUTPUT_MAX], bound[128] = "";
    ssize_t length = read(host->output, output, sizeof output - 1);

    output[length > 0 ? length : 0] = '\0';
    find_line(output, "ludusd: listening on ", bound, sizeof bound);
    const char *port = strrchr(bound, ':');
    snprintf(host->address, sizeof host->address, "localhost%s", port != NULL ? port : "");
    find_line(output, "ludusd: join code ", host->code, sizeof host->code);
    host->on_network =
        find_line(output, "ludusd: others join with: ", host->invitation, sizeof host->invitation);
    find_line(output, "ludusd: or in a browser: ", host->page, sizeof host->page);
    if (!host->on_network)
        snprintf(host->invitation, sizeof host->invitation, "ludus join %s%s%s", host->address,
                 host->code[0] != '\0' ? " --code " : "", host->code);
}

static int end_server(struct host *host)
{
    int status = server_process_end(host->pid, host->output, STOP_MS);

    host->pid = 0;
    return status;
}

/* False with the cause; *locked then tells whether another server uses the store. */
static bool try_start(struct host *host, const struct start *start, bool *locked,
                      struct cause *cause)
{
    const char *words[WORDS_MAX];

    *locked = false;
    write_words(start, words);
    host->pid = server_process_start(words, start->log, start->notify, &host->output, cause);
    if (host->pid == 0)
        return false;
    if (wait_ready(host, start)) {
        read_output(host);
        return true;
    }
    *locked = end_server(host) == SERVER_STORE_LOCKED;
    /* Take the cause from the last line of the server's log. */
    FILE *log = fopen(start->log, "re");
    char line[400];
    cause_set(cause, "%.100s did not start", start->program);
    while (log != NULL && fgets(line, sizeof line, log) != NULL)
        if (strncmp(line, "ludusd: ", 8) == 0)
            cause_set(cause, "%.*s", (int)strcspn(line, "\n"), line);
    if (log != NULL)
        fclose(log);
    return false;
}

/* Starts the server with its store, or without one if another server uses that. */
static bool start_somehow(struct host *host, struct start *start, struct cause *cause)
{
    bool locked;

    if (try_start(host, start, &locked, cause))
        return true;
    if (!locked)
        return false;
    snprintf(start->store, sizeof start->store, "none");
    host->keeps = false;
    return try_start(host, start, &locked, cause);
}

/* ---- The note of the private server ---- */

/* Who looks for the private server, starts or ends it has the lock of `private`. */
static const char note_file[] = "private.server", private_store[] = "private";

/* Whether both paths lead to one directory. */
static bool is_same_directory(const char *one, const char *other)
{
    struct stat a, b;

    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Whether the process is a ludusd of this user with the private store. Its number and its port may
 * be somebody else's by now, who must not get a token. */
static bool is_private_server(pid_t pid)
{
    char path[PATH_MAX], words[4 * PATH_MAX];
    struct cause cause;
    struct stat about;

    snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool own = fd >= 0 && fstat(fd, &about) == 0 && about.st_uid == geteuid();
    ssize_t length = own ? read(fd, words, sizeof words - 1) : 0;
    if (fd >= 0)
        close(fd);
    char *end = words + (length > 0 ? length : 0);
    *end = '\0';
    const char *word = words, *slash = strrchr(words, '/');
    if (strcmp(slash != NULL ? slash + 1 : words, "ludusd") != 0 ||
        !identity_path(private_store, path, &cause))
        return false;
    while (word < end && strcmp(word, "--data") != 0)
        word += strlen(word) + 1;
    word += strlen("--data") + 1;
    return word < end && is_same_directory(word, path);
}

static void name_machine(char machine[HOST_NAME_MAX + 1])
{
    if (gethostname(machine, HOST_NAME_MAX + 1) != 0)
        snprintf(machine, HOST_NAME_MAX + 1, "-");
    machine[HOST_NAME_MAX] = '\0';
}

/* Reads the note of this machine, whether it is true or not. */
static bool read_note(struct host *host)
{
    char machine[HOST_NAME_MAX + 1], note[RECORD_MAX], *rest = note;
    struct cause cause;
    long pid, port;

    name_machine(machine);
    if (record_load(note_file, machine, note, &cause) != RECORD_FOUND)
        return false;
    const char *pid_word = strsep(&rest, " ");
    const char *port_word = strsep(&rest, " ");
    if (rest == NULL || !number_parse(pid_word, strlen(pid_word), 1, INT_MAX, &pid) ||
        !number_parse(port_word, strlen(port_word), 1, 65535, &port))
        return false;
    *host = (struct host){.terms.private_store = true,
                          .borrowed = true,
                          .pid = (pid_t)pid,
                          .output = -1,
                          .keeps = true};
    snprintf(host->address, sizeof host->address, "localhost:%ld", port);
    snprintf(host->code, sizeof host->code, "%.*s", HOST_CODE_MAX - 1,
             strcmp(rest, "-") != 0 ? rest : "");
    return true;
}

static void drop_note(void)
{
    char machine[HOST_NAME_MAX + 1];

    name_machine(machine);
    record_drop(note_file, machine);
}

/* Borrows the server of the note; one that is gone leaves none. The caller has the lock. */
static bool borrow(struct host *host)
{
    if (!read_note(host))
        return false;
    if (is_private_server(host->pid))
        return true;
    drop_note();
    return false;
}

/* Without a note others start a server of their own: that is not worth a message. */
static void write_note(const struct host *host)
{
    char machine[HOST_NAME_MAX + 1], note[HOST_CODE_MAX + 48];
    const char *port = strrchr(host->address, ':');
    struct cause cause;

    name_machine(machine);
    snprintf(note, sizeof note, "%ld %s %s", (long)host->pid, port != NULL ? port + 1 : "0",
             host->code[0] != '\0' ? host->code : "-");
    record_save(note_file, machine, note, &cause);
}

static bool has_note(const struct host *host)
{
    return host->pid > 0 && !host->borrowed && host->terms.private_store && host->keeps;
}

/* Ends the server, if it is not borrowed, and takes its note away. The caller has the lock. */
static void stop(struct host *host)
{
    bool noted = has_note(host);

    if (host->pid > 0 && !host->borrowed)
        end_server(host);
    if (noted)
        drop_note();
}

static void unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

static bool start_server(struct host *host, const struct host_terms *terms, struct cause *cause)
{
    struct start start = {.terms = *terms, .free_port = !usual_port_is_free()};

    *host = (struct host){.terms = *terms, .output = -1, .keeps = true};
    process_find("ludusd", start.program);
    if (!identity_path(terms->private_store ? "private.log" : "host.log", start.log, cause) ||
        (terms->private_store && !identity_path(private_store, start.store, cause)))
        return false;
    bool started = open_notify(&start, cause) && start_somehow(host, &start, cause);
    if (start.notified >= 0)
        close(start.notified);
    if (started && has_note(host))
        write_note(host);
    return started;
}

bool host_start(struct host *host, const struct host_terms *terms, struct cause *cause)
{
    int lock = identity_lock(private_store);

    stop(host);
    bool shares = terms->private_store && !terms->lan;
    bool started = (shares && borrow(host)) || start_server(host, terms, cause);
    unlock(lock);
    return started;
}

bool host_find(struct host *host)
{
    int lock = identity_lock(private_store);
    bool found = borrow(host);

    unlock(lock);
    return found;
}

bool host_outlives(const struct host *host, int wait_ms)
{
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};

    for (; is_private_server(host->pid); wait_ms -= 10) {
        if (wait_ms <= 0)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

void host_stop(struct host *host)
{
    int lock = identity_lock(private_store);

    stop(host);
    unlock(lock);
}
