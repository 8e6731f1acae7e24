// Starts and watches provider processes. Their resources, their system calls and the files that they can read are restricted.
#ifndef CSECCOMP_H
#define CSECCOMP_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The program to start and the resources that it may use. Lists end with NULL.
typedef struct {
  /// The executable's absolute path and its arguments.
  const char *const *arguments;
  /// The files and directories that it may read and execute. It has no access to any others if the kernel has Landlock.
  const char *const *readable;
  /// The maximum number of bytes of memory that it may write to (RLIMIT_DATA).
  uint64_t memory;
  /// The seconds of processor time that it may use (RLIMIT_CPU) until more are allowed.
  uint64_t processor;
  /// The maximum number of descriptors that it may have open (RLIMIT_NOFILE).
  uint64_t descriptors;
} cseccomp_launch;

/// A process that was started, or the error.
typedef struct {
  pid_t process;
  /// A descriptor of the process, which becomes readable when the process ends.
  int pidfd;
  /// A descriptor from which the number of its threads is read; -1 if there is none.
  int statistics;
  /// The daemon's ends of the process's standard input, output and error; non-blocking.
  int input, output, errors;
  /// A descriptor for cseccomp_begun, which becomes readable when the process runs its program or has failed to; non-blocking.
  int report;
  /// The step that failed, and its errno.
  const char *step;
  int error;
} cseccomp_process;

/// Starts a process with three descriptors, its own session, no capabilities, and limits. Its environment has one variable, which turns off
/// Swift's crash reports. Returns before the process runs its program, because reading the program may take as long as a slow disk needs.
/// Returns 0, or -1 with `step` and `error`.
///
/// The process is killed when the calling *thread* ends (PR_SET_PDEATHSIG). Therefore that thread must live as long as the daemon.
int cseccomp_start(const cseccomp_launch *launch, cseccomp_process *result);

/// Reads from the descriptor `report` of a process whether it runs its program. Returns 1 if it does; 0 if it does not yet; -1 with errno
/// and the failed step if it could not be started.
int cseccomp_begun(int report, const char **step);

/// Whether this kernel has Landlock, so that a process can read only the files in `readable`: 1 or 0.
int cseccomp_has_landlock(void);

/// Kills the process of a pidfd. Returns 0, or -1 with errno.
int cseccomp_kill(int pidfd);

/// Reaps the process of a pidfd. Returns 1 if it has ended, with its exit status or the number of the signal that ended it; 0 if it still
/// runs; -1 with errno.
int cseccomp_reap(int pidfd, int *exit_status, int *signal_number);

/// The seconds of processor time that a process of this user has used; negative if there is no such process.
double cseccomp_processor_time(pid_t process);

/// Allows a process of this user this many seconds of processor time since its start. Returns 0, or -1 with errno.
int cseccomp_allow_processor_time(pid_t process, uint64_t seconds);

/// The number of threads of a process, by its descriptor `statistics`; negative if it is not known.
int cseccomp_threads(int statistics);

/// Makes the kernel end a process of this user before others when memory runs out (oom_score_adj, proc(5)). The process must already run
/// its program: before, it is a copy of the daemon, which is not dumpable, and its files in /proc belong to root. Returns 0, or -1 with
/// errno.
int cseccomp_prefer_for_oom_kill(pid_t process);

/// The pages, of `page` bytes each, that contain the `bytes` bytes from an address. Returns their start, and writes their length in bytes.
uint64_t cseccomp_pages(uint64_t address, size_t bytes, size_t page, size_t *length);

/// Whether this program was built with the address sanitizer, whose shadow memory exceeds any memory limit: 1 or 0.
int cseccomp_is_sanitized(void);

/// Prevents other processes of the same user from reading this process's memory. Returns 0, or -1 with errno.
int cseccomp_hide(void);

/// Creates a pipe, non-blocking at both ends and closed by execve. Returns 0, or -1 with errno.
int cseccomp_pipe(int ends[2]);

/// Calls `visit` with the path of each library that this process has loaded.
void cseccomp_libraries(void (*visit)(const char *path, void *context), void *context);
#endif
