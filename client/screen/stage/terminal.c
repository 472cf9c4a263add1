#include "terminal.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "client/term/crash.h"

enum { ESCAPE_WAIT_MS = 40 };

/* Curses, too, has one terminal for the whole program. */
static struct {
    SCREEN *console; /* NULL: not open */
    struct termios modes;
} taken;

/* Escape sequences. */
struct sequences {
    char text[CRASH_TEXT_MAX];
    size_t bytes;
};

/* Adds a sequence without its pauses, such as $<5>. */
static void add_sequence(struct sequences *sequences, const char *sequence)
{
    while (sequence != NULL && *sequence != '\0' && sequences->bytes < CRASH_TEXT_MAX) {
        if (sequence[0] == '$' && sequence[1] == '<') {
            sequence = strchr(sequence, '>');
            sequence = sequence != NULL ? sequence + 1 : NULL;
        } else {
            sequences->text[sequences->bytes++] = *sequence++;
        }
    }
}

/* Arranges for a crash to leave full screen. */
static void arm(void)
{
    struct sequences leave = {.bytes = 0};

    add_sequence(&leave, "\033[?1000l\033[?1006l"); /* no more mouse */
    add_sequence(&leave, exit_attribute_mode);
    add_sequence(&leave, keypad_local);
    add_sequence(&leave, cursor_normal);
    add_sequence(&leave, exit_ca_mode);
    crash_arm(leave.text, leave.bytes, &taken.modes);
}

bool terminal_fits(void)
{
    const char *term = getenv("TERM");

    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term != NULL && term[0] != '\0' &&
           strcmp(term, "dumb") != 0;
}

/* A terminal must be able to move its cursor. */
static bool can_draw(void)
{
    return cursor_address != NULL && clear_screen != NULL;
}

static void set_modes(void)
{
    cbreak();
    noecho();
    nonl();
    noqiflush(); /* or Ctrl-C would discard half a frame */
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(ESCAPE_WAIT_MS);
    mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
    curs_set(0);
}

bool terminal_open(void)
{
    if (tcgetattr(STDOUT_FILENO, &taken.modes) != 0)
        return false;
    taken.console = newterm(NULL, stdout, stdin);
    if (taken.console == NULL)
        return false;
    if (!can_draw()) {
        terminal_close();
        return false;
    }
    arm();
    set_modes();
    return true;
}

void terminal_close(void)
{
    if (taken.console == NULL)
        return;
    endwin();
    crash_disarm();
    delscreen(taken.console);
    taken.console = NULL;
    tcsetattr(STDOUT_FILENO, TCSADRAIN, &taken.modes);
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
