// Starts a confined process. All memory is allocated before the fork, so that the child only makes system calls.
#define _GNU_SOURCE
#include "cseccomp.h"

#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#endif

/// The input of the child, prepared by the parent.
typedef struct {
  const cseccomp_launch *launch;
  struct sock_fprog filter;
  /// The only address of a path with which the filter allows execve.
  uint64_t address;
  size_t path_length;
  /// The child's ends of its standard input, output and error.
  int descriptors[3];
  /// The child's end of the pipe to which it writes a failure.
  int report;
  /// The daemon's process id.
  pid_t parent;
} plan;

/// The child's report of a failed step. It is written atomically, because it is shorter than PIPE_BUF.
typedef struct {
  const char *step;
  int error;
} failure;

static int set_limit(int resource, rlim_t value) {
  struct rlimit limit = {value, value};
  return setrlimit(resource, &limit);
}

static const char *set_limits(const cseccomp_launch *launch) {
  if (set_limit(RLIMIT_DATA, launch->memory) < 0) return "limiting its memory";
  // This sets only the soft limit, because it is raised later, and only root could raise a hard limit.
  if (cseccomp_allow_processor_time(0, launch->processor) < 0) return "limiting its processor time";
  if (set_limit(RLIMIT_NOFILE, launch->descriptors) < 0) return "limiting its descriptors";
  if (set_limit(RLIMIT_FSIZE, 0) < 0) return "limiting its files";
  if (set_limit(RLIMIT_CORE, 0) < 0 || set_limit(RLIMIT_MEMLOCK, 0) < 0 || set_limit(RLIMIT_MSGQUEUE, 0) < 0)
    return "setting its limits";
  return NULL;
}

/// Moves the pipes to the descriptors 0, 1 and 2, and the report to 3, which execve closes. Closes all other descriptors.
static const char *set_descriptors(plan *plan) {
  // The descriptors are first moved to numbers from 10 on. If one of them were 0…3 already, a call of dup2 below would close it.
  for (int i = 0; i < 3; i++)
    if ((plan->descriptors[i] = fcntl(plan->descriptors[i], F_DUPFD, 10)) < 0) return "arranging its descriptors";
  if ((plan->report = fcntl(plan->report, F_DUPFD, 10)) < 0) return "arranging its descriptors";
  for (int i = 0; i < 3; i++)
    if (dup2(plan->descriptors[i], i) < 0) return "arranging its descriptors";
  if (dup3(plan->report, 3, O_CLOEXEC) < 0) return "arranging its descriptors";
  plan->report = 3;
  return syscall(SYS_close_range, 4, ~0u, 0) < 0 ? "closing the daemon's descriptors" : NULL;
}

static void reset_signals(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/// Drops root's privileges if root runs the daemon. Any other user has none to drop, so these calls may fail.
static void drop_capabilities(void) {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (int capability = 0; capability < 64; capability++) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
}

uint64_t cseccomp_pages(uint64_t address, size_t bytes, size_t page, size_t *length) {
  uint64_t start = address & ~((uint64_t)page - 1);
  *length = (size_t)((address - start + bytes + page - 1) / page * page);
  return start;
}

/// Copies the path of the program to the address that the filter compares. This must precede the memory limit. The limit also counts the
/// memory that the child shares with the daemon, so mmap would fail if the daemon were larger than the limit.
static const char *place_path(plan *plan) {
  size_t length;
  uint64_t start = cseccomp_pages(plan->address, plan->path_length + 1, (size_t)sysconf(_SC_PAGESIZE), &length);
  void *pages = mmap((void *)start, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (pages == MAP_FAILED) return "placing its path";
  memcpy((char *)plan->address, plan->launch->arguments[0], plan->path_length + 1);
  return NULL;
}

/// Restricts the child to the files that it may read. The child itself does this, because it may have to wait for a disk, and the parent
/// must not wait.
static const char *close_files(const cseccomp_launch *launch) {
  int ruleset = cseccomp_ruleset(launch->readable);
  if (ruleset == -1) return "closing the file system";
  if (ruleset >= 0 && syscall(SYS_landlock_restrict_self, ruleset, 0) < 0) return "closing the file system";
  if (ruleset >= 0) close(ruleset);
  return NULL;
}

static const char *confine(plan *plan) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return "giving up new privileges";
  drop_capabilities();
  const char *step = close_files(plan->launch);
  if (step) return step;
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &plan->filter) < 0) return "setting the filter of its system calls";
  return NULL;
}

/// Confines the child and runs its program. Returns only if a step fails: the name of the step, with errno.
static const char *become(plan *plan) {
  // The kernel sends no signal if the parent died before this call. Therefore the parent is checked after it.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) return "tying it to the daemon";
  if (getppid() != plan->parent) _exit(1);
  if (setsid() < 0) return "giving it a session";
  reset_signals();
  const char *step = set_descriptors(plan);
  if (!step) step = chdir("/") < 0 ? "leaving the working folder" : NULL;
  if (!step) step = place_path(plan);
  if (!step) step = set_limits(plan->launch);
  if (!step) step = confine(plan);
  if (step) return step;
  // The Swift backtracer needs system calls that the filter denies, and would write memory contents to the log.
  char *const environment[] = {"SWIFT_BACKTRACE=enable=no", NULL};
  execve((const char *)plan->address, (char *const *)plan->launch->arguments, environment);
  return "running it";
}

static void close_all(int *descriptors, int count) {
  for (int i = 0; i < count; i++)
    if (descriptors[i] >= 0) close(descriptors[i]);
}

/// Makes the pipes, draws the random address and compiles the filter. `pipes` receives two descriptors, the read end and the write end, for
/// each of input, output, errors and report. Returns 0, or -1 with the failed step and errno.
static int prepare(plan *plan, int pipes[8], const char **step) {
  *step = "making pipes";
  for (int i = 0; i < 8; i += 2)
    if (pipe2(pipes + i, O_CLOEXEC) < 0) return -1;
  // The daemon's ends are non-blocking. The child's ends are blocking, because its program may rely on that.
  int ours[] = {pipes[1], pipes[2], pipes[4], pipes[6]};
  for (int i = 0; i < 4; i++)
    if (fcntl(ours[i], F_SETFL, O_NONBLOCK) < 0) return -1;
  *step = "drawing an address";
  if (getrandom(&plan->address, sizeof plan->address, 0) != sizeof plan->address) return -1;
  // The address is between 20 TiB and 84 TiB, where no program, library or shadow memory of the address sanitizer lies.
  plan->address = (20ull << 40) + (plan->address & ((1ull << 46) - 1));
  *step = "compiling the filter of its system calls";
  return cseccomp_compile(plan->address, &plan->filter);
}

/// Forks. The child continues independently, and reports a failure through the pipe `report`.
static int run(plan *plan, int pipes[8], cseccomp_process *result) {
  plan->descriptors[0] = pipes[0];
  plan->descriptors[1] = pipes[3];
  plan->descriptors[2] = pipes[5];
  plan->report = pipes[7];
  plan->parent = getpid();
  result->step = "forking";
  // All signals are blocked, because no signal handler of the daemon may run in the child before its signals are reset.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // _Fork is used instead of fork, because it runs no pthread_atfork handlers.
  pid_t process = _Fork();
  if (process == 0) {
    failure failure = {.step = become(plan)};
    failure.error = errno;
    if (write(plan->report, &failure, sizeof failure) < 0) { /* The parent will notice that the child has ended. */ }
    _exit(127);
  }
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  if (process < 0) return -1;
  result->step = "watching it";
  result->pidfd = (int)syscall(SYS_pidfd_open, process, 0);
  if (result->pidfd < 0) {
    error = errno;
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    errno = error;
    return -1;
  }
  result->statistics = cseccomp_open_statistics(process);
  result->process = process;
  return 0;
}

int cseccomp_start(const cseccomp_launch *launch, cseccomp_process *result) {
  *result = (cseccomp_process){.process = -1, .pidfd = -1, .statistics = -1, .input = -1, .output = -1, .errors = -1, .report = -1};
  if (strlen(launch->arguments[0]) >= PATH_MAX) {
    result->step = "reading its path";
    result->error = ENAMETOOLONG;
    return -1;
  }
  plan plan = {.launch = launch, .path_length = strlen(launch->arguments[0])};
  int pipes[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
  int outcome = prepare(&plan, pipes, &result->step);
  if (outcome == 0) outcome = run(&plan, pipes, result);
  result->error = outcome == 0 ? 0 : errno;
  if (outcome == 0) {
    result->input = pipes[1];
    result->output = pipes[2];
    result->errors = pipes[4];
    result->report = pipes[6];
    pipes[1] = pipes[2] = pipes[4] = pipes[6] = -1;
    result->step = NULL;
  }
  close_all(pipes, 8);
  free(plan.filter.filter);
  return outcome;
}

int cseccomp_begun(int report, const char **step) {
  failure failure;
  ssize_t count;
  while ((count = read(report, &failure, sizeof failure)) < 0 && errno == EINTR) {}
  // The end of the stream shows that execve has closed the other end.
  if (count == 0) return 1;
  if (count < 0 && errno == EAGAIN) return 0;
  *step = "watching it";
  if (count == sizeof failure) {
    // The step is a string of this program. The child is a copy of this program, so that the pointer is valid here too.
    *step = failure.step;
    errno = failure.error;
  }
  return -1;
}

int cseccomp_kill(int pidfd) { return (int)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0); }

int cseccomp_reap(int pidfd, int *exit_status, int *signal_number) {
  siginfo_t information = {0};
  if (waitid((idtype_t)P_PIDFD, (id_t)pidfd, &information, WEXITED | WNOHANG) < 0) return -1;
  if (information.si_pid == 0) return 0;
  *exit_status = information.si_code == CLD_EXITED ? information.si_status : -1;
  *signal_number = information.si_code == CLD_EXITED ? 0 : information.si_status;
  return 1;
}

int cseccomp_prefer_for_oom_kill(pid_t process) {
  char path[40];
  snprintf(path, sizeof path, "/proc/%d/oom_score_adj", (int)process);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  int result = write(file, "1000", 4) == 4 ? 0 : -1;
  int error = errno;
  close(file);
  errno = error;
  return result;
}

int cseccomp_is_sanitized(void) {
#if SANITIZED
  return 1;
#else
  return 0;
#endif
}

#if SANITIZED
// The sanitizer's options are compiled in, because the daemon passes none in the environment of a provider process. The leak check is off,
// because it needs ptrace, which the filter denies.
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0:disable_coredump=0:handle_abort=0"; }
#endif

int cseccomp_hide(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int cseccomp_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }
