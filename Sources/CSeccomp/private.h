#ifndef CSECCOMP_PRIVATE_H
#define CSECCOMP_PRIVATE_H
#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Compiles the filter of system calls, which allows execve only for the path at `address`. The caller must free `program->filter`. Returns
/// 0, or -1 with errno.
int cseccomp_compile(uint64_t address, struct sock_fprog *program);

/// Creates a Landlock ruleset that allows to read and execute the files at the paths, and to write none. Returns a descriptor, -1 with
/// errno, or -2 if this kernel has no Landlock.
int cseccomp_ruleset(const char *const *readable);

/// Opens the stat file of a process in /proc, for cseccomp_threads. Returns a descriptor, or -1 with errno.
int cseccomp_open_statistics(pid_t process);
#endif
