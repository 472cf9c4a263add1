#include "ticker.h"

#include <sys/timerfd.h>
#include <unistd.h>

/* Takes the tick; that the wait has ended is all there is to it. */
static void on_second(void *context)
{
    const struct client *client = context;
    uint64_t ticks;

    if (read(client->waiting.fd, &ticks, sizeof ticks) < 0)
        return; /* it was not due */
}

void ticker_start(struct client *client)
{
    static const struct itimerspec each_second = {{1, 0}, {1, 0}};
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

    if (fd >= 0)
        timerfd_settime(fd, 0, &each_second, NULL);
    client->waiting =
        (struct waiting){.fd = fd, .due_ms = INT64_MAX, .ready = on_second, .context = client};
}

void ticker_stop(struct client *client)
{
    if (client->waiting.fd >= 0)
        close(client->waiting.fd);
    client->waiting.fd = -1;
}
