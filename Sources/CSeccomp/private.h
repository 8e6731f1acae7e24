#ifndef CSECCOMP_PRIVATE_H
#define CSECCOMP_PRIVATE_H
#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Compiles the filter of system calls that lets execve through for the one path that lies at `address`. The program is
/// malloc'd; 0, or -1 with errno.
int cseccomp_compile(uint64_t address, struct sock_fprog *program);

/// A Landlock ruleset that lets the paths be read and executed and nothing be written: a descriptor, -1 with errno, or -2
/// where this kernel has no Landlock.
int cseccomp_ruleset(const char *const *readable);

/// Opens the kernel's account of a process, for cseccomp_threads: a descriptor, or -1 with errno.
int cseccomp_open_statistics(pid_t process);
#endif
