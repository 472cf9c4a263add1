#include "columns.h"

#include <stdio.h>
#include <string.h>

#include "client/link/json_read.h"
#include "common/utf8.h"
#include "wrap.h"

enum { COLUMNS_MAX = 16, GAP = 2, NARROWEST_COLUMN = 4 };
enum { NAME_MAX_BYTES = 32, FIELD_MAX = 512 }; /* bytes with the final NUL */

/* A column on a terminal; numbers are aligned right. */
struct column {
    int width;
    bool right;
};

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

static void write_clock(const cJSON *clock, char text[FIELD_MAX])
{
    int64_t base_ms = json_ms(clock, "base_ms"), increment_ms = json_ms(clock, "increment_ms");

    if (base_ms >= 0 && increment_ms >= 0)
        snprintf(text, FIELD_MAX, "%.10g+%.10g", (double)base_ms / 1000,
                 (double)increment_ms / 1000);
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
    else if (cJSON_IsObject(value))
        write_clock(value, text);
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

/* Writes a field for people, who need no time of day. */
static void write_cell(const cJSON *row, const char *name, char text[FIELD_MAX])
{
    write_field(json_member(row, name), text);
    if (strcmp(name, "date") == 0)
        text[strcspn(text, "T")] = '\0';
}

static struct column measure(const cJSON *rows, const char *name)
{
    struct column column = {.width = (int)strlen(name)};
    bool other = false;
    const cJSON *row;
    char text[FIELD_MAX];

    cJSON_ArrayForEach (row, rows) {
        const cJSON *value = json_member(row, name);
        write_cell(row, name, text);
        int width = wrap_columns(text, strlen(text));
        column.width = width > column.width ? width : column.width;
        column.right = column.right || cJSON_IsNumber(value);
        other = other || !(cJSON_IsNumber(value) || value == NULL || cJSON_IsNull(value));
    }
    column.right = column.right && !other;
    return column;
}

/* Narrows the widest columns until all fit into a row. */
static void narrow(struct column columns[COLUMNS_MAX], int count, int room)
{
    int total = (count - 1) * GAP;

    for (int i = 0; i < count; i++)
        total += columns[i].width;
    while (room > 0 && total > room) {
        int widest = 0;
        for (int i = 1; i < count; i++)
            if (columns[i].width > columns[widest].width)
                widest = i;
        if (columns[widest].width <= NARROWEST_COLUMN)
            return;
        columns[widest].width--;
        total--;
    }
}

/* Cuts a text that is wider than its column, and marks that by '~'. */
static void cut(char text[FIELD_MAX], int width)
{
    size_t bytes = strlen(text), kept = 0;
    int columns = 0, letter_width;
    wchar_t letter;

    if (wrap_columns(text, bytes) <= width)
        return;
    while (kept < bytes) {
        const char *next = wrap_letter(text + kept, bytes - kept, &letter, &letter_width);
        if (columns + letter_width > width - 1)
            break;
        columns += letter_width;
        kept = (size_t)(next - text);
    }
    text[kept] = '~';
    text[kept + 1] = '\0';
}

/* Says the titles when row is NULL. Pads by columns, as printf() would count bytes; the last field
 * has no padding. */
static void say_aligned(struct console *console, const cJSON *row, const char *fields,
                        const struct column *columns)
{
    char name[NAME_MAX_BYTES], text[FIELD_MAX], line[COLUMNS_MAX * FIELD_MAX] = "";
    size_t used = 0;

    for (int i = 0; *fields != '\0' && i < COLUMNS_MAX && used < sizeof line; i++) {
        snprintf(text, sizeof text, "%s", next_field(&fields, name));
        if (row != NULL)
            write_cell(row, name, text);
        cut(text, columns[i].width);
        int blanks = columns[i].width - wrap_columns(text, strlen(text));
        bool right = columns[i].right, last = *fields == '\0';
        used += (size_t)snprintf(line + used, sizeof line - used, "%*s%s%*s%s", right ? blanks : 0,
                                 "", text, right || last ? 0 : blanks, "", last ? "" : "  ");
    }
    console_say(console, "%s", line);
}

void columns_print(struct console *console, const cJSON *rows, const char *fields, bool aligned)
{
    struct column columns[COLUMNS_MAX];
    char name[NAME_MAX_BYTES];
    const char *rest = fields;
    const cJSON *row;

    int count = 0;
    while (aligned && *rest != '\0' && count < COLUMNS_MAX)
        columns[count++] = measure(rows, next_field(&rest, name));
    if (aligned) {
        narrow(columns, count, console_width(console));
        say_aligned(console, NULL, fields, columns);
    }
    cJSON_ArrayForEach (row, rows) {
        if (aligned)
            say_aligned(console, row, fields, columns);
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
