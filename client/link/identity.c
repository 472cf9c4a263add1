#include "identity.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "safe_file.h"

enum { NUMBER_BYTES = 4, RECORD_MAX = 1024 };

static bool is_name_letter(char letter)
{
    return isascii((unsigned char)letter) &&
           (isalnum((unsigned char)letter) || letter == '_' || letter == '-');
}

bool identity_is_name(const char *text)
{
    size_t length = 0;

    while (is_name_letter(text[length]))
        length++;
    return text[length] == '\0' && length >= 1 && length < OWN_NAME_MAX &&
           strncmp(text, "guest-", 6) != 0;
}

/* Makes every directory on the way to `path`; what is there already is left alone. */
static bool make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int made = mkdir(path, 0700);
        int error = errno;
        *slash = '/';
        if (made != 0 && error != EEXIST) {
            errno = error;
            return false;
        }
    }
    return true;
}

bool identity_path(const char *file, char path[PATH_MAX], struct cause *cause)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length;

    /* The XDG rules: a relative path there does not count. */
    if (state != NULL && state[0] == '/')
        length = snprintf(path, PATH_MAX, "%s/ludus/%s", state, file);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, PATH_MAX, "%s/.local/state/ludus/%s", home, file);
    else
        return cause_set(cause, "%s: neither XDG_STATE_HOME nor HOME is set", file);
    if (length >= PATH_MAX)
        return cause_set(cause, "%s: the path is too long", file);
    if (!make_directories(path))
        return cause_set(cause, "%.150s: %s", path, strerror(errno));
    return true;
}

void identity_default_name(int number, char name[OWN_NAME_MAX])
{
    const char *user = getenv("USER");
    size_t length = 0;

    for (; user != NULL && *user != '\0' && length < OWN_NAME_MAX - 1 - NUMBER_BYTES; user++)
        if (is_name_letter(*user))
            name[length++] = *user;
    name[length] = '\0';
    if (!identity_is_name(name) || strcasecmp(name, "me") == 0 || strcasecmp(name, "open") == 0)
        length = (size_t)snprintf(name, OWN_NAME_MAX, "player");
    if (number > 1)
        snprintf(name + length, OWN_NAME_MAX - length, "-%d", number);
}

/* Whether a line of the file is about this name at this server; if so, *token is the rest. */
static bool is_record(const char *line, const char *server, const char *name, const char **token)
{
    size_t server_length = strlen(server), name_length = strlen(name);

    if (strncmp(line, server, server_length) != 0 || line[server_length] != ' ')
        return false;
    line += server_length + 1;
    if (strncmp(line, name, name_length) != 0 || line[name_length] != ' ')
        return false;
    *token = line + name_length + 1;
    return true;
}

bool token_load(const char *server, const char *name, char token[TOKEN_MAX])
{
    char path[PATH_MAX], line[RECORD_MAX];
    const char *rest;
    struct cause cause;
    bool found = false;

    if (!identity_path("tokens", path, &cause))
        return false;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        found = is_record(line, server, name, &rest) && rest[0] != '\0' &&
                strlen(rest) < TOKEN_MAX && strcspn(rest, " \t") == strlen(rest);
    }
    fclose(file);
    if (found)
        snprintf(token, TOKEN_MAX, "%s", rest);
    return found;
}

/* Copies all lines but the one that is replaced. */
static void copy_others(const char *path, FILE *to, const char *server, const char *name)
{
    char line[RECORD_MAX];
    const char *rest;
    FILE *from = fopen(path, "re");

    if (from == NULL)
        return;
    while (fgets(line, sizeof line, from) != NULL)
        if (!is_record(line, server, name, &rest))
            fputs(line, to);
    fclose(from);
}

static bool write_tokens(const char *path, const char *server, const char *name, const char *token)
{
    struct safe_file file;

    if (!safe_file_open(&file, path))
        return false;
    copy_others(path, file.draft, server, name);
    fprintf(file.draft, "%s %s %s\n", server, name, token);
    return safe_file_keep(&file);
}

static int open_lock(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

bool token_save(const char *server, const char *name, const char *token, struct cause *cause)
{
    char path[PATH_MAX], lock_path[PATH_MAX];

    if (!identity_path("tokens", path, cause) || !identity_path("tokens.lock", lock_path, cause))
        return false;
    /* Two clients that save at the same time must not drop each other's line. */
    int lock = open_lock(lock_path);
    if (lock >= 0)
        flock(lock, LOCK_EX);
    bool written = write_tokens(path, server, name, token);
    if (!written)
        cause_set(cause, "%.150s: %s", path, strerror(errno));
    if (lock >= 0)
        close(lock);
    return written;
}

bool identity_claim(const char *name)
{
    char file[OWN_NAME_MAX + 8], path[PATH_MAX];
    struct cause cause;

    snprintf(file, sizeof file, "name.%s", name);
    if (!identity_path(file, path, &cause))
        return true;
    int fd = open_lock(path);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
        return true; /* the lock goes with the process */
    close(fd);
    return false;
}
