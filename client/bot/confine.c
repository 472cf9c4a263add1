#include "confine.h"

#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "client/engine/call_filter.h"

enum { MEMORY_BYTES = 1 << 30, NICE = 10 };

#if defined OWN_ARCH && !defined HAS_SANITIZER

/* One call that is allowed if its first argument is as tested. */
#define ONLY_IF(call, test, value)                                                                 \
    IF(BPF_JEQ, call, 0, 4), LOAD(args[0]), IF(test, value, 0, 1), ALLOW, REFUSE

static bool install_filter(void)
{
    struct sock_filter filter[] = {
        FILTER_BEGIN,
        FILTER_POWERS,
        NEVER(__NR_openat),
        NEVER(__NR_openat2),
        NEVER(__NR_unlinkat),
        NEVER(__NR_renameat2),
        NEVER(__NR_mkdirat),
        NEVER(__NR_linkat),
        NEVER(__NR_symlinkat),
        NEVER(__NR_mknodat),
        NEVER(__NR_fchmodat),
        NEVER(__NR_fchownat),
        NEVER(__NR_truncate),
        NEVER(__NR_execve),
        NEVER(__NR_execveat),
        NEVER(__NR_kill),
        NEVER(__NR_tkill),
        NEVER(__NR_rt_sigqueueinfo),
        NEVER(__NR_rt_tgsigqueueinfo),
        NEVER(__NR_pidfd_open),
        NEVER(__NR_pidfd_send_signal),
        NEVER(__NR_setpriority),
        NEVER(__NR_ioprio_set),
        NEVER(__NR_utimensat),
        NEVER(__NR_setxattr),
        NEVER(__NR_lsetxattr),
#ifdef __x86_64__ /* newer systems have these by the names above only */
        NEVER(__NR_open),
        NEVER(__NR_creat),
        NEVER(__NR_unlink),
        NEVER(__NR_rmdir),
        NEVER(__NR_rename),
        NEVER(__NR_renameat),
        NEVER(__NR_mkdir),
        NEVER(__NR_link),
        NEVER(__NR_symlink),
        NEVER(__NR_mknod),
        NEVER(__NR_chmod),
        NEVER(__NR_chown),
        NEVER(__NR_lchown),
        NEVER(__NR_fork),
        NEVER(__NR_vfork),
#endif
        FILTER_CLONE3,
        ONLY_IF(__NR_clone, BPF_JSET, CLONE_THREAD),
        ONLY_IF(__NR_prlimit64, BPF_JEQ, 0), /* a limit of time ends other processes */
        IF(BPF_JEQ, __NR_fcntl, 0, 6),       /* and so do signals of their sockets */
        LOAD(args[1]),
        IF(BPF_JEQ, F_SETOWN, 3, 0),
        IF(BPF_JEQ, F_SETSIG, 2, 0),
        IF(BPF_JEQ, F_SETOWN_EX, 1, 0),
        ALLOW,
        REFUSE,
        ONLY_IF(__NR_tgkill, BPF_JEQ, (uint32_t)getpid()),
        IF(BPF_JEQ, __NR_socket, 1, 0),
        ALLOW,
        LOAD(args[0]),
        IF(BPF_JEQ, AF_INET, 2, 0),
        IF(BPF_JEQ, AF_INET6, 1, 0),
        REFUSE,
        ALLOW,
    };
    const struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};

    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

bool confine_process(void)
{
    const struct rlimit memory = {.rlim_cur = MEMORY_BYTES, .rlim_max = MEMORY_BYTES};

    setrlimit(RLIMIT_DATA, &memory);
    setpriority(PRIO_PROCESS, 0, NICE);
    return install_filter();
}

#else

bool confine_process(void)
{
    return false;
}

#endif
