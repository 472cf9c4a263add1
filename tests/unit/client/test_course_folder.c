/* The folder of a course: what is made, what course.conf may say, and the keys of students. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "client/course/course_folder.h"

static char dir[] = "/tmp/ludus-course-XXXXXX";
static struct course_folder course;

static const char *in_dir(const char *name)
{
    static char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(in_dir(name), "w");

    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static const char *read_text(const char *name)
{
    static char text[16384];
    FILE *file = fopen(in_dir(name), "r");
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;

    if (file != NULL)
        fclose(file);
    text[length] = '\0';
    return text;
}

static mode_t mode_of(const char *name)
{
    struct stat found;

    return stat(in_dir(name), &found) == 0 ? found.st_mode & 07777 : 0;
}

/* The key of a student, cut off the file. */
static void find_key(const char *name, char key[64])
{
    char before[32];

    snprintf(before, sizeof before, "%s ", name);
    const char *line = strstr(read_text("keys"), before);
    snprintf(key, 64, "%.*s", line != NULL ? (int)strcspn(line, "\n") : 0,
             line != NULL ? line : "");
}

static void test_init(void)
{
    static char ana[] = "ana", rui[] = "Rui_2", again[] = "ANA", blank[] = "a b",
                guest[] = "guest-1";
    char *const names[] = {ana, rui, NULL}, *const none[] = {NULL};
    char *const bad[][3] = {{ana, again, NULL}, {blank, NULL, NULL}, {guest, NULL, NULL}};
    struct cause cause;

    check_about("wrong names make no course");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!course_init(dir, bad[i], &cause) && access(in_dir("course.conf"), F_OK) != 0);
    CHECK_TEXT(cause.text, "'guest-1 socket' is no name: 1 to 24 letters, digits, _ or -");
    CHECK(!course_init("/tmp/no/such/folder", names, &cause));

    check_about("a new course");
    CHECK(course_init(dir, names, &cause));
    CHECK(course_read(&course, dir, &cause));
    CHECK_INT(course.bot_count, 2);
    CHECK_TEXT(course.bots[1].name, "Rui_2");
    CHECK_TEXT(course.bots[1].command, "python3 bot.py");
    CHECK(course_find_bot(&course, "ANA") == &course.bots[0]);
    CHECK_TEXT(course.game, "clobber:5x6");
    CHECK_TEXT(course.clock, "10+0.1");
    CHECK_INT(course.format, COURSE_SWISS);
    CHECK_INT(course.rounds, 0);
    CHECK_INT(course.every_s, 86400);
    CHECK_INT(course.limits.memory_mb, 512);
    CHECK(access(in_dir("bots/Rui_2"), F_OK) == 0 && access(in_dir("results"), F_OK) == 0);

    check_about("strangers read neither keys nor bots");
    CHECK_INT(mode_of("keys"), 0600);
    CHECK_INT(mode_of("bots"), 0700);
    CHECK_INT(mode_of("server"), 0700);

    check_about("a course that is there stays");
    write_text("course.conf", "title = Mine\n");
    CHECK(!course_init(dir, none, &cause));
    CHECK_TEXT(read_text("course.conf"), "title = Mine\n");
}

static void test_keys(void)
{
    char before[64], after[64], eva[64];
    struct cause cause;

    check_about("keys stay, and new students get theirs");
    find_key("ana", before);
    CHECK_INT(strlen(before), strlen("ana ") + 32);
    write_text("course.conf", "bot = ana socket\nengine = eva ./engine --ugi\n");
    CHECK(course_read(&course, dir, &cause) && course_complete(&course, &cause));
    CHECK(course.bots[0].command[0] == '\0' && course.bots[1].engine);
    CHECK_TEXT(course.bots[1].command, "./engine --ugi");
    find_key("ana", after);
    find_key("eva", eva);
    CHECK_TEXT(after, before);
    CHECK_INT(strlen(eva), strlen("eva ") + 32);
    CHECK(strcmp(eva + 4, after + 4) != 0);
    find_key("Rui_2", after);
    CHECK_INT(strlen(after), strlen("Rui_2 ") + 32);

    check_about("a torn file of keys is not taken for one");
    write_text("keys", "ana 0123456789");
    CHECK(!course_complete(&course, &cause));
    CHECK_TEXT(read_text("keys"), "ana 0123456789");
}

/* What is wrong with a file, or "". */
static const char *fault_of(const char *text)
{
    static struct cause cause;

    write_text("course.conf", text);
    if (course_read(&course, dir, &cause))
        return "";
    const char *after = strstr(cause.text, "course.conf:");
    return after != NULL ? after + strlen("course.conf:") : cause.text;
}

static void test_faults(void)
{
    check_about("lines that say something");
    CHECK_TEXT(fault_of("game = shakti\nformat = round-robin\nevery = 90m\nopenings = random:4\n"),
               "");
    CHECK_INT(course.every_s, 5400);
    CHECK_INT(course.format, COURSE_ROUND_ROBIN);
    CHECK_TEXT(fault_of("every = 0\n"), "");
    CHECK_INT(course.every_s, 0);

    check_about("lines that do not");
    CHECK_TEXT(fault_of("\ngame = chess\n"),
               "2: game: there is no game 'chess' (ludus rules lists them)");
    CHECK(fault_of("game = clobber:7x7x7\n")[0] != '\0');
    CHECK(fault_of("clock = soon\n")[0] != '\0');
    CHECK(fault_of("nights = 0\n")[0] != '\0');
    CHECK_TEXT(fault_of("every = 24\n"), "1: every: '24' is no time such as 24h, 90m or 0");
    CHECK(fault_of("every = h\n")[0] != '\0');
    CHECK_TEXT(fault_of("openings = random:x\n"),
               "1: openings: 'random:x' is not balanced, random:N or none");
    CHECK(fault_of("series = a b\n")[0] != '\0');
    CHECK_TEXT(fault_of("memroy = 5\n"),
               "1: 'memroy': unknown option (did you mean memory?): see ludus course --help");
    CHECK_TEXT(fault_of("bot = ana\n"), "1: bot: ana: write a command after the name, or `socket`");
    CHECK_TEXT(fault_of("bot = ana socket\nbot = Ana x\n"),
               "2: bot: Ana: this name is taken already");
    CHECK(fault_of("bot = abcdefghijklmnopqrstuvwxyz socket\n")[0] != '\0');
    CHECK_TEXT(fault_of("bot = Teacher socket\n"), "1: bot: Teacher: this name is taken already");
    CHECK(fault_of("bot = ../x socket\n")[0] != '\0');
    CHECK_TEXT(fault_of("game = shakti\ngame = shakti\n"), "2: game: already set in line 1");
    CHECK_TEXT(fault_of("conf = /etc/passwd\n"),
               "1: conf: not allowed in a file: give it on the command line");
}

int main(void)
{
    char command[64];

    CHECK(mkdtemp(dir) != NULL);
    test_init();
    test_keys();
    test_faults();
    snprintf(command, sizeof command, "rm -rf %s", dir);
    CHECK_INT(system(command), 0);
    return check_end("test_course_folder");
}
