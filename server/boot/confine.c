#include "confine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fence.h"
#include "privilege.h"

bool confine_user(const struct options *options, struct cause *cause)
{
    return options->user[0] == '\0' || privilege_drop(options->user, cause);
}

bool confine_may_use(const char *folder, struct cause *cause)
{
    char file[FOLDER_TEXT_MAX + 16];

    snprintf(file, sizeof file, "%s/ludus.db", folder);
    return privilege_may_write(folder, cause) && privilege_may_write(file, cause);
}

/* The folder in which a file lies; "" for no file. */
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

/* The folder in which a file really lies, where its name is a link; "" for none that is there. */
static void real_folder_of(const char *file, char folder[FOLDER_TEXT_MAX])
{
    char *real = realpath(file, NULL);

    folder_of(real != NULL && strlen(real) < FOLDER_TEXT_MAX ? real : "", folder);
    free(real);
}

void confine_files(struct confinement *confinement, const struct options *options,
                   const char *folder, const char *program)
{
    char log[FOLDER_TEXT_MAX], config[FOLDER_TEXT_MAX];
    char real_log[FOLDER_TEXT_MAX], real_config[FOLDER_TEXT_MAX];

    *confinement = (struct confinement){.fenced = !options->no_fence};
    if (!confinement->fenced)
        return;
    folder_of(options->log, log);
    folder_of(options->config, config);
    real_folder_of(options->log, real_log);
    real_folder_of(options->config, real_config);
    /* A path of "" is none that is there. */
    const struct fence_path paths[] = {
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
        {"/etc/hosts", FENCE_READ}, /* from here on: names of addresses to listen on */
        {"/etc/host.conf", FENCE_READ},
        {"/etc/nsswitch.conf", FENCE_READ},
        {"/etc/resolv.conf", FENCE_READ},
        {"/etc/gai.conf", FENCE_READ},
        {"/proc", FENCE_READ},
        {"/sys/devices/system/cpu", FENCE_READ}, /* how many there are */
        {"/dev/null", FENCE_WRITE},
        {"/dev/urandom", FENCE_READ},
    };
    confinement->fence =
        fence_raise(paths, (int)(sizeof paths / sizeof paths[0]), &confinement->cause);
}

void confine_log(const struct confinement *confinement)
{
    if (privilege_is_root())
        log_line(LOG_WARN, "event=root text=\"running as root: see --user\"");
    if (!confinement->fenced)
        return;
    if (confinement->fence == FENCE_STANDS)
        log_line(LOG_INFO, "event=fence state=stands");
    else if (confinement->fence == FENCE_UNKNOWN)
        log_line(LOG_WARN, "event=fence state=missing error=\"no Landlock in this kernel\"");
    else
        log_line(LOG_WARN, "event=fence state=missing error=%s",
                 log_quote(confinement->cause.text).text);
}
