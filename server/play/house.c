#include "house.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/xmalloc.h"
#include "server/base/log.h"
#include "server/model/player.h"

enum { RESTART_MS = 100, RESTART_MAX_MS = 10000, QUICK_END_MS = 2000 };

int bot_process_start(pid_t *pid, char *const arguments[], int input, int output)
{
    static char *const no_environment[] = {NULL}; /* it may have passwords */
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;

    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    /* A group of its own: Ctrl-C at the server's terminal is for the server to handle. */
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&actions);
    int error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (error == 0 && output >= 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn(pid, arguments[0], &actions, &attributes, arguments, no_environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
        *pid = 0;
    return error;
}

static bool add_level(struct house_bots *house, const char *level)
{
    size_t length = strlen(level);

    if (length == 0 || length >= LEVEL_NAME_MAX || house->count == LEVELS_MAX ||
        strspn(level, "abcdefghijklmnopqrstuvwxyz0123456789") != length ||
        house_bots_have_level(house, level))
        return false;
    struct house_bot *bot = &house->bots[house->count++];
    *bot = (struct house_bot){0};
    snprintf(bot->level, sizeof bot->level, "%s", level);
    return true;
}

bool house_bots_add_levels(struct house_bots *house, const char *levels)
{
    char level[LEVEL_NAME_MAX];

    for (;; levels++) {
        size_t length = strcspn(levels, ",");
        if (length >= sizeof level)
            return false;
        snprintf(level, sizeof level, "%.*s", (int)length, levels);
        if (!add_level(house, level))
            return false;
        levels += length;
        if (*levels == '\0')
            return true;
    }
}

bool house_bots_have_level(const struct house_bots *house, const char *level)
{
    for (int i = 0; i < house->count; i++)
        if (strcmp(house->bots[i].level, level) == 0)
            return true;
    return false;
}

/* Returns whether it is a file that may be run; a directory is not. */
static bool is_executable(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && S_ISREG(found.st_mode) && access(path, X_OK) == 0;
}

const char *house_bots_program(const struct house_bots *house)
{
    return house->count > 0 && house->program[0] != '\0' ? house->program : NULL;
}

bool house_bots_find_program(struct house_bots *house, const char *wanted)
{
    /* From the folder of ludusd: as built, and as installed, where games have one of their own. */
    static const char *const places[] = {"ludus-bot", "../bin/ludus-bot", "../games/ludus-bot"};
    const size_t size = sizeof house->program, count = sizeof places / sizeof places[0];
    char self[sizeof house->program], path[sizeof house->program], *program = house->program;

    snprintf(program, size, "%s", wanted);
    if (wanted[0] != '\0')
        return is_executable(program);
    int length = (int)readlink("/proc/self/exe", self, sizeof self);
    while (length > 0 && self[length - 1] != '/')
        length--;
    for (size_t i = 0; length > 0 && i < count; i++) {
        snprintf(path, size, "%.*s%s", length, self, places[i]);
        if (is_executable(path) && realpath(path, program) != NULL)
            return true;
    }
    snprintf(program, size, "%.*s%s", length, self, places[0]); /* where it is missed */
    return false;
}

/* Starts the bot with a new secret. */
static void start_bot(struct house_bots *house, struct house_bot *bot, int64_t now_ms)
{
    int ends[2];

    bot->started_ms = now_ms;
    bot->start_ms = now_ms + RESTART_MAX_MS; /* unless it starts */
    if (pipe2(ends, O_CLOEXEC) != 0) {
        log_line(LOG_WARN, "event=bot-failed peer=bot:%s error=\"%s\"", bot->level,
                 strerror(errno));
        return;
    }
    random_hex(bot->secret, (SECRET_TEXT_MAX - 1) / 2);
    char line[SECRET_TEXT_MAX + 1];
    int length = snprintf(line, sizeof line, "%s\n", bot->secret);
    /* A pipe holds this much at once, so the write cannot block. */
    char *arguments[] = {
        (char *)house->program, "--connect", (char *)house->address, "--house", bot->level, NULL};
    bool written = write(ends[1], line, (size_t)length) == length;
    int error = written ? bot_process_start(&bot->pid, arguments, ends[0], -1) : EIO;
    close(ends[0]);
    close(ends[1]);
    if (error != 0)
        log_line(LOG_WARN, "event=bot-failed peer=bot:%s program=%s error=\"%s\"", bot->level,
                 log_quote(house->program).text, strerror(error));
    else
        log_line(LOG_INFO, "event=bot-started peer=bot:%s pid=%d", bot->level, (int)bot->pid);
}

void house_bots_tick(struct house_bots *house, int64_t now_ms)
{
    if (house->stopping || house->address[0] == '\0')
        return;
    for (int i = 0; i < house->count; i++)
        if (house->bots[i].pid == 0 && now_ms >= house->bots[i].start_ms)
            start_bot(house, &house->bots[i], now_ms);
}

/* A bot that keeps ending right after its start is started ever more rarely. */
static void plan_restart(struct house_bot *bot, int64_t now_ms)
{
    int64_t delay_ms = RESTART_MS;

    bot->pid = 0;
    bot->secret[0] = '\0';
    bot->quick_ends = now_ms - bot->started_ms < QUICK_END_MS ? bot->quick_ends + 1 : 0;
    for (int i = 0; i < bot->quick_ends && delay_ms < RESTART_MAX_MS; i++)
        delay_ms *= 2;
    bot->start_ms = now_ms + (delay_ms < RESTART_MAX_MS ? delay_ms : RESTART_MAX_MS);
}

void house_bots_reap(struct house_bots *house, int64_t now_ms)
{
    for (int i = 0; i < house->count; i++) {
        struct house_bot *bot = &house->bots[i];
        int status;
        if (bot->pid == 0 || waitpid(bot->pid, &status, WNOHANG) != bot->pid)
            continue;
        log_line(house->stopping ? LOG_INFO : LOG_WARN, "event=bot-ended peer=bot:%s pid=%d %s=%d",
                 bot->level, (int)bot->pid, WIFSIGNALED(status) ? "signal" : "exit",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        plan_restart(bot, now_ms);
    }
}

bool house_bots_admit(struct house_bots *house, const char *level, const char *secret)
{
    for (int i = 0; i < house->count; i++) {
        struct house_bot *bot = &house->bots[i];
        if (strcmp(bot->level, level) != 0 || bot->secret[0] == '\0')
            continue;
        if (!secret_equal(bot->secret, secret))
            return false;
        bot->secret[0] = '\0';
        return true;
    }
    return false;
}

/* Collects the children that have ended; how many are left. */
static int reap_bots(struct house_bots *house)
{
    int left = 0;

    for (int i = 0; i < house->count; i++) {
        struct house_bot *bot = &house->bots[i];
        if (bot->pid != 0 && waitpid(bot->pid, NULL, WNOHANG) != 0)
            bot->pid = 0;
        left += bot->pid != 0;
    }
    return left;
}

static void signal_bots(const struct house_bots *house, int signal_number)
{
    for (int i = 0; i < house->count; i++)
        if (house->bots[i].pid != 0)
            kill(house->bots[i].pid, signal_number);
}

void house_bots_stop(struct house_bots *house)
{
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};

    house->stopping = true;
    signal_bots(house, SIGTERM);
    for (int tries = 0; tries < 100 && reap_bots(house) > 0; tries++)
        nanosleep(&pause, NULL);
    signal_bots(house, SIGKILL);
    while (reap_bots(house) > 0)
        nanosleep(&pause, NULL);
}
