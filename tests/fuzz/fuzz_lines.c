/*
 * Bytes of a connection to lines, and lines to messages: server/net/connection.c, common/text.c,
 * common/message.c.
 *
 * The first byte decides how the rest arrives: 0 at once, 1 byte by byte, otherwise in random
 * pieces. In the rest 01 N B stands for 8N + 1 times B, so that a short input makes a long line.
 *
 * However the bytes are split, and however often a line has to wait, the output follows from the
 * whole text: each line once, in order, or one report that it is too long. The parsed line is
 * compared with a plain reading of protocol.md.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/message.h"
#include "common/text.h"
#include "fuzz.h"
#include "server/net/connection.h"

enum { STREAM_MAX = 1 << 13 };

struct bytes {
    char *bytes; /* owned */
    size_t length;
};

static void put(struct bytes *stream, const char *bytes, size_t length)
{
    REQUIRE(stream->length + length <= 2 * STREAM_MAX, "more lines than there can be");
    if (length > 0)
        memcpy(stream->bytes + stream->length, bytes, length);
    stream->length += length;
}

static struct bytes new_bytes(void)
{
    struct bytes stream = {.bytes = malloc(2 * STREAM_MAX)};

    if (stream.bytes == NULL)
        abort();
    return stream;
}

static struct bytes expand(const uint8_t *data, size_t size)
{
    struct bytes stream = new_bytes();

    for (size_t i = 0; i < size && stream.length < STREAM_MAX - 2048; i++) {
        size_t times = 1;
        if (data[i] == 1 && i + 2 < size) {
            times = 8u * data[i + 1] + 1;
            i += 2;
        }
        memset(stream.bytes + stream.length, data[i], times);
        stream.length += times;
    }
    return stream;
}

/* protocol.md, "Lines", taken literally: each line with an LF, one that is too long as "!". */
static struct bytes lines_of(const struct bytes *all)
{
    struct bytes lines = new_bytes();
    const char *at = all->bytes, *end = all->bytes + all->length;

    while (at < end) {
        const char *lf = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((lf != NULL ? lf + 1 : end) - at);
        if (size > LINE_BYTES_MAX - (lf == NULL))
            put(&lines, "!\n", 2);
        else if (lf != NULL && size >= 2 && lf[-1] == '\r')
            put(&lines, at, size - 2), put(&lines, "\n", 1);
        else if (lf != NULL)
            put(&lines, at, size);
        at += size;
    }
    return lines;
}

/* Takes the complete lines out of input[0..length) and returns the length of the rest. */
static size_t split(struct splitter *splitter, char *input, size_t length, struct bytes *lines,
                    struct dice *dice)
{
    while (length > 0) {
        size_t window = length;
        if (length > LINE_BYTES_MAX && dice_throw(dice, 2) == 0)
            window = LINE_BYTES_MAX;
        else if (splitter->discarding)
            window = 1 + dice_throw(dice, (unsigned)length);
        struct piece piece = splitter_look(splitter, input, window, LINE_BYTES_MAX);
        if (piece.kind == PIECE_NONE)
            break;
        REQUIRE(piece.size > 0 && piece.size <= window, "a piece of %zu bytes", piece.size);
        if (dice_throw(dice, 4) == 0)
            continue; /* it has to wait */
        if (piece.kind == PIECE_LINE)
            put(lines, input, piece.length), put(lines, "\n", 1);
        if (piece.kind == PIECE_TOO_LONG)
            put(lines, "!\n", 2);
        splitter_advance(splitter, &piece);
        length -= piece.size;
        memmove(input, input + piece.size, length);
    }
    return length;
}

/* Feeds the bytes to the splitter as a connection does. */
static struct bytes feed(const struct bytes *all, uint8_t how)
{
    struct dice dice = {how};
    struct splitter splitter = {.scanned = 0};
    struct bytes lines = new_bytes(), input = new_bytes();

    for (size_t done = 0; done < all->length;) {
        size_t most = all->length - done, count = most;
        if (how == 1)
            count = 1;
        else if (how > 1)
            count = 1 + dice_throw(&dice, dice_throw(&dice, 3) == 0 ? 3000 : 40);
        if (count > most)
            count = most;
        put(&input, all->bytes + done, count);
        input.length = split(&splitter, input.bytes, input.length, &lines, &dice);
        done += count;
    }
    free(input.bytes);
    return lines;
}

/* RFC 3629, and the characters that protocol.md forbids: the bytes are the encoding of the code
 * point. */
static size_t character(const unsigned char *text, size_t length)
{
    static const struct {
        uint32_t first, last;
    } forbidden[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},  {0x200e, 0x200f},
                     {0x2028, 0x202e}, {0x2066, 0x2069}, {0xd800, 0xdfff}};
    size_t bytes = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    uint32_t code = text[0];

    if (bytes > length)
        return 0;
    for (size_t i = 1; i < bytes; i++)
        code = code << 6 | (text[i] & 0x3fu);
    if (bytes > 1)
        code &= (1u << (bytes * 5 + 1)) - 1;
    const unsigned char written[4][4] = {
        {(unsigned char)code},
        {(unsigned char)(0xc0 | code >> 6), 0x80 | (code & 0x3f)},
        {(unsigned char)(0xe0 | code >> 12), 0x80 | (code >> 6 & 0x3f), 0x80 | (code & 0x3f)},
        {(unsigned char)(0xf0 | code >> 18), 0x80 | (code >> 12 & 0x3f), 0x80 | (code >> 6 & 0x3f),
         0x80 | (code & 0x3f)}};
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (memcmp(text, written[bytes - 1], bytes) != 0 || code < least[bytes - 1] || code > 0x10ffff)
        return 0;
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        if (code >= forbidden[i].first && code <= forbidden[i].last)
            return 0;
    return bytes;
}

static bool is_clean(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t bytes = character((const unsigned char *)text + i, length - i);
        if (bytes == 0)
            return false;
        i += bytes;
    }
    return true;
}

/* Returns the next word of the line, without the spaces before it. */
static const char *next_word(const char *at, size_t *length)
{
    at += strspn(at, " ");
    *length = strcspn(at, " ");
    return at;
}

static bool is_word(const char *text, const char *word, size_t length)
{
    return text != NULL && strlen(text) == length && memcmp(text, word, length) == 0;
}

/* Compares the text after the verb, without the spaces around it. */
static void check_rest(const struct message *message, const char *at)
{
    size_t length;

    at += strspn(at, " ");
    length = strlen(at);
    while (length > 0 && at[length - 1] == ' ')
        length--;
    REQUIRE(is_word(message->rest, at, length), "the rest is '%s'", message->rest);
}

static bool in_list(const char *list, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && strchr(" *", at[length]) != NULL)
            return true;
    return false;
}

static void check_arguments(const struct message *message, const char *options)
{
    struct message copy = *message;
    struct arguments arguments;
    struct cause cause = {""};

    if (!arguments_parse(&arguments, copy.text + (message->rest - message->text), options,
                         &cause)) {
        fuzz_require_cause(&cause);
        return;
    }
    REQUIRE(arguments.count + arguments.option_count <= WORDS_MAX, "too many arguments");
    const char *at = message->rest;
    size_t length;
    for (int i = 0; i < arguments.count; i++, at += length) {
        at = next_word(at, &length);
        REQUIRE(is_word(arguments.words[i], at, length) && length > 0, "a word is '%s'",
                arguments.words[i]);
    }
    for (int i = 0; i < arguments.option_count; i++) {
        const char *name = arguments.option_names[i];
        at = next_word(at, &length);
        REQUIRE(in_list(options, name), "an option is '%s'", name);
        REQUIRE(arguments_option(&arguments, name) == arguments.option_values[i], "%s is twice",
                name);
        REQUIRE(strncasecmp(at, name, strlen(name)) == 0 && at[strlen(name)] == '=', "no %s", name);
        if (strstr(options, name)[strlen(name)] == '*')
            length = strlen(at);
        REQUIRE(
            is_word(arguments.option_values[i], at + strlen(name) + 1, length - strlen(name) - 1),
            "%s is '%s'", name, arguments.option_values[i]);
        at += length;
    }
    next_word(at, &length);
    REQUIRE(length == 0, "'%s' is passed over", at);
}

static void check_message(const char *text, size_t size)
{
    static const char *const options[] = {"", "ply", "token code bot client",
                                          "white black clock private position*"};
    struct message message;
    struct cause cause = {""};
    char line[LINE_BYTES_MAX];
    size_t length;

    memcpy(line, text, size);
    line[size] = '\0';
    const char *at = next_word(line, &length);
    bool has_id = at[0] == '#', good = !has_id || (length > 1 && length <= 1 + ID_BYTES_MAX);
    bool accepted = message_parse(&message, text, size, &cause);
    REQUIRE(accepted == good, "accepted: %d", accepted);
    if (!accepted) {
        fuzz_require_cause(&cause);
        REQUIRE(message.id == NULL, "the id is '%s'", message.id);
        return;
    }
    REQUIRE(has_id ? is_word(message.id, at + 1, length - 1) : message.id == NULL, "another id");
    if (has_id)
        at = next_word(at + length, &length);
    REQUIRE(length > 0 ? is_word(message.verb, at, length) : message.verb == NULL, "another verb");
    check_rest(&message, at + length);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        check_arguments(&message, options[i]);
}

static void check_line(const char *line, size_t length)
{
    bool clean = utf8_is_clean(line, length);

    REQUIRE(clean == is_clean(line, length), "clean: %d", clean);
    if (clean)
        check_message(line, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct bytes all = expand(data + 1, size - 1);
    struct bytes want = lines_of(&all), got = feed(&all, data[0]);

    REQUIRE(want.length == got.length && memcmp(want.bytes, got.bytes, got.length) == 0,
            "other lines come out: %.*s", (int)got.length, got.bytes);
    for (size_t at = 0; at < got.length;) {
        size_t length =
            (size_t)((char *)memchr(got.bytes + at, '\n', got.length - at) - (got.bytes + at));
        check_line(got.bytes + at, length);
        at += length + 1;
    }
    free(all.bytes);
    free(want.bytes);
    free(got.bytes);
    return 0;
}
