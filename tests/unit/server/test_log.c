/* The log: levels, and that no text can break out of its line or value. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "server/base/log.h"

static void test_quote(void)
{
    static const struct {
        const char *text, *quoted;
    } rows[] = {
        {"", "\"\""},
        {"nc by hand", "\"nc by hand\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"x\" level=error event=\"y", "\"x\\\" level=error event=\\\"y\""},
        {"two\nlines\r\x1b[2J", "\"two\\x0alines\\x0d\\x1b[2J\""},
        {"caf\xc3\xa9", "\"caf\xc3\xa9\""},
        {"half \xc3", "\"half \\xc3\""},
        {"turned \xe2\x80\xae", "\"turned \\xe2\\x80\\xae\""},
    };

    check_about("quotes");
    for (size_t i = 0; i < LENGTH(rows); i++)
        CHECK_TEXT(log_quote(rows[i].text).text, rows[i].quoted);
}

static void test_quote_is_cut(void)
{
    char text[1000];

    check_about("long texts");
    for (size_t length = QUOTED_MAX - 12; length < QUOTED_MAX + 12; length++) {
        memset(text, '"', length);
        memset(text, 'x', length / 2);
        text[length] = '\0';
        struct quoted quoted = log_quote(text);
        size_t bytes = strlen(quoted.text);
        CHECK_THAT(bytes < QUOTED_MAX && quoted.text[bytes - 1] == '"', "%s", quoted.text);
    }
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct quoted quoted = log_quote(text);
    CHECK_INT(strlen(quoted.text), QUOTED_MAX - 1);
    CHECK_TEXT(quoted.text + QUOTED_MAX - 6, "x...\"");
}

/* Returns the contents of the file without the times. */
static void read_lines(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    char line[2048];

    text[0] = '\0';
    while (CHECK(file != NULL) && fgets(line, sizeof line, file) != NULL) {
        CHECK_THAT(strncmp(line, "time=20", 7) == 0 && strlen(line) > 26, "%s", line);
        strncat(text, line + 26, size - strlen(text) - 1);
    }
    if (file != NULL)
        fclose(file);
}

static void test_lines(void)
{
    char path[] = "/tmp/test_log.XXXXXX", old[64], text[4096], much[3000];
    int descriptor = mkstemp(path);
    struct cause cause;

    check_about("lines in a file");
    CHECK(descriptor >= 0 && close(descriptor) == 0);
    CHECK(!log_to_file("/nonexistent/log", &cause));
    CHECK_TEXT(cause.text, "/nonexistent/log: No such file or directory");
    CHECK(log_to_file(path, &cause));
    log_line(LOG_DEBUG, "event=not");
    log_line(LOG_INFO, "event=one text=%s", "a\nlevel=error b");
    log_set_level(LOG_WARN);
    log_line(LOG_INFO, "event=not");
    log_line(LOG_WARN, "event=two");
    log_set_level(LOG_DEBUG);
    log_line(LOG_DEBUG, "event=three");
    read_lines(path, text, sizeof text);
    CHECK_TEXT(text, "level=info event=one text=a\\x0alevel=error b\n"
                     "level=warn event=two\nlevel=debug event=three\n");

    check_about("a file that was moved away is made again");
    snprintf(old, sizeof old, "%s.1", path);
    CHECK(rename(path, old) == 0 && log_to_file(path, &cause));
    memset(much, '\n', sizeof much - 1);
    much[sizeof much - 1] = '\0';
    log_line(LOG_ERROR, "%s", much);
    log_close();
    read_lines(path, text, sizeof text);
    CHECK_THAT(strlen(text) < 1200 && strstr(text, "level=error \\x0a\\x0a") == text, "%s", text);
    CHECK(unlink(path) == 0 && unlink(old) == 0);
    log_set_level(LOG_INFO);
}

/* Limits the size of files; what is beyond it is not written. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* On a full disk a line may go out in part. */
static void test_cut_line(void)
{
    char path[] = "test_log.XXXXXX", text[2048] = "";
    struct cause cause;
    struct rlimit before;

    check_about("after a line that was cut the next one begins anew");
    close(mkstemp(path));
    CHECK(log_to_file(path, &cause));
    log_line(LOG_INFO, "event=first");
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    limit_files(80);
    log_line(LOG_INFO, "event=second-which-does-not-fit-as-the-disk-is-full");
    log_line(LOG_INFO, "event=third");
    setrlimit(RLIMIT_FSIZE, &before);
    log_line(LOG_INFO, "event=fourth");
    log_line(LOG_INFO, "event=fifth");
    log_close();
    FILE *file = fopen(path, "r");
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    unlink(path);
    CHECK_INT(text[79] != '\n', 1);
    CHECK_INT(text[80], '\n');
    CHECK_THAT(bytes > 81 && strstr(text + 81, "event=fourth\ntime=") != NULL, "%s", text);
    CHECK_THAT(strstr(text, "\n\n") == NULL && strstr(text, "event=fifth\n") != NULL, "%s", text);
}

int main(void)
{
    test_quote();
    test_quote_is_cut();
    test_lines();
    test_cut_line();
    return check_end("test_log");
}
