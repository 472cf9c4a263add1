#include "pasted.h"

#include <stdio.h>
#include <string.h>

/* Copies the word at which `text` begins; returns what follows it. */
static const char *take_word(const char *text, char *word, size_t size)
{
    text += strspn(text, " \t");
    size_t length = strcspn(text, " \t");
    snprintf(word, size, "%.*s", (int)length, text);
    return text + length;
}

static int hex_digit(char letter)
{
    const char *digits = "0123456789abcdef", *at = strchr(digits, letter | ' ');

    return letter != '\0' && at != NULL ? (int)(at - digits) : -1;
}

/* Undoes the escapes %XX in place. */
static void unescape(char *text)
{
    char *end = text;

    for (; *text != '\0'; text++) {
        int high = *text == '%' ? hex_digit(text[1]) : -1;
        int low = high >= 0 ? hex_digit(text[2]) : -1;
        *end++ = (char)(low >= 0 ? high * 16 + low : *text);
        text += low >= 0 ? 2 : 0;
    }
    *end = '\0';
}

/* Reads the address of a page; false for other words. Pages over TLS share the port of TLS. */
static bool read_page(const char *word, struct pasted *pasted)
{
    bool tls = strncmp(word, "https://", 8) == 0;
    const char *host = word + (tls ? 8 : 7), *code = strstr(word, "#code=");

    if (!tls && strncmp(word, "http://", 7) != 0)
        return false;
    snprintf(pasted->address, sizeof pasted->address, "%s%.*s", tls ? "tls://" : "",
             (int)strcspn(host, "/#?"), host);
    snprintf(pasted->code, sizeof pasted->code, "%s", code != NULL ? code + strlen("#code=") : "");
    unescape(pasted->code);
    return true;
}

/* Reads the words that follow `ludus join`, options among them. */
static void read_words(const char *line, struct pasted *pasted)
{
    char word[LINK_ADDRESS_MAX];

    while (line = take_word(line, word, sizeof word), word[0] != '\0') {
        if (strcmp(word, "--code") == 0)
            line = take_word(line, pasted->code, sizeof pasted->code);
        else if (strncmp(word, "--code=", 7) == 0)
            snprintf(pasted->code, sizeof pasted->code, "%.*s", HELLO_CODE_MAX - 1, word + 7);
        else if (word[0] != '-' && pasted->address[0] == '\0' && !read_page(word, pasted))
            snprintf(pasted->address, sizeof pasted->address, "%s", word);
    }
}

void pasted_read(const char *line, struct pasted *pasted)
{
    char word[LINK_ADDRESS_MAX];
    const char *join = strstr(line, "join "), *rest = take_word(line, word, sizeof word);

    *pasted = (struct pasted){.address = ""};
    if (join != NULL)
        read_words(join + strlen("join "), pasted);
    else if (rest[strspn(rest, " \t")] != '\0' || !read_page(word, pasted))
        read_words(line, pasted);
    if (pasted->code[0] == '\0')
        snprintf(pasted->code, sizeof pasted->code, "%.*s", HELLO_CODE_MAX - 1, pasted->address);
}
