/*
 * What the server gives up before it hears the first peer: the rights of root, and the files that
 * are not its own. Its children, the house bots, are confined with it.
 */
#ifndef LUDUS_CONFINE_H
#define LUDUS_CONFINE_H

#include "fence.h"
#include "options.h"

/* Becomes the user that the options name, if they do. False with the cause: then end. */
bool confine_user(const struct options *options, struct cause *cause);

/* Whether the store's folder can be used by the user that the process has become. False with the
 * cause. */
bool confine_may_use(const char *folder, struct cause *cause);

struct confinement {
    bool fenced; /* a fence is wanted */
    enum fence_status fence;
    struct cause cause; /* where that is FENCE_FAILED */
};

/* Raises the fence (fence.h), unless the options say not to: from then on only the store's folder
 * ("": there is none) and that of the log can be written, and only these, that of the
 * configuration, the bots' program ("": there is none) and the system's programs and libraries
 * be read. A server without a fence goes on. */
void confine_files(struct confinement *confinement, const struct options *options,
                   const char *folder, const char *program);

/* Logs what the server is confined to. */
void confine_log(const struct confinement *confinement);

#endif
