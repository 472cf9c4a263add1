#include "board_png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "common/xmalloc.h"

enum {
    WIDTH = BOARD_PNG_WIDTH,
    HEIGHT = BOARD_PNG_HEIGHT,
    EDGE = 8,  /* pixels of the frame above and below the board, at least */
    PARTS = 2, /* rows, and columns, of samples in a pixel */
    COLOURS_MAX = 256,
    GLYPH_WIDTH = 5,
    GLYPH_HEIGHT = 7
};

/* An image by the numbers of its colours: 0 is the frame's. Each row begins with a filter byte of
 * PNG, 0: as it is. */
struct image {
    unsigned char pixels[HEIGHT][1 + WIDTH];
    unsigned colours[COLOURS_MAX];
    int colour_count;
};

/* The letters of pieces, a row of five bits a byte; the highest bit is at the left. */
static const unsigned char glyphs[26][GLYPH_HEIGHT] = {
    {14, 17, 17, 31, 17, 17, 17}, {30, 17, 17, 30, 17, 17, 30}, {14, 17, 16, 16, 16, 17, 14},
    {30, 17, 17, 17, 17, 17, 30}, {31, 16, 16, 30, 16, 16, 31}, {31, 16, 16, 30, 16, 16, 16},
    {14, 17, 16, 23, 17, 17, 14}, {17, 17, 17, 31, 17, 17, 17}, {14, 4, 4, 4, 4, 4, 14},
    {7, 2, 2, 2, 2, 18, 12},      {17, 18, 20, 24, 20, 18, 17}, {16, 16, 16, 16, 16, 16, 31},
    {17, 27, 21, 21, 17, 17, 17}, {17, 25, 21, 19, 17, 17, 17}, {14, 17, 17, 17, 17, 17, 14},
    {30, 17, 17, 30, 16, 16, 16}, {14, 17, 17, 17, 21, 18, 13}, {30, 17, 17, 30, 20, 18, 17},
    {14, 17, 16, 14, 1, 17, 14},  {31, 4, 4, 4, 4, 4, 4},       {17, 17, 17, 17, 17, 17, 14},
    {17, 17, 17, 17, 17, 10, 4},  {17, 17, 17, 21, 21, 27, 17}, {17, 17, 10, 4, 10, 17, 17},
    {17, 17, 10, 4, 4, 4, 4},     {31, 1, 2, 4, 8, 16, 31},
};

/* Returns the number of a colour; where there are too many, that of another one. */
static unsigned char number_colour(struct image *image, unsigned colour)
{
    for (int i = 0; i < image->colour_count; i++)
        if (image->colours[i] == colour)
            return (unsigned char)i;
    if (image->colour_count == COLOURS_MAX)
        return COLOURS_MAX - 1;
    image->colours[image->colour_count] = colour;
    return (unsigned char)image->colour_count++;
}

static const unsigned grounds[] = {[SQUARE_NONE] = PICTURE_FRAME,
                                   [SQUARE_DARK] = PICTURE_DARK,
                                   [SQUARE_LIGHT] = PICTURE_LIGHT,
                                   [SQUARE_LAST] = PICTURE_LAST};

/* Lengths of a piece, in parts of pixels. */
struct piece_size {
    int middle, outer, inner, dot; /* dot: of a letter */
};

static struct piece_size size_of_piece(int size)
{
    struct piece_size piece = {.middle = size * PARTS / 2,
                               .outer = size * PARTS * 2 / 5,
                               .dot = size * PARTS / 16 > 0 ? size * PARTS / 16 : 1};

    piece.inner = piece.outer - size * PARTS / 25 - 1;
    return piece;
}

/* The colour at a point of a square, in parts of pixels from its centre. */
static unsigned colour_at(const struct picture_square *square, int x, int y,
                          const struct piece_size *piece)
{
    bool white = square->color == WHITE;
    int distance = x * x + y * y;

    if (distance > piece->outer * piece->outer)
        return grounds[square->ground];
    if (distance > piece->inner * piece->inner)
        return white ? PICTURE_WHITE_EDGE : PICTURE_BLACK_EDGE;
    int column = x + GLYPH_WIDTH * piece->dot / 2, row = y + GLYPH_HEIGHT * piece->dot / 2;
    if (square->piece >= 'A' && square->piece <= 'Z' && column >= 0 && row >= 0 &&
        column < GLYPH_WIDTH * piece->dot && row < GLYPH_HEIGHT * piece->dot &&
        glyphs[square->piece - 'A'][row / piece->dot] >> (GLYPH_WIDTH - 1 - column / piece->dot) &
            1)
        return white ? PICTURE_WHITE_EDGE : PICTURE_WHITE;
    return white ? PICTURE_WHITE : PICTURE_BLACK;
}

/* The mean of the colours at the parts of a pixel, most of which are alike. */
static unsigned colour_of_pixel(const struct picture_square *square, int x, int y,
                                const struct piece_size *piece)
{
    unsigned parts[PARTS * PARTS], colour = 0;
    bool alike = true;

    for (int i = 0; i < PARTS * PARTS; i++) {
        parts[i] = colour_at(square, x * PARTS + i % PARTS - piece->middle,
                             y * PARTS + i / PARTS - piece->middle, piece);
        alike = alike && parts[i] == parts[0];
    }
    for (int shift = 0; !alike && shift < 24; shift += 8) {
        unsigned sum = 0;
        for (int i = 0; i < PARTS * PARTS; i++)
            sum += parts[i] >> shift & 0xff;
        colour |= sum / (PARTS * PARTS) << shift;
    }
    return alike ? parts[0] : colour;
}

static void draw_square(struct image *image, const struct picture_square *square, int left, int top,
                        int size)
{
    struct piece_size piece = size_of_piece(size);
    unsigned ground = grounds[square->ground], last = ground;
    unsigned char ground_number = number_colour(image, ground), number = ground_number;

    for (int y = 0; y < size; y++) {
        unsigned char *row = &image->pixels[top + y][1 + left];
        memset(row, ground_number, (size_t)size);
        for (int x = 0; square->piece != 0 && x < size; x++) {
            unsigned colour = colour_of_pixel(square, x, y, &piece);
            if (colour != last)
                number = number_colour(image, colour);
            last = colour;
            row[x] = number;
        }
    }
}

static void draw_board(struct image *image, const struct match_picture *picture)
{
    struct picture_square squares[BOARD_SQUARES_MAX];
    int drawn[BOARD_SQUARES_MAX]; /* squares that look different */
    int files, ranks, count = 0;

    image->colours[image->colour_count++] = PICTURE_FRAME;
    match_picture_squares(picture, squares, &files, &ranks);
    int size = (HEIGHT - 2 * EDGE) / ranks, wide = (WIDTH - 2 * EDGE) / files;
    if (size > wide)
        size = wide;
    int left = (WIDTH - size * files) / 2, top = (HEIGHT - size * ranks) / 2;
    for (int i = 0; i < files * ranks; i++) {
        int x = left + i % files * size, y = top + (ranks - 1 - i / files) * size, same = 0;
        while (same < count && memcmp(&squares[drawn[same]], &squares[i], sizeof squares[i]) != 0)
            same++;
        if (same == count) {
            drawn[count++] = i;
            draw_square(image, &squares[i], x, y, size);
            continue;
        }
        int from_x = left + drawn[same] % files * size;
        int from_y = top + (ranks - 1 - drawn[same] / files) * size;
        for (int row = 0; row < size; row++)
            memcpy(&image->pixels[y + row][1 + x], &image->pixels[from_y + row][1 + from_x],
                   (size_t)size);
    }
}

static void put_number(struct buffer *png, unsigned long number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buffer_add(png, &(char){(char)(number >> shift)}, 1);
}

static void put_chunk(struct buffer *png, const char type[4], const void *data, size_t length)
{
    put_number(png, length);
    size_t begin = png->length;
    buffer_add(png, type, 4);
    buffer_add(png, data, length);
    put_number(png, crc32(0, (const unsigned char *)png->bytes + begin, (unsigned)(length + 4)));
}

static void *allocate_for_zlib(void *context, unsigned count, unsigned size)
{
    (void)context;
    return xcalloc(count, size);
}

static void free_for_zlib(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void put_pixels(struct buffer *png, struct image *image)
{
    z_stream stream = {.zalloc = allocate_for_zlib, .zfree = free_for_zlib};
    struct buffer packed = {.length = 0};

    /* With memory from xmalloc.h nothing of this can fail. */
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL,
                 Z_RLE); /* it is all runs */
    unsigned long room = deflateBound(&stream, sizeof image->pixels);
    stream.next_in = &image->pixels[0][0];
    stream.avail_in = sizeof image->pixels;
    stream.next_out = (unsigned char *)buffer_extend(&packed, room);
    stream.avail_out = (unsigned)room;
    deflate(&stream, Z_FINISH);
    put_chunk(png, "IDAT", packed.bytes, stream.total_out);
    deflateEnd(&stream);
    buffer_release(&packed);
}

void board_png(const struct match_picture *picture, struct buffer *png)
{
    /* Width, height, 8 bits a pixel, colours by their numbers, no more than one way of the rest. */
    static const unsigned char header[] = {
        0, 0, WIDTH >> 8, WIDTH & 0xff, 0, 0, HEIGHT >> 8, HEIGHT & 0xff, 8, 3, 0, 0, 0};
    struct image *image = xcalloc(1, sizeof *image);
    unsigned char palette[COLOURS_MAX][3];

    draw_board(image, picture);
    for (int i = 0; i < image->colour_count; i++)
        for (int j = 0; j < 3; j++)
            palette[i][j] = image->colours[i] >> (16 - 8 * j) & 0xff;
    buffer_add(png, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(png, "IHDR", header, sizeof header);
    put_chunk(png, "PLTE", palette, (size_t)image->colour_count * 3);
    put_pixels(png, image);
    put_chunk(png, "IEND", "", 0);
    free(image);
}
