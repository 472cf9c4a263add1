#include "clobber_book.h"

#include <stdlib.h>
#include <string.h>

/* One of the eight ways to lay a board down. */
struct image {
    bool turned, flips_files, flips_ranks;
};

/* The contents of a square: 0 empty, 1 the side to move, 2 the other side. */
static unsigned content(const struct position *position, int square)
{
    bool white = position->bits[0] >> square & 1, black = position->bits[2] >> square & 1;

    if (!white && !black)
        return 0;
    return white == (position->side == WHITE) ? 1 : 2;
}

/* The squares of an image as ternary digits, the first one highest. */
static uint64_t key_of_image(const struct position *position, const struct image *image)
{
    int width = position->width, height = position->height;
    int squares = width * height, files = image->turned ? height : width;
    uint64_t key = 0;

    for (int i = 0; i < squares; i++) {
        int file = image->turned ? i / files : i % files,
            rank = image->turned ? i % files : i / files;
        file = image->flips_files ? width - 1 - file : file;
        rank = image->flips_ranks ? height - 1 - rank : rank;
        key = 3 * key + content(position, rank * width + file);
    }
    return key;
}

uint64_t book_key(const struct position *position)
{
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < 8; i++) {
        struct image image = {(i & 4) != 0, (i & 1) != 0, (i & 2) != 0};
        int files = image.turned ? position->height : position->width;
        if (2 * files > position->width + position->height)
            continue; /* the longer side is to be upright */
        uint64_t key = key_of_image(position, &image);
        least = key < least ? key : least;
    }
    return least;
}

void book_key_format(uint64_t key, char digits[BOOK_DIGITS])
{
    static const char all[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";

    for (int i = BOOK_DIGITS - 1; i >= 0; i--, key /= 64)
        digits[i] = all[key % 64];
}

static int compare_digits(const void *a, const void *b)
{
    return memcmp(a, b, BOOK_DIGITS);
}

static bool holds(const struct book *book, const struct position *position)
{
    char digits[BOOK_DIGITS];

    book_key_format(book_key(position), digits);
    return bsearch(digits, book->keys, (size_t)book->count, BOOK_DIGITS, compare_digits) != NULL;
}

/* The book of a board, or NULL. */
static const struct book *book_of(const struct position *position)
{
    int width = position->width, height = position->height;

    for (const struct book *book = books; book->width != 0; book++)
        if ((book->width == width && book->height == height) ||
            (book->width == height && book->height == width))
            return book;
    return NULL;
}

bool book_reply(const struct position *position, struct move *move)
{
    const struct book *book = book_of(position);
    struct move moves[MOVES_MAX];

    if (book == NULL)
        return false;
    int count = clobber.legal(position, moves);
    for (int i = 0; i < count; i++) {
        struct position next = *position;
        clobber.apply(&next, moves[i]);
        if (holds(book, &next)) {
            *move = moves[i];
            return true;
        }
    }
    return false;
}
