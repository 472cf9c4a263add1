#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/text.h"

enum {
    MEGABYTE = 1 << 20,
    SPARE_MB = 32, /* box_watch() sees what is too much before the kernel does, and says it */
    REMOVE_TRIES = 100,
    TEXT_MAX = 4096
};

static bool read_text(const char *path, char text[TEXT_MAX])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, TEXT_MAX - 1) : -1;

    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length >= 0;
}

/* Writes to a file of a group, which are all there: creating another one fails. */
static bool write_text(const char *folder, const char *name, const char *text)
{
    char path[PATH_MAX + NAME_MAX];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return written;
}

/* Whether a list of words, as in cgroup.controllers, has those that boxes need. */
static bool has_both(const char *folder, const char *name)
{
    char path[PATH_MAX + NAME_MAX], text[TEXT_MAX], *rest = text;
    bool memory = false, pids = false;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!read_text(path, text))
        return false;
    text[strcspn(text, "\n")] = '\0';
    for (const char *word = text_line_word(&rest); word[0] != '\0'; word = text_line_word(&rest)) {
        memory = memory || strcmp(word, "memory") == 0;
        pids = pids || strcmp(word, "pids") == 0;
    }
    return memory && pids;
}

/* Turns the limits on for the groups in a folder. The kernel refuses that where processes are. */
static bool turn_on_limits(const char *folder)
{
    return has_both(folder, "cgroup.controllers") &&
           (has_both(folder, "cgroup.subtree_control") ||
            write_text(folder, "cgroup.subtree_control", "+memory +pids"));
}

bool cgroup_find(const char *mount, const char *own, char base[PATH_MAX])
{
    char text[TEXT_MAX], leaf[PATH_MAX + NAME_MAX];
    const char *line = NULL;

    if (!has_both(mount, "cgroup.controllers") || !read_text(own, text))
        return false;
    for (char *at = text; at != NULL && *at != '\0' && line == NULL;) {
        char *next = strchr(at, '\n');
        if (strncmp(at, "0::", 3) == 0)
            line = at + 3;
        at = next != NULL ? next + 1 : NULL;
    }
    if (line == NULL)
        return false;
    snprintf(base, PATH_MAX, "%.2000s%.2000s", mount, line);
    base[strcspn(base, "\n")] = '\0';
    snprintf(leaf, sizeof leaf, "%s/ludus-course-%ld", base, (long)getpid());
    if (strncmp(line, "/\n", 2) != 0 && has_both(base, "cgroup.controllers") &&
        access(base, W_OK) == 0 && (mkdir(leaf, 0755) == 0 || errno == EEXIST) &&
        cgroup_enter(leaf) && turn_on_limits(base))
        return true;
    snprintf(base, PATH_MAX, "%.2000s", mount);
    return access(base, W_OK) == 0 && turn_on_limits(base);
}

bool cgroup_make(const char *base, const char *name, const struct course_limits *limits,
                 char path[PATH_MAX])
{
    char memory[32], processes[32];

    snprintf(path, PATH_MAX, "%.3000s/ludus-%.200s", base, name);
    if (mkdir(path, 0755) != 0) {
        /* What is left of a run that was killed would be counted. */
        cgroup_remove(path);
        if (mkdir(path, 0755) != 0 && errno != EEXIST)
            return false;
    }
    snprintf(memory, sizeof memory, "%lld", (limits->memory_mb + SPARE_MB) * (long long)MEGABYTE);
    snprintf(processes, sizeof processes, "%ld", limits->processes + 1); /* and the keeper */
    write_text(path, "memory.swap.max", "0"); /* not there without swap */
    if (write_text(path, "memory.max", memory) && write_text(path, "pids.max", processes))
        return true;
    rmdir(path);
    return false;
}

bool cgroup_enter(const char *path)
{
    return write_text(path, "cgroup.procs", "0");
}

bool cgroup_lacked_memory(const char *path)
{
    char events[PATH_MAX + NAME_MAX], text[TEXT_MAX];
    long count = 0;

    snprintf(events, sizeof events, "%s/memory.events", path);
    const char *word = read_text(events, text) ? strstr(text, "oom_kill ") : NULL;
    return word != NULL && sscanf(word, "oom_kill %ld", &count) == 1 && count > 0;
}

void cgroup_remove(const char *path)
{
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};

    write_text(path, "cgroup.kill", "1");
    for (int tries = 0; tries < REMOVE_TRIES && rmdir(path) != 0 && errno == EBUSY; tries++)
        nanosleep(&pause, NULL);
}
