#include "console.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "client/link/json_read.h"
#include "client/link/match_state.h"
#include "common/text.h"
#include "common/xmalloc.h"
#include "names.h"
#include "wrap.h"

enum { USUAL_WIDTH = 80, NARROWEST = 20, INDENT = 4, PAGE_MARGINS = 2 };

static bool has_colors(void)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");

    if (no_color != NULL && no_color[0] != '\0')
        return false;
    return isatty(STDOUT_FILENO) && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

void console_open(struct console *console, struct input *input, const struct names *names)
{
    console->input = input;
    console->names = names;
    console->front = NULL;
    console->color = has_colors();
}

/* The present width of the terminal in columns; 0 when standard output is not one. */
static int terminal_width(void)
{
    struct winsize size;

    if (!isatty(STDOUT_FILENO))
        return 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return size.ws_col > NARROWEST ? size.ws_col : NARROWEST;
}

/* The columns that a line has room for; 0: any number, as standard output is no terminal. */
static int console_width(const struct console *console)
{
    int width = terminal_width();

    return console->front != NULL ? width - PAGE_MARGINS : width;
}

/* All output goes through here. */
static void put_text(const struct console *console, const char *text)
{
    if (console->front != NULL)
        console->front->text(console->front->context, text);
    else
        fputs(text, stdout);
}

/* Writes one line in rows of at most `width` columns. */
static void put_line(const char *line, size_t bytes, int width)
{
    int indent = wrap_indent(line, width, INDENT), left = width;

    while (bytes > 0) {
        size_t row = wrap_row(line, bytes, left);
        printf("%.*s\n", (int)row, line);
        line += row;
        bytes -= row;
        size_t spaces = strspn(line, " ");
        spaces = spaces < bytes ? spaces : bytes;
        line += spaces;
        bytes -= spaces;
        if (bytes > 0)
            printf("%*s", indent, "");
        left = width - indent;
    }
}

/* Writes all lines of a text. */
static void put_lines(const char *text, int width)
{
    size_t bytes;

    for (;; text += bytes + 1) {
        bytes = strcspn(text, "\n");
        if (bytes > 0)
            put_line(text, bytes, width);
        else
            putchar('\n');
        if (text[bytes] == '\0')
            return;
    }
}

void console_say(struct console *console, const char *format, ...)
{
    va_list args;
    int width = terminal_width();

    input_hide(console->input);
    va_start(args, format);
    size_t size = (size_t)vsnprintf(NULL, 0, text_translated(format), args) + 1;
    va_end(args);
    char *text = xmalloc(size);
    va_start(args, format);
    vsnprintf(text, size, text_translated(format), args);
    va_end(args);
    if (width > 0 && console->front == NULL) {
        put_lines(text, width);
    } else {
        put_text(console, text);
        put_text(console, "\n");
    }
    free(text);
}

void console_text(struct console *console, const char *text)
{
    input_hide(console->input);
    put_text(console, text);
}

enum { COLUMNS_MAX = 16, GAP = 2, NARROWEST_COLUMN = 4, NAME_COLUMN = 8 };
enum { NAME_MAX_BYTES = 32, FIELD_MAX = 512 }; /* bytes with the final NUL */

/* The titles of columns are the names of members of the protocol: those that people have words for.
 */
static const char *const column_titles[] = {N_("match"),   N_("date"),        N_("game"),
                                            N_("variant"), N_("white"),       N_("black"),
                                            N_("result"),  N_("reason"),      N_("plies"),
                                            N_("status"),  N_("ply"),         N_("watchers"),
                                            N_("clock"),   N_("name"),        N_("bot"),
                                            N_("rating"),  N_("playing"),     N_("rank"),
                                            N_("matches"), N_("deviation"),   N_("opponent"),
                                            N_("last"),    N_("left"),        N_("title"),
                                            N_("default"), N_("variants"),    N_("value"),
                                            N_("number"),  N_("score"),       N_("wins"),
                                            N_("direct"),  N_("tournament"),  N_("tournaments"),
                                            N_("format"),  N_("director"),    N_("round"),
                                            N_("rounds"),  N_("starts"),      N_("entrants"),
                                            N_("color"),   N_("performance"), NULL};

static const char *title_of(const char *name)
{
    for (const char *const *title = column_titles; *title != NULL; title++)
        if (strcmp(*title, name) == 0)
            return _(*title);
    return name;
}

/* A column on a terminal; numbers are aligned right. */
struct console_column {
    char name[NAME_MAX_BYTES];
    int width;
    bool right;
    bool is_text; /* can be cut; of a date, a game or a number a part would be wrong */
};

/* The columns that go where the terminal is too narrow for all, the least important first. */
static const char *const lesser_columns[] = {"white_rating",
                                             "black_rating",
                                             "deviation",
                                             "performance_error",
                                             "rating_game",
                                             "sonneborn_berger",
                                             "buchholz",
                                             "direct",
                                             "starts",
                                             "watchers",
                                             "plies",
                                             "clock",
                                             "rounds",
                                             "round",
                                             "last",
                                             "reason",
                                             "bot",
                                             "wins",
                                             "director",
                                             "format",
                                             "ply",
                                             "matches",
                                             "performance",
                                             "left",
                                             "entrants",
                                             "default",
                                             "variant",
                                             "date",
                                             NULL};

static void write_list(const cJSON *list, char text[FIELD_MAX])
{
    const cJSON *item;
    size_t used = 0;

    text[0] = '\0';
    cJSON_ArrayForEach (item, list) {
        const char *word = cJSON_GetStringValue(item);
        if (word != NULL && used < FIELD_MAX)
            used +=
                (size_t)snprintf(text + used, FIELD_MAX - used, "%s%s", used > 0 ? "," : "", word);
    }
}

/* Writes a value as text: yes or no, a list with commas, a clock as 300+5. */
static void write_field(const cJSON *value, char text[FIELD_MAX])
{
    text[0] = '\0';
    if (cJSON_IsString(value))
        snprintf(text, FIELD_MAX, "%s", value->valuestring);
    else if (cJSON_IsNumber(value))
        snprintf(text, FIELD_MAX, "%.15g", value->valuedouble);
    else if (cJSON_IsBool(value))
        snprintf(text, FIELD_MAX, "%s", cJSON_IsTrue(value) ? "yes" : "no");
    else if (cJSON_IsArray(value))
        write_list(value, text);
    else if (cJSON_IsObject(value)) {
        int64_t base_ms = json_ms(value, "base_ms"), increment_ms = json_ms(value, "increment_ms");

        if (base_ms >= 0 && increment_ms >= 0)
            snprintf(text, FIELD_MAX, "%.10g+%.10g", (double)base_ms / 1000,
                     (double)increment_ms / 1000);
    }
    if (text[0] == '\0')
        snprintf(text, FIELD_MAX, "-");
    utf8_clean(text);
}

/* Splits off the first field name; "" at the end. */
static const char *next_field(const char **fields, char name[NAME_MAX_BYTES])
{
    size_t length = strcspn(*fields, " ");

    snprintf(name, NAME_MAX_BYTES, "%.*s", (int)length, *fields);
    *fields += length + strspn(*fields + length, " ");
    return name;
}

void columns_print_row(struct console *console, const cJSON *row, const char *fields)
{
    char name[NAME_MAX_BYTES], text[FIELD_MAX];

    while (*fields != '\0') {
        write_field(json_member(row, next_field(&fields, name)), text);
        console_text(console, text);
        console_text(console, *fields != '\0' ? "\t" : "\n");
    }
}

static bool is_player_column(const char *name)
{
    static const char *const names[] = {"name", "white", "black", "opponent", "director"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Replaces a word of the protocol in a column of such words. */
static void translate_word(const char *name, char text[FIELD_MAX])
{
    static const char *const words[] = {
        N_("yes"),     N_("no"),          N_("open"),     N_("playing"),  N_("over"),
        N_("running"), N_("paused"),      N_("finished"), N_("aborted"),  N_("white"),
        N_("black"),   N_("round-robin"), N_("swiss"),    N_("knockout"), N_("arena")};
    const char *translated = text;

    if (strcmp(name, "reason") == 0)
        translated = reason_words(text);
    else if (!is_player_column(name))
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            if (strcmp(words[i], text) == 0)
                translated = _(words[i]);
    if (translated != text)
        snprintf(text, FIELD_MAX, "%s", translated);
}

/* Writes a field for people, who need no time of day, and see players by their display names. A
 * list of players has the name, too, which commands take. */
static void write_cell(const struct console *console, const cJSON *row, const char *name,
                       char text[FIELD_MAX])
{
    const char *shown = is_player_column(name) ? names_shown_of(console->names, row, name) : NULL;

    write_field(json_member(row, name), text);
    if (strcmp(name, "date") == 0)
        text[strcspn(text, "T")] = '\0';
    translate_word(name, text);
    if (shown == NULL || shown == json_text(row, name))
        return;
    if (strcmp(name, "name") == 0)
        snprintf(text, FIELD_MAX, "%s (%s)", shown, json_text(row, name));
    else
        snprintf(text, FIELD_MAX, "%s", shown);
    utf8_clean(text);
}

static bool is_text_column(const char *name)
{
    static const char *const names[] = {"title", "variants", "value", "games"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return is_player_column(name);
}

static struct console_column measure_column(const struct console *console, const cJSON *rows,
                                            const char *name)
{
    const char *title = title_of(name);
    struct console_column column = {.width = wrap_columns(title, strlen(title)),
                                    .is_text = is_text_column(name)};
    bool other = false;
    const cJSON *row;
    char text[FIELD_MAX];

    cJSON_ArrayForEach (row, rows) {
        const cJSON *value = json_member(row, name);
        write_cell(console, row, name, text);
        int width = wrap_columns(text, strlen(text));
        column.width = width > column.width ? width : column.width;
        column.right = column.right || cJSON_IsNumber(value);
        other = other || !(cJSON_IsNumber(value) || value == NULL || cJSON_IsNull(value));
    }
    column.right = column.right && !other;
    snprintf(column.name, sizeof column.name, "%s", name);
    return column;
}

/* Returns the width of a row whose texts take no more than `most` columns each. */
static int row_width(const struct console_column columns[COLUMNS_MAX], int count, int most)
{
    int total = (count - 1) * GAP;

    for (int i = 0; i < count; i++)
        total += columns[i].is_text && columns[i].width > most ? most : columns[i].width;
    return total;
}

/* Removes the least important column. False: all are needed. */
static bool drop_column(struct console_column columns[COLUMNS_MAX], int *count)
{
    for (const char *const *name = lesser_columns; *name != NULL; name++)
        for (int i = 0; i < *count; i++)
            if (strcmp(columns[i].name, *name) == 0) {
                memmove(columns + i, columns + i + 1, (size_t)(--*count - i) * sizeof columns[0]);
                return true;
            }
    return false;
}

/* Makes all columns fit into a row, where that is possible: a column is dropped before names lose
 * more than what is beyond NAME_COLUMN, and then the widest texts are narrowed. */
static void fit_columns(struct console_column columns[COLUMNS_MAX], int *count, int room)
{
    while (room > 0 && row_width(columns, *count, NAME_COLUMN) > room &&
           drop_column(columns, count))
        ;
    while (room > 0 && row_width(columns, *count, INT_MAX) > room) {
        struct console_column *widest = NULL;
        for (int i = 0; i < *count; i++)
            if (columns[i].is_text && (widest == NULL || columns[i].width > widest->width))
                widest = &columns[i];
        if (widest == NULL || widest->width <= NARROWEST_COLUMN)
            return;
        widest->width--;
    }
}

/* Says the titles when row is NULL. Pads by columns, as printf() would count bytes; the last field
 * has no padding. */
static void say_aligned(struct console *console, const cJSON *row,
                        const struct console_column *columns, int count)
{
    char field[FIELD_MAX], text[FIELD_MAX], line[COLUMNS_MAX * FIELD_MAX] = "";
    size_t used = 0;

    for (int i = 0; i < count && used < sizeof line; i++) {
        snprintf(field, sizeof field, "%s", title_of(columns[i].name));
        if (row != NULL)
            write_cell(console, row, columns[i].name, field);
        wrap_cut(field, columns[i].width, text, sizeof text);
        int blanks = columns[i].width - wrap_columns(text, strlen(text));
        bool right = columns[i].right, last = i == count - 1;
        used += (size_t)snprintf(line + used, sizeof line - used, "%*s%s%*s%s", right ? blanks : 0,
                                 "", text, right || last ? 0 : blanks, "", last ? "" : "  ");
    }
    console_say(console, "%s", line);
}

void columns_print(struct console *console, const cJSON *rows, const char *fields, bool aligned)
{
    struct console_column columns[COLUMNS_MAX];
    char name[NAME_MAX_BYTES];
    const char *rest = fields;
    const cJSON *row;

    int count = 0;
    while (aligned && *rest != '\0' && count < COLUMNS_MAX)
        columns[count++] = measure_column(console, rows, next_field(&rest, name));
    if (aligned) {
        fit_columns(columns, &count, console_width(console));
        say_aligned(console, NULL, columns, count);
    }
    cJSON_ArrayForEach (row, rows) {
        if (aligned)
            say_aligned(console, row, columns, count);
        else
            columns_print_row(console, row, fields);
    }
}

void columns_print_rest(struct console *console, const cJSON *reply, const char *list)
{
    int total, shown = cJSON_GetArraySize(json_member(reply, list));

    if (json_int(reply, "total", &total) && total > shown)
        console_say(console, "(%d of %d %s)", shown, total, list);
}
