/* The server's configuration file: how it is read, found and overruled, and the one that is
 * installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "common/xmalloc.h"
#include "config_fixture.h"

static void test_long_line(void)
{
    char *text = xmalloc(20001);
    struct server_options options;
    struct cause cause;

    check_about("a line that is too long");
    memset(text, '#', 20000);
    text[20000] = '\0';
    CHECK_INT(config_read(&options, config_write(text), NULL, &cause), OPTIONS_BAD);
    CHECK_THAT(strstr(cause.text, ":1: line too long") != NULL, "%s", cause.text);
    memcpy(text + 200, ":1", 3);
    CHECK(!option_set(option_find(server_option_rows, "listen"), &options, text, SOURCE_FILE,
                      &cause));
    free(text);
    check_about("the last line needs no newline");
    CHECK_INT(config_read(&options, config_write("grace = 7\nidle = 77"), NULL, &cause),
              OPTIONS_RUN);
    CHECK(options.limits.grace_s == 7 && options.limits.idle_s == 77);
    check_about("a file that is not there, and a folder");
    CHECK_INT(config_read(&options, "/nonexistent", NULL, &cause), OPTIONS_BAD);
    CHECK_TEXT(cause.text, "/nonexistent: No such file or directory");
    CHECK_INT(config_read(&options, config_folder, NULL, &cause), OPTIONS_BAD);
    CHECK_THAT(strstr(cause.text, "Is a directory") != NULL, "%s", cause.text);
}

static void test_every_option_in_a_file(void)
{
    struct server_options options, again;
    struct cause cause;
    char text[8192] = "", line[OPTION_VALUE_MAX + 64], value[OPTION_VALUE_MAX];
    char wanted[OPTION_VALUE_MAX];

    check_about("a written value is read back unchanged");
    options_init(&options);
    for (const struct option_row *row = server_option_rows; row->name != NULL; row++) {
        server_option_value(&options, row, value);
        if (row->not_in_file || value[0] == '\0' || value[0] == '-')
            continue;
        snprintf(line, sizeof line, "%s=%s\r\n", row->name, value);
        strncat(text, line, sizeof text - strlen(text) - 1);
    }
    strncat(text,
            "listen = 127.0.0.1:0\n\tlisten\t=\t[::1]:7\t\n"
            "trusted-proxy = 10.0.0.0/8\ntrusted-proxy = ::1,127.0.0.1\n",
            sizeof text - strlen(text) - 1);
    CHECK_INT(config_read(&again, config_write(text), NULL, &cause), OPTIONS_RUN);
    CHECK_TEXT(cause.text, "");
    for (const struct option_row *row = server_option_rows; row->name != NULL; row++) {
        server_option_value(&options, row, wanted);
        server_option_value(&again, row, value);
        if (row->kind == OPTION_OWN)
            CHECK_TEXT(value, strcmp(row->name, "listen") == 0 ? "127.0.0.1:0,[::1]:7"
                                                               : "10.0.0.0/8,::1,127.0.0.1");
        else if (!row->not_in_file)
            CHECK_TEXT(value, wanted);
    }
}

/* Whether an option excludes the store. */
static bool needs_engine(const char *name)
{
    return strcmp(name, "database") == 0 || strcmp(name, "node") == 0 ||
           strcmp(name, "advertise") == 0;
}

/* Uncomments the options of the installed file, and counts them in `seen` by their place in the
 * table. A value below "# for example" is an example; any other must be the default. */
static void uncomment(FILE *file, char *text, size_t size, int *seen)
{
    char line[256], value[OPTION_VALUE_MAX], usual[OPTION_VALUE_MAX];
    struct server_options options;
    bool example = false;

    options_init(&options);
    while (fgets(line, sizeof line, file) != NULL) {
        char *equals = strstr(line, " = ");
        bool is_option = line[0] == '#' && line[1] != ' ' && equals != NULL;
        if (!is_option) {
            example = strcmp(line, "# for example\n") == 0;
            continue;
        }
        char whole[sizeof line];
        snprintf(whole, sizeof whole, "%s", line + 1);
        *equals = '\0';
        if (!needs_engine(line + 1))
            strncat(text, whole, size - strlen(text) - 1);
        const struct option_row *row = option_find(server_option_rows, line + 1);
        if (!CHECK_THAT(row != NULL, "%s", line))
            continue;
        seen[row - server_option_rows]++;
        snprintf(value, sizeof value, "%.*s", (int)strcspn(equals + 3, "\n"), equals + 3);
        server_option_value(&options, row, usual);
        if (!example)
            CHECK_TEXT(value, usual);
    }
}

static void test_installed_file(void)
{
    FILE *file = fopen("server/ludusd.conf", "r");
    int seen[128] = {0};
    char text[8192] = "";
    struct server_options options;
    struct cause cause;

    check_about("the file that is installed says nothing");
    if (file == NULL) {
        CHECK(file != NULL);
        return;
    }
    CHECK_INT(config_read(&options, "server/ludusd.conf", NULL, &cause), OPTIONS_RUN);
    CHECK_INT(options.listen_count, 0);
    check_about("with all lines uncommented it has every option, as it is without");
    uncomment(file, text, sizeof text, seen);
    fclose(file);
    for (const struct option_row *row = server_option_rows; row->name != NULL; row++)
        CHECK_THAT((seen[row - server_option_rows] > 0) != (row->not_in_file || row->hidden), "%s",
                   row->name);
    CHECK_INT(config_read(&options, config_write(text), NULL, &cause), OPTIONS_RUN);
    CHECK_TEXT(cause.text, "");
    CHECK_INT(options.listen_count, 2);
}

static void test_who_wins(void)
{
    static const char *const words[] = {"--listen", "127.0.0.1:1", "--idle", "30",
                                        "--lan=no", "--bots",      "greedy", NULL};
    struct server_options options;
    struct cause cause;

    check_about("the command line wins over the file, the file over the default");
    const char *path = config_write("listen = 127.0.0.1:2\nlisten = 127.0.0.1:3\nidle = 40\n"
                                    "grace = 50\nlan = yes\nopen = yes\nbots = random,easy\n");
    CHECK_INT(config_read(&options, path, words, &cause), OPTIONS_RUN);
    CHECK_TEXT(cause.text, "");
    CHECK_INT(options.listen_count, 1);
    CHECK_TEXT(options.listen[0], "127.0.0.1:1");
    CHECK_INT(options.limits.idle_s, 30);
    CHECK_INT(options.limits.grace_s, 50);
    CHECK_INT(options.limits.text_idle_s, 1800);
    CHECK(!options.lan && options.open);
    CHECK_TEXT(options.bots, "greedy");
    CHECK_TEXT(options.config, path);

    check_about("reading again takes the same path, or again no file");
    CHECK_INT(server_options_read(&options, 1, (char *[]){"ludusd", NULL}, path, &cause),
              OPTIONS_RUN);
    CHECK_INT(options.limits.grace_s, 50);
    CHECK_INT(server_options_read(&options, 1, (char *[]){"ludusd", NULL}, "", &cause),
              OPTIONS_RUN);
    CHECK_INT(options.limits.grace_s, 120);
    CHECK_INT(config_read(&options, "none", NULL, &cause), OPTIONS_RUN);
    CHECK_TEXT(options.config, "");
}

static void test_default_path(void)
{
    char path[FOLDER_TEXT_MAX];
    struct server_options options;
    struct cause cause;

    check_about("the default path");
    setenv("HOME", "/home/anna", 1);
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("CONFIGURATION_DIRECTORY");
    CHECK(options_default_path(path));
    CHECK_TEXT(path, "/home/anna/.config/ludus/ludusd.conf");
    setenv("XDG_CONFIG_HOME", "/home/anna/settings", 1);
    CHECK(options_default_path(path));
    CHECK_TEXT(path, "/home/anna/settings/ludus/ludusd.conf");
    setenv("CONFIGURATION_DIRECTORY", config_folder, 1);
    CHECK(options_default_path(path));
    CHECK_TEXT(path, config_write("idle = 77\n"));
    CHECK_INT(server_options_read(&options, 1, (char *[]){"ludusd", NULL}, NULL, &cause),
              OPTIONS_RUN);
    CHECK_INT(options.limits.idle_s, 77);
    CHECK_TEXT(options.config, path);
    CHECK(unlink(path) == 0);
    CHECK_INT(server_options_read(&options, 1, (char *[]){"ludusd", NULL}, NULL, &cause),
              OPTIONS_RUN);
    CHECK_TEXT(options.config, "");

    check_about("relative folders, and several ones, do not count");
    setenv("CONFIGURATION_DIRECTORY", "/etc/a:/etc/b", 1);
    CHECK(options_default_path(path));
    CHECK_TEXT(path, "/home/anna/settings/ludus/ludusd.conf");
    setenv("CONFIGURATION_DIRECTORY", "etc", 1);
    setenv("XDG_CONFIG_HOME", "settings", 1);
    CHECK(options_default_path(path));
    CHECK_TEXT(path, "/home/anna/.config/ludus/ludusd.conf");
    setenv("HOME", "anna", 1);
    CHECK(!options_default_path(path));
    unsetenv("HOME");
    CHECK(!options_default_path(path));
    CHECK_INT(server_options_read(&options, 1, (char *[]){"ludusd", NULL}, NULL, &cause),
              OPTIONS_RUN);
    CHECK_TEXT(options.config, "");
}

static bool reads(struct server_options *options, const char *path, bool must_exist)
{
    char *argv[] = {"ludusd", NULL};
    struct cause cause;

    options_init(options);
    return options_parse("ludusd", server_option_rows, OPTIONS_ANYWHERE, 1, argv, path, !must_exist,
                         options, &cause) == OPTIONS_RUN;
}

/* A default file may be missing. One that cannot be opened is an error, like a missing file that
 * was named. */
static void test_missing_file(void)
{
    char longest[FOLDER_TEXT_MAX];
    struct server_options options;

    check_about("a file that is not there");
    const char *path = config_write("idle = 77\n");
    CHECK(reads(&options, path, false));
    CHECK_TEXT(options.config, path);
    snprintf(longest, sizeof longest, "%s/below", path);
    CHECK(reads(&options, longest, false));
    CHECK_TEXT(options.config, "");
    CHECK(!reads(&options, longest, true));
    CHECK(unlink(path) == 0);
    CHECK(reads(&options, path, false));
    CHECK(!reads(&options, path, true));
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    CHECK(!reads(&options, longest, false));
    setenv("HOME", "/", 1);
    longest[0] = '/';
    setenv("XDG_CONFIG_HOME", longest, 1);
    CHECK(!options_default_path(longest));
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

/* A shell expands ~ only at the beginning of a word. */
static void test_home(void)
{
    static const char *const words[8] = {"--tls-key=~/key", "--log=a~b", "--export", "~", NULL};
    struct server_options options;
    struct cause cause;

    check_about("~ in a path, in a file and on the command line");
    setenv("HOME", "/home/anna", 1);
    const char *path = config_write("data = ~/matches\ntls-cert = ~root/cert\nbot-program = "
                                    "~nobody-of-that-name/x\ncode = ~/x\n");
    CHECK_INT(config_read(&options, path, words, &cause), OPTIONS_RUN);
    CHECK_TEXT(cause.text, "");
    CHECK_TEXT(options.data, "/home/anna/matches");
    CHECK_TEXT(options.tls_cert, "/root/cert");
    CHECK_TEXT(options.bot_program, "~nobody-of-that-name/x");
    CHECK_TEXT(options.code, "~/x");
    CHECK_TEXT(options.tls_key, "/home/anna/key");
    CHECK_TEXT(options.log, "a~b");
    CHECK_TEXT(options.export, "/home/anna");
    setenv("HOME", config_folder, 1);
    static const char *const other[10] = {"--config=~/ludusd.conf", "--tls-key=key", NULL};
    CHECK_INT(config_read_words(&options, other, &cause), OPTIONS_RUN);
    CHECK_TEXT(options.tls_cert, "/root/cert");
    CHECK_TEXT(options.config, path);
}

int main(void)
{
    config_begin();
    test_long_line();
    test_every_option_in_a_file();
    test_installed_file();
    test_who_wins();
    test_default_path();
    test_missing_file();
    test_home();
    config_end();
    return check_end("test_config_file");
}
