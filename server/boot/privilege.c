#include "privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/xmalloc.h"

/* Returns whether all ids are those of the user and root's cannot be regained. */
static bool is_user_only(uid_t uid, gid_t gid)
{
    uid_t uids[3];
    gid_t gids[3], other;

    if (getresuid(&uids[0], &uids[1], &uids[2]) != 0 ||
        getresgid(&gids[0], &gids[1], &gids[2]) != 0)
        return false;
    for (int i = 0; i < 3; i++)
        if (uids[i] != uid || gids[i] != gid)
            return false;
    int groups = getgroups(1, &other);
    return (groups == 0 || (groups == 1 && other == gid)) && setuid(0) != 0 && seteuid(0) != 0;
}

bool privilege_drop(const char *user, struct cause *cause)
{
    errno = 0;
    const struct passwd *entry = getpwnam(user);

    if (entry == NULL)
        return cause_set(cause, "user %.60s: %s", user,
                         errno != 0 ? strerror(errno) : "no such user");
    if (entry->pw_uid == 0)
        return cause_set(cause, "user %.60s: still root: name another user", user);
    if (entry->pw_uid == getuid() && entry->pw_uid == geteuid())
        return true;
    if (geteuid() != 0)
        return cause_set(cause, "user %.60s: cannot change users: start as root", user);
    /* In this order: each step gives up the right to take the one before it. */
    if (setgroups(1, &entry->pw_gid) != 0 ||
        setresgid(entry->pw_gid, entry->pw_gid, entry->pw_gid) != 0 ||
        setresuid(entry->pw_uid, entry->pw_uid, entry->pw_uid) != 0)
        return cause_set(cause, "user %.60s: %s", user, strerror(errno));
    if (!is_user_only(entry->pw_uid, entry->pw_gid))
        return cause_set(cause, "user %.60s: cannot give up root's rights", user);
    /* The user's environment instead of root's. */
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    if (setenv("HOME", entry->pw_dir, 1) != 0 || setenv("USER", entry->pw_name, 1) != 0 ||
        setenv("LOGNAME", entry->pw_name, 1) != 0)
        xmalloc_end();
    return true;
}

bool privilege_may_write(const char *path, struct cause *cause)
{
    struct stat found;

    if (stat(path, &found) != 0) /* the store makes it, or says why it cannot */
        return true;
    bool folder = S_ISDIR(found.st_mode);
    if (access(path, folder ? R_OK | W_OK | X_OK : R_OK | W_OK) == 0 || errno != EACCES)
        return true;
    const struct passwd *owner = getpwuid(found.st_uid);
    char name[64];
    snprintf(name, sizeof name, "%s", owner != NULL ? owner->pw_name : "somebody else");
    const struct passwd *me = getpwuid(geteuid());
    return cause_set(
        cause, "%.60s belongs to %.20s, and %.20s may not write there: chown -R %.20s %s", path,
        name, me != NULL ? me->pw_name : "this user", me != NULL ? me->pw_name : "USER", path);
}

/* The numbers are those of linux/landlock.h, which older systems lack in part or whole. */
enum {
    RIGHT_EXECUTE = 1 << 0,
    RIGHT_WRITE_FILE = 1 << 1,
    RIGHT_READ_FILE = 1 << 2,
    RIGHT_READ_DIRECTORY = 1 << 3,
    RIGHT_REMOVE_FILE = 1 << 5,
    RIGHT_MAKE_DIRECTORY = 1 << 7,
    RIGHT_MAKE_FILE = 1 << 8,
    RIGHT_REFER = 1 << 13,   /* from version 2 on: moving to another directory */
    RIGHT_TRUNCATE = 1 << 14 /* from version 3 on */
};

enum {
    RIGHTS_READ = RIGHT_READ_FILE | RIGHT_READ_DIRECTORY,
    RIGHTS_RUN = RIGHTS_READ | RIGHT_EXECUTE,
    RIGHTS_WRITE = RIGHTS_READ | RIGHT_WRITE_FILE | RIGHT_REMOVE_FILE | RIGHT_MAKE_DIRECTORY |
                   RIGHT_MAKE_FILE | RIGHT_TRUNCATE,
    RIGHTS_OF_FILES = RIGHT_EXECUTE | RIGHT_WRITE_FILE | RIGHT_READ_FILE | RIGHT_TRUNCATE
};

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 }; /* on every architecture */
enum { ASK_VERSION = 1, PATH_BENEATH = 1 };

struct ruleset {
    uint64_t handled; /* forbidden except where a rule allows it */
};

struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

/* Returns all rights that a version of Landlock knows. */
static uint64_t known_rights(long version)
{
    uint64_t rights = RIGHT_REFER - 1;

    if (version >= 2)
        rights |= RIGHT_REFER;
    if (version >= 3)
        rights |= RIGHT_TRUNCATE;
    return rights;
}

static bool add_path(int ruleset, const struct fence_path *path, uint64_t known)
{
    static const uint64_t rights[] = {
        [FENCE_READ] = RIGHTS_READ, [FENCE_RUN] = RIGHTS_RUN, [FENCE_WRITE] = RIGHTS_WRITE};
    int parent = open(path->path, O_PATH | O_CLOEXEC);
    struct path_rule rule = {.allowed = rights[path->use] & known, .parent = parent};
    struct stat found;

    if (parent < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES;
    bool good = fstat(parent, &found) == 0;
    if (good && !S_ISDIR(found.st_mode))
        rule.allowed &= RIGHTS_OF_FILES;
    good = good && syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0) == 0;
    close(parent);
    return good;
}

enum fence_status fence_raise(const struct fence_path *paths, int count, struct cause *cause)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    long version = syscall(CREATE_RULESET, NULL, (size_t)0, ASK_VERSION);
    if (version < 1) {
        cause_set(cause, "no Landlock in this kernel");
        return FENCE_UNKNOWN;
    }
    struct ruleset attributes = {.handled = known_rights(version)};
    long ruleset = syscall(CREATE_RULESET, &attributes, sizeof attributes, 0);
    if (ruleset < 0) {
        cause_set(cause, "landlock: %s", strerror(errno));
        return FENCE_FAILED;
    }
    bool good = true;
    for (int i = 0; i < count && good; i++)
        if (!add_path((int)ruleset, &paths[i], attributes.handled))
            good = cause_set(cause, "%.120s: %s", paths[i].path, strerror(errno));
    if (good && syscall(RESTRICT_SELF, (int)ruleset, 0) != 0)
        good = cause_set(cause, "landlock: %s", strerror(errno));
    close((int)ruleset);
    return good ? FENCE_STANDS : FENCE_FAILED;
}

/* Writes the directory of a file; "" for no file. */
static void folder_of(const char *file, char folder[FOLDER_TEXT_MAX])
{
    const char *slash = strrchr(file, '/');

    if (file[0] == '\0')
        folder[0] = '\0';
    else if (slash == NULL)
        snprintf(folder, FOLDER_TEXT_MAX, ".");
    else
        snprintf(folder, FOLDER_TEXT_MAX, "%.*s", slash == file ? 1 : (int)(slash - file), file);
}

/* Writes the directory of the file to which a link leads; "" if there is no file. */
static void real_folder_of(const char *file, char folder[FOLDER_TEXT_MAX])
{
    char *real = realpath(file, NULL);

    folder_of(real != NULL && strlen(real) < FOLDER_TEXT_MAX ? real : "", folder);
    free(real);
}

void fence_server(const struct server_options *options, const char *folder, const char *program,
                  const char *const *files, int count)
{
    char log[FOLDER_TEXT_MAX], config[FOLDER_TEXT_MAX];
    char real_log[FOLDER_TEXT_MAX], real_config[FOLDER_TEXT_MAX];
    struct cause cause;

    folder_of(options->log, log);
    folder_of(options->config, config);
    real_folder_of(options->log, real_log);
    real_folder_of(options->config, real_config);
    const struct fence_path own[] = {
        {folder, FENCE_WRITE},
        {log, FENCE_WRITE},
        {real_log, FENCE_WRITE},
        {config, FENCE_READ},
        {real_config, FENCE_READ},
        {program, FENCE_RUN},
        {"/usr", FENCE_RUN},
        {"/bin", FENCE_RUN},
        {"/lib", FENCE_RUN},
        {"/lib64", FENCE_RUN},
        {"/etc/ld.so.cache", FENCE_READ},
        {"/etc/ld.so.preload", FENCE_READ},
        {"/proc", FENCE_READ},
        {"/sys/devices/system/cpu", FENCE_READ}, /* bots count the processors */
        {"/dev/null", FENCE_WRITE},
        {"/dev/urandom", FENCE_READ},
    };
    struct fence_path paths[sizeof own / sizeof own[0] + KEEPER_FILES_MAX];
    int path_count = sizeof own / sizeof own[0];
    memcpy(paths, own, sizeof own);
    for (int i = 0; i < count; i++)
        paths[path_count++] = (struct fence_path){files[i], FENCE_READ};
    if (fence_raise(paths, path_count, &cause) == FENCE_STANDS)
        log_line(LOG_INFO, "event=fence state=stands");
    else
        log_line(LOG_WARN, "event=fence state=missing error=%s", log_quote(cause.text).text);
}
