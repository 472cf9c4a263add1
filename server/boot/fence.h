/*
 * A fence around the file system, by Landlock (landlock(7), Linux 5.13): once it stands, this
 * process and its children can use only the paths that were named, whatever bug somebody finds.
 * What is open already stays open.
 */
#ifndef LUDUS_FENCE_H
#define LUDUS_FENCE_H

#include "common/cause.h"

enum fence_use {
    FENCE_READ,
    FENCE_RUN,  /* read, and run as a program or library */
    FENCE_WRITE /* read, write, make and remove files */
};

struct fence_path {
    const char *path; /* a file, or a folder with all that is in it; one that is not there is
                       * passed over */
    enum fence_use use;
};

enum fence_status { FENCE_STANDS, FENCE_UNKNOWN /* to this kernel */, FENCE_FAILED };

/* Raises the fence for good. FENCE_FAILED comes with the cause, FENCE_UNKNOWN without; both change
 * nothing but that no program can give more rights any more (no_new_privs). */
enum fence_status fence_raise(const struct fence_path *paths, int count, struct cause *cause);

#endif
