/* Groups of the kernel, in a folder that looks like those of cgroup v2. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "client/course/cgroup.h"

static char dir[] = "/tmp/ludus-cgroup-XXXXXX";

static const char *in_dir(const char *name)
{
    static char path[2][PATH_MAX];
    static int turn;

    turn = 1 - turn;
    snprintf(path[turn], PATH_MAX, "%s/%s", dir, name);
    return path[turn];
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(in_dir(name), "w");

    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static const char *read_text(const char *name)
{
    static char text[256];
    FILE *file = fopen(in_dir(name), "r");
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;

    if (file != NULL)
        fclose(file);
    text[length] = '\0';
    return text;
}

static void test_none(void)
{
    char base[PATH_MAX];

    check_about("where there is none");
    CHECK(!cgroup_find("/nonexistent", in_dir("own"), base));
    write_text("cgroup.controllers", "cpu io\n");
    write_text("own", "0::/user/mine\n");
    CHECK(!cgroup_find(dir, in_dir("own"), base));
    check_about("limits that groups of version 1 have");
    write_text("cgroup.controllers", "cpu memory pids\n");
    write_text("own", "4:memory:/\n1:cpu:/\n");
    CHECK(!cgroup_find(dir, in_dir("own"), base));
}

static void test_own(void)
{
    char base[PATH_MAX], leaf[64];

    check_about("beneath our own group");
    CHECK(mkdir(in_dir("user"), 0755) == 0 && mkdir(in_dir("user/mine"), 0755) == 0);
    write_text("user/mine/cgroup.controllers", "memory pids\n");
    write_text("own", "4:memory:/\n0::/user/mine\n");
    CHECK(cgroup_find(dir, in_dir("own"), base));
    CHECK_TEXT(base, in_dir("user/mine"));
    CHECK_TEXT(read_text("user/mine/cgroup.subtree_control"), "+memory +pids");
    snprintf(leaf, sizeof leaf, "user/mine/ludus-course-%ld/cgroup.procs", (long)getpid());
    CHECK_TEXT(read_text(leaf), "0");
}

static void test_top(void)
{
    char base[PATH_MAX];

    check_about("at the top, where ours has not these limits");
    write_text("user/mine/cgroup.controllers", "cpu\n");
    write_text("cgroup.subtree_control", "memory pids\n");
    CHECK(cgroup_find(dir, in_dir("own"), base));
    CHECK_TEXT(base, dir);
    CHECK_TEXT(read_text("cgroup.subtree_control"), "memory pids\n");
    check_about("in the first group of all");
    write_text("own", "0::/\n");
    CHECK(cgroup_find(dir, in_dir("own"), base));
    CHECK_TEXT(base, dir);
}

static void test_group(void)
{
    const struct course_limits limits = {.memory_mb = 100, .processes = 8};
    char path[PATH_MAX];

    check_about("the group of a bot");
    CHECK(cgroup_make(dir, "7-ana", &limits, path));
    CHECK_TEXT(path, in_dir("ludus-7-ana"));
    CHECK_TEXT(read_text("ludus-7-ana/memory.max"), "138412032");
    CHECK_TEXT(read_text("ludus-7-ana/pids.max"), "9");
    CHECK(cgroup_enter(path));
    CHECK_TEXT(read_text("ludus-7-ana/cgroup.procs"), "0");
    CHECK(!cgroup_lacked_memory(path));
    write_text("ludus-7-ana/memory.events", "max 3\noom 1\noom_kill 0\n");
    CHECK(!cgroup_lacked_memory(path));
    write_text("ludus-7-ana/memory.events", "max 3\noom 1\noom_kill 2\n");
    CHECK(cgroup_lacked_memory(path));
    check_about("one that a run which was killed has left");
    CHECK(cgroup_make(dir, "7-ana", &limits, path));
    CHECK_TEXT(read_text("ludus-7-ana/cgroup.kill"), "1");
    write_text("ludus-7-ana/cgroup.kill", "");
    cgroup_remove(path);
    CHECK_TEXT(read_text("ludus-7-ana/cgroup.kill"), "1");

    check_about("no group");
    CHECK(!cgroup_make(in_dir("nowhere"), "7-ana", &limits, path));
}

int main(void)
{
    char command[64];

    CHECK(mkdtemp(dir) != NULL);
    test_none();
    test_own();
    test_top();
    test_group();
    snprintf(command, sizeof command, "rm -rf %s", dir);
    CHECK_INT(system(command), 0);
    return check_end("test_cgroup");
}
