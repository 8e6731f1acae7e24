// The filter of a provider process's system calls. It is a list of allowed calls. All other calls fail with EPERM, including those that
// future kernels add.
#define _GNU_SOURCE
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

// The filter allows calls for memory, threads, files (which Landlock restricts), pipes, time, and the process's own signals. Among others,
// it denies sockets, ptrace and similar calls, fork, kill, io_uring (it could open sockets in spite of this filter), memfd and System V
// shared memory (RLIMIT_DATA does not count them), setrlimit, setuid, mounts, namespaces, keys and bpf.
static const int allowed[] = {
    SCMP_SYS(access), SCMP_SYS(alarm), SCMP_SYS(arch_prctl), SCMP_SYS(brk), SCMP_SYS(chdir), SCMP_SYS(clock_getres),
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(close), SCMP_SYS(close_range), SCMP_SYS(dup), SCMP_SYS(dup2),
    SCMP_SYS(dup3), SCMP_SYS(epoll_create), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_pwait),
    SCMP_SYS(epoll_pwait2), SCMP_SYS(epoll_wait), SCMP_SYS(eventfd), SCMP_SYS(eventfd2), SCMP_SYS(exit), SCMP_SYS(exit_group),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(fadvise64), SCMP_SYS(fchdir), SCMP_SYS(fdatasync), SCMP_SYS(flock),
    SCMP_SYS(fstat), SCMP_SYS(fstatfs), SCMP_SYS(fsync), SCMP_SYS(futex), SCMP_SYS(futex_waitv), SCMP_SYS(get_robust_list),
    SCMP_SYS(getcpu), SCMP_SYS(getcwd), SCMP_SYS(getdents), SCMP_SYS(getdents64), SCMP_SYS(getegid), SCMP_SYS(geteuid),
    SCMP_SYS(getgid), SCMP_SYS(getgroups), SCMP_SYS(getpgid), SCMP_SYS(getpgrp), SCMP_SYS(getpid), SCMP_SYS(getppid),
    SCMP_SYS(getpriority), SCMP_SYS(getrandom), SCMP_SYS(getresgid), SCMP_SYS(getresuid), SCMP_SYS(getrlimit), SCMP_SYS(getrusage),
    SCMP_SYS(getsid), SCMP_SYS(gettid), SCMP_SYS(gettimeofday), SCMP_SYS(getuid), SCMP_SYS(getxattr), SCMP_SYS(ioctl),
    SCMP_SYS(lseek), SCMP_SYS(lstat), SCMP_SYS(madvise), SCMP_SYS(membarrier), SCMP_SYS(mincore), SCMP_SYS(mprotect),
    SCMP_SYS(mremap), SCMP_SYS(msync), SCMP_SYS(munmap), SCMP_SYS(nanosleep), SCMP_SYS(newfstatat), SCMP_SYS(open), SCMP_SYS(openat),
    SCMP_SYS(openat2), SCMP_SYS(pause), SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(pread64),
    SCMP_SYS(preadv), SCMP_SYS(preadv2), SCMP_SYS(pselect6), SCMP_SYS(pwrite64), SCMP_SYS(pwritev), SCMP_SYS(pwritev2), SCMP_SYS(read),
    SCMP_SYS(readahead), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(readv), SCMP_SYS(restart_syscall), SCMP_SYS(rseq),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigpending), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigsuspend),
    SCMP_SYS(rt_sigtimedwait), SCMP_SYS(sched_get_priority_max), SCMP_SYS(sched_get_priority_min), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_getattr), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_yield), SCMP_SYS(select),
    SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address), SCMP_SYS(sigaltstack), SCMP_SYS(signalfd), SCMP_SYS(signalfd4),
    SCMP_SYS(stat), SCMP_SYS(statfs), SCMP_SYS(statx), SCMP_SYS(sysinfo), SCMP_SYS(time), SCMP_SYS(timer_create),
    SCMP_SYS(timer_delete), SCMP_SYS(timer_getoverrun), SCMP_SYS(timer_gettime), SCMP_SYS(timer_settime), SCMP_SYS(timerfd_create),
    SCMP_SYS(timerfd_gettime), SCMP_SYS(timerfd_settime), SCMP_SYS(times), SCMP_SYS(umask), SCMP_SYS(uname), SCMP_SYS(write),
    SCMP_SYS(writev),
};

// The allowed commands of fcntl. F_SETOWN and F_SETSIG are missing, because they could make the kernel send a signal to the daemon.
static const int descriptor_commands[] = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW,
};

// The allowed commands of prctl. PR_SET_PDEATHSIG is missing, because a provider could use it to outlive the daemon.
static const int process_commands[] = {
    PR_SET_NAME, PR_GET_NAME, PR_SET_DUMPABLE, PR_GET_DUMPABLE, PR_CAPBSET_READ, PR_SET_VMA,
};

#define COUNT(array) (sizeof(array) / sizeof(array[0]))

// Allows a system call. A call that this architecture lacks (`time` on arm64) is not an error.
static int allow(scmp_filter_ctx filter, int call) {
  int result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
  return result == -EDOM ? 0 : result;
}

static int add_rules(scmp_filter_ctx filter, uint64_t address) {
  int result = 0;
  for (size_t i = 0; !result && i < COUNT(allowed); i++) result = allow(filter, allowed[i]);
  for (size_t i = 0; !result && i < COUNT(descriptor_commands); i++)
    result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)descriptor_commands[i]));
  for (size_t i = 0; !result && i < COUNT(process_commands); i++)
    result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)process_commands[i]));
  // Threads may be created, but no processes. A filter cannot read the flags of clone3, because they are in memory. Therefore clone3 fails
  // with ENOSYS, and libraries use clone instead.
  if (!result)
    result = seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
  if (!result) result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  // Private memory and files may be mapped, but not shared anonymous memory, which RLIMIT_DATA does not count.
  if (!result) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED, 0));
  if (!result) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, 0));
  // The process may read its own limits.
  if (!result)
    result = seccomp_rule_add(
        filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));
  // Only the launcher's execve must pass. A filter cannot count calls, but it can compare pointers. The path of that call lies at a random
  // address, which the program that it starts does not know, because the call replaces the address space.
  if (!result) result = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(execve), 1, SCMP_A0(SCMP_CMP_EQ, address));
  return result;
}

// Exports the compiled filter. libseccomp 2.5 can export it only to a descriptor.
static int export(scmp_filter_ctx filter, struct sock_fprog *program) {
  int file = memfd_create("filter", MFD_CLOEXEC);
  if (file < 0) return -errno;
  int result = seccomp_export_bpf(filter, file);
  struct stat status;
  if (!result && fstat(file, &status) < 0) result = -errno;
  if (!result) {
    program->len = (unsigned short)((size_t)status.st_size / sizeof(struct sock_filter));
    program->filter = malloc((size_t)status.st_size);
    if (!program->filter) result = -ENOMEM;
    else if (pread(file, program->filter, (size_t)status.st_size, 0) != status.st_size) {
      free(program->filter);
      program->filter = NULL;
      result = -EIO;
    }
  }
  close(file);
  return result;
}

int cseccomp_compile(uint64_t address, struct sock_fprog *program) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) {
    errno = ENOMEM;
    return -1;
  }
  // The comparisons form a binary tree and not a list, so that a call takes at most eight of about 160 comparisons.
  int result = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  if (!result) result = add_rules(filter, address);
  if (!result) result = export(filter, program);
  seccomp_release(filter);
  if (result) errno = -result;
  return result ? -1 : 0;
}
