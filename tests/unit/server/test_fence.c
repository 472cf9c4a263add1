/* The fence: which files a process can still use behind it. A child makes each attempt. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "server/boot/privilege.h"

static char folder[] = "/tmp/test_fence.XXXXXX";

static void make_path(char path[128], const char *name)
{
    snprintf(path, 128, "%s/%s", folder, name);
}

static void make_file(const char *name, mode_t mode)
{
    char path[128];

    make_path(path, name);
    int descriptor = open(path, O_WRONLY | O_CREAT, mode);
    CHECK(descriptor >= 0 && write(descriptor, "#!/bin/sh\n", 10) == 10 && close(descriptor) == 0);
}

enum attempt { READ_IT, WRITE_IT, MAKE_IT, REMOVE_IT, MOVE_IT, RUN_IT };

static bool attempt(enum attempt what, const char *path)
{
    char other[160];
    int descriptor;

    switch (what) {
    case READ_IT:
        descriptor = open(path, O_RDONLY);
        return descriptor >= 0 && close(descriptor) == 0;
    case WRITE_IT:
        descriptor = open(path, O_WRONLY | O_TRUNC);
        return descriptor >= 0 && close(descriptor) == 0;
    case MAKE_IT:
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
        return descriptor >= 0 && close(descriptor) == 0;
    case REMOVE_IT:
        return unlink(path) == 0;
    case MOVE_IT:
        snprintf(other, sizeof other, "%s.moved", path);
        return rename(path, other) == 0 && rename(other, path) == 0;
    default:
        execl(path, path, (char *)NULL);
        return false;
    }
}

/* Runs in the child. */
static int behind_the_fence(enum attempt what, const char *path)
{
    char readable[128], writable[128], program[128];
    struct cause cause;

    make_path(readable, "readable");
    make_path(writable, "writable");
    make_path(program, "program");
    const struct fence_path paths[] = {{readable, FENCE_READ}, {writable, FENCE_WRITE},
                                       {program, FENCE_RUN},   {"/usr", FENCE_RUN},
                                       {"/lib", FENCE_RUN},    {"/lib64", FENCE_RUN},
                                       {"/bin", FENCE_RUN},    {"/nonexistent/x", FENCE_READ}};
    enum fence_status status = fence_raise(paths, (int)LENGTH(paths), &cause);

    if (status == FENCE_UNKNOWN)
        return 77;
    if (status == FENCE_FAILED)
        return 78;
    return attempt(what, path) ? 0 : 1;
}

/* Returns 0 for success, 1 for a refusal, 77 when there is no Landlock here. */
static int try(enum attempt what, const char *name)
{
    char path[128];
    int status;

    make_path(path, name);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(behind_the_fence(what, path));
    if (!CHECK(child > 0) || !CHECK(waitpid(child, &status, 0) == child))
        return 79;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 80;
}

static void test_attempts(void)
{
    static const struct {
        enum attempt what;
        const char *name;
        int status;
    } rows[] = {{READ_IT, "readable/file", 0},
                {WRITE_IT, "readable/file", 1},
                {MAKE_IT, "readable/new", 1},
                {REMOVE_IT, "readable/file", 1},
                {RUN_IT, "readable/file", 1},
                {READ_IT, "writable/file", 0},
                {WRITE_IT, "writable/file", 0},
                {MAKE_IT, "writable/new", 0},
                {MOVE_IT, "writable/new", 0},
                {REMOVE_IT, "writable/new", 0},
                {RUN_IT, "writable/file", 1},
                {READ_IT, "program", 0},
                {WRITE_IT, "program", 1},
                {RUN_IT, "program", 0},
                {READ_IT, "secret", 1},
                {WRITE_IT, "secret", 1},
                {MAKE_IT, "new", 1},
                {REMOVE_IT, "secret", 1},
                {RUN_IT, "secret", 1},
                {READ_IT, "../../etc/passwd", 1},
                {READ_IT, "writable/../secret", 1}};

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("attempt %d at %s", (int)rows[i].what, rows[i].name);
        CHECK_INT(try(rows[i].what, rows[i].name), rows[i].status);
    }
}

static void remove_all(void)
{
    static const char *const names[] = {"readable/file", "writable/file", "program", "secret"};
    char path[128];

    check_about("the end");
    for (size_t i = 0; i < LENGTH(names); i++) {
        make_path(path, names[i]);
        CHECK(unlink(path) == 0);
    }
    make_path(path, "readable");
    CHECK(rmdir(path) == 0);
    make_path(path, "writable");
    CHECK(rmdir(path) == 0);
    CHECK(rmdir(folder) == 0);
}

int main(void)
{
    char path[128];

    if (!CHECK(mkdtemp(folder) != NULL))
        return check_end("test_fence");
    make_path(path, "readable");
    CHECK(mkdir(path, 0700) == 0);
    make_path(path, "writable");
    CHECK(mkdir(path, 0700) == 0);
    make_file("readable/file", 0700);
    make_file("writable/file", 0700);
    make_file("program", 0700);
    make_file("secret", 0700);
    if (try(READ_IT, "readable/file") == 77)
        printf("test_fence: this kernel has no Landlock\n");
    else
        test_attempts();
    remove_all();
    return check_end("test_fence");
}
