#include "safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Deletes the draft and preserves errno. */
static void forget(const struct safe_file *file)
{
    int error = errno;

    unlink(file->draft_path);
    errno = error;
}

bool safe_file_open(struct safe_file *file, const char *path)
{
    file->path = path;
    snprintf(file->draft_path, sizeof file->draft_path, "%s.XXXXXX", path);
    int fd = mkostemp(file->draft_path, O_CLOEXEC); /* mode 0600 */
    if (fd < 0)
        return false;
    file->draft = fdopen(fd, "w");
    if (file->draft != NULL)
        return true;
    close(fd);
    forget(file);
    return false;
}

bool safe_file_keep(struct safe_file *file)
{
    bool written = !ferror(file->draft);

    if (fclose(file->draft) == 0 && written && rename(file->draft_path, file->path) == 0)
        return true;
    forget(file);
    return false;
}
