/*
 * What the server gives up when it starts. It exchanges the rights of root for those of a user, and
 * puts a fence around the file system by Landlock (landlock(7), Linux 5.13): from then on this
 * process and its children can use only the paths that were named, even if an attacker runs code in
 * them. Descriptors that are already open stay usable.
 */
#ifndef LUDUS_PRIVILEGE_H
#define LUDUS_PRIVILEGE_H

#include "server_options.h"

/* Becomes the user for good, with that user's main group only, and HOME for default paths. Does
 * nothing if this process already runs as the user. False with the cause: the process must end
 * then, as the change may be half done. */
bool privilege_drop(const char *user, struct cause *cause);

/* Checks that this process may read and write the file or directory, if it exists. False with the
 * cause, which names the owner and the command that helps. */
bool privilege_may_write(const char *path, struct cause *cause);

enum fence_use {
    FENCE_READ,
    FENCE_RUN,  /* read, and run as a program or library */
    FENCE_WRITE /* read, write, make and remove files */
};

struct fence_path {
    const char *path; /* a file, or a directory with everything in it; missing ones are ignored */
    enum fence_use use;
};

enum fence_status { FENCE_STANDS, FENCE_UNKNOWN /* to this kernel */, FENCE_FAILED };

/* Raises the fence for good. FENCE_FAILED and FENCE_UNKNOWN come with the cause, and change nothing
 * but that programs cannot give more rights any more (no_new_privs). */
enum fence_status fence_raise(const struct fence_path *paths, int count, struct cause *cause);

/* Raises the fence of a server whose files are open, and logs whether it stands; a server without
 * one goes on. The server can then write only to the store's directory ("": none) and that of the
 * log. It can read these, the directory of the configuration, the bots' program ("": none), the
 * `count` files that connecting to the database needs, and the system's programs and libraries. */
void fence_server(const struct server_options *options, const char *folder, const char *program,
                  const char *const *files, int count);

#endif
