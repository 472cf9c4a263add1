#include "browsing.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "browser.h"

struct browsing {
    const AvahiPoll *loop;
    struct found_list *found;
    AvahiWatch *watch;
    int pipe; /* what the process finds comes out of it */
    pid_t process;
};

static void on_found(AvahiWatch *watch, int fd, AvahiWatchEvent what, void *context)
{
    struct browsing *browsing = context;
    struct found found;
    ssize_t bytes;

    (void)what;
    while ((bytes = read(fd, &found, sizeof found)) == (ssize_t)sizeof found)
        found_add(browsing->found, &found.about, found.host);
    if (bytes != 0)
        return;
    /* It has ended: no daemon runs here. The pipe would be ready for ever. */
    browsing->loop->watch_free(watch);
    browsing->watch = NULL;
}

/* The child has nothing to do with the terminal, nor outlives its parent. */
static void browse(int pipe, pid_t parent)
{
    int null = open("/dev/null", O_RDWR);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(null, fd);
    if (getppid() == parent)
        browser_run(pipe);
    _exit(0);
}

/* False when there can be no pipe or no process. */
static bool start(struct browsing *browsing)
{
    int ends[2];
    pid_t parent = getpid();

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    browsing->pipe = ends[0];
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    browsing->process = fork();
    if (browsing->process == 0) {
        close(ends[0]); /* so that it notices when its parent closes this end */
        browse(ends[1], parent);
    }
    close(ends[1]);
    return browsing->process > 0;
}

struct browsing *browsing_open(const AvahiPoll *loop, struct found_list *found)
{
    struct browsing *browsing = calloc(1, sizeof *browsing);

    if (browsing == NULL)
        return NULL;
    *browsing = (struct browsing){.loop = loop, .found = found, .pipe = -1, .process = -1};
    if (start(browsing))
        browsing->watch = loop->watch_new(loop, browsing->pipe, AVAHI_WATCH_IN, on_found, browsing);
    if (browsing->watch == NULL) {
        browsing_close(browsing);
        return NULL;
    }
    return browsing;
}

void browsing_close(struct browsing *browsing)
{
    if (browsing == NULL)
        return;
    if (browsing->watch != NULL)
        browsing->loop->watch_free(browsing->watch);
    if (browsing->process > 0) {
        kill(browsing->process, SIGKILL);
        waitpid(browsing->process, NULL, 0);
    }
    if (browsing->pipe >= 0)
        close(browsing->pipe);
    free(browsing);
}
