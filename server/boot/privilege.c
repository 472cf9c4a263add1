#include "privilege.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* Replaces root's environment by the user's. */
static void set_environment(const struct passwd *entry)
{
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    if (setenv("HOME", entry->pw_dir, 1) != 0 || setenv("USER", entry->pw_name, 1) != 0 ||
        setenv("LOGNAME", entry->pw_name, 1) != 0)
        xmalloc_end();
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
    set_environment(entry);
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
