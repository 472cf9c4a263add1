#include "terminal.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "client/ludus/term/crash.h"

enum { ESCAPE_WAIT_MS = 40, TITLE_MAX = 64 };

/* A stack of titles, as xterm has it. */
#define KEEP_TITLE    "\033[22;2t"
#define RESTORE_TITLE "\033[23;2t"

/* xterm's bracketed paste, which tells a pasted text from keys. */
#define MARK_PASTES  "\033[?2004h"
#define LEAVE_PASTES "\033[?2004l"

/* Curses, too, has one terminal for the whole program. */
static struct {
    SCREEN *console; /* NULL: not open */
    struct termios modes;
    bool titled;           /* the title from before is kept, and pastes are marked */
    char title[TITLE_MAX]; /* "": that from before */
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

/* Whether xterm's own sequences are understood, or at least ignored: as with its mouse. */
static bool is_xterm(void)
{
    return key_mouse != NULL;
}

/* Writes past curses, whose own output is complete after each refresh(). */
static void write_out(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

/* Keeps the shell's title, and has pastes marked: shells end that when a program goes on. */
static void begin_xterm(void)
{
    if (is_xterm())
        write_out(taken.titled ? MARK_PASTES : KEEP_TITLE MARK_PASTES);
    taken.titled = is_xterm();
    taken.title[0] = '\0';
}

static void end_xterm(void)
{
    if (taken.titled)
        write_out(LEAVE_PASTES RESTORE_TITLE);
    taken.titled = false;
    taken.title[0] = '\0';
}

void terminal_title(const char *title)
{
    char text[TITLE_MAX + 8];

    if (!taken.titled || strcmp(title, taken.title) == 0)
        return;
    snprintf(taken.title, sizeof taken.title, "%s", title);
    snprintf(text, sizeof text, "\033]2;%s\a", taken.title);
    write_out(text);
}

/* Arranges for a crash to leave full screen. */
static void arm(void)
{
    struct sequences leave = {.bytes = 0};

    if (is_xterm())
        add_sequence(&leave, LEAVE_PASTES RESTORE_TITLE);
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

static void set_modes(void)
{
    cbreak();
    noecho();
    nonl();
    noqiflush(); /* or Ctrl-C would discard half a frame */
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(ESCAPE_WAIT_MS);
    mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON1_CLICKED | BUTTON4_PRESSED |
                  BUTTON5_PRESSED,
              NULL);
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
    if (cursor_address == NULL || clear_screen == NULL) { /* it cannot move its cursor */
        terminal_close();
        return false;
    }
    arm();
    set_modes();
    begin_xterm();
    return true;
}

void terminal_close(void)
{
    if (taken.console == NULL)
        return;
    end_xterm();
    endwin();
    crash_disarm();
    delscreen(taken.console);
    taken.console = NULL;
    tcsetattr(STDOUT_FILENO, TCSADRAIN, &taken.modes);
}

void terminal_lend(void)
{
    end_xterm();
    endwin();
}

void terminal_take(void)
{
    reset_prog_mode();
    terminal_resize();
    begin_xterm();
    clearok(stdscr, TRUE);
    refresh();
}

void terminal_resize(void)
{
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
}
