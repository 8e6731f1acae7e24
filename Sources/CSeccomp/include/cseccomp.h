// Starts provider processes with their restrictions: limits, system calls, readable files.
#ifndef CSECCOMP_H
#define CSECCOMP_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The program to start and the resources that it may use. Lists end with NULL.
typedef struct {
  /// The executable's absolute path and its arguments.
  const char *const *arguments;
  /// Files and folders that it may read and execute; it has no access to any others if the kernel has Landlock.
  const char *const *readable;
  /// Bytes of memory that it may write to (RLIMIT_DATA).
  uint64_t memory;
  /// Seconds of processor time that it may use (RLIMIT_CPU) until more are allowed.
  uint64_t processor;
  /// Descriptors that it may have open.
  uint64_t descriptors;
} cseccomp_launch;

/// A process that was started, or the error.
typedef struct {
  pid_t process;
  /// A descriptor of the process, readable once it has ended.
  int pidfd;
  /// A descriptor from which the number of its threads is read; -1 if there is none.
  int statistics;
  /// Our ends of its standard input, output and error; non-blocking.
  int input, output, errors;
  /// Readable once it runs its own program, or cannot; non-blocking. For cseccomp_begun.
  int report;
  /// The step that failed, and its errno.
  const char *step;
  int error;
} cseccomp_process;

/// Starts a process with an empty environment, three descriptors, a session of its own, no capabilities, and its limits.
/// Does not wait until it runs its own program, because that may wait for a disk. 0, or -1 with `step` and `error`.
///
/// The process dies when the calling *thread* ends (PR_SET_PDEATHSIG), so that thread has to live as long as the daemon.
int cseccomp_start(const cseccomp_launch *launch, cseccomp_process *result);

/// Whether a process runs its own program, by its descriptor `report`: 1 once it does, 0 before; -1 with the step that failed and errno.
int cseccomp_begun(int report, const char **step);

/// Whether this kernel has Landlock, so that `readable` is all that a process may read: 1 or 0.
int cseccomp_has_landlock(void);

/// Kills the process behind a descriptor: 0, or -1 with errno.
int cseccomp_kill(int pidfd);

/// Reaps the process behind a descriptor: 1 when it has ended, with its exit status or the number of the signal that
/// ended it; 0 while it runs; -1 with errno.
int cseccomp_reap(int pidfd, int *exit_status, int *signal_number);

/// Seconds of processor time that a process of this user has used; negative if there is none.
double cseccomp_processor_time(pid_t process);

/// Allows a process of this user this many seconds of processor time since its beginning: 0, or -1 with errno.
int cseccomp_allow_processor_time(pid_t process, uint64_t seconds);

/// The number of threads of a process, by its descriptor `statistics`; negative if it is not known.
int cseccomp_threads(int statistics);

/// Makes the kernel end a process of this user before others when memory runs out (oom_score_adj, proc(5)). The process must run its own
/// program and be readable by its user: a copy of the daemon, which is not dumpable, belongs to root in /proc. 0, or -1 with errno.
int cseccomp_prefer_for_oom_kill(pid_t process);

/// The whole pages that hold `bytes` bytes from an address: returns their start, and their length in bytes.
uint64_t cseccomp_pages(uint64_t address, size_t bytes, size_t page, size_t *length);

/// Whether this program was built with the address sanitizer, whose shadow memory exceeds any memory limit: 1 or 0.
int cseccomp_is_sanitized(void);

/// Makes this process unreadable for others of the same user.
int cseccomp_hide(void);

/// A pipe, non-blocking at both ends and closed by execve: 0, or -1 with errno.
int cseccomp_pipe(int ends[2]);

/// Calls `visit` with the path of each library that this process has loaded.
void cseccomp_libraries(void (*visit)(const char *path, void *context), void *context);
#endif
