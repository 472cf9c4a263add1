#include "input.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

#include <editline/readline.h>

#include "common/xmalloc.h"
#include "crash.h"
#include "wrap.h"

enum { HISTORY_LINES = 500, KEY_WAIT_MS = 200 };

/* libedit passes no context to its callbacks and keeps its own state in globals: this is the input
 * they mean, NULL when none is open. */
static struct input *edited;

static void line_edited(char *line)
{
    if (line == NULL)
        edited->ended = true;
    else
        snprintf(edited->line, sizeof edited->line, "%s", line);
    edited->has_line = line != NULL;
    edited->shown = false;
    free(line);
}

/* Reads one byte. A lone Escape or half a character must not block the caller until the next key,
 * so this gives up soon. */
static bool read_byte(char *byte)
{
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};

    if (poll(&ready, 1, KEY_WAIT_MS) <= 0)
        return false;
    if (read(STDIN_FILENO, byte, 1) == 1)
        return true;
    edited->ended = true;
    return false;
}

/* Reads one character for libedit; -1 when there is no more for now. */
static int read_key(FILE *unused)
{
    mbstate_t state = {0};
    wchar_t key;
    char byte;

    (void)unused;
    while (read_byte(&byte)) {
        size_t used = mbrtowc(&key, &byte, 1, &state);
        if (used == 0)
            return 0;
        if (used == 1)
            return (int)key;
        if (used == (size_t)-1)
            memset(&state, 0, sizeof state);
    }
    return -1;
}

/* The index-th candidate that completes the word, owned by libedit; NULL after the last. */
static char *complete(const char *word, int index)
{
    const char *candidate;

    for (int i = 0; (candidate = edited->candidate(edited->context, i)) != NULL; i++)
        if (strncasecmp(candidate, word, strlen(word)) == 0 && index-- == 0)
            return xstrdup(candidate);
    return NULL;
}

static const char *no_candidate(const void *context, int index)
{
    (void)context;
    (void)index;
    return NULL;
}

static bool terminal_can_edit(void)
{
    const char *term = getenv("TERM");

    return term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

static void begin_line(void)
{
    rl_callback_handler_install("", line_edited);
}

static void restore_terminal(void)
{
    if (edited != NULL)
        rl_callback_handler_remove();
}

static void start_editing(struct input *input)
{
    struct termios modes;

    edited = input;
    if (tcgetattr(STDOUT_FILENO, &modes) == 0)
        crash_arm("", 0, &modes);
    rl_readline_name = "ludus";
    rl_getc_function = read_key;
    rl_completion_entry_function = complete;
    rl_basic_word_break_characters = " \t\n";
    using_history();
    stifle_history(HISTORY_LINES);
    if (input->history != NULL)
        read_history(input->history);
    atexit(restore_terminal);
    begin_line();
}

static enum input_mode find_mode(void)
{
    if (!isatty(STDIN_FILENO))
        return INPUT_READ;
    if (!isatty(STDOUT_FILENO))
        return INPUT_TYPED;
    return terminal_can_edit() ? INPUT_EDITED : INPUT_PROMPTED;
}

void input_open(struct input *input, const char *history)
{
    *input = (struct input){.history = history, .candidate = no_candidate, .mode = find_mode()};
    if (input->mode == INPUT_EDITED)
        start_editing(input);
}

void input_close(struct input *input)
{
    input_hide(input);
    if (input->mode != INPUT_EDITED)
        return;
    restore_terminal();
    crash_disarm();
    if (input->history != NULL)
        write_history(input->history);
    edited = NULL;
}

void input_hand_over(struct input *input)
{
    input_close(input);
    if (input->mode > INPUT_TYPED)
        input->mode = INPUT_TYPED;
}

bool input_is_typed(const struct input *input)
{
    return input->mode >= INPUT_TYPED;
}

static bool input_prompts(const struct input *input)
{
    return input->mode >= INPUT_PROMPTED;
}

bool input_wants(const struct input *input)
{
    return !input->ended && !input->has_line && input->pending_bytes < sizeof input->pending;
}

void input_read(struct input *input)
{
    if (input->mode == INPUT_EDITED) {
        rl_callback_read_char();
        if (input->has_line)
            begin_line();
        return;
    }
    ssize_t count = read(STDIN_FILENO, input->pending + input->pending_bytes,
                         sizeof input->pending - input->pending_bytes);
    if (count > 0)
        input->pending_bytes += (size_t)count;
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
        input->ended = true;
}

/* Bytes of the next line with its end; 0 while it is incomplete. A line that fills the buffer is
 * taken as it is there; text after the last line end is a line. */
static size_t pending_line(const struct input *input)
{
    const char *end = memchr(input->pending, '\n', input->pending_bytes);

    if (end != NULL)
        return (size_t)(end - input->pending) + 1;
    bool complete = input->ended || input->pending_bytes == sizeof input->pending;
    return complete ? input->pending_bytes : 0;
}

static const char *take_pending(struct input *input, const char *prompt)
{
    bool is_rest = true;

    while (is_rest) {
        size_t length = pending_line(input);
        if (length == 0)
            return NULL;
        memcpy(input->line, input->pending, length);
        input->pending_bytes -= length;
        memmove(input->pending, input->pending + length, input->pending_bytes);
        input->line[length] = '\0';
        is_rest = input->cut;
        input->cut = input->line[length - 1] != '\n';
    }
    input->line[strcspn(input->line, "\r\n")] = '\0';
    if (!input_prompts(input))
        printf("%s%s\n", prompt, input->line);
    input->shown = false;
    return input->line;
}

const char *input_take(struct input *input, const char *prompt)
{
    if (input->mode != INPUT_EDITED)
        return take_pending(input, prompt);
    if (!input->has_line)
        return NULL;
    input->has_line = false;
    return input->line;
}

bool input_has_more(const struct input *input)
{
    return !input->ended || input->has_line || pending_line(input) > 0;
}

void input_remember(struct input *input, const char *line)
{
    const HIST_ENTRY *last;

    if (input->mode != INPUT_EDITED || line[0] == '\0')
        return;
    last = history_get(history_base + history_length - 1);
    if (last == NULL || strcmp(last->line, line) != 0)
        add_history(line);
}

void input_show(struct input *input, const char *prompt)
{
    if (!input_prompts(input) || (input->shown && strcmp(prompt, input->prompt) == 0))
        return;
    input_hide(input);
    snprintf(input->prompt, sizeof input->prompt, "%s", prompt);
    input->shown = true;
    if (input->mode == INPUT_EDITED) {
        rl_set_prompt(input->prompt);
        rl_forced_update_display();
    } else {
        fputs(input->prompt, stdout);
    }
}

void input_hide(struct input *input)
{
    int rows, width;

    if (!input->shown)
        return;
    input->shown = false;
    if (input->mode != INPUT_EDITED) {
        fputs("\n", stdout);
        return;
    }
    rl_get_screen_size(&rows, &width);
    int column = wrap_columns(input->prompt, strlen(input->prompt));
    column += wrap_columns(rl_line_buffer, (size_t)rl_point);
    if (width > 0 && column >= width)
        printf("\033[%dA", column / width);
    fputs("\r\033[J", stdout);
}

void input_clear(struct input *input)
{
    fputs(input->mode == INPUT_EDITED ? "\033[J\n" : "\n", stdout);
    input->shown = false;
    if (input->mode == INPUT_EDITED) {
        rl_callback_handler_remove();
        begin_line();
    }
}

void input_release(struct input *input)
{
    if (input->mode == INPUT_EDITED)
        rl_deprep_terminal();
}

void input_resume(struct input *input)
{
    if (input->mode == INPUT_EDITED)
        rl_prep_terminal(1);
}

void input_resize(struct input *input)
{
    if (input->mode == INPUT_EDITED)
        rl_resize_terminal();
}
