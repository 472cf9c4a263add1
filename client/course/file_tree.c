#include "file_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

void file_tree_remove(const char *path)
{
    enum { FOLDERS_OPEN = 16 };

    nftw(path, remove_entry, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
}

static bool refuse(const char *path, struct cause *cause)
{
    return cause_set(cause, "%.150s: %s", path, strerror(errno));
}

static bool write_all(int fd, const char *bytes, ssize_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, (size_t)length);
        if (written < 0)
            return false;
        bytes += written;
        length -= written;
    }
    return true;
}

/* Copies an open file, and closes it. `most` is what is still allowed. */
static bool copy_file(int from, const struct stat *found, const char *to, long long *most,
                      struct cause *cause)
{
    mode_t mode = found->st_mode & S_IXUSR ? 0755 : 0644;
    int copy = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    char bytes[65536];
    ssize_t length = 0;
    bool good = copy >= 0 || refuse(to, cause);

    while (good && (length = read(from, bytes, sizeof bytes)) > 0) {
        *most -= length;
        if (*most < 0)
            good = cause_set(cause, "%.150s: that is too much", to);
        else if (!write_all(copy, bytes, length))
            good = refuse(to, cause);
    }
    if (length < 0)
        good = refuse(to, cause);
    if (copy >= 0 && close(copy) != 0 && good)
        good = refuse(to, cause);
    close(from);
    return good;
}

static bool copy_entry(int folder, const char *name, const char *to, long long *most, int depth,
                       struct cause *cause);

/* Copies what is in an open folder, and closes it. */
static bool copy_folder(int from, const char *to, long long *most, int depth, struct cause *cause)
{
    enum { DEPTH_MAX = 32 };
    DIR *entries = fdopendir(from);
    bool good = entries != NULL && depth < DEPTH_MAX && mkdir(to, 0755) == 0;
    char path[PATH_MAX];

    if (!good)
        refuse(to, cause);
    for (const struct dirent *entry; good && (entry = readdir(entries)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            if (snprintf(path, sizeof path, "%s/%s", to, entry->d_name) >= (int)sizeof path)
                good = cause_set(cause, "%.150s: its name is too long", to);
            else
                good = copy_entry(from, entry->d_name, path, most, depth + 1, cause);
        }
    if (entries != NULL)
        closedir(entries);
    else
        close(from);
    return good;
}

static bool copy_entry(int folder, const char *name, const char *to, long long *most, int depth,
                       struct cause *cause)
{
    /* The top may be named by a link; no more than a pipe may what is in it. */
    int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (depth > 0 ? O_NOFOLLOW : 0);
    int from = openat(folder, name, flags);
    struct stat found;

    if (from < 0 && errno == ELOOP)
        return cause_set(cause, "%.150s: is a link", name);
    if (from < 0 || fstat(from, &found) != 0)
        return refuse(name, cause);
    if (S_ISDIR(found.st_mode))
        return copy_folder(from, to, most, depth, cause);
    if (!S_ISREG(found.st_mode)) {
        close(from);
        return cause_set(cause, "%.150s: is neither a file nor a folder", name);
    }
    return copy_file(from, &found, to, most, cause);
}

bool file_tree_copy(const char *from, const char *to, long long most, struct cause *cause)
{
    const char *slash = strrchr(from, '/'), *name = slash != NULL ? slash + 1 : from;
    char path[PATH_MAX];
    struct stat found;

    if (stat(from, &found) != 0)
        return refuse(from, cause);
    if (S_ISDIR(found.st_mode))
        return copy_entry(AT_FDCWD, from, to, &most, 0, cause);
    snprintf(path, sizeof path, "%s/%s", to, name);
    return mkdir(to, 0755) == 0 ? copy_entry(AT_FDCWD, from, path, &most, 0, cause)
                                : refuse(to, cause);
}

bool file_tree_give(const char *path, uid_t user, struct cause *cause)
{
    DIR *entries = NULL;
    char inner[PATH_MAX];
    struct stat found;

    if (lchown(path, user, (gid_t)user) != 0 || lstat(path, &found) != 0)
        return refuse(path, cause);
    bool good = !S_ISDIR(found.st_mode) || (entries = opendir(path)) != NULL || refuse(path, cause);
    for (const struct dirent *entry; good && entries != NULL && (entry = readdir(entries)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
            good = file_tree_give(inner, user, cause);
        }
    if (entries != NULL)
        closedir(entries);
    return good;
}

bool file_tree_replace(const char *fresh, const char *path, const char *before, struct cause *cause)
{
    file_tree_remove(before);
    if (rename(fresh, path) == 0) /* there was none, or an empty one */
        return true;
    if (renameat2(AT_FDCWD, fresh, AT_FDCWD, path, RENAME_EXCHANGE) == 0)
        return rename(fresh, before) == 0 || refuse(before, cause);
    return (rename(path, before) == 0 && rename(fresh, path) == 0) || refuse(path, cause);
}
