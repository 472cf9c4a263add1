#include "message.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Ends the word at `text` and returns what follows it and its spaces. */
static char *split_word(char *text)
{
    text += strcspn(text, " ");
    while (*text == ' ')
        *text++ = '\0';
    return text;
}

bool message_parse(struct message *message, const char *line, size_t length, struct cause *cause)
{
    char *text = message->text;

    memcpy(text, line, length);
    text[length] = '\0';
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    text += strspn(text, " ");

    message->id = message->verb = NULL;
    if (*text == '#') {
        char *rest = split_word(text);
        size_t id_bytes = strlen(text + 1);
        if (id_bytes == 0 || id_bytes > ID_BYTES_MAX)
            return cause_set(cause, "an id is 1 to %d bytes right after the #", ID_BYTES_MAX);
        message->id = text + 1;
        text = rest;
    }
    message->rest = text;
    if (*text != '\0') {
        message->rest = split_word(text);
        message->verb = text;
    }
    return true;
}

/* Whether `name` is in the list `options`. Sets *takes_rest if a '*' follows it there. */
static bool option_known(const char *options, const char *name, bool *takes_rest)
{
    size_t length = strlen(name);

    for (const char *at = options; *at != '\0'; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        *takes_rest = at[word - 1] == '*';
        if (word - *takes_rest == length && memcmp(at, name, length) == 0)
            return true;
        at += word;
    }
    return false;
}

const char *arguments_option(const struct arguments *arguments, const char *name)
{
    for (int i = 0; i < arguments->option_count; i++)
        if (strcmp(arguments->option_names[i], name) == 0)
            return arguments->option_values[i];
    return NULL;
}

enum { OPTIONS_LIST_MAX = 256 }; /* bytes of the names of a command's options */

/* Says that a command has no option of that name, and which may be meant. */
static void refuse_option(const char *options, const char *name, struct cause *cause)
{
    char words[OPTIONS_LIST_MAX], text[MEANT_TEXT_MAX];
    struct meant_word meant;

    snprintf(words, sizeof words, "%s", options);
    meant_begin(&meant, name);
    for (char *at = words + strspn(words, " "); *at != '\0';) {
        char *word = at;
        at += strcspn(at, " ");
        char *end = at > word && at[-1] == '*' ? at - 1 : at; /* a '*' is not of the name */
        at += strspn(at, " ");
        *end = '\0';
        meant_try(&meant, word);
    }
    cause_set(cause, "this command has no option '%.24s'%s", name, meant_text(&meant, "", text));
}

/* Takes the option that starts at `text`, with its '=' at `equals`. Returns what follows it, or
 * NULL with the cause. */
static char *take_option(struct arguments *arguments, char *text, char *equals, const char *options,
                         struct cause *cause)
{
    bool takes_rest = false;

    *equals = '\0';
    for (char *c = text; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    if (!option_known(options, text, &takes_rest)) {
        refuse_option(options, text, cause);
        return NULL;
    }
    if (arguments_option(arguments, text) != NULL) {
        cause_set(cause, "the option '%s' is given twice", text);
        return NULL;
    }
    char *rest = takes_rest ? equals + strlen(equals + 1) + 1 : split_word(equals + 1);
    arguments->option_names[arguments->option_count] = text;
    arguments->option_values[arguments->option_count++] = equals + 1;
    return rest;
}

bool arguments_parse(struct arguments *arguments, char *rest, const char *options,
                     struct cause *cause)
{
    *arguments = (struct arguments){0};
    while (rest != NULL && *rest != '\0') {
        if (arguments->count + arguments->option_count == WORDS_MAX)
            return cause_set(cause, "a command has at most %d arguments", WORDS_MAX);
        size_t name = 0; /* ASCII letters at the start of the text */
        while ((rest[name] | 0x20) >= 'a' && (rest[name] | 0x20) <= 'z')
            name++;
        if (name > 0 && rest[name] == '=') {
            rest = take_option(arguments, rest, rest + name, options, cause);
            if (rest == NULL)
                return false;
        } else if (arguments->option_count > 0) {
            return cause_set(
                cause,
                "'%.24s' follows an option: options come last, and their values have no "
                "spaces",
                rest);
        } else {
            arguments->words[arguments->count++] = rest;
            rest = split_word(rest);
        }
    }
    return true;
}
