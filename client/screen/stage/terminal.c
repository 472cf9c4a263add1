#include "terminal.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "client/term/crash.h"

enum { ESCAPE_WAIT_MS = 40, TITLE_MAX = 64 };

/* A stack of titles, as xterm has it. */
#define KEEP_TITLE    "\033[22;2t"
#define RESTORE_TITLE "\033[23;2t"

/* Curses, too, has one terminal for the whole program. */
static struct {
    SCREEN *console; /* NULL: not open */
    struct termios modes;
    bool titled;           /* the title from before is kept */
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

/* Whether xterm's sequences for titles are understood, or at least ignored: as with its mouse. */
static bool has_titles(void)
{
    return key_mouse != NULL;
}

/* Writes past curses, whose own output is complete after each refresh(). */
static void write_out(const char *text)
{
    fputs(text, stdout);
    fflush(stdout);
}

static void keep_title(void)
{
    if (!taken.titled && has_titles())
        write_out(KEEP_TITLE);
    taken.titled = has_titles();
    taken.title[0] = '\0';
}

static void restore_title(void)
{
    if (taken.titled)
        write_out(RESTORE_TITLE);
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

    if (has_titles())
        add_sequence(&leave, RESTORE_TITLE);
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
    keep_title();
    return true;
}

void terminal_close(void)
{
    if (taken.console == NULL)
        return;
    restore_title();
    endwin();
    crash_disarm();
    delscreen(taken.console);
    taken.console = NULL;
    tcsetattr(STDOUT_FILENO, TCSADRAIN, &taken.modes);
}

void terminal_lend(void)
{
    restore_title();
    endwin();
}

void terminal_take(void)
{
    reset_prog_mode();
    terminal_resize();
    keep_title();
    clearok(stdscr, TRUE);
    refresh();
}

void terminal_resize(void)
{
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
}
