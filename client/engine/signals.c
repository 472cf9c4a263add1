#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t ending;
static int wake_fd; /* set before any handler */

static void note(int number)
{
    int error = errno;
    ssize_t written;

    if (number != SIGCHLD)
        ending = 1;
    written = write(wake_fd, "", 1);
    (void)written; /* a full pipe is readable anyway */
    errno = error;
}

int signals_open(void)
{
    struct sigaction action = {.sa_handler = note};
    int ends[2];

    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    wake_fd = ends[1];
    sigemptyset(&action.sa_mask);
    signal(SIGPIPE, SIG_IGN);
    /* No SA_RESTART: these two interrupt a slow connect(). */
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    action.sa_flags = SA_RESTART;
    sigaction(SIGCHLD, &action, NULL);
    return ends[0];
}

void signals_clear(int fd)
{
    char bytes[64];

    while (read(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes)
        continue;
}

bool signals_ask_to_end(void)
{
    return ending != 0;
}
