/* A bot that was taken over: what it tries, and may not. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "client/bot/confine.h"

enum { NO_FILTER = 100 };

static char path[] = "/tmp/ludus-confine-XXXXXX";

static void *add_one(void *context)
{
    ++*(int *)context;
    return NULL;
}

static bool is_refused(long result)
{
    return result == -1 && errno == EPERM;
}

/* What the child does; its exit status is the number of what it could do, or could not. */
static int try_all(int out)
{
    static char *const none[] = {NULL};
    char program[] = "/bin/true";
    char *const arguments[] = {program, NULL};
    struct stat found;
    pthread_t thread;
    int count = 0;

    if (!confine_process())
        return NO_FILTER;
    if (!is_refused(open(path, O_RDONLY)) || !is_refused(open("/proc/self/environ", O_RDONLY)))
        return 1;
    if (!is_refused(unlink(path)) || !is_refused(rename(path, "/tmp/ludus-other")) ||
        !is_refused(mkdir("/tmp/ludus-confine", 0700)) || !is_refused(truncate(path, 0)) ||
        !is_refused(chmod(path, 0777)))
        return 2;
    if (!is_refused(kill(getppid(), SIGTERM)) || !is_refused(kill(0, 0)))
        return 3;
    if (!is_refused(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL)))
        return 4;
    if (!is_refused(execve(program, arguments, none)))
        return 5;
    if (!is_refused(fork()))
        return 6;
    if (!is_refused(socket(AF_UNIX, SOCK_STREAM, 0)) ||
        !is_refused(socket(AF_NETLINK, SOCK_RAW, 0)))
        return 7;
    if (malloc((size_t)2 << 30) != NULL)
        return 8;
    const struct rlimit second = {1, 1};
    if (!is_refused(prlimit(getppid(), RLIMIT_CPU, &second, NULL)) ||
        !is_refused(fcntl(out, F_SETOWN, getppid())) ||
        !is_refused(fcntl(out, F_SETSIG, SIGKILL)) || fcntl(out, F_GETFL) < 0)
        return 9;

    int own = socket(AF_INET, SOCK_STREAM, 0);
    if (own < 0 || close(own) != 0 || stat(path, &found) != 0)
        return 11;
    if (pthread_create(&thread, NULL, add_one, &count) != 0 || pthread_join(thread, NULL) != 0 ||
        count != 1)
        return 12;
    char *bytes = malloc(64 << 20);
    if (bytes == NULL)
        return 13;
    memset(bytes, 1, 64 << 20);
    free(bytes);
    if (write(out, "well\n", 5) != 5 || getpriority(PRIO_PROCESS, 0) < 10)
        return 14;
    return 0;
}

int main(void)
{
    int pipes[2], status = -1;
    char said[16] = "";

    close(mkstemp(path));
    CHECK(pipe(pipes) == 0);
    pid_t child = fork();
    if (child == 0)
        _exit(try_all(pipes[1]));
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    check_about("a bot that was taken over");
    CHECK(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_FILTER) {
        unlink(path);
        return check_end("test_confine");
    }
    CHECK_INT(WEXITSTATUS(status), 0);
    CHECK(read(pipes[0], said, sizeof said - 1) == 5);
    CHECK_TEXT(said, "well\n");
    CHECK(access(path, F_OK) == 0);

    check_about("it may abort itself");
    child = fork();
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        confine_process();
        abort();
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    unlink(path);
    return check_end("test_confine");
}
