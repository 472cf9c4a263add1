/*
 * Linked into the server of `make coverage`, before the C library, so that no counters are lost.
 * The server's fence allows writing to the directory `obj` beside the program, and a process that
 * SIGTERM would end writes its counters first. Nothing else changes.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* From linux/landlock.h, as in the server's fence. */
enum { ADD_RULE = 445, RESTRICT_SELF = 446, PATH_BENEATH = 1 };
enum { RIGHT_WRITE_FILE = 1 << 1, RIGHT_READ_FILE = 1 << 2, RIGHT_MAKE_FILE = 1 << 8 };

typedef long call(long number, ...);

static int open_folder(void)
{
    char path[PATH_MAX + 8];
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

    if (length <= 0)
        return -1;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    snprintf(slash, sizeof "/obj", "/obj");
    return open(path, O_PATH | O_CLOEXEC);
}

static void allow_counters(call *system, long ruleset)
{
    const struct {
        uint64_t allowed;
        int32_t parent;
    } __attribute__((packed)) rule = {
        .allowed = RIGHT_WRITE_FILE | RIGHT_READ_FILE | RIGHT_MAKE_FILE, .parent = open_folder()};

    system(ADD_RULE, ruleset, (long)PATH_BENEATH, &rule, 0L);
    close(rule.parent);
}

/* Replaces the C library's syscall(). */
long counted_syscall(long number, ...) __asm__("syscall");

long counted_syscall(long number, ...)
{
    call *system = (call *)dlsym(RTLD_NEXT, "syscall");
    long arguments[6];
    va_list args;

    va_start(args, number);
    for (int i = 0; i < 6; i++)
        arguments[i] = va_arg(args, long);
    va_end(args);
    if (number == RESTRICT_SELF)
        allow_counters(system, arguments[0]);
    return system(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                  arguments[5]);
}

void __gcov_dump(void); /* from gcc's library */

static void write_counters(int number)
{
    (void)number;
    __gcov_dump();
    _exit(0);
}

/* Replaces the C library's signal(). */
sighandler_t counted_signal(int number, sighandler_t handler) __asm__("signal");

sighandler_t counted_signal(int number, sighandler_t handler)
{
    typedef sighandler_t install(int number, sighandler_t handler);
    install *real = (install *)dlsym(RTLD_NEXT, "signal");

    return real(number, number == SIGTERM && handler == SIG_DFL ? write_counters : handler);
}
