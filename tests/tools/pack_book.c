/*
 * Makes the book of Clobber.
 *
 * usage: pack_book FILE... >client/bot/clobber/clobber_book_keys.c
 *
 * Each FILE is from `ludus-bot solve --book FILE` and has the positions of one board, one a line.
 * There must not be two of one board.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/bot/clobber/clobber_book.h"
#include "common/xmalloc.h"

enum { BOARDS_MAX = 64, KEYS_A_LINE = 11 };

struct board_keys {
    int width, height;
    size_t count, capacity;
    uint64_t *keys;
};

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "pack_book: %s: %s\n", what, why);
    exit(1);
}

static void take_line(struct board_keys *board, char *line)
{
    struct position position;
    struct cause cause;

    line[strcspn(line, "\n")] = '\0';
    if (!clobber.parse(NULL, line, &position, &cause))
        fail(line, cause.text);
    bool lies = position.width > position.height;
    board->width = lies ? position.height : position.width;
    board->height = lies ? position.width : position.height;
    if (board->count == board->capacity) {
        board->capacity = board->capacity == 0 ? 1024 : 2 * board->capacity;
        board->keys = xrealloc(board->keys, board->capacity * sizeof *board->keys);
    }
    board->keys[board->count++] = book_key(&position);
}

static struct board_keys read_board(const char *path)
{
    struct board_keys board = {.width = 0};
    char line[POSITION_TEXT_MAX + 2];
    FILE *file = fopen(path, "re");

    if (file == NULL)
        fail(path, "cannot be opened");
    while (fgets(line, sizeof line, file) != NULL)
        take_line(&board, line);
    fclose(file);
    if (board.count == 0 || board.width * board.height > 30)
        fail(path, "no positions of up to 30 squares");
    qsort(board.keys, board.count, sizeof *board.keys, compare);
    return board;
}

static void print_keys(const struct board_keys *board)
{
    printf("static const char keys_%dx%d[] =", board->width, board->height);
    for (size_t i = 0; i < board->count; i++) {
        char digits[BOOK_DIGITS];
        book_key_format(board->keys[i], digits);
        printf("%s%.*s", i % KEYS_A_LINE == 0 ? "\n    \"" : "", BOOK_DIGITS, digits);
        if (i % KEYS_A_LINE == KEYS_A_LINE - 1 || i == board->count - 1)
            putchar('"');
    }
    puts(";\n");
}

int main(int argc, char **argv)
{
    struct board_keys boards[BOARDS_MAX];
    int count = argc - 1 < BOARDS_MAX ? argc - 1 : BOARDS_MAX;

    for (int i = 0; i < count; i++)
        boards[i] = read_board(argv[i + 1]);
    puts("/* Made by pack_book, see tests/tools/pack_book.c. */\n"
         "#include \"clobber_book.h\"\n\n"
         "/* clang-format off */");
    for (int i = 0; i < count; i++)
        print_keys(&boards[i]);
    puts("const struct book books[] = {");
    for (int i = 0; i < count; i++) {
        printf("    {%d, %d, %zu, keys_%dx%d},\n", boards[i].width, boards[i].height,
               boards[i].count, boards[i].width, boards[i].height);
        free(boards[i].keys);
    }
    puts("    {0, 0, 0, NULL},\n};\n/* clang-format on */");
    return 0;
}
