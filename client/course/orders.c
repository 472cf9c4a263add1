#include "orders.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { LINE_MS = 500, ANSWER_MS = 60000 };

/* The address of the socket, by an open folder, as a path may be too long for one. */
static struct sockaddr_un socket_address(int folder)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/control", folder);
    return address;
}

int orders_listen(const char *dir, struct cause *cause)
{
    int folder = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const struct sockaddr_un address = socket_address(folder);

    if (folder >= 0)
        unlinkat(folder, "control", 0); /* of a run that was killed: this one has the lock */
    mode_t mask = umask(077);
    bool good = folder >= 0 && fd >= 0 &&
                bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
                listen(fd, SOMAXCONN) == 0;
    umask(mask);
    if (!good)
        cause_set(cause, "%.150s/control: %s", dir, strerror(errno));
    if (folder >= 0)
        close(folder);
    if (!good && fd >= 0)
        close(fd);
    return good ? fd : -1;
}

/* Reads a line. False when none comes in time. */
static bool read_line(int fd, char line[ORDER_MAX], int wait_ms)
{
    size_t length = 0;

    while (length < ORDER_MAX - 1) {
        struct pollfd in = {.fd = fd, .events = POLLIN};
        int ready = poll(&in, 1, wait_ms);
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t got = ready > 0 ? recv(fd, line + length, ORDER_MAX - 1 - length, 0) : 0;
        if (got <= 0)
            return false;
        char *end = memchr(line + length, '\n', (size_t)got);
        length += (size_t)got;
        if (end == NULL)
            continue;
        *end = '\0';
        return true;
    }
    return false;
}

int orders_take(int listener, char line[ORDER_MAX])
{
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

    if (fd >= 0 && read_line(fd, line, LINE_MS))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

void orders_answer(int fd, bool good, const char *text)
{
    char line[ORDER_MAX + 8];
    int length = snprintf(line, sizeof line, "%s %.*s\n", good ? "ok" : "no", ORDER_MAX - 8, text);

    send(fd, line, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL);
    close(fd);
}

bool orders_send(const char *dir, const char *line, struct cause *cause)
{
    int folder = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct sockaddr_un address = socket_address(folder);
    char answer[ORDER_MAX] = "", request[ORDER_MAX];
    int length = snprintf(request, sizeof request, "%s\n", line);

    bool good = folder >= 0 && fd >= 0 &&
                connect(fd, (const struct sockaddr *)&address, sizeof address) == 0;
    if (!good && (errno == ENOENT || errno == ECONNREFUSED))
        cause_set(cause, "%.150s: no course is running there (ludus course run)", dir);
    else if (!good)
        cause_set(cause, "%.150s/control: %s", dir, strerror(errno));
    else if (length >= (int)sizeof request ||
             send(fd, request, (size_t)length, MSG_NOSIGNAL) != length ||
             !read_line(fd, answer, ANSWER_MS))
        good = cause_set(cause, "%.150s: the course does not answer", dir);
    else if (strncmp(answer, "ok ", 3) != 0)
        good = cause_set(cause, "%s", answer[0] != '\0' ? answer + 3 : "it refuses");
    if (good)
        printf("%s\n", answer + 3);
    if (folder >= 0)
        close(folder);
    if (fd >= 0)
        close(fd);
    return good;
}
