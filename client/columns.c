#include "columns.h"

#include <stdio.h>
#include <string.h>

#include "common/utf8.h"
#include "json_read.h"
#include "wrap.h"

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

void columns_field(const cJSON *value, char text[FIELD_MAX])
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

void columns_print_row(const cJSON *row, const struct column *columns)
{
    char text[FIELD_MAX];

    for (const struct column *column = columns; column->member != NULL; column++) {
        columns_field(json_member(row, column->member), text);
        printf("%s%s", column == columns ? "" : "\t", text);
    }
    putchar('\n');
}

/* How many columns of the terminal the widest field takes, the title included. */
static int width_of(const cJSON *rows, const char *member)
{
    const cJSON *row;
    char text[FIELD_MAX];
    int widest = (int)strlen(member);

    cJSON_ArrayForEach (row, rows) {
        columns_field(json_member(row, member), text);
        int width = wrap_columns(text, strlen(text));
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* printf() would count bytes. The last field has no blanks behind it. */
static void print_field(const char *text, int width, bool right, bool last)
{
    int blanks = width - wrap_columns(text, strlen(text));

    if (right)
        printf("%*s%s", blanks, "", text);
    else
        printf("%s%*s", text, last ? 0 : blanks, "");
    fputs(last ? "\n" : "  ", stdout);
}

static void print_aligned(const cJSON *row, const struct column *columns, const int *widths)
{
    char text[FIELD_MAX];

    for (int i = 0; columns[i].member != NULL; i++) {
        const char *member = columns[i].member;
        if (row != NULL)
            columns_field(json_member(row, member), text);
        else
            snprintf(text, FIELD_MAX, "%s", member);
        print_field(text, widths[i], columns[i].right, columns[i + 1].member == NULL);
    }
}

void columns_print(const cJSON *rows, const struct column *columns, bool aligned)
{
    const cJSON *row;
    int widths[COLUMNS_MAX];

    for (int i = 0; aligned && i < COLUMNS_MAX && columns[i].member != NULL; i++)
        widths[i] = width_of(rows, columns[i].member);
    if (aligned)
        print_aligned(NULL, columns, widths);
    cJSON_ArrayForEach (row, rows) {
        if (aligned)
            print_aligned(row, columns, widths);
        else
            columns_print_row(row, columns);
    }
}
