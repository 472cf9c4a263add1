#include "side_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "log.h"

/* The server's handlers write into pipes that both would share. */
static void forget_signals(void)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGCHLD};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        signal(numbers[i], SIG_DFL);
}

/* Players' connections and the store must not stay open here when the server closes them. */
static void forget_files(void)
{
    int null = open("/dev/null", O_RDWR);

    log_to_descriptor(STDERR_FILENO);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
    }
    close_range(STDERR_FILENO + 1, ~0U, 0);
}

pid_t side_process_start(const char *name, void (*run)(void *context), void *context)
{
    pid_t parent = getpid();
    sigset_t all, usual;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &usual);
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0); /* Ctrl-C at the server's terminal is for the server to handle */
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        prctl(PR_SET_NAME, name);
        forget_signals();
        forget_files();
        sigprocmask(SIG_SETMASK, &usual, NULL);
        if (getppid() == parent)
            run(context);
        _exit(0);
    }
    sigprocmask(SIG_SETMASK, &usual, NULL);
    return pid;
}

void side_process_end(pid_t pid)
{
    if (pid <= 0)
        return;
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
}
