#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool folder_of_user(char path[FOLDER_TEXT_MAX], const char *variable, const char *below_home,
                    const char *name)
{
    const char *folder = getenv(variable), *home = getenv("HOME");
    int length;

    if (folder != NULL && folder[0] == '/') /* the specification ignores relative ones */
        length = snprintf(path, FOLDER_TEXT_MAX, "%s/%s", folder, name);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, FOLDER_TEXT_MAX, "%s/%s/%s", home, below_home, name);
    else
        return false;
    return length < FOLDER_TEXT_MAX;
}

const char *folder_of_service(const char *variable)
{
    const char *folder = getenv(variable);

    return folder != NULL && folder[0] == '/' && strchr(folder, ':') == NULL ? folder : NULL;
}

bool folder_make(const char *folder, struct cause *cause)
{
    char path[FOLDER_TEXT_MAX];
    struct stat found;

    for (const char *end = folder; *end != '\0';) {
        end = strchrnul(end + 1, '/');
        snprintf(path, sizeof path, "%.*s", (int)(end - folder), folder);
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return cause_set(cause, "%.120s: %s", path, strerror(errno));
    }
    return (stat(folder, &found) == 0 && S_ISDIR(found.st_mode)) ||
           cause_set(cause, "%.120s: not a directory", folder);
}

bool folder_sync(const char *folder)
{
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = descriptor >= 0 && fsync(descriptor) == 0;

    if (descriptor >= 0)
        close(descriptor);
    return good;
}
