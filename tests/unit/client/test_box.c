/* A box: what the program in it may do, and how it ends when it takes too much. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "client/course/box.h"

enum {
    OWN_USER = 0x6c750001,
    NOBODY = 65534,
    LOOKS_MAX = 600,
    THROWS_MAX = 10,
    REFUSED = 42,
    LISTENS = 8
};

static char dir[64], folder[128], work[128], log_path[128], neighbour[128], mark[80];
static uid_t user;
static bool own_network;

static void pause_ms(long ms)
{
    const struct timespec pause = {.tv_nsec = ms * 1000000};

    nanosleep(&pause, NULL);
}

/* A port of this machine where somebody listens. */
static int listen_somewhere(int *fd)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;

    *fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(*fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(*fd, LISTENS) == 0);
    CHECK(getsockname(*fd, (struct sockaddr *)&address, &length) == 0);
    return ntohs(address.sin_port);
}

static struct course_limits usual(void)
{
    return (struct course_limits){
        .start_s = 10, .cpu_s = 60, .memory_mb = 128, .processes = 8, .output_mb = 1, .disk_mb = 4};
}

static int most_marked = -1; /* at once; -1: not counted */

/* How many processes of this box there are: those with its mark in their environment. */
static int count_marked(void)
{
    char path[300], text[4096];
    DIR *processes = opendir("/proc");
    int count = 0;

    for (const struct dirent *entry; (entry = readdir(processes)) != NULL;) {
        snprintf(path, sizeof path, "/proc/%s/environ", entry->d_name);
        FILE *file = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? fopen(path, "r") : NULL;
        size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
        if (file != NULL)
            fclose(file);
        count += memmem(text, length, mark, strlen(mark)) != NULL;
    }
    closedir(processes);
    return count;
}

/* Runs words of `python3 -c`, or else of `sh -c`, to their end or ours. */
static struct box run_box(const char *language, const char *words, struct course_limits limits,
                          int port)
{
    static const char *const no_tools[] = {NULL};
    char program[32], option[] = "-c", text[2048], home[160], marked[96];
    char path[] = "PATH=/usr/bin:/bin";
    char *const command[] = {program, option, text, NULL};
    char *const environment[] = {path, home, marked, NULL};
    struct box_plan plan = {.command = command,
                            .environment = environment,
                            .folder = folder,
                            .work = work,
                            .tools = no_tools,
                            .port = port,
                            .own_network = own_network,
                            .user = user,
                            .limits = limits};
    struct box box;
    struct cause cause;

    snprintf(text, sizeof text, "rm -rf %s/*", work);
    CHECK_INT(system(text), 0);
    snprintf(program, sizeof program, "/usr/bin/%s", language);
    snprintf(text, sizeof text, "%s", words);
    snprintf(home, sizeof home, "HOME=%s", work);
    snprintf(marked, sizeof marked, "MARK=%s", mark);
    FILE *log = fopen(log_path, "w");
    if (!CHECK_THAT(box_start(&box, &plan, log, &cause), "%s", cause.text))
        return box;
    for (int looks = 0; box_watch(&box) == BOX_RUNS && looks < LOOKS_MAX; looks++) {
        pause_ms(50);
        int now = most_marked >= 0 ? count_marked() : -1;
        most_marked = now > most_marked ? now : most_marked;
    }
    box_kill(&box);
    fclose(log);
    return box;
}

static const char *said(void)
{
    static char text[512];
    FILE *log = fopen(log_path, "r");
    size_t length = log != NULL ? fread(text, 1, sizeof text - 1, log) : 0;

    if (log != NULL)
        fclose(log);
    text[length] = '\0';
    return text;
}

static void check_run(const char *about, const char *language, const char *words, int port,
                      int status)
{
    check_about("%s", about);
    struct box box = run_box(language, words, usual(), port);
    CHECK_INT(box.end, BOX_EXITED);
    CHECK_THAT(box.status == status, "status %d: %s", box.status, said());
}

static void test_allowed(void)
{
    char words[512];
    int fd, port = listen_somewhere(&fd);

    check_run("its own files", "sh", "cat own.txt && echo kept >$HOME/kept && cat $HOME/kept", 0,
              0);
    CHECK_TEXT(said(), "own file\nkept\n");
    check_run("its environment", "python3", "import os; print(sorted(os.environ)[:2])", 0, 0);
    CHECK(strstr(said(), "['HOME', ") == said());
    check_run("threads, processes and pairs of sockets", "python3",
              "import threading, subprocess, socket\n"
              "a, b = socket.socketpair()\n"
              "t = threading.Thread(target=lambda: a.send(b'x')); t.start(); t.join()\n"
              "assert b.recv(1) == b'x' and subprocess.run(['true']).returncode == 0",
              0, 0);
    snprintf(words, sizeof words, "import socket; socket.create_connection(('127.0.0.1', %d))",
             port);
    check_run("the server", "python3", words, port, 0);
    close(fd);
    check_run("its status", "sh", "exit 7", 0, 7);
    check_run("a signal", "sh", "kill -SEGV $$", 0, 128 + SIGSEGV);
}

static void test_files(void)
{
    static const char *const others[] = {neighbour, log_path, "/proc/1/environ", "/root/.profile",
                                         "/dev/sda"};
    char words[512];

    for (size_t i = 0; i < LENGTH(others); i++) {
        snprintf(words, sizeof words, "cat %s 2>/dev/null || exit %d", others[i], REFUSED);
        check_run(others[i], "sh", words, 0, REFUSED);
    }
    snprintf(words, sizeof words, "ls %s 2>/dev/null || exit %d", dir, REFUSED);
    check_run("the folders of others", "sh", words, 0, REFUSED);
    snprintf(words, sizeof words, "echo x >own.txt || echo x >/tmp/box-$$ || echo x >%s || exit %d",
             neighbour, REFUSED);
    check_run("writing elsewhere", "sh", words, 0, REFUSED);
    snprintf(words, sizeof words, "ln -s %s $HOME/link && cat $HOME/link || exit %d", neighbour,
             REFUSED);
    check_run("a link to a neighbour's file", "sh", words, 0, REFUSED);
}

static void test_network(void)
{
    static const struct {
        const char *about, *socket;
    } sockets[] = {
        {"UDP", "AF_INET, SOCK_DGRAM"},         {"UDP over IPv6", "AF_INET6, SOCK_DGRAM"},
        {"a raw one", "AF_INET, SOCK_RAW, 1"},  {"a local one", "AF_UNIX, SOCK_STREAM"},
        {"a local one", "AF_UNIX, SOCK_DGRAM"}, {"netlink", "AF_NETLINK, SOCK_RAW"},
        {"a packet", "AF_PACKET, SOCK_RAW"},    {"MPTCP", "AF_INET, SOCK_STREAM, 262"},
    };
    int fd, other_fd, port = listen_somewhere(&fd), other = listen_somewhere(&other_fd);
    char words[768];

    for (size_t i = 0; i < LENGTH(sockets); i++) {
        snprintf(words, sizeof words,
                 "from socket import *\ntry: socket(%s)\nexcept PermissionError: exit(%d)",
                 sockets[i].socket, REFUSED);
        check_run(sockets[i].about, "python3", words, port, REFUSED);
    }
    snprintf(words, sizeof words,
             "from socket import *\ntry: create_connection(('127.0.0.1', %d))\n"
             "except PermissionError: exit(%d)",
             other, REFUSED);
    check_run("another port", "python3", words, port, REFUSED);
    snprintf(words, sizeof words,
             "from socket import *\ns = socket()\n"
             "try: s.sendto(b'x', 0x20000000, ('127.0.0.1', %d))\n"
             "except PermissionError: exit(%d)",
             other, REFUSED);
    check_run("another port by sending", "python3", words, port, REFUSED);
    snprintf(words, sizeof words,
             "from socket import *\ns = socket()\ntry: s.bind(('127.0.0.1', 0))\n"
             "except PermissionError: exit(%d)",
             REFUSED);
    check_run("a port of its own", "python3", words, port, REFUSED);
    snprintf(words, sizeof words,
             "from socket import *\n"
             "try: socketpair(AF_UNIX, SOCK_DGRAM)\nexcept PermissionError: exit(%d)",
             REFUSED);
    check_run("a pair that sends to others", "python3", words, port, REFUSED);
    close(fd);
    close(other_fd);
}

/* In a network of its own a box reaches the socket that is handed out, and nobody else at its port.
 */
static void test_own_network(void)
{
    int fd, other_fd, port = listen_somewhere(&fd), other = listen_somewhere(&other_fd);
    char words[512], address[64];

    own_network = true;
    snprintf(words, sizeof words,
             "import socket\ns = socket.create_connection(('127.0.0.1', %d))\n"
             "s.sendall(b'x' * 10)",
             port);
    check_about("a network of its own");
    struct box box = run_box("python3", words, usual(), port);
    CHECK_THAT(box.end == BOX_EXITED && box.status == 0, "status %d: %s", box.status, said());
    int accepted = accept4(box.listener, NULL, NULL, SOCK_NONBLOCK);
    CHECK(accepted >= 0 && recv(accepted, words, sizeof words, 0) == 10);
    close(accepted);
    close(box.listener);
    for (int far = 0; far < 2; far++) { /* the first of these is there, on this machine */
        snprintf(address, sizeof address, "('%s', %d)", far ? "192.0.2.1" : "127.0.0.1", other);
        snprintf(words, sizeof words,
                 "import socket\ntry: socket.create_connection(%s, 5)\n"
                 "except (PermissionError, ConnectionRefusedError): exit(%d)\n"
                 "except OSError as error: exit(%d if error.errno == 101 else 1)",
                 address, REFUSED, REFUSED);
        check_about("a network of its own: %s", address);
        box = run_box("python3", words, usual(), port);
        CHECK_THAT(box.status == REFUSED, "status %d: %s", box.status, said());
        close(box.listener);
    }
    own_network = false;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    fcntl(other_fd, F_SETFL, O_NONBLOCK);
    CHECK(accept(fd, NULL, NULL) < 0 && accept(other_fd, NULL, NULL) < 0);
    close(fd);
    close(other_fd);
}

static void test_calls(void)
{
    char words[512];
    pid_t sleeper = fork();

    if (sleeper == 0) {
        pause();
        _exit(0);
    }
    snprintf(words, sizeof words, "kill -9 %d 2>/dev/null || exit %d", (int)sleeper, REFUSED);
    check_run("a signal to others", "sh", words, 0, REFUSED);
    CHECK(waitpid(sleeper, NULL, WNOHANG) == 0);
    kill(sleeper, SIGKILL);
    waitpid(sleeper, NULL, 0);
    check_run("namespaces", "sh", "unshare -U true 2>/dev/null || exit 42", 0, REFUSED);
    check_run("shared memory that outlives it", "python3",
              "import ctypes; exit(42 if ctypes.CDLL(None).shmget(0, 4096, 0o1600) < 0 else 0)", 0,
              REFUSED);
    snprintf(words, sizeof words,
             "import ctypes, errno\n"
             "c = ctypes.CDLL(None, use_errno=True)\n"
             "print([c.ptrace(0, 0, 0, 0), ctypes.get_errno(), c.mount(b'a', b'/', b'b', 0, 0),"
             " ctypes.get_errno()] == [-1, errno.EPERM] * 2)");
    check_run("ptrace and mount", "python3", words, 0, 0);
    CHECK_TEXT(said(), "True\n");
}

/* Nothing of a box is left, soon after its end. */
static void check_gone(void)
{
    for (int looks = 0; count_marked() > 0 && looks < LOOKS_MAX; looks++)
        pause_ms(10);
    CHECK_INT(count_marked(), 0);
}

static void check_end_of(const char *about, const char *language, const char *words,
                         struct course_limits limits, enum box_end end)
{
    check_about("%s", about);
    struct box box = run_box(language, words, limits, 0);
    CHECK_THAT(box.end == end, "ended %d, status %d: %s", box.end, box.status, said());
    check_gone();
}

/* A bomb whose processes come and go need not be seen with too many. The kernel holds their number,
 * and it ends by itself, or has taken time. One that was over before anybody looked is thrown
 * again. */
static void check_bomb(const char *about, const char *language, const char *words)
{
    struct course_limits limits = usual();

    limits.cpu_s = 2;
    most_marked = 0;
    check_about("%s", about);
    for (int throws = 0; most_marked < 2 && throws < THROWS_MAX; throws++) {
        struct box box = run_box(language, words, limits, 0);
        CHECK(box.end != BOX_RUNS);
    }
    CHECK_THAT(most_marked > 1 && most_marked <= limits.processes, "%d processes", most_marked);
    check_gone();
    most_marked = -1;
}

static void test_limits(void)
{
    struct course_limits limits = usual();
    struct stat found;

    check_end_of("too many processes", "sh", "for i in 1 2 3 4 5 6 7; do sleep 100 & done; wait",
                 limits, BOX_PROCESSES);
    check_bomb("a fork bomb", "sh", "f() { f | f & }; f; sleep 2");
    check_bomb("one that moves on", "python3",
               "import os, time\n"
               "if os.fork(): time.sleep(100)\n"
               "while True:\n"
               "  try: os.fork() and os._exit(0)\n"
               "  except OSError: pass");
    check_end_of("memory", "python3",
                 "import time\na = []\nwhile True: a.append(b'x' * 8000000); time.sleep(0.01)",
                 limits, BOX_MEMORY);
    check_end_of("memory that is shared", "python3",
                 "import mmap, time\na = mmap.mmap(-1, 300000000)\n"
                 "for i in range(0, len(a), 4096): a[i] = 1\ntime.sleep(100)",
                 limits, BOX_MEMORY);
    check_end_of("memory of several processes", "python3",
                 "import os, time\nfor _ in range(2): os.fork()\n"
                 "a = b'x' * 60000000\ntime.sleep(100)",
                 limits, BOX_MEMORY);
    check_end_of("endless output", "sh", "while :; do echo 0123456789012345678901234567890; done",
                 limits, BOX_OUTPUT);
    CHECK(stat(log_path, &found) == 0 && found.st_size > 1 << 20 &&
          found.st_size < (1 << 20) + 100);
    check_end_of("files", "sh",
                 "i=0; while :; do i=$((i+1)); head -c 1000000 /dev/zero >$HOME/$i; done", limits,
                 BOX_DISK);
    check_end_of("files without a name", "python3",
                 "import os, time\nkept = []\nfor i in range(9):\n"
                 "  path = os.environ['HOME'] + '/gone'\n  kept.append(open(path, 'wb', 0))\n"
                 "  os.unlink(path)\n  kept[-1].write(b'x' * 1000000)\ntime.sleep(100)",
                 limits, BOX_DISK);
    check_end_of("files without contents", "python3",
                 "import os, time\nfor i in range(2000): open(f\"{os.environ['HOME']}/{i}\", 'w')\n"
                 "time.sleep(100)",
                 limits, BOX_DISK);
    limits.cpu_s = 1;
    check_end_of("the processor", "sh", "while :; do :; done", limits, BOX_TIME);
    check_end_of("the processor, by several", "sh",
                 "for i in 1 2 3; do while :; do :; done & done; wait", limits, BOX_TIME);
    check_end_of("what it leaves behind", "sh", "sleep 1000 & (sleep 1000 &); exit 0", usual(),
                 BOX_EXITED);
}

/* A box must not outlive who has started it. */
static void test_outliving(void)
{
    check_about("the death of who watches");
    pid_t watcher = fork();
    if (watcher == 0) {
        run_box("sh", "sleep 1000", usual(), 0);
        _exit(0);
    }
    for (int looks = 0; count_marked() < 1 && looks < LOOKS_MAX; looks++)
        pause_ms(10);
    CHECK(count_marked() > 0);
    kill(watcher, SIGKILL);
    waitpid(watcher, NULL, 0);
    check_gone();
}

static void test_no_start(void)
{
    static const char *const no_tools[] = {NULL};
    char program[] = "no-such-program", path[] = "PATH=/usr/bin";
    char *const command[] = {program, NULL}, *const environment[] = {path, NULL};
    const struct box_plan plan = {.command = command,
                                  .environment = environment,
                                  .folder = folder,
                                  .work = work,
                                  .tools = no_tools,
                                  .user = user,
                                  .limits = usual()};
    struct box box;
    struct cause cause = {""};

    check_about("no program");
    CHECK(!box_start(&box, &plan, NULL, &cause));
    CHECK_TEXT(cause.text, "no-such-program: No such file or directory");
    CHECK(box.keeper == 0 && box.output == -1);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0 && chmod(path, 0644) == 0);
}

static void test_all(uid_t of)
{
    char command[160], line[BOX_LINE_MAX];

    user = of;
    snprintf(dir, sizeof dir, "/tmp/ludus-box-XXXXXX");
    CHECK(mkdtemp(dir) != NULL && chmod(dir, 0755) == 0);
    snprintf(folder, sizeof folder, "%s/own", dir);
    snprintf(work, sizeof work, "%s/work", dir);
    snprintf(log_path, sizeof log_path, "%s/log", dir);
    snprintf(neighbour, sizeof neighbour, "%s/neighbour.py", dir);
    snprintf(mark, sizeof mark, "mark-of-%s", dir + 5);
    CHECK(mkdir(folder, 0755) == 0 && mkdir(work, 0755) == 0);
    CHECK(of == 0 || chown(work, of, of) == 0);
    write_file(neighbour, "secret\n");
    snprintf(command, sizeof command, "%s/own.txt", folder);
    write_file(command, "own file\n");
    box_describe(line, false);
    test_allowed();
    if (strstr(line, "not held") == NULL) {
        test_files();
        test_network();
        test_calls();
        if (box_has_network())
            test_own_network();
    } else {
        printf("test_box: SKIPPED files, network and calls: %s\n", line);
    }
    test_limits();
    test_outliving();
    test_no_start();
    snprintf(command, sizeof command, "rm -rf %s", dir);
    CHECK_INT(system(command), 0);
}

int main(void)
{
    int status = -1;

    if (geteuid() == 0) {
        pid_t child = fork();
        if (child == 0) {
            if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0 ||
                prctl(PR_SET_DUMPABLE, 1) != 0)
                _exit(1);
            test_all(0);
            _exit(check_failures() > 0);
        }
        check_about("as somebody else than root");
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    test_all(geteuid() == 0 ? OWN_USER : 0);
    return check_end("test_box");
}
