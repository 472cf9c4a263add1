#include "box.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/landlock.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "client/engine/call_filter.h"
#include "fd_pass.h"

enum { MEGABYTE = 1 << 20, STATUS_NOT_RUN = 127, FILES_MAX = 256, NICE = 5, NOBODY = 65534 };

/* ---- Files and ports: Landlock ---- */

/* As newer systems have it than the headers of those on which this is built. */
struct landlock_terms {
    uint64_t files, ports, scoped;
};

struct landlock_port {
    uint64_t allowed, port;
};

enum { RULE_PORT = 2, CONNECT_PORT = 2, BOTH_PORT_RIGHTS = 3, BOTH_SCOPES = 3 };
enum { ABI_REFER = 2, ABI_TRUNCATE, ABI_PORTS, ABI_IOCTL, ABI_SCOPES };

#define READ_FILES  (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE)
#define READ_FOLDER (READ_FILES | LANDLOCK_ACCESS_FS_READ_DIR)

static int landlock_abi(void)
{
    return (int)syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* All rights to files that this version of Landlock knows. */
static uint64_t file_rights(int abi)
{
    int bits = abi >= ABI_IOCTL ? 16 : abi >= ABI_TRUNCATE ? 15 : abi >= ABI_REFER ? 14 : 13;

    return ((uint64_t)1 << bits) - 1;
}

/* Allows something beneath a path. What is missing needs no rule. */
static void allow_path(int rules, const char *path, uint64_t rights)
{
    struct landlock_path_beneath_attr beneath = {.allowed_access = rights};

    beneath.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (beneath.parent_fd < 0)
        return;
    syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    close(beneath.parent_fd);
}

/* Makes the rules of a box: a descriptor; -1: this machine has no Landlock. */
static int make_rules(const struct box_plan *plan)
{
    static const char *const system_folders[] = {"/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc"};
    static const char *const devices[] = {"/dev/zero", "/dev/random", "/dev/urandom"};
    int abi = landlock_abi();
    const struct landlock_terms terms = {
        .files = file_rights(abi), .ports = BOTH_PORT_RIGHTS, .scoped = BOTH_SCOPES};
    size_t size = abi >= ABI_SCOPES  ? sizeof terms
                  : abi >= ABI_PORTS ? 2 * sizeof(uint64_t)
                                     : sizeof(uint64_t);
    const struct landlock_port server = {CONNECT_PORT, (uint64_t)plan->port};

    if (abi < 1)
        return -1;
    int rules = (int)syscall(__NR_landlock_create_ruleset, &terms, size, 0);
    if (rules < 0)
        return -1;
    for (size_t i = 0; i < sizeof system_folders / sizeof system_folders[0]; i++)
        allow_path(rules, system_folders[i], READ_FOLDER);
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        allow_path(rules, devices[i], LANDLOCK_ACCESS_FS_READ_FILE);
    allow_path(rules, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    for (const char *const *tool = plan->tools; *tool != NULL; tool++)
        allow_path(rules, *tool, READ_FILES);
    allow_path(rules, plan->folder, READ_FOLDER);
    allow_path(rules, plan->work, terms.files);
    if (abi >= ABI_PORTS && plan->port > 0)
        syscall(__NR_landlock_add_rule, rules, RULE_PORT, &server, 0);
    return rules;
}

/* ---- Calls: seccomp ---- */

#ifdef OWN_ARCH

/* A call that must not connect by sending, which no rule of ports sees. */
#define NO_FASTOPEN(call, flags)                                                                   \
    IF(BPF_JEQ, call, 0, 4), LOAD(args[flags]), IF(BPF_JSET, MSG_FASTOPEN, 0, 1), REFUSE, ALLOW

#define NAMESPACES                                                                                 \
    (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |     \
     CLONE_NEWCGROUP)

static bool filter_calls(void)
{
    struct sock_filter filter[] = {
        FILTER_BEGIN,
        FILTER_POWERS,
        NEVER(__NR_umount2),
        NEVER(__NR_pivot_root),
        NEVER(__NR_add_key),
        NEVER(__NR_request_key),
        NEVER(__NR_mq_open),
        NEVER(__NR_shmget), /* memory of nobody, which would not be counted */
        FILTER_CLONE3,
        IF(BPF_JEQ, __NR_clone, 0, 4),
        LOAD(args[0]),
        IF(BPF_JSET, NAMESPACES, 0, 1),
        REFUSE,
        ALLOW,
        NO_FASTOPEN(__NR_sendto, 3),
        NO_FASTOPEN(__NR_sendmsg, 2),
        NO_FASTOPEN(__NR_sendmmsg, 3),
        /* A pair of datagram sockets could send to other ones. */
        IF(BPF_JEQ, __NR_socketpair, 0, 5),
        LOAD(args[1]),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf),
        IF(BPF_JEQ, SOCK_DGRAM, 0, 1),
        REFUSE,
        ALLOW,
        IF(BPF_JEQ, __NR_socket, 1, 0), /* TCP only, and not MPTCP, which no rule of ports sees */
        ALLOW,
        LOAD(args[0]),
        IF(BPF_JEQ, AF_INET, 2, 0),
        IF(BPF_JEQ, AF_INET6, 1, 0),
        REFUSE,
        LOAD(args[1]),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf),
        IF(BPF_JEQ, SOCK_STREAM, 1, 0),
        REFUSE,
        LOAD(args[2]),
        IF(BPF_JEQ, 0, 2, 0),
        IF(BPF_JEQ, IPPROTO_TCP, 1, 0),
        REFUSE,
        ALLOW,
    };
    const struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};

    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

#else

static bool filter_calls(void)
{
    return true; /* box_describe() says that there is none */
}

#endif

/* ---- The program, and the keeper ---- */

/* What the processes of a new box need. */
struct birth {
    const struct box_plan *plan;
    int rules;         /* -1: none */
    int said;          /* the end of the pipe for output */
    int failure;       /* takes errno and what failed; closed by a program that runs */
    const char *group; /* which it enters; "": none */
    int network;       /* takes the listening socket of a network of its own; -1: none */
    uid_t uid;
    gid_t gid;
    bool in_user_namespace;
};

_Noreturn static void fail_birth(const struct birth *birth, const char *what)
{
    char text[BOX_LINE_MAX];
    int length = snprintf(text, sizeof text, "%s: %s", what, strerror(errno));

    _exit(write(birth->failure, text, (size_t)length) == length ? STATUS_NOT_RUN : 1);
}

static void limit_resource(int what, int64_t most)
{
    const struct rlimit both = {(rlim_t)most, (rlim_t)most};

    setrlimit(what, &both);
}

/* Backstops for each process. box_watch() counts all of a box together, and says what it was: so
 * these come later. */
static void limit_resources(const struct birth *birth)
{
    const struct course_limits *limits = &birth->plan->limits;
    struct rlimit processes;

    limit_resource(RLIMIT_CPU, limits->cpu_s + 2);
#ifndef HAS_SANITIZER /* our own tools could not run in it */
    limit_resource(RLIMIT_DATA, (2 * limits->memory_mb + 64) * MEGABYTE);
#endif
    limit_resource(RLIMIT_FSIZE, limits->disk_mb * MEGABYTE);
    limit_resource(RLIMIT_CORE, 0);
    limit_resource(RLIMIT_NOFILE, FILES_MAX);
    limit_resource(RLIMIT_MEMLOCK, 0);
    limit_resource(RLIMIT_MSGQUEUE, 0);
    /* The keeper, and one more than allowed. Of our own user without a namespace all would count.
     */
    if ((birth->plan->user != 0 || birth->in_user_namespace) &&
        getrlimit(RLIMIT_NPROC, &processes) == 0)
        limit_resource(RLIMIT_NPROC, limits->processes + 1);
}

static void become_program(const struct birth *birth)
{
    const struct box_plan *plan = birth->plan;
    int null = open("/dev/null", O_RDONLY);

    setsid();
    prctl(PR_SET_DUMPABLE, 1); /* changing the user has forbidden to look at what it uses */
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(birth->said, STDOUT_FILENO) < 0 ||
        dup2(birth->said, STDERR_FILENO) < 0)
        fail_birth(birth, "no standard files");
    limit_resources(birth);
    nice(NICE); /* more than ours, which may be nice already */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        fail_birth(birth, "no box");
    if (birth->rules >= 0 && syscall(__NR_landlock_restrict_self, birth->rules, 0) != 0)
        fail_birth(birth, "no Landlock");
    if (!filter_calls())
        fail_birth(birth, "no filter of calls");
    environ = (char **)plan->environment;
    execvp(plan->command[0], plan->command);
    fail_birth(birth, plan->command[0]);
}

static bool write_map(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

    if (fd >= 0)
        close(fd);
    return written;
}

/* Keeps our own user in the new namespace. */
static bool map_user(const struct birth *birth)
{
    char users[64], groups[64];

    snprintf(users, sizeof users, "%u %u 1\n", birth->uid, birth->uid);
    snprintf(groups, sizeof groups, "%u %u 1\n", birth->gid, birth->gid);
    return write_map("/proc/self/setgroups", "deny") && write_map("/proc/self/gid_map", groups) &&
           write_map("/proc/self/uid_map", users);
}

/* Brings up loopback in a network of its own. */
static bool raise_loopback(void)
{
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool raised = fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &loopback) == 0;

    if (fd >= 0)
        close(fd);
    return raised;
}

/* Listens at the port in a network of its own, and hands the socket out. */
static bool open_network(const struct birth *birth)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)birth->plan->port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = raise_loopback() ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
    bool opened = fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
                  listen(fd, SOMAXCONN) == 0 && fd_send(birth->network, "", 1, fd);

    if (fd >= 0)
        close(fd);
    return opened;
}

/* Closes what the program must not have, in case some library has opened it to be inherited. */
static void close_others(const struct birth *birth)
{
    for (int fd = STDERR_FILENO + 1; fd < 1024; fd++)
        if (fd != birth->said && fd != birth->failure && fd != birth->rules && fd != birth->network)
            close(fd);
}

/* The first process of the box: starts the program, takes in what that leaves behind, and ends with
 * it. */
_Noreturn static void become_keeper(const struct birth *birth)
{
    const struct box_plan *plan = birth->plan;
    int status, code = STATUS_NOT_RUN;
    sigset_t none;
    pid_t ended;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    close_others(birth);
    if (birth->in_user_namespace && !map_user(birth))
        fail_birth(birth, "no user namespace");
    if (birth->group[0] != '\0' && !cgroup_enter(birth->group))
        fail_birth(birth, birth->group);
    if (plan->own_network && !open_network(birth))
        fail_birth(birth, "no network of its own");
    if (birth->network >= 0)
        close(birth->network);
    if (chdir(plan->folder) != 0)
        fail_birth(birth, plan->folder);
    if (plan->user != 0 &&
        (setgroups(0, NULL) != 0 || setresgid(plan->user, plan->user, plan->user) != 0 ||
         setresuid(plan->user, plan->user, plan->user) != 0))
        fail_birth(birth, "no user of its own");
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* after the change of user, which takes it back */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t program = fork();
    if (program == 0)
        become_program(birth);
    if (program < 0)
        fail_birth(birth, "no process");
    close(birth->failure);
    close(birth->said);
    while ((ended = wait(&status)) > 0 || errno == EINTR)
        if (ended == program) {
            code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            break;
        }
    _exit(code);
}

/* The namespaces of a box, for clone(). */
static unsigned long box_spaces(const struct box_plan *plan)
{
    return CLONE_NEWPID | CLONE_NEWIPC | (plan->user == 0 ? CLONE_NEWUSER : 0) |
           (plan->own_network ? CLONE_NEWNET : 0);
}

/* Whether a process of that user can have namespaces. Some systems give user namespaces in which
 * nothing can be done. */
static bool has_namespaces(const struct birth *birth)
{
    int status = 0;

    fflush(NULL);
    pid_t pid = (pid_t)syscall(__NR_clone, box_spaces(birth->plan) | SIGCHLD, NULL, NULL, NULL, 0);
    if (pid == 0)
        _exit((birth->plan->user != 0 || map_user(birth)) &&
                      (!birth->plan->own_network || raise_loopback())
                  ? 0
                  : 1);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* fork() with namespaces where there are any. */
static pid_t fork_keeper(struct birth *birth)
{
    bool spaces = has_namespaces(birth);

    birth->in_user_namespace = spaces && birth->plan->user == 0;
    return spaces
               ? (pid_t)syscall(__NR_clone, box_spaces(birth->plan) | SIGCHLD, NULL, NULL, NULL, 0)
               : fork();
}

/* Waits until the program runs or says why not. */
static bool wait_started(int failure, struct cause *cause)
{
    char text[BOX_LINE_MAX];
    ssize_t length = read(failure, text, sizeof text - 1);

    text[length > 0 ? length : 0] = '\0';
    return length == 0 || cause_set(cause, "%s", text);
}

bool box_start(struct box *box, const struct box_plan *plan, FILE *log, struct cause *cause)
{
    struct birth birth = {.plan = plan, .uid = geteuid(), .gid = getegid(), .network = -1};
    int said[2] = {-1, -1}, failure[2] = {-1, -1}, network[2] = {-1, -1};
    char byte;

    *box = (struct box){
        .output = -1, .listener = -1, .log = log, .limits = plan->limits, .work = plan->work};
    if (pipe2(said, O_CLOEXEC) != 0 || pipe2(failure, O_CLOEXEC) != 0 ||
        (plan->own_network && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, network) != 0)) {
        cause_set(cause, "no pipe: %s", strerror(errno));
        for (int end = 0; end < 2; end++) {
            close(said[end]);
            close(failure[end]);
        }
        return false;
    }
    birth.network = network[1];
    if (plan->groups != NULL &&
        !cgroup_make(plan->groups, plan->group_name, &plan->limits, box->group))
        box->group[0] = '\0';
    birth.group = box->group;
    fcntl(said[0], F_SETFL, O_NONBLOCK);
    birth.rules = make_rules(plan);
    birth.said = said[1];
    birth.failure = failure[1];
    box->output = said[0];
    box->keeper = fork_keeper(&birth);
    if (box->keeper == 0)
        become_keeper(&birth);
    close(said[1]);
    close(failure[1]);
    if (birth.rules >= 0)
        close(birth.rules);
    bool started = box->keeper > 0 ? wait_started(failure[0], cause)
                                   : cause_set(cause, "no process: %s", strerror(errno));
    close(failure[0]);
    if (started && plan->own_network && fd_receive(network[0], &byte, 1, &box->listener) != 1)
        started = cause_set(cause, "no network of its own");
    for (int end = 0; end < 2; end++)
        if (network[end] >= 0)
            close(network[end]);
    if (!started)
        box_kill(box);
    return started;
}

/* ---- What a box uses ---- */

/* The number of kilobytes on a line of a file of /proc; 0: there is none. */
static int64_t read_kilobytes(const char *path, const char *name)
{
    char line[256];
    long long kilobytes = 0;
    FILE *file = fopen(path, "re");

    while (file != NULL && kilobytes == 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            sscanf(line + strlen(name), " %lld", &kilobytes);
    if (file != NULL)
        fclose(file);
    return kilobytes;
}

/* The part of a process in the memory that it shares with others. */
static int64_t shared_bytes(pid_t pid)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    if (read_kilobytes(path, "RssShmem:") == 0) /* mostly; the other file takes time */
        return 0;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    return read_kilobytes(path, "Pss_Shmem:") * 1024;
}

/* Adds what a process uses: its time with that of its dead children, its own memory, its threads.
 * Returns whether it is there. */
static bool add_process(struct box *box, pid_t pid)
{
    unsigned long user = 0, system = 0, pages = 0, shared = 0;
    long dead_user = 0, dead_system = 0, threads = 0, tick = sysconf(_SC_CLK_TCK);
    char path[64], text[1024];

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    const char *rest = file != NULL && fgets(text, sizeof text, file) != NULL
                           ? strrchr(text, ')') /* the name before may have any characters */
                           : NULL;
    if (file != NULL)
        fclose(file);
    if (rest == NULL ||
        sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %ld",
               &user, &system, &dead_user, &dead_system, &threads) != 5)
        return false;
    box->cpu_ms += ((int64_t)user + (int64_t)system + dead_user + dead_system) * 1000 / tick;
    box->tasks += (int)threads;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    file = fopen(path, "re");
    if (file != NULL && fscanf(file, "%*u %lu %lu", &pages, &shared) == 2 && pages > shared)
        box->memory_bytes += (int64_t)(pages - shared) * sysconf(_SC_PAGESIZE);
    if (file != NULL)
        fclose(file);
    box->memory_bytes += shared_bytes(pid);
    return true;
}

/* Adds the files without a name that a process has open: no folder shows them. A file that several
 * have open counts once. */
static void add_nameless(struct box *box, pid_t pid)
{
    char path[64];
    struct stat found;

    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *entries = opendir(path);
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        if (fstatat(dirfd(entries), entry->d_name, &found, 0) != 0 || !S_ISREG(found.st_mode) ||
            found.st_nlink > 0)
            continue;
        int known = 0;
        while (known < box->nameless_count && (box->nameless[known].device != found.st_dev ||
                                               box->nameless[known].inode != found.st_ino))
            known++;
        if (known < box->nameless_count)
            continue;
        if (known < BOX_NAMELESS_MAX)
            box->nameless[box->nameless_count++] =
                (struct box_file){.device = found.st_dev, .inode = found.st_ino};
        box->disk_bytes += (int64_t)found.st_blocks * 512;
    }
    if (entries != NULL)
        closedir(entries);
}

enum { DEPTH_MAX = 64 };

/* Calls for each child of each thread of a process, and for theirs. */
static void each_descendant(struct box *box, pid_t pid, int depth,
                            void (*each)(struct box *box, pid_t pid))
{
    char path[PATH_MAX];
    int child;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = depth < DEPTH_MAX ? opendir(path) : NULL;
    for (const struct dirent *entry; threads != NULL && (entry = readdir(threads)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.16s/children", (int)pid, entry->d_name);
        FILE *children = fopen(path, "re");
        while (children != NULL && fscanf(children, "%d", &child) == 1) {
            each_descendant(box, child, depth + 1, each);
            each(box, child);
        }
        if (children != NULL)
            fclose(children);
    }
    if (threads != NULL)
        closedir(threads);
}

static void count_process(struct box *box, pid_t pid)
{
    add_process(box, pid);
    add_nameless(box, pid);
}

static void kill_process(struct box *box, pid_t pid)
{
    (void)box;
    kill(pid, SIGKILL);
}

/* Adds up the files beneath an open folder, which it closes; empty ones count, too. Links are not
 * followed. */
static int64_t folder_bytes(int folder, int depth)
{
    enum { FILE_BYTES_LEAST = 4096 };
    DIR *entries = folder >= 0 ? fdopendir(folder) : NULL;
    int64_t bytes = 0;
    struct stat found;

    if (entries == NULL && folder >= 0)
        close(folder);
    for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            fstatat(dirfd(entries), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        int64_t own_bytes = (int64_t)found.st_blocks * 512;
        bytes += own_bytes > FILE_BYTES_LEAST ? own_bytes : FILE_BYTES_LEAST;
        if (S_ISDIR(found.st_mode) && depth < DEPTH_MAX)
            bytes += folder_bytes(openat(dirfd(entries), entry->d_name,
                                         O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
                                  depth + 1);
    }
    if (entries != NULL)
        closedir(entries);
    return bytes;
}

static void measure_box(struct box *box)
{
    int64_t cpu_ms = box->cpu_ms;

    box->cpu_ms = box->memory_bytes = 0;
    box->tasks = 0;
    add_process(box, box->keeper);
    box->tasks -= box->tasks > 0; /* the keeper, whose memory is ours */
    box->memory_bytes = box->disk_bytes = 0;
    box->nameless_count = 0;
    each_descendant(box, box->keeper, 0, count_process);
    if (box->cpu_ms < cpu_ms)
        box->cpu_ms = cpu_ms;
    box->disk_bytes += folder_bytes(open(box->work, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0);
}

/* Takes what has been said, up to its limit. False beyond. */
static bool read_output(struct box *box)
{
    const int64_t most = box->limits.output_mb * MEGABYTE;
    char bytes[16384];
    ssize_t length;

    while (box->said <= most && (length = read(box->output, bytes, sizeof bytes)) > 0) {
        int64_t kept = box->said + length > most ? most - box->said : length;
        if (box->log != NULL)
            fwrite(bytes, 1, (size_t)kept, box->log);
        box->said += length;
    }
    if (box->said > most && box->log != NULL)
        fprintf(box->log, "\n[ludus: cut here, as it is more than %ld MB]\n",
                box->limits.output_mb);
    if (box->log != NULL)
        fflush(box->log);
    return box->said <= most;
}

static enum box_end judge_box(const struct box *box)
{
    const struct course_limits *limits = &box->limits;

    if (box->tasks >= limits->processes) /* the next one fails */
        return BOX_PROCESSES;
    if (box->memory_bytes > limits->memory_mb * MEGABYTE)
        return BOX_MEMORY;
    if (box->cpu_ms > limits->cpu_s * 1000)
        return BOX_TIME;
    if (box->disk_bytes > limits->disk_mb * MEGABYTE)
        return BOX_DISK;
    return BOX_RUNS;
}

enum box_end box_watch(struct box *box)
{
    int status;

    if (!read_output(box)) {
        box->end = BOX_OUTPUT;
    } else if (waitpid(box->keeper, &status, WNOHANG) == box->keeper) {
        box->keeper = 0;
        box->end = BOX_EXITED;
        box->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (!read_output(box))
            box->end = BOX_OUTPUT;
        else if (box->group[0] != '\0' && cgroup_lacked_memory(box->group))
            box->end = BOX_MEMORY;
    } else {
        measure_box(box);
        box->end = judge_box(box);
    }
    if (box->end != BOX_RUNS)
        box_kill(box);
    return box->end;
}

void box_kill(struct box *box)
{
    int status;

    if (box->keeper > 0) {
        /* Without a namespace the others do not end with the keeper. It is stopped, so that it
         * takes in whatever loses its parent meanwhile. */
        kill(box->keeper, SIGSTOP);
        for (int i = 0; i < DEPTH_MAX; i++)
            each_descendant(box, box->keeper, 0, kill_process);
        kill(box->keeper, SIGKILL);
        while (waitpid(box->keeper, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    if (box->group[0] != '\0')
        cgroup_remove(box->group);
    box->group[0] = '\0';
    if (box->output >= 0)
        close(box->output);
    box->keeper = 0;
    box->output = -1;
}

bool box_has_network(void)
{
    const struct box_plan plan = {.user = geteuid() == 0 ? NOBODY : 0, .own_network = true};
    const struct birth birth = {.plan = &plan, .uid = geteuid(), .gid = getegid()};

    return has_namespaces(&birth);
}

void box_describe(char text[BOX_LINE_MAX], bool has_groups)
{
    const struct box_plan plan = {.user = geteuid() == 0 ? NOBODY : 0};
    const struct birth birth = {.plan = &plan, .uid = geteuid(), .gid = getegid()};
    int abi = landlock_abi();
    bool spaces = has_namespaces(&birth), calls = false;

#ifdef OWN_ARCH
    calls = true;
#endif
    const struct {
        const char *what;
        bool held;
    } limits[] = {
        {"processes", spaces || has_groups},
        {"files", abi >= 1},
        {"network", box_has_network() || (abi >= ABI_PORTS && calls)},
        {"system calls", calls},
        {"signals to others", spaces || abi >= ABI_SCOPES},
    };
    size_t length = (size_t)snprintf(text, BOX_LINE_MAX, "processor, memory%s, output, disk",
                                     has_groups ? " by cgroup" : "");
    for (int held = 1; held >= 0; held--)
        for (size_t i = 0, said = 0; i < sizeof limits / sizeof limits[0]; i++)
            if (limits[i].held == held)
                length += (size_t)snprintf(
                    text + length, BOX_LINE_MAX - length, "%s%s",
                    held || said++ > 0 ? ", " : "; not held here: ", limits[i].what);
}
