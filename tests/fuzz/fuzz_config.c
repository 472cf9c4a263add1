/*
 * The server's configuration file: common/options.c by the table in
 * server/boot/server_options.c. The input is the file.
 *
 * A refused file gets a cause that names it. The options of an accepted file do not change when
 * they are written as a file and read again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "server/boot/server_options.h"

/* Reads bytes as a file. */
static bool read_bytes(struct server_options *options, const void *bytes, size_t size,
                       struct cause *cause)
{
    char path[64];
    int fd = memfd_create("config", MFD_CLOEXEC);

    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    options_init(options);
    char *words[] = {"ludusd", NULL};
    bool good = options_parse("ludusd", server_option_rows, OPTIONS_ANYWHERE, 1, words, path, false,
                              options, cause) == OPTIONS_RUN;
    if (!good) {
        fuzz_require_cause(cause);
        REQUIRE(strncmp(cause->text, path, strlen(path)) == 0 && cause->text[strlen(path)] == ':',
                "no line is named: %s", cause->text);
    }
    close(fd);
    return good;
}

static void write_option(FILE *out, const struct server_options *options,
                         const struct option_row *row)
{
    char value[OPTION_VALUE_MAX];

    if (strcmp(row->name, "listen") == 0) { /* it repeats: a line each */
        for (int i = 0; i < options->listen_count; i++)
            fprintf(out, "%s = %s\n", row->name, options->listen[i]);
        return;
    }
    server_option_value(options, row, value);
    /* An empty text, or -1 for none, is the value without a line. */
    if (!row->not_in_file && value[0] != '\0' && strcmp(value, "-1") != 0)
        fprintf(out, "%s = %s\n", row->name, value);
}

static void require_same(const struct server_options *a, const struct server_options *b)
{
    char values[2][OPTION_VALUE_MAX];

    for (const struct option_row *row = server_option_rows; row->name != NULL; row++) {
        if (row->config) /* the files differ */
            continue;
        server_option_value(a, row, values[0]);
        server_option_value(b, row, values[1]);
        REQUIRE(strcmp(values[0], values[1]) == 0, "%s is %s, then %s", row->name, values[0],
                values[1]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct server_options options, again;
    struct cause cause = {""};
    char *text = NULL;
    size_t length = 0;

    if (!read_bytes(&options, data, size, &cause))
        return 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        abort();
    for (const struct option_row *row = server_option_rows; row->name != NULL; row++)
        write_option(out, &options, row);
    if (fclose(out) != 0)
        abort();
    REQUIRE(read_bytes(&again, text, length, &cause), "%s\nis refused: %s", text, cause.text);
    require_same(&options, &again);
    if (!options_agree(&options, &cause))
        fuzz_require_cause(&cause);
    free(text);
    return 0;
}
