#include "edit.h"

#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "client/term/wrap.h"
#include "paint.h"

/* Removes the last character, which may have several bytes. */
static void drop_last(struct edit *edit)
{
    size_t bytes = strlen(edit->text);

    while (bytes > 0 && ((unsigned char)edit->text[bytes - 1] & 0xc0) == 0x80)
        bytes--;
    edit->text[bytes > 0 ? bytes - 1 : 0] = '\0';
}

static void add(struct edit *edit, wchar_t letter)
{
    char bytes[8];
    mbstate_t state = {0};
    size_t count = wcrtomb(bytes, letter, &state), used = strlen(edit->text);

    if (count >= sizeof bytes || used + count >= sizeof edit->text)
        return;
    memcpy(edit->text + used, bytes, count);
    edit->text[used + count] = '\0';
}

bool edit_take(struct edit *edit, int key)
{
    if (key == FN(KEY_BACKSPACE) || key == 127 || key == '\b')
        drop_last(edit);
    else if (key == CTRL('u'))
        edit->text[0] = '\0';
    else if (key >= ' ' && iswprint((wint_t)key))
        add(edit, (wchar_t)key);
    else
        return false;
    return true;
}

void edit_paint(const struct edit *edit, const struct theme *theme, int y, int x, int width)
{
    attr_t ink = theme_text(theme);
    const char *text = edit->text;

    while (wrap_columns(text, strlen(text)) > width - 1 && *text != '\0')
        do
            text++;
        while (((unsigned char)*text & 0xc0) == 0x80);
    int columns = paint_text(y, x, width - 1, ink, text);
    paint_text(y, x + columns, 1, ink | A_REVERSE, " ");
}

struct question {
    const char *text;
    struct edit *edit;
};

static void paint(struct stage *stage, void *context)
{
    const struct question *question = context;
    attr_t ink = theme_text(&stage->theme);

    erase();
    paint_rows(1, 2, COLS - 4, 4, ink | A_BOLD, question->text);
    paint_text(6, 2, 2, ink, "> ");
    edit_paint(question->edit, &stage->theme, 6, 4, COLS - 6);
    stage_paint_line(stage);
}

static bool take(struct stage *stage, void *context, struct press press)
{
    const struct question *question = context;

    (void)stage;
    if (press.action == ACTION_NONE)
        edit_take(question->edit, press.key);
    return press.action == ACTION_CHOOSE;
}

static const char *word(const struct stage *stage, const void *context, enum action action)
{
    (void)stage;
    (void)context;
    return action == ACTION_CHOOSE ? "done" : key_rows[action].word;
}

bool edit_ask(struct stage *stage, const char *text, struct edit *edit)
{
    struct part part = {.place = IN_LINE,
                        .paint = paint,
                        .take = take,
                        .word = word,
                        .context = &(struct question){text, edit},
                        .typing = true};

    return stage_run(stage, &part);
}
