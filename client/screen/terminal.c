#include "terminal.h"

#include <curses.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

enum { RESTORE_MAX = 256, ESCAPE_WAIT_MS = 40 };

/* What a signal handler needs to give the terminal back: handlers get no pointer of ours, and may
 * call hardly anything. Written before they are set up, and only read by them. */
static struct {
    char text[RESTORE_MAX]; /* the sequences that leave the full screen */
    size_t bytes;
    struct termios modes;
    SCREEN *screen; /* NULL: not open */
} restore;

static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
                             SIGTERM, SIGHUP, SIGINT, SIGQUIT};
enum { DEADLY = sizeof deadly / sizeof deadly[0] };

static void die_restored(int number)
{
    ssize_t written = write(STDOUT_FILENO, restore.text, restore.bytes);

    (void)written;
    tcsetattr(STDOUT_FILENO, TCSANOW, &restore.modes);
    signal(number, SIG_DFL);
    raise(number);
}

static void set_handlers(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND};

    for (int i = 0; i < DEADLY; i++)
        sigaction(deadly[i], &action, NULL);
}

/* Adds a sequence of the terminal without the pauses that stand in it as $<5>. */
static void add_sequence(const char *sequence)
{
    while (sequence != NULL && *sequence != '\0' && restore.bytes < RESTORE_MAX) {
        if (sequence[0] == '$' && sequence[1] == '<') {
            sequence = strchr(sequence, '>');
            sequence = sequence != NULL ? sequence + 1 : NULL;
        } else {
            restore.text[restore.bytes++] = *sequence++;
        }
    }
}

static void note_restore(void)
{
    restore.bytes = 0;
    add_sequence("\033[?1000l\033[?1006l"); /* no more mouse */
    add_sequence(exit_attribute_mode);
    add_sequence(keypad_local);
    add_sequence(cursor_normal);
    add_sequence(exit_ca_mode);
}

bool terminal_fits(void)
{
    const char *term = getenv("TERM");

    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term != NULL && term[0] != '\0' &&
           strcmp(term, "dumb") != 0;
}

/* Without addressing the cursor there is no full screen. */
static bool can_draw(void)
{
    return cursor_address != NULL && clear_screen != NULL;
}

static void set_modes(void)
{
    cbreak();
    noecho();
    nonl();
    noqiflush(); /* or Ctrl-C would throw away what is half drawn */
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(ESCAPE_WAIT_MS);
    mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
    curs_set(0);
}

bool terminal_open(void)
{
    if (!terminal_fits() || tcgetattr(STDOUT_FILENO, &restore.modes) != 0)
        return false;
    restore.screen = newterm(NULL, stdout, stdin);
    if (restore.screen == NULL)
        return false;
    if (!can_draw()) {
        terminal_close();
        return false;
    }
    note_restore();
    set_handlers(die_restored);
    set_modes();
    return true;
}

void terminal_close(void)
{
    if (restore.screen == NULL)
        return;
    endwin();
    set_handlers(SIG_DFL);
    delscreen(restore.screen);
    restore.screen = NULL;
    tcsetattr(STDOUT_FILENO, TCSADRAIN, &restore.modes);
}

void terminal_lend(void)
{
    endwin();
}

void terminal_take(void)
{
    reset_prog_mode();
    terminal_resize();
    clearok(stdscr, TRUE);
    refresh();
}

void terminal_resize(void)
{
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
}
