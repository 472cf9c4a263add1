#include "server_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

_Noreturn static void become_server(const char *const words[], const char *log, const char *notify,
                                    pid_t parent, int output)
{
    int null = open("/dev/null", O_RDWR);
    int log_fd = log != NULL ? open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600) : -1;
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent || null < 0)
        _exit(1);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    if (log != NULL)
        dup2(log_fd >= 0 ? log_fd : null, STDERR_FILENO);
    if (notify != NULL)
        setenv("NOTIFY_SOCKET", notify, 1);
    else
        unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    execvp(words[0], (char *const *)words);
    fprintf(stderr, "ludusd: %s: %s\n", words[0], strerror(errno));
    _exit(1);
}

pid_t server_process_start(const char *const words[], const char *log, const char *notify,
                           int *output, struct cause *cause)
{
    pid_t parent = getpid();
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0) {
        cause_set(cause, "no pipe to the server: %s", strerror(errno));
        return 0;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become_server(words, log, notify, parent, ends[1]);
    close(ends[1]);
    *output = ends[0];
    if (pid > 0)
        return pid;
    close(ends[0]);
    cause_set(cause, "no process for the server: %s", strerror(errno));
    return 0;
}

int server_process_end(pid_t pid, int output, int wait_ms)
{
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    int status = 0;

    kill(pid, SIGTERM);
    for (int waited_ms = 0; waitpid(pid, &status, WNOHANG) == 0; waited_ms += 10) {
        if (waited_ms == wait_ms)
            kill(pid, SIGKILL);
        nanosleep(&pause, NULL);
    }
    close(output);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
