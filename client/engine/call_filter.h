/*
 * The parts of filters for system calls (seccomp): rows of a struct sock_filter[], and the calls
 * that no bot needs, whoever wrote it.
 */
#ifndef LUDUS_ENGINE_CALL_FILTER_H
#define LUDUS_ENGINE_CALL_FILTER_H

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

#if defined __x86_64__
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define OWN_ARCH AUDIT_ARCH_AARCH64
#endif

/* Programs with sanitizers need more calls and far more memory than others. */
#ifdef __SANITIZE_ADDRESS__
#define HAS_SANITIZER 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#ifdef OWN_ARCH

enum { X32_BIT = 0x40000000 }; /* calls of another kind, with numbers of their own */

#define LOAD(member)                     BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define IF(test, value, then, otherwise) BPF_JUMP(BPF_JMP | test | BPF_K, value, then, otherwise)
#define ANSWER(what)                     BPF_STMT(BPF_RET | BPF_K, what)
#define ALLOW                            ANSWER(SECCOMP_RET_ALLOW)
#define REFUSE                           ANSWER(SECCOMP_RET_ERRNO | EPERM)
/* One call that is refused. */
#define NEVER(call) IF(BPF_JEQ, call, 0, 1), REFUSE

/* The first rows of every filter: calls of this machine only, whose number is then loaded. */
#define FILTER_BEGIN                                                                               \
    LOAD(arch), IF(BPF_JEQ, OWN_ARCH, 1, 0), REFUSE, LOAD(nr), IF(BPF_JGE, X32_BIT, 0, 1), REFUSE

/* Looks into other processes, into the kernel and past the filter (io_uring makes calls that none
 * sees), leaves the namespaces, and changes what is mounted. */
#define FILTER_POWERS                                                                              \
    NEVER(__NR_open_by_handle_at), NEVER(__NR_mount), NEVER(__NR_ptrace),                          \
        NEVER(__NR_process_vm_readv), NEVER(__NR_process_vm_writev), NEVER(__NR_perf_event_open),  \
        NEVER(__NR_bpf), NEVER(__NR_userfaultfd), NEVER(__NR_io_uring_setup), NEVER(__NR_unshare), \
        NEVER(__NR_setns), NEVER(__NR_keyctl), NEVER(__NR_pidfd_getfd),                            \
        NEVER(__NR_process_madvise), NEVER(__NR_kcmp), NEVER(__NR_chroot)

/* clone3 has flags that no filter sees: callers do with clone then. */
#define FILTER_CLONE3 IF(BPF_JEQ, __NR_clone3, 0, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS)

#endif

#endif
