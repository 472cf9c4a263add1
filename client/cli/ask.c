#include "ask.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"

/* The row of that number, or the first that begins so; -1 for none. */
static int find_row(const char *answer, const char *const rows[], int count)
{
    long number;

    if (number_parse(answer, strlen(answer), 1, count, &number))
        return (int)number - 1;
    for (int i = 0; i < count; i++)
        if (strncasecmp(answer, rows[i], strlen(answer)) == 0)
            return i;
    return -1;
}

int ask_row(const char *question, const char *const rows[], int count)
{
    char line[64];
    int row = -1;

    for (int i = 0; i < count; i++)
        printf("  %d  %s\n", i + 1, rows[i]);
    while (row < 0) {
        printf("%s [1] ", question);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL)
            return -1;
        line[strcspn(line, "\n")] = '\0';
        row = line[0] != '\0' ? find_row(line, rows, count) : 0;
    }
    return row;
}
