#include "control.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/xmalloc.h"
#include "server/base/log.h"
#include "server/keep/backup.h"

enum {
    LINE_BYTES = 256,
    ASK_WAIT_S = 5,    /* for the line of who has connected */
    TAKE_WAIT_S = 3600 /* for them to take the copy */
};

struct control {
    struct evconnlistener *listener;
    struct store *store;
    struct event *reading, *copying; /* NULL: nobody asks, nothing is copied */
    struct event *pausing;           /* until the listener tries again */
    struct backup *backup;
    int peer; /* who asks; -1: nobody */
    int folder;
};

/* Writes the address of the socket, by way of an open directory: paths of sockets are short. */
static struct sockaddr_un control_address(int folder)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/control", folder);
    return address;
}

static void drop_peer(struct control *control)
{
    if (control->reading != NULL)
        event_free(control->reading);
    if (control->copying != NULL)
        event_free(control->copying);
    control->reading = control->copying = NULL;
    backup_free(control->backup);
    control->backup = NULL;
    if (control->peer >= 0)
        close(control->peer);
    control->peer = -1;
    if (control->listener != NULL)
        evconnlistener_enable(control->listener);
}

static void answer_peer(struct control *control, const char *word, const char *why)
{
    char line[LINE_BYTES];
    static const struct timeval take_limit = {.tv_sec = TAKE_WAIT_S};
    int length = snprintf(line, sizeof line, "%s%s%s\n", word, why[0] != '\0' ? " " : "", why);

    log_line(why[0] == '\0' ? LOG_INFO : LOG_ERROR, "event=backup state=%s error=%s",
             why[0] == '\0' ? "done" : "failed", log_quote(why).text);
    if (why[0] != '\0') {
        backup_free(control->backup);
        control->backup = NULL;
    }
    send(control->peer, line, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
    event_add(control->reading, &take_limit); /* the end of the connection */
}

static void copy_more(evutil_socket_t descriptor, short what, void *context)
{
    static const struct timeval soon = {.tv_usec = 1000};
    struct control *control = context;
    struct cause cause = {""};

    (void)descriptor;
    (void)what;
    enum backup_state state = backup_step(control->backup, &cause);
    if (state == BACKUP_GOES_ON)
        event_add(control->copying, &soon);
    else
        answer_peer(control, state == BACKUP_DONE ? "ok" : "error", cause.text);
}

static void read_peer(evutil_socket_t descriptor, short what, void *context)
{
    struct control *control = context;
    struct cause cause;
    char line[LINE_BYTES];

    ssize_t length = (what & EV_READ) != 0 ? recv(descriptor, line, sizeof line, MSG_DONTWAIT) : 0;
    if (length != 7 || memcmp(line, "backup\n", 7) != 0) {
        drop_peer(control);
        return;
    }
    backup_free(control->backup);
    control->backup = backup_begin(control->store, &cause);
    if (control->backup == NULL) {
        answer_peer(control, "error", cause.text);
        return;
    }
    if (control->copying == NULL)
        control->copying = evtimer_new(event_get_base(control->reading), copy_more, control);
    copy_more(-1, 0, control);
}

/* Takes one at a time; others wait in the kernel. */
static void accept_peer(struct evconnlistener *listener, evutil_socket_t descriptor,
                        struct sockaddr *address, int length, void *context)
{
    static const struct timeval limit = {.tv_sec = ASK_WAIT_S};
    struct control *control = context;

    (void)address;
    (void)length;
    evconnlistener_disable(listener);
    control->peer = descriptor;
    control->reading =
        event_new(evconnlistener_get_base(listener), descriptor, EV_READ, read_peer, control);
    event_add(control->reading, &limit);
}

/* Descriptors have run out: libevent would try again in each turn. */
static void pause_listener(struct evconnlistener *listener, void *context)
{
    static const struct timeval pause = {.tv_sec = 1};
    struct control *control = context;

    evconnlistener_disable(listener);
    event_add(control->pausing, &pause);
}

static void end_pause(evutil_socket_t descriptor, short what, void *context)
{
    struct control *control = context;

    (void)descriptor;
    (void)what;
    if (control->peer < 0)
        evconnlistener_enable(control->listener);
}

struct control *control_open(struct event_base *base, struct store *store, const char *folder,
                             struct cause *cause)
{
    static const unsigned flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC;
    struct control *control = xcalloc(1, sizeof *control);

    control->store = store;
    control->peer = -1;
    control->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    const struct sockaddr_un address = control_address(control->folder);
    unlinkat(control->folder, "control", 0); /* of a server that was killed: the store is locked */
    mode_t mask = umask(0177);
    control->listener = evconnlistener_new_bind(base, accept_peer, control, flags, 1,
                                                (const struct sockaddr *)&address, sizeof address);
    umask(mask);
    if (control->listener != NULL) {
        control->pausing = evtimer_new(base, end_pause, control);
        evconnlistener_set_error_cb(control->listener, pause_listener);
        return control;
    }
    cause_set(cause, "%.120s/control: %.60s", folder, strerror(errno));
    control_close(control);
    return NULL;
}

void control_close(struct control *control)
{
    if (control == NULL)
        return;
    if (control->listener != NULL) {
        unlinkat(control->folder, "control", 0);
        evconnlistener_free(control->listener);
        control->listener = NULL;
    }
    if (control->pausing != NULL)
        event_free(control->pausing);
    drop_peer(control);
    if (control->folder >= 0)
        close(control->folder);
    free(control);
}

/* Reads the answer, which comes when the copy is done. */
static bool await_answer(int descriptor, struct cause *cause)
{
    char line[LINE_BYTES] = "";
    size_t length = 0;
    ssize_t count;

    while (length < sizeof line - 1 && strchr(line, '\n') == NULL &&
           (count = recv(descriptor, line + length, sizeof line - 1 - length, 0)) > 0) {
        length += (size_t)count;
        line[length] = '\0';
    }
    if (length < sizeof line - 1 && strchr(line, '\n') == NULL)
        return cause_set(cause, "the server has closed the connection: no backup");
    line[strcspn(line, "\n")] = '\0';
    return strcmp(line, "ok") == 0 ||
           cause_set(cause, "%s",
                     strncmp(line, "error ", 6) == 0
                         ? line + 6
                         : "unexpected answer from the server: no backup");
}

int control_ask_backup(const char *folder, bool *found, struct cause *cause)
{
    int directory = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct sockaddr_un address = control_address(directory);

    *found = descriptor >= 0 && directory >= 0 &&
             connect(descriptor, (const struct sockaddr *)&address, sizeof address) == 0;
    if (directory >= 0)
        close(directory);
    if (*found) {
        send(descriptor, "backup\n", 7, MSG_NOSIGNAL); /* where it fails, no answer comes */
        if (await_answer(descriptor, cause))
            return descriptor;
    }
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}
