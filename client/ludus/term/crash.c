#include "crash.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "common/xmalloc.h"

/* What the signal handler needs to restore the terminal; it gets no pointer, and may call hardly
 * anything. Set before the handler, which only reads it. */
static struct {
    char text[CRASH_TEXT_MAX];
    size_t bytes;
    struct termios modes;
} restore;

static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
                             SIGTERM, SIGHUP, SIGINT, SIGQUIT};
enum { DEADLY = sizeof deadly / sizeof deadly[0] };

static void restore_terminal(void)
{
    ssize_t written = write(STDOUT_FILENO, restore.text, restore.bytes);

    (void)written;
    tcsetattr(STDOUT_FILENO, TCSANOW, &restore.modes);
}

/* The line must not go to a screen that is about to disappear. */
static void report_no_memory(void)
{
    restore_terminal();
    xmalloc_report();
}

static void die_restored(int number)
{
    restore_terminal();
    signal(number, SIG_DFL);
    raise(number);
}

static void set_handlers(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};

    for (int i = 0; i < DEADLY; i++)
        sigaction(deadly[i], &action, NULL);
}

void crash_arm(const char *text, size_t bytes, const struct termios *modes)
{
    restore.bytes = bytes < CRASH_TEXT_MAX ? bytes : CRASH_TEXT_MAX;
    memcpy(restore.text, text, restore.bytes);
    restore.modes = *modes;
    set_handlers(die_restored);
    xmalloc_set_report(report_no_memory);
}

void crash_disarm(void)
{
    set_handlers(SIG_DFL);
    xmalloc_set_report(xmalloc_report);
}
