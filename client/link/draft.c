#include "draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Deletes the draft; errno stays. */
static void forget(const struct draft *draft)
{
    int error = errno;

    unlink(draft->path);
    errno = error;
}

bool draft_open(struct draft *draft, const char *path)
{
    draft->target = path;
    snprintf(draft->path, sizeof draft->path, "%s.XXXXXX", path);
    int fd = mkostemp(draft->path, O_CLOEXEC); /* mode 0600 */
    if (fd < 0)
        return false;
    draft->file = fdopen(fd, "w");
    if (draft->file != NULL)
        return true;
    close(fd);
    forget(draft);
    return false;
}

bool draft_keep(struct draft *draft)
{
    bool written = !ferror(draft->file);

    if (fclose(draft->file) == 0 && written && rename(draft->path, draft->target) == 0)
        return true;
    forget(draft);
    return false;
}
