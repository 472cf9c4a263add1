#include "course_actions.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bot_command.h"
#include "box.h"
#include "client/course/course_folder.h"
#include "client/engine/process.h"
#include "file_tree.h"

enum {
    MEGABYTE = 1 << 20,
    LOOK_MS = 100,          /* between two looks at a box */
    CHECK_USER = 2147400000 /* of root's boxes for checks: nobody's */
};

static volatile sig_atomic_t told_to_end;

static void on_signal(int number)
{
    (void)number;
    told_to_end = 1;
}

/* Finds the student who hands in. */
static const struct course_bot *find_bot(struct course_folder *course, const char *dir,
                                         const char *name, struct cause *cause)
{
    if (!course_read(course, dir, cause))
        return NULL;
    const struct course_bot *bot = course_find_bot(course, name);
    if (bot == NULL)
        cause_set(cause, "%.80s/course.conf has no bot called %.40s", dir, name);
    else if (bot->command[0] == '\0')
        cause_set(cause, "%s connects from elsewhere: there is nothing to hand in", bot->name);
    return bot != NULL && bot->command[0] != '\0' ? bot : NULL;
}

/* Copies the files to where the bot runs and may write. The way there is open to the user of its
 * box, who lists nothing on it. */
static bool make_work(const char *dir, const char *fresh, const char *work, uid_t user,
                      const struct course_limits *limits, struct cause *cause)
{
    char way[PATH_MAX];

    if (snprintf(way, sizeof way, "%s/work", dir) >= (int)sizeof way)
        return cause_set(cause, "%.150s...: the path is too long", dir);
    if (user != 0 && chmod(way, 0711) != 0)
        return cause_set(cause, "%.150s: %s", way, strerror(errno));
    file_tree_remove(work);
    return file_tree_copy(fresh, work, limits->disk_mb * MEGABYTE, cause) &&
           (user == 0 || (file_tree_give(work, user, cause) && chmod(work, 0700) == 0));
}

/* Runs a box until it ends, or this process is told to. */
static bool watch_box(const struct box_plan *plan, FILE *log, struct cause *cause)
{
    const struct sigaction handler = {.sa_handler = on_signal};
    enum box_end end = BOX_RUNS;
    struct box box;

    sigaction(SIGTERM, &handler, NULL);
    sigaction(SIGINT, &handler, NULL);
    if (!box_start(&box, plan, log, cause))
        return false;
    while (!told_to_end && end == BOX_RUNS) {
        struct pollfd output = {.fd = box.output, .events = POLLIN};
        poll(&output, 1, LOOK_MS);
        end = box_watch(&box);
    }
    box_kill(&box);
    if (end > BOX_EXITED)
        fprintf(log, "\n[ludus: ended, as it took more than the course allows]\n");
    return true;
}

bool course_try(const char *dir, const char *name, const char *address, struct cause *cause)
{
    const char *colon = strrchr(address, ':');
    uid_t user = geteuid() == 0 ? CHECK_USER : 0;
    char fresh[PATH_MAX], work[PATH_MAX], log_path[PATH_MAX], whole[PATH_MAX], *real;
    struct bot_command command = {.text = NULL};
    struct course_folder course;
    long port;

    const struct course_bot *bot = find_bot(&course, dir, name, cause);
    if (bot == NULL)
        return false;
    if (colon == NULL || !number_parse(colon + 1, strlen(colon + 1), 1, 65535, &port))
        return cause_set(cause, "%.80s is no HOST:PORT", address);
    real = realpath(dir, whole);
    if (real == NULL || strlen(real) + 64 > sizeof fresh)
        return cause_set(cause, "%.150s: %s", dir, strerror(errno));
    snprintf(fresh, sizeof fresh, "%.4000s/bots/%s.new", whole, bot->name);
    snprintf(work, sizeof work, "%.4000s/work/%s.new", whole, bot->name);
    snprintf(log_path, sizeof log_path, "%.4000s/logs/%s.submit", whole, bot->name);
    FILE *log = fopen(log_path, "we");
    if (log == NULL)
        return cause_set(cause, "%.150s: %s", log_path, strerror(errno));
    if (!make_work(whole, fresh, work, user, &course.limits, cause)) {
        fclose(log);
        file_tree_remove(work);
        return false;
    }
    char host[64];
    snprintf(host, sizeof host, "%.*s", (int)(colon - address), address);
    const struct bot_place place = {
        .host = host, .port = (int)port, .token = "", .tournament = "", .home = work};
    bool good = bot_command_make(&command, &course, bot, &place, cause);
    const char *const tools[] = {bot->engine ? command.bridge : NULL, NULL};
    const struct box_plan plan = {.command = command.words,
                                  .environment = command.environment,
                                  .folder = work,
                                  .work = work,
                                  .tools = tools,
                                  .port = (int)port,
                                  .user = user,
                                  .limits = course.limits};
    good = good && watch_box(&plan, log, cause);
    bot_command_release(&command);
    fclose(log);
    file_tree_remove(work);
    return good;
}

/* Lets check-bot check what lies in bots/NAME.new. */
static bool check_bot(const char *dir, const struct course_folder *course,
                      const struct course_bot *bot, struct cause *cause)
{
    char checker[PATH_MAX], own[PATH_MAX], address[] = "{}";
    int status = 0;

    process_find("ludus-bot", checker);
    process_find("ludus", own);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        execlp(checker, checker, "check-bot", "--game", course->game, "--", own, "course", "try",
               dir, bot->name, address, (char *)NULL);
        fprintf(stderr, "ludus: %s: %s\n", checker, strerror(errno));
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    return cause_set(cause,
                     "%s is not taken: the old one stays; %.90s/logs/%s.submit has what it wrote",
                     bot->name, dir, bot->name);
}

bool course_submit(const char *dir, const char *name, const char *file, struct cause *cause)
{
    char fresh[PATH_MAX], path[PATH_MAX], before[PATH_MAX];
    struct course_folder course;

    const struct course_bot *bot = find_bot(&course, dir, name, cause);
    if (bot == NULL)
        return false;
    snprintf(path, sizeof path, "%s/bots/%s", dir, bot->name);
    snprintf(fresh, sizeof fresh, "%s/bots/%s.new", dir, bot->name);
    snprintf(before, sizeof before, "%s/bots/%s.before", dir, bot->name);
    file_tree_remove(fresh);
    bool good = course_complete(&course, cause) &&
                file_tree_copy(file, fresh, course.limits.disk_mb * MEGABYTE, cause) &&
                check_bot(dir, &course, bot, cause) &&
                file_tree_replace(fresh, path, before, cause);
    if (!good)
        file_tree_remove(fresh);
    return good;
}
