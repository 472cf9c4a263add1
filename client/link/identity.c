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

enum { NUMBER_BYTES = 4 };

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

/* Creates the missing parent directories of `path`. */
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

    /* The XDG specification ignores relative paths. */
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

/* Whether a line begins with the key and a space; if so, *value is the rest. */
static bool is_record(const char *line, const char *key, const char **value)
{
    size_t length = strlen(key);

    *value = line + length + 1;
    return strncmp(line, key, length) == 0 && line[length] == ' ';
}

enum record record_load(const char *file, const char *key, char value[RECORD_MAX],
                        struct cause *cause)
{
    char path[PATH_MAX], line[RECORD_MAX];
    const char *rest;
    bool found = false;

    if (!identity_path(file, path, cause))
        return RECORD_FAILED;
    FILE *from = fopen(path, "re");
    if (from == NULL && errno != ENOENT) {
        cause_set(cause, "%.150s: %s", path, strerror(errno));
        return RECORD_FAILED;
    }
    while (!found && from != NULL && fgets(line, sizeof line, from) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        found = is_record(line, key, &rest);
    }
    if (from != NULL)
        fclose(from);
    if (found)
        snprintf(value, RECORD_MAX, "%s", rest);
    return found ? RECORD_FOUND : RECORD_MISSING;
}

/* Copies all lines but the one that is replaced. */
static void copy_others(const char *path, FILE *to, const char *key)
{
    char line[RECORD_MAX];
    const char *rest;
    FILE *from = fopen(path, "re");

    if (from == NULL)
        return;
    while (fgets(line, sizeof line, from) != NULL)
        if (!is_record(line, key, &rest))
            fputs(line, to);
    fclose(from);
}

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

/* Writes the file anew with that value of the key; with NULL without the key, and with no record
 * left no file at all. */
static bool write_records(const char *path, const char *key, const char *value)
{
    struct safe_file file;

    if (!safe_file_open(&file, path))
        return false;
    copy_others(path, file.draft, key);
    if (value != NULL)
        fprintf(file.draft, "%s %s\n", key, value);
    if (ftell(file.draft) > 0)
        return safe_file_keep(&file);
    fclose(file.draft);
    forget(&file);
    return unlink(path) == 0 || errno == ENOENT;
}

int identity_lock(const char *file)
{
    char path[PATH_MAX], lock_path[PATH_MAX + 8];
    struct cause cause;

    if (!identity_path(file, path, &cause))
        return -1;
    snprintf(lock_path, sizeof lock_path, "%s.lock", path);
    int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock >= 0)
        flock(lock, LOCK_EX);
    return lock;
}

bool record_save(const char *file, const char *key, const char *value, struct cause *cause)
{
    char path[PATH_MAX];

    if (!identity_path(file, path, cause))
        return false;
    int lock = identity_lock(file); /* two programs at once must not drop each other's line */
    bool written = write_records(path, key, value);
    if (!written)
        cause_set(cause, "%.150s: %s", path, strerror(errno));
    if (lock >= 0)
        close(lock);
    return written;
}

void record_drop(const char *file, const char *key)
{
    char path[PATH_MAX];
    struct cause cause;

    if (!identity_path(file, path, &cause))
        return;
    int lock = identity_lock(file);
    write_records(path, key, NULL);
    if (lock >= 0)
        close(lock);
}

bool token_load(const char *server, const char *name, char token[TOKEN_MAX])
{
    char key[RECORD_MAX], value[RECORD_MAX];
    struct cause cause;

    snprintf(key, sizeof key, "%s %s", server, name);
    if (record_load("tokens", key, value, &cause) != RECORD_FOUND || value[0] == '\0' ||
        strlen(value) >= TOKEN_MAX || strpbrk(value, " \t") != NULL)
        return false;
    snprintf(token, TOKEN_MAX, "%.*s", TOKEN_MAX - 1, value);
    return true;
}

bool token_save(const char *server, const char *name, const char *token, struct cause *cause)
{
    char key[RECORD_MAX];

    snprintf(key, sizeof key, "%s %s", server, name);
    return record_save("tokens", key, token, cause);
}
