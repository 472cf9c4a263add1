#include "beacon.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

enum { PORT_MAX = 65535 };

static const char question_head[] = "ludus-find 1 ", answer_head[] = "ludus-here 1 ";

/* Part of a datagram, which has no final NUL. */
struct span {
    const char *text;
    size_t length;
};

void beacon_write_question(const char *nonce, char question[BEACON_QUESTION_BYTES])
{
    char head[sizeof question_head + BEACON_NONCE_MAX + 8];
    int length = snprintf(head, sizeof head, "%snonce=%.32s", question_head, nonce);

    memset(question, ' ', BEACON_QUESTION_BYTES);
    memcpy(question, head, (size_t)length);
    question[BEACON_QUESTION_BYTES - 1] = '\n';
}

/* Takes off `head` and the line end. Returns false unless this is a line of printable ASCII that
 * begins with `head`. */
static bool take_head(struct span *line, const char *head)
{
    size_t head_bytes = strlen(head);

    if (line->length > BEACON_DATAGRAM_MAX || line->length < head_bytes ||
        memcmp(line->text, head, head_bytes) != 0)
        return false;
    line->text += head_bytes;
    line->length -= head_bytes;
    if (line->length > 0 && line->text[line->length - 1] == '\n')
        line->length--;
    for (size_t i = 0; i < line->length; i++)
        if (line->text[i] < ' ' || line->text[i] > '~')
            return false;
    return true;
}

/* Takes the next word. Returns false at the end of the line. */
static bool next_word(struct span *line, struct span *word)
{
    while (line->length > 0 && line->text[0] == ' ') {
        line->text++;
        line->length--;
    }
    *word = (struct span){line->text, 0};
    while (word->length < line->length && line->text[word->length] != ' ')
        word->length++;
    line->text += word->length;
    line->length -= word->length;
    return word->length > 0;
}

/* Finds the value of the first word `key=`. */
static bool find_value(struct span line, const char *key, struct span *value)
{
    size_t key_bytes = strlen(key);
    struct span word;

    while (next_word(&line, &word))
        if (word.length > key_bytes && memcmp(word.text, key, key_bytes) == 0 &&
            word.text[key_bytes] == '=') {
            *value = (struct span){word.text + key_bytes + 1, word.length - key_bytes - 1};
            return true;
        }
    return false;
}

/* Copies a value. Returns false if it is missing, empty or too long. */
static bool copy_value(struct span line, const char *key, char *text, size_t size)
{
    struct span value;

    if (!find_value(line, key, &value) || value.length == 0 || value.length >= size)
        return false;
    memcpy(text, value.text, value.length);
    text[value.length] = '\0';
    return true;
}

static bool is_alphanumeric(const char *text)
{
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text))
            return false;
    return true;
}

static bool read_port(struct span line, const char *key, int *port)
{
    struct span value;
    long number;

    if (!find_value(line, key, &value) ||
        !number_parse(value.text, value.length, 0, PORT_MAX, &number))
        return false;
    *port = (int)number;
    return true;
}

bool beacon_read_question(const char *datagram, size_t length, char nonce[BEACON_NONCE_MAX])
{
    struct span line = {datagram, length};

    return take_head(&line, question_head) && copy_value(line, "nonce", nonce, BEACON_NONCE_MAX) &&
           is_alphanumeric(nonce);
}

size_t beacon_write_answer(const struct beacon_server *server, const char *nonce,
                           size_t asked_bytes, char answer[BEACON_DATAGRAM_MAX])
{
    int length =
        snprintf(answer, BEACON_DATAGRAM_MAX,
                 "%snonce=%s id=%s port=%d tls=%d code=%s version=%s name=%s games=%s\n",
                 answer_head, nonce, server->id, server->port, server->tls_port,
                 server->code ? "yes" : "no", server->version, server->name, server->games);

    return length > 0 && length < BEACON_DATAGRAM_MAX && (size_t)length <= asked_bytes
               ? (size_t)length
               : 0;
}

bool beacon_read_answer(const char *datagram, size_t length, const char *nonce,
                        struct beacon_server *server)
{
    struct span line = {datagram, length};
    char given[BEACON_NONCE_MAX], code[4];

    *server = (struct beacon_server){.port = 0};
    if (!take_head(&line, answer_head) || !copy_value(line, "nonce", given, sizeof given) ||
        strcmp(given, nonce) != 0 || !copy_value(line, "id", server->id, sizeof server->id) ||
        !is_alphanumeric(server->id) || !read_port(line, "port", &server->port) ||
        !read_port(line, "tls", &server->tls_port) ||
        (server->port == 0 && server->tls_port == 0) ||
        !copy_value(line, "code", code, sizeof code) ||
        (strcmp(code, "yes") != 0 && strcmp(code, "no") != 0) ||
        !copy_value(line, "version", server->version, sizeof server->version) ||
        !copy_value(line, "name", server->name, sizeof server->name) ||
        !copy_value(line, "games", server->games, sizeof server->games))
        return false;
    server->code = strcmp(code, "yes") == 0;
    return true;
}
