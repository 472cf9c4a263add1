/* The server's options: command line, file, precedence and error messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "common/levels.h"
#include "server/boot/options.h"
#include "server/boot/reload.h"
#include "server/play/lifecycle.h"

static char folder[] = "/tmp/test_options.XXXXXX";

/* Writes ludusd.conf in the test's directory. */
static const char *write_file(const char *text)
{
    static char path[64];

    snprintf(path, sizeof path, "%s/ludusd.conf", folder);
    FILE *file = fopen(path, "w");
    if (CHECK(file != NULL)) {
        CHECK(fputs(text, file) >= 0);
        CHECK(fclose(file) == 0);
    }
    return path;
}

/* Reads a command line of up to eight words, followed by --config PATH. */
static enum options_result read_words(struct options *options, const char *path,
                                      const char *const words[8], struct cause *cause)
{
    char *argv[12] = {"ludusd"};
    int argc = 1;

    for (int i = 0; i < 8 && words != NULL && words[i] != NULL; i++)
        argv[argc++] = (char *)words[i];
    argv[argc++] = "--config";
    argv[argc++] = (char *)path;
    cause->text[0] = '\0';
    return options_read(options, argc, argv, NULL, cause);
}

static void test_errors(void)
{
    static const struct {
        const char *text, *error; /* behind the name of the file */
    } rows[] = {
        {"frob = 1\n", ":1: 'frob': unknown option: see ludusd --help"},
        {"\n# a comment\n  code\n", ":3: 'code': not a setting: write name = value"},
        {"= 5\n", ":1: '': unknown option: see ludusd --help"},
        {"max-errors = x\n", ":1: max-errors: invalid value 'x': write a number from 1 to 1000000"},
        {"max-errors =\n", ":1: max-errors: invalid value '': write a number from 1 to 1000000"},
        {"idle = 99999999999999999999\n",
         ":1: idle: invalid value '99999999999999999999': write a number from 2 to 86400"},
        {"no-bots = maybe\n", ":1: no-bots: invalid value 'maybe': write yes or no"},
        {"idle = 10\n\nidle = 20\n", ":3: idle: already set in line 1"},
        {"listen = nonsense\n",
         ":1: listen: invalid address 'nonsense': write ADDR:PORT, such as 127.0.0.1:7117"},
        {"listen = :7117\n",
         ":1: listen: invalid address ':7117': write ADDR:PORT, such as 127.0.0.1:7117"},
        {"listen = 127.0.0.1:70000\n",
         ":1: listen: invalid address '127.0.0.1:70000': write ADDR:PORT, such as 127.0.0.1:7117"},
        {"listen = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\n"
         "listen = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\n"
         "listen = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\nlisten = a:1\n",
         ":17: listen: at most 16 addresses"},
        {"bots =\n", ":1: bots: invalid list '': write up to 8 different levels"},
        {"bots = Easy\n", ":1: bots: invalid list 'Easy': write up to 8 different levels"},
        {"bots = abcdefghijklmnop\n",
         ":1: bots: invalid list 'abcdefghijklmnop': write up to 8 different levels"},
        {"bots = a,b,c,d,e,f,g,h,i\n",
         ":1: bots: invalid list 'a,b,c,d,e,f,g,h,i': write up to 8 different levels"},
        {"code =\n", ":1: code: invalid length: write 1 to 63 bytes"},
        {"code = 0123456789012345678901234567890123456789012345678901234567890123\n",
         ":1: code: invalid length: write 1 to 63 bytes"},
        {"bots = greedy,greedy\n",
         ":1: bots: invalid list 'greedy,greedy': write up to 8 different levels"},
        {"tls-port = nonsense\n", ":1: tls-port: invalid address 'nonsense': write PORT or "
                                  "ADDR:PORT, such as 7118 or 0.0.0.0:7118"},
        {"tls-port = 99999\n", ":1: tls-port: invalid address '99999': write PORT or ADDR:PORT, "
                               "such as 7118 or 0.0.0.0:7118"},
        {"tls-port = :7118\n", ":1: tls-port: invalid address ':7118': write PORT or ADDR:PORT, "
                               "such as 7118 or 0.0.0.0:7118"},
        {"tls-port = 127.0.0.1:\n", ":1: tls-port: invalid address '127.0.0.1:': write PORT or "
                                    "ADDR:PORT, such as 7118 or 0.0.0.0:7118"},
        {"log-level = loud\n", ":1: log-level: invalid value 'loud': write debug|info|warn|error"},
        {"durability = luck\n", ":1: durability: invalid value 'luck': write process|power"},
        {"node = 0\n", ":1: node: invalid value '0': write a number from 1 to 999"},
        {"advertise = tls://a:1\n", ":1: advertise: invalid address 'tls://a:1': write ADDR:PORT"},
        {"advertise = 7117\n", ":1: advertise: invalid address '7117': write ADDR:PORT"},
        {"config = other\n", ":1: config: not allowed in a file: give it on the command line"},
        {"check-config = yes\n",
         ":1: check-config: not allowed in a file: give it on the command line"},
        {"export = there\n", ":1: export: not allowed in a file: give it on the command line"},
        {"help = yes\n", ":1: 'help': unknown option: see ludusd --help"},
    };
    struct options options;
    struct cause cause;
    char want[300];

    for (size_t i = 0; i < LENGTH(rows); i++) {
        check_about("%s", rows[i].text);
        const char *path = write_file(rows[i].text);
        CHECK_INT(read_words(&options, path, NULL, &cause), OPTIONS_BAD);
        snprintf(want, sizeof want, "%s%s", path, rows[i].error);
        CHECK_TEXT(cause.text, want);
    }
}

static void test_tls(void)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"tls-cert = c\ntls-key = k\ntls-port = 0\n", ""},
        {"tls-key = k\n", "tls-key: tls-cert is missing: give both"},
        {"tls-cert = c\n", "tls-cert: tls-key is missing: give both"},
        {"tls-cert = c\ntls-key = k\ntls-port = [::1]:0\n", ""},
        {"tls-port = 7118\n", "tls-port: tls-cert and tls-key are missing: give all three"},
    };
    struct options options;
    struct cause cause;

    check_about("options of TLS that mean nothing without the others");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        bool good = rows[i].error[0] == '\0';
        CHECK_INT(read_words(&options, write_file(rows[i].text), NULL, &cause),
                  good ? OPTIONS_RUN : OPTIONS_BAD);
        CHECK_TEXT(cause.text, rows[i].error);
    }
}

static void test_refused_words(void)
{
    static const struct {
        const char *word, *error;
    } rows[] = {
        {"--frob", "--frob: unknown option, or used wrongly: see --help"},
        {"--help=x", "--help=x: unknown option, or used wrongly: see --help"},
        {"--code", "--code: value missing: see --help"},
        {"-x", "-x: unknown option: see --help"},
        {"-lan", "-l: unknown option: see --help"},
        {"-\xc3\xa9", "-?: unknown option: see --help"},
    };
    struct options options;
    struct cause cause;

    check_about("words of the command line other than options");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        char program[] = "ludusd", word[16], *argv[] = {program, word, NULL};
        snprintf(word, sizeof word, "%s", rows[i].word);
        CHECK_INT(options_read(&options, 2, argv, "none", &cause), OPTIONS_BAD);
        CHECK_TEXT(cause.text, rows[i].error);
    }
}

static void test_code(void)
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"code = s\xc3\xa9same=1\n", true},
        {"code = open sesame\n", false},
        {"code = tab\tin-it\n", false},
        {"code = s\xe9same\n", false},
    };
    struct options options;
    struct cause cause;

    check_about("a code that no line can hold");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        CHECK_INT(read_words(&options, write_file(rows[i].text), NULL, &cause),
                  rows[i].good ? OPTIONS_RUN : OPTIONS_BAD);
        CHECK_TEXT(cause.text,
                   rows[i].good
                       ? ""
                       : "code: cannot be typed: use UTF-8 without spaces and control characters");
    }
}

static void test_engine(void)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"engine = dbname=ludus password=x\nnode = 7\nadvertise = [::1]:7117\n", ""},
        {"engine = dbname=ludus\n",
         "engine: node is missing: give each server a number of its own"},
        {"engine = dbname=ludus\nnode = 7\ndata = none\n", "engine: excludes data and durability"},
        {"engine = dbname=ludus\nnode = 7\ndurability = power\n",
         "engine: excludes data and durability"},
        {"node = 7\n", "node, advertise: engine is missing"},
        {"advertise = a:1\n", "node, advertise: engine is missing"},
    };
    struct options options;
    struct cause cause;

    check_about("an engine instead of a store");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        CHECK_INT(read_words(&options, write_file(rows[i].text), NULL, &cause),
                  rows[i].error[0] == '\0' ? OPTIONS_RUN : OPTIONS_BAD);
        CHECK_TEXT(cause.text, rows[i].error);
    }
    static const char *const check[8] = {"--engine", "dbname=ludus", "check", NULL};
    CHECK_INT(read_words(&options, "none", check, &cause), OPTIONS_RUN);
    static const char *const import[8] = {"import", "store", NULL};
    CHECK_INT(read_words(&options, "none", import, &cause), OPTIONS_BAD);
    CHECK_TEXT(cause.text, "import: engine is missing");
}

/* Everybody on the machine can see the command line. */
static void test_password(void)
{
    static const struct {
        const char *conninfo;
        bool has;
    } rows[] = {
        {"dbname=ludus", false},
        {"host=a passfile=/etc/ludus/pass", false},
        {"host=a password=x", true},
        {"host=a PassWord = x", true},
        {"host=a sslpassword=x", true},
        {"postgresql://ludus@db:5432/ludus", false},
        {"postgresql://db:5432/ludus", false},
        {"postgresql://ludus:x@db/ludus", true},
        {"postgres://db/ludus?password=x", true},
    };
    struct options options;
    struct cause cause;

    check_about("no password on the command line");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *const words[8] = {"--engine", rows[i].conninfo, "--node", "1", NULL};
        CHECK_THAT(engine_has_password(rows[i].conninfo) == rows[i].has, "%s", rows[i].conninfo);
        CHECK_INT(read_words(&options, "none", words, &cause),
                  rows[i].has ? OPTIONS_BAD : OPTIONS_RUN);
        CHECK((strstr(cause.text, "everybody sees a password") != NULL) == rows[i].has);
        CHECK(!rows[i].has || strstr(cause.text, "x@") == NULL);
    }
    CHECK(option_find("engine")->secret && option_find("code")->secret);
}

static void test_levels(void)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"bots = max,random\n", ""},
        {"bots = greedy,nope\n",
         "bots: unknown level 'nope': ludus-bot has random,greedy,easy,medium,hard,max"},
        {"bots = nope\nbot-program = /opt/other-bot\n", ""},
    };
    struct options options;
    struct cause cause;

    check_about("levels that ludus-bot does not have");
    for (size_t i = 0; i < LENGTH(rows); i++) {
        CHECK_INT(read_words(&options, write_file(rows[i].text), NULL, &cause),
                  rows[i].error[0] == '\0' ? OPTIONS_RUN : OPTIONS_BAD);
        CHECK_TEXT(cause.text, rows[i].error);
    }
    check_about("all levels, unless others are wanted");
    options_init(&options);
    CHECK_TEXT(options.bots, LEVEL_NAMES);
}

static void test_long_line(void)
{
    char *text = malloc(20001);
    struct options options;
    struct cause cause;

    check_about("a line that is too long");
    if (text == NULL)
        abort();
    memset(text, '#', 20000);
    text[20000] = '\0';
    CHECK_INT(read_words(&options, write_file(text), NULL, &cause), OPTIONS_BAD);
    CHECK_THAT(strstr(cause.text, ":1: line too long") != NULL, "%s", cause.text);
    memcpy(text + 200, ":1", 3);
    CHECK(!option_set(&options, option_find("listen"), text, &cause));
    free(text);
    check_about("the last line needs no newline");
    CHECK_INT(read_words(&options, write_file("grace = 7\nidle = 77"), NULL, &cause), OPTIONS_RUN);
    CHECK(options.limits.grace_s == 7 && options.limits.idle_s == 77);
    check_about("a file that is not there, and a folder");
    CHECK_INT(read_words(&options, "/nonexistent", NULL, &cause), OPTIONS_BAD);
    CHECK_TEXT(cause.text, "/nonexistent: No such file or directory");
    CHECK_INT(read_words(&options, folder, NULL, &cause), OPTIONS_BAD);
    CHECK_THAT(strstr(cause.text, "Is a directory") != NULL, "%s", cause.text);
}

static void test_every_option_in_a_file(void)
{
    struct options options, again;
    struct cause cause;
    char text[8192] = "", line[OPTION_VALUE_MAX + 64], value[OPTION_VALUE_MAX];
    char wanted[OPTION_VALUE_MAX];

    check_about("a written value is read back unchanged");
    options_init(&options);
    for (int i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        option_value(&options, row, value);
        if (row->not_in_file || value[0] == '\0' || value[0] == '-')
            continue;
        snprintf(line, sizeof line, "%s=%s\r\n", row->name, value);
        strncat(text, line, sizeof text - strlen(text) - 1);
    }
    strncat(text, "listen = 127.0.0.1:0\n\tlisten\t=\t[::1]:7\t\n", sizeof text - strlen(text) - 1);
    CHECK_INT(read_words(&again, write_file(text), NULL, &cause), OPTIONS_RUN);
    CHECK_TEXT(cause.text, "");
    for (int i = 0; i < option_row_count; i++) {
        option_value(&options, &option_rows[i], wanted);
        option_value(&again, &option_rows[i], value);
        if (option_rows[i].kind == OPTION_LISTEN)
            CHECK_TEXT(value, "127.0.0.1:0,[::1]:7");
        else if (!option_rows[i].not_in_file)
            CHECK_TEXT(value, wanted);
    }
}

/* Whether an option excludes the store. */
static bool needs_engine(const char *name)
{
    return strcmp(name, "engine") == 0 || strcmp(name, "node") == 0 ||
           strcmp(name, "advertise") == 0;
}

/* Uncomments the options of the installed file, and counts them in `seen` by their place in the
 * table. A value below "# for example" is an example; any other must be the default. */
static void uncomment(FILE *file, char *text, size_t size, int *seen)
{
    char line[256], value[OPTION_VALUE_MAX], usual[OPTION_VALUE_MAX];
    struct options options;
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
        const struct option_row *row = option_find(line + 1);
        if (!CHECK_THAT(row != NULL, "%s", line))
            continue;
        seen[row - option_rows]++;
        snprintf(value, sizeof value, "%.*s", (int)strcspn(equals + 3, "\n"), equals + 3);
        option_value(&options, row, usual);
        if (!example)
            CHECK_TEXT(value, usual);
    }
}

static void test_installed_file(void)
{
    FILE *file = fopen("server/ludusd.conf", "r");
    int seen[128] = {0};
    char text[8192] = "";
    struct options options;
    struct cause cause;

    check_about("the file that is installed says nothing");
    if (file == NULL) {
        CHECK(file != NULL);
        return;
    }
    CHECK_INT(read_words(&options, "server/ludusd.conf", NULL, &cause), OPTIONS_RUN);
    CHECK_INT(options.listen_count, 0);
    check_about("with all lines uncommented it has every option, as it is without");
    uncomment(file, text, sizeof text, seen);
    fclose(file);
    for (int i = 0; i < option_row_count; i++)
        CHECK_THAT((seen[i] > 0) != option_rows[i].not_in_file, "%s", option_rows[i].name);
    CHECK_INT(read_words(&options, write_file(text), NULL, &cause), OPTIONS_RUN);
    CHECK_TEXT(cause.text, "");
    CHECK_INT(options.listen_count, 2);
}

static void test_who_wins(void)
{
    static const char *const words[] = {"--listen", "127.0.0.1:1", "--idle", "30",
                                        "--lan=no", "--bots",      "greedy", NULL};
    struct options options;
    struct cause cause;

    check_about("the command line wins over the file, the file over the default");
    const char *path = write_file("listen = 127.0.0.1:2\nlisten = 127.0.0.1:3\nidle = 40\n"
                                  "grace = 50\nlan = yes\nopen = yes\nbots = random,easy\n");
    CHECK_INT(read_words(&options, path, words, &cause), OPTIONS_RUN);
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
    CHECK_INT(options_read(&options, 1, (char *[]){"ludusd", NULL}, path, &cause), OPTIONS_RUN);
    CHECK_INT(options.limits.grace_s, 50);
    CHECK_INT(options_read(&options, 1, (char *[]){"ludusd", NULL}, "", &cause), OPTIONS_RUN);
    CHECK_INT(options.limits.grace_s, 120);
    CHECK_INT(read_words(&options, "none", NULL, &cause), OPTIONS_RUN);
    CHECK_TEXT(options.config, "");
}

static void test_default_path(void)
{
    char path[FOLDER_TEXT_MAX];
    struct options options;
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
    setenv("CONFIGURATION_DIRECTORY", folder, 1);
    CHECK(options_default_path(path));
    CHECK_TEXT(path, write_file("idle = 77\n"));
    CHECK_INT(options_read(&options, 1, (char *[]){"ludusd", NULL}, NULL, &cause), OPTIONS_RUN);
    CHECK_INT(options.limits.idle_s, 77);
    CHECK_TEXT(options.config, path);
    CHECK(unlink(path) == 0);
    CHECK_INT(options_read(&options, 1, (char *[]){"ludusd", NULL}, NULL, &cause), OPTIONS_RUN);
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
    CHECK_INT(options_read(&options, 1, (char *[]){"ludusd", NULL}, NULL, &cause), OPTIONS_RUN);
    CHECK_TEXT(options.config, "");
}

/* A default file may be missing. One that cannot be opened is an error, like a missing file that
 * was named. */
static void test_missing_file(void)
{
    char longest[FOLDER_TEXT_MAX];
    struct options options;
    struct cause cause;

    check_about("a file that is not there");
    const char *path = write_file("idle = 77\n");
    CHECK(options_read_file(&options, path, false, &cause));
    CHECK_TEXT(options.config, path);
    snprintf(longest, sizeof longest, "%s/below", path);
    CHECK(options_read_file(&options, longest, false, &cause));
    CHECK_TEXT(options.config, "");
    CHECK(!options_read_file(&options, longest, true, &cause));
    CHECK(unlink(path) == 0);
    CHECK(options_read_file(&options, path, false, &cause));
    CHECK(!options_read_file(&options, path, true, &cause));
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    CHECK(!options_read_file(&options, longest, false, &cause));
    setenv("HOME", "/", 1);
    longest[0] = '/';
    setenv("XDG_CONFIG_HOME", longest, 1);
    CHECK(!options_default_path(longest));
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
}

static void test_reload(void)
{
    struct server *server = malloc(sizeof *server);
    struct options options, wanted;

    if (server == NULL)
        abort();
    options_init(&options);
    snprintf(options.code, sizeof options.code, "old");
    server_init(server, &options.limits);
    log_set_level(LOG_ERROR);

    check_about("limits, code and level change; the rest waits for a restart");
    wanted = options;
    wanted.limits.idle_s = 5;
    wanted.limits.names = 7;
    wanted.limits.finished = 8;
    wanted.log_level = LOG_ERROR;
    wanted.limits.limit_loopback = true;
    wanted.no_bots = true;
    snprintf(wanted.code, sizeof wanted.code, "new");
    snprintf(wanted.data, sizeof wanted.data, "elsewhere");
    reload_apply(server, &options, &wanted);
    CHECK_INT(server->limits.idle_s, 5);
    CHECK_INT(server->players.named_max, 7);
    CHECK_INT(server->lobby.finished_max, 8);
    CHECK_TEXT(server->code, "new");
    CHECK_INT(options.limits.idle_s, 5);
    CHECK_INT(options.log_level, LOG_ERROR);
    CHECK_TEXT(options.data, "");
    CHECK(!options.no_bots && options.limits.limit_loopback && server->limits.limit_loopback);

    check_about("a code is not taken away");
    wanted.code[0] = '\0';
    reload_apply(server, &options, &wanted);
    CHECK_TEXT(server->code, "new");
    CHECK_TEXT(options.code, "new");
    snprintf(wanted.code, sizeof wanted.code, "newer");
    wanted.open = true;
    reload_apply(server, &options, &wanted);
    CHECK_TEXT(server->code, "new");

    check_about("an open server stays open");
    options.open = true;
    server->code[0] = '\0';
    wanted = options;
    snprintf(wanted.code, sizeof wanted.code, "newest");
    wanted.open = false;
    reload_apply(server, &options, &wanted);
    CHECK_TEXT(server->code, "");
    CHECK_TEXT(options.code, "new");
    server_release(server);
    free(server);
    log_set_level(LOG_INFO);
}

int main(void)
{
    if (!CHECK(mkdtemp(folder) != NULL))
        return check_end("test_options");
    test_errors();
    test_refused_words();
    test_tls();
    test_code();
    test_engine();
    test_password();
    test_levels();
    test_long_line();
    test_every_option_in_a_file();
    test_installed_file();
    test_who_wins();
    test_default_path();
    test_missing_file();
    test_reload();
    CHECK(rmdir(folder) == 0);
    return check_end("test_options");
}
