#include "stop_signal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* Handlers need the only mutable globals here. */
static volatile sig_atomic_t wanted = STOP_NOT;
static int wake_fd = -1; /* set before any handler */

static void note_signal(int number)
{
    int error = errno;
    ssize_t written;

    if ((number == SIGTERM || number == SIGHUP) && wanted == STOP_NOT)
        wanted = STOP_SOON;
    else if (number == SIGTERM || number == SIGINT)
        wanted = STOP_NOW;
    written = write(wake_fd, "", 1);
    (void)written; /* a full pipe is readable anyway */
    errno = error;
}

int stop_signal_watch(void)
{
    struct sigaction action = {.sa_handler = note_signal}, hangup;
    int ends[2];

    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    int before = wake_fd; /* of an earlier watch */
    wake_fd = ends[1];
    if (before >= 0)
        close(before);
    sigemptyset(&action.sa_mask);
    signal(SIGPIPE, SIG_IGN);
    /* No SA_RESTART: these interrupt a slow connect(). */
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGHUP, NULL, &hangup);
    if (hangup.sa_handler != SIG_IGN) /* nohup: the program outlives its terminal */
        sigaction(SIGHUP, &action, NULL);
    action.sa_flags = SA_RESTART;
    sigaction(SIGCHLD, &action, NULL);
    return ends[0];
}

void stop_signal_read(int fd)
{
    char bytes[64];

    while (read(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes)
        continue;
}

enum stop stop_signal_wanted(void)
{
    return (enum stop)wanted;
}
