#include "month_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/xmalloc.h"

int month_of(time_t date_s)
{
    struct tm date;

    gmtime_r(&date_s, &date);
    return (date.tm_year + 1900) * 100 + date.tm_mon + 1;
}

void month_path(const char *folder, int month, char path[MONTH_PATH_MAX])
{
    snprintf(path, MONTH_PATH_MAX, "%s/archive/%04d-%02d.pgn", folder, month / 100, month % 100);
}

static bool fail(struct cause *cause, const char *path, const char *why)
{
    return cause_set(cause, "%.120s: %.80s", path, why);
}

/* Has the entry of a new file on disk. */
static bool sync_folder(const char *folder)
{
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = descriptor >= 0 && fsync(descriptor) == 0;

    if (descriptor >= 0)
        close(descriptor);
    return good;
}

/* Opens the file, and makes the directory and the file if they are missing. Returns a descriptor,
 * or -1 with the cause. */
static int open_file(const char *path, struct cause *cause)
{
    char folder[MONTH_PATH_MAX];

    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        fail(cause, folder, strerror(errno));
        return -1;
    }
    int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor >= 0 && sync_folder(folder))
        return descriptor;
    fail(cause, path, strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

/* Whether a tail of the file, which is at most as long as the text, is how the text begins. */
static bool is_tail_of(int descriptor, int64_t from, size_t tail, const char *text)
{
    char *bytes = xmalloc(tail + 1);
    bool same =
        pread(descriptor, bytes, tail, from) == (ssize_t)tail && memcmp(bytes, text, tail) == 0;

    free(bytes);
    return same;
}

static bool write_all(int descriptor, const char *text, size_t length, int64_t at)
{
    while (length > 0) {
        ssize_t written = pwrite(descriptor, text, length, at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
        at += written;
    }
    return true;
}

/* Writes the text where the file ended when its length was last kept. */
static bool append(int descriptor, const char *path, const char *text, size_t length, int64_t at,
                   struct cause *cause)
{
    struct stat found;

    if (fstat(descriptor, &found) != 0)
        return fail(cause, path, strerror(errno));
    if (found.st_size < at)
        return fail(cause, path, "shorter than it was: move it away");
    size_t tail = (size_t)(found.st_size - at);
    if (!is_tail_of(descriptor, at, tail < length ? tail : length, text))
        return fail(cause, path, "goes on with something else: move it away");
    if (!write_all(descriptor, text, length, at) ||
        (tail > length && ftruncate(descriptor, at + (int64_t)length) != 0) ||
        fdatasync(descriptor) != 0)
        return fail(cause, path, strerror(errno));
    return true;
}

bool month_append(const char *folder, int month, const char *text, size_t length, int64_t *bytes,
                  bool *is_new, struct cause *cause)
{
    char path[MONTH_PATH_MAX];

    month_path(folder, month, path);
    *is_new = access(path, F_OK) != 0 && errno == ENOENT;
    if (*is_new)
        *bytes = 0;
    int descriptor = open_file(path, cause);
    if (descriptor < 0)
        return false;
    bool good = append(descriptor, path, text, length, *bytes, cause);
    close(descriptor);
    if (good)
        *bytes += (int64_t)length;
    return good;
}
