#include "full_disk.h"

#include <errno.h>
#include <sqlite3.h>
#include <stddef.h>
#include <sys/types.h>

static ssize_t write_nothing(int fd, const void *bytes, size_t size)
{
    (void)fd, (void)bytes, (void)size;
    errno = ENOSPC;
    return -1;
}

static ssize_t pwrite_nothing(int fd, const void *bytes, size_t size, off_t at)
{
    (void)at;
    return write_nothing(fd, bytes, size);
}

void full_disk_set(bool full)
{
    const struct {
        const char *name;
        sqlite3_syscall_ptr nothing;
    } calls[] = {{"write", (sqlite3_syscall_ptr)write_nothing},
                 {"pwrite", (sqlite3_syscall_ptr)pwrite_nothing},
                 {"pwrite64", (sqlite3_syscall_ptr)pwrite_nothing}};
    sqlite3_vfs *system = sqlite3_vfs_find(NULL);

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        system->xSetSystemCall(system, calls[i].name, full ? calls[i].nothing : NULL);
}
