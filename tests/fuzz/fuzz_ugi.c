/*
 * Input of `ludus-bot ugi`: client/bot/ugi*.c. The input is its standard input. Slow
 * commands are cut down: searches visit few positions and perft stays shallow, with little memory
 * and one thread.
 *
 * The answers are always lines of clean text, every `isready` gets one, and every `go` one move.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "client/bot/bot.h"
#include "common/text.h"
#include "fuzz.h"

/* Returns whether a number of more than one digit follows the word. */
static bool is_large(const char *line, const char *word)
{
    const char *at = strstr(line, word);

    return at != NULL && strspn(at + strcspn(at, "0123456789"), "0123456789") > 1;
}

static bool takes_long(const char *line)
{
    const char *perft = strstr(line, "perft");

    return is_large(line, "Hash") || is_large(line, "Threads") ||
           (perft != NULL && strpbrk(perft, "3456789") != NULL) || is_large(line, "perft");
}

static bool has_verb(const char *line, const char *verb)
{
    const char *start = line + strspn(line, " \t");

    return strcspn(start, " \t") == strlen(verb) && strncmp(start, verb, strlen(verb)) == 0;
}

/* Whether `go` counts move sequences instead of searching. */
static bool counts(const char *line)
{
    const char *word = line + strspn(line, " \t");

    word += strcspn(word, " \t");
    return has_verb(word, "perft");
}

/* The conversation, and the number of answers it must get. */
struct talk {
    FILE *lines; /* owned */
    int searches;
};

enum { LINE_BYTES = 4097 };

static void put_line(struct talk *talk, const char *said)
{
    char line[LINE_BYTES]; /* as the engine reads it */

    snprintf(line, sizeof line, "%s", said);
    text_line_squeeze(line);
    if (takes_long(line) || has_verb(line, "quit"))
        return;
    /* Behind another word, perft may be the value of that one. */
    if (has_verb(line, "go") && strstr(line, "perft") != NULL && !counts(line))
        return;
    bool searches = has_verb(line, "go") && !counts(line);
    talk->searches += searches;
    fprintf(talk->lines, "%s%s\n", said, searches ? " nodes 60" : "");
}

static struct talk read_talk(const uint8_t *data, size_t size)
{
    struct talk talk = {.lines = fdopen(memfd_create("talk", MFD_CLOEXEC), "r+")};
    char line[LINE_BYTES];

    if (talk.lines == NULL)
        abort();
    fputs("setoption name Hash value 0\n", talk.lines);
    for (size_t at = 0, end; at < size; at = end + 1) {
        for (end = at; end < size && data[end] != '\n' && end - at < sizeof line - 1;)
            end++;
        memcpy(line, data + at, end - at);
        line[end - at] = '\0';
        put_line(&talk, line);
    }
    fputs(size % 2 == 0 ? "isready\n" : "isready\nquit\n", talk.lines);
    rewind(talk.lines);
    return talk;
}

static void check_output(const struct talk *talk, const char *output)
{
    int searches = 0;
    bool ready = false;
    const char *end;

    for (const char *line = output; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        REQUIRE(end != NULL, "no line: %s", line);
        REQUIRE(utf8_is_clean(line, (size_t)(end - line)), "this is said: %.*s", (int)(end - line),
                line);
        ready = strncmp(line, "readyok\n", 8) == 0 || ready;
        searches += strncmp(line, "bestmove ", 9) == 0;
    }
    REQUIRE(ready, "isready has no answer: %s", output);
    REQUIRE(searches == talk->searches, "%d searches have %d answers: %s", talk->searches, searches,
            output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char name[] = "ugi", level[] = "--level=easy", seed[] = "--seed=1", *output;
    char *argv[] = {name, level, seed, NULL};
    struct talk talk = read_talk(data, size);
    FILE *kept_in = stdin, *kept_out = stdout;
    size_t length;

    stdin = talk.lines;
    stdout = open_memstream(&output, &length);
    if (stdout == NULL)
        abort();
    optind = 1;
    static const struct usage_command row = {.word = "ugi", .arguments = ""};
    int status = ugi_main(&row, 3, argv);
    fclose(stdin);
    fclose(stdout);
    stdin = kept_in;
    stdout = kept_out;
    REQUIRE(status == 0, "it ends with %d", status);
    check_output(&talk, output);
    free(output);
    return 0;
}
