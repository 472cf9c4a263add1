#include "join_code.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/base/folder.h"
#include "server/base/log.h"

enum { PATH_TEXT_MAX = FOLDER_TEXT_MAX + 32 };

/* False when there is no file, or no code in it. */
static bool read_code(const char *path, char code[JOIN_CODE_LETTERS + 1])
{
    char text[JOIN_CODE_LETTERS + 3] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;

    if (fd >= 0)
        close(fd);
    if (length != JOIN_CODE_LETTERS + 1 || text[JOIN_CODE_LETTERS] != '\n' ||
        strspn(text, join_code_letters) != JOIN_CODE_LETTERS)
        return false;
    memcpy(code, text, JOIN_CODE_LETTERS);
    code[JOIN_CODE_LETTERS] = '\0';
    return true;
}

/* Puts a new file in the place of the old one. False with errno. */
static bool write_code(const char *path, const char *code)
{
    char draft[PATH_TEXT_MAX];

    snprintf(draft, sizeof draft, "%.*s.new", FOLDER_TEXT_MAX + 16, path);
    int fd = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool written = dprintf(fd, "%s\n", code) == JOIN_CODE_LETTERS + 1;
    return close(fd) == 0 && written && rename(draft, path) == 0;
}

void join_code_keep(const char *folder, bool replace, char code[JOIN_CODE_LETTERS + 1])
{
    char path[PATH_TEXT_MAX];

    snprintf(path, sizeof path, "%.*s/join-code", FOLDER_TEXT_MAX, folder);
    if (folder[0] != '\0' && !replace && read_code(path, code))
        return;
    join_code_make(code);
    if (folder[0] != '\0' && !write_code(path, code))
        log_line(LOG_WARN, "event=code-not-kept file=%s error=%s", log_quote(path).text,
                 log_quote(strerror(errno)).text);
}
