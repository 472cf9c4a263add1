#include "usage.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

enum { LEFT_MAX = 64, WIDEST = 30, WORD_MAX = 16, FAR = 100 };

void usage_longs(const struct usage_row *rows, struct option longs[USAGE_ROWS_MAX])
{
    int count = 0;

    for (; count < USAGE_ROWS_MAX - 1 && rows[count].name != NULL; count++)
        longs[count] = (struct option){.name = rows[count].name,
                                       .has_arg = rows[count].argument != NULL ? required_argument
                                                                               : no_argument,
                                       .val = rows[count].code};
    longs[count] = (struct option){.name = NULL};
}

/* optopt is the letter, a char, of a single-letter option, within whose word getopt_long() may
 * still be; of other options it is the code, or 0. */
const char *usage_refused(char *argv[], char text[3])
{
    if (optopt >= 0 && (optopt <= ' ' || optopt > UCHAR_MAX))
        return argv[optind - 1];
    text[0] = '-';
    text[1] = optopt < 0x7f && optopt > 0 ? (char)optopt : '?';
    text[2] = '\0';
    return text;
}

const char *usage_fault(const char *value)
{
    if (value[0] == '\0')
        return "nothing given";
    for (; *value != '\0'; value++)
        if (iscntrl((unsigned char)*value))
            return "control characters";
    return NULL;
}

/* Stores the value in optarg, or hands it to take(). */
static bool store(const struct usage_row *row,
                  bool (*take)(void *context, int code, struct cause *cause), void *context,
                  struct cause *cause)
{
    void *member = (char *)context + row->offset;

    switch (row->kind) {
    case USAGE_FLAG:
        *(bool *)member = true;
        return true;
    case USAGE_TEXT:
        *(const char **)member = optarg;
        return true;
    case USAGE_NUMBER:
        return usage_number(row->min, row->max, member, cause);
    default:
        return take(context, row->code, cause);
    }
}

/* Reads the option that getopt_long() has returned. Returns USAGE_READ to go on, or as
 * usage_read().
 */
static int read_option(const char *program, int code, const struct usage_row *row, char *argv[],
                       bool (*take)(void *context, int code, struct cause *cause), void *context)
{
    const char *fault = optarg != NULL ? usage_fault(optarg) : NULL;
    struct cause cause;
    char letter[3];

    if (code == '?' && optopt == 'h')
        return USAGE_HELP;
    if (code == '?' || code == ':') {
        fprintf(stderr, "%s: %s: %s: see --help\n", program, usage_refused(argv, letter),
                code == ':' ? "value missing" : "unknown option");
        return EXIT_USAGE;
    }
    if (code == USAGE_VERSION)
        printf("%s " LUDUS_VERSION "\n", program);
    if (code == USAGE_HELP || code == USAGE_VERSION)
        return code == USAGE_HELP ? USAGE_HELP : 0;
    if (fault != NULL ? cause_set(&cause, "%s", fault) : store(row, take, context, &cause))
        return USAGE_READ;
    fprintf(stderr, "%s: --%s: %s\n", program, row->name, cause.text);
    return EXIT_USAGE;
}

int usage_read(const char *program, const struct usage_row *rows, const char *order, int argc,
               char *argv[], bool (*take)(void *context, int code, struct cause *cause),
               void *context)
{
    struct option longs[USAGE_ROWS_MAX];
    struct cause cause;
    int code, row = 0, status = USAGE_READ;

    for (int i = 0; rows[i].name != NULL; i++)
        if ((optarg = (char *)rows[i].standard) != NULL)
            store(&rows[i], take, context, &cause);
    usage_longs(rows, longs);
    while (status == USAGE_READ && (code = getopt_long(argc, argv, order, longs, &row)) != -1)
        status = read_option(program, code, &rows[row], argv, take, context);
    return status;
}

bool usage_number(long min, long max, long *number, struct cause *cause)
{
    return number_parse(optarg, strlen(optarg), min, max, number) ||
           cause_set(cause, "invalid value '%.80s': write a number from %ld to %ld", optarg, min,
                     max);
}

const struct usage_command *usage_find(const struct usage_command *commands, const char *word)
{
    for (; word != NULL && commands->word != NULL; commands++)
        if (strcmp(commands->word, word) == 0)
            return commands;
    return NULL;
}

static int least(int a, int b, int c)
{
    int smaller = a < b ? a : b;

    return smaller < c ? smaller : c;
}

/* How many letters to add, drop, replace or swap with their neighbour to make `a` of `b`
 * (the optimal string alignment distance). FAR for long words. */
static int distance(const char *a, const char *b)
{
    int rows[WORD_MAX + 1][WORD_MAX + 1];
    size_t long_a = strlen(a), long_b = strlen(b);

    if (long_a > WORD_MAX || long_b > WORD_MAX)
        return FAR;
    for (size_t i = 0; i <= long_a; i++)
        rows[i][0] = (int)i;
    for (size_t j = 0; j <= long_b; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= long_a; i++)
        for (size_t j = 1; j <= long_b; j++) {
            int other = a[i - 1] != b[j - 1];
            rows[i][j] = least(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + other);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1, FAR);
        }
    return rows[long_a][long_b];
}

const struct usage_command *usage_nearest(const struct usage_command *commands, const char *word)
{
    const struct usage_command *nearest = NULL;
    int best = strlen(word) > 4 ? 3 : 2;

    for (; commands->word != NULL; commands++)
        if (distance(commands->word, word) < best) {
            best = distance(commands->word, word);
            nearest = commands;
        }
    return nearest;
}

/* The left column: "--name ARGUMENT", or "word ARGUMENTS". */
static int write_left(char left[LEFT_MAX], const char *dashes, const char *name,
                      const char *argument)
{
    bool has = argument != NULL && argument[0] != '\0';

    return snprintf(left, LEFT_MAX, "%s%s%s%s", dashes, name, has ? " " : "", has ? argument : "");
}

/* The width of the left column. Entries above WIDEST get a line of their own. */
static int wider(int width, int length)
{
    return length > width && length <= WIDEST ? length : width;
}

static void print_entry(const char *left, const char *help, const char *standard, int width)
{
    if ((int)strlen(left) > width) {
        printf("  %s\n", left);
        left = "";
    }
    for (;;) {
        size_t length = strcspn(help, "\n");
        printf("  %-*s  %.*s", width, left, (int)length, help);
        if (help[length] == '\0')
            break;
        putchar('\n');
        help += length + 1;
        left = "";
    }
    if (standard != NULL)
        printf(" (%s)", standard);
    putchar('\n');
}

void usage_print_rows(const struct usage_row *rows)
{
    char left[LEFT_MAX];
    int width = 0;

    for (const struct usage_row *row = rows; row->name != NULL; row++)
        width = wider(width, write_left(left, "--", row->name, row->argument));
    for (const struct usage_row *row = rows; row->name != NULL; row++) {
        write_left(left, "--", row->name, row->argument);
        print_entry(left, row->help, row->standard, width);
    }
}

void usage_print_commands(const struct usage_command *commands)
{
    char left[LEFT_MAX];
    int width = 0;

    for (const struct usage_command *command = commands; command->word != NULL; command++)
        width = wider(width, write_left(left, "", command->word, command->arguments));
    for (const struct usage_command *command = commands; command->word != NULL; command++) {
        write_left(left, "", command->word, command->arguments);
        print_entry(left, command->summary, NULL, width);
    }
}

void usage_print_command(const char *program, const struct usage_command *command, const char *text)
{
    bool has = command->arguments[0] != '\0';

    printf("Usage: %s %s%s%s [OPTION]...\n%s\n\n", program, command->word, has ? " " : "",
           command->arguments, text);
    usage_print_rows(command->rows);
}

int usage_end(const char *program, int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status == 0) /* else it is reported */
        fprintf(stderr, "%s: standard output: %s\n", program,
                errno != 0 ? strerror(errno) : "cannot be written");
    return status != 0 ? status : 1;
}
