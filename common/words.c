#include "words.h"

#include <stdbool.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

char *next_word(char **text)
{
    char *word = *text + strspn(*text, " \t");
    char *end = word + strcspn(word, " \t");

    *text = end + strspn(end, " \t");
    *end = '\0';
    return word;
}

char *cut_at_word(char *text, const char *word)
{
    size_t length = strlen(word);
    char *at = text;

    while ((at = strstr(at, word)) != NULL) {
        char *end = at + length;
        if ((at == text || is_blank(at[-1])) && (*end == '\0' || is_blank(*end)))
            break;
        at = end;
    }
    if (at == NULL)
        return NULL;
    char *rest = at + length + strspn(at + length, " \t");
    while (at > text && is_blank(at[-1]))
        at--;
    *at = '\0';
    return rest;
}
