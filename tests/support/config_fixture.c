#include "config_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

char config_folder[] = "/tmp/ludus-test-XXXXXX";
static char path[64];

void config_begin(void)
{
    if (mkdtemp(config_folder) == NULL)
        abort();
    snprintf(path, sizeof path, "%s/ludusd.conf", config_folder);
}

void config_end(void)
{
    unlink(path);
    CHECK(rmdir(config_folder) == 0);
}

const char *config_write(const char *text)
{
    FILE *file = fopen(path, "w");

    if (CHECK(file != NULL)) {
        CHECK(fputs(text, file) >= 0);
        CHECK(fclose(file) == 0);
    }
    return path;
}

enum options_result config_read_words(struct server_options *options, const char *const words[10],
                                      struct cause *cause)
{
    char *argv[12] = {"ludusd"};
    int argc = 1;

    for (int i = 0; i < 10 && words[i] != NULL; i++)
        argv[argc++] = (char *)words[i];
    cause->text[0] = '\0';
    return server_options_read(options, argc, argv, NULL, cause);
}

enum options_result config_read(struct server_options *options, const char *file,
                                const char *const words[8], struct cause *cause)
{
    const char *all[10] = {"--config", file};

    for (int i = 0; i < 8 && words != NULL && words[i] != NULL; i++)
        all[2 + i] = words[i];
    return config_read_words(options, all, cause);
}
