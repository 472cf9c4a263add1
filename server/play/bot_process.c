#include "bot_process.h"

#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/xmalloc.h"

extern char **environ;

/* Returns the environment for a child, to be freed. */
static char **environment_for_child(void)
{
    size_t count = 0, kept = 0;

    while (environ[count] != NULL)
        count++;
    char **copy = xreallocarray(NULL, count + 1, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "PG", 2) != 0)
            copy[kept++] = environ[i];
    copy[kept] = NULL;
    return copy;
}

int bot_process_start(pid_t *pid, char *const arguments[], int input, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;

    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    /* A group of its own: Ctrl-C at the server's terminal is for the server to handle. */
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&actions);
    char **environment = environment_for_child();
    int error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (error == 0 && output >= 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn(pid, arguments[0], &actions, &attributes, arguments, environment);
    free(environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        *pid = 0;
    return error;
}
