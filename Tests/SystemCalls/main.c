// Starts a program under a filter of its system calls (seccomp(2)), which all its children inherit:
//
//     system-calls allow NAME,NAME,... PROGRAM ARGUMENT...
//     system-calls fail NAME,NAME,... ERROR FIRST COUNT PROGRAM ARGUMENT...
//     system-calls disturb NAME,NAME,...=ERROR[:NAME,NAME,...=ERROR]... PERIOD SEED PROGRAM ARGUMENT...
//
// `allow` lets every other call fail with EPERM, as SystemCallFilter= and SystemCallErrorNumber=EPERM of a unit do, and becomes the program.
//
// `fail` lets COUNT of the named calls, from the FIRST on, fail with an error's number, and the others pass. Calls count from the program's
// first umask(2), which placesd makes at the start of main: earlier calls are the dynamic loader's, which ends a program with a message of its
// own. It stays the program's parent, passes SIGTERM on, and ends as the program does; a signal is 128 and its number. It prints the number of
// the calls that counted as its last line.
//
// `disturb` does the same, but from the time when it receives SIGUSR1, every PERIODth of the named calls of the program and its children fails,
// or if SEED is not 0, each of them with probability 1/PERIOD. It prints the number of calls that failed as its last line.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static void give_up(const char *what) {
  fprintf(stderr, "system-calls: %s: %s\n", what, strerror(errno));
  exit(125);
}

// Adds a rule for each name of a list; names that this machine's kernel or library does not have are left out.
static void add(scmp_filter_ctx filter, uint32_t action, const char *list) {
  char *names = strdup(list), *rest = names;
  for (char *name; (name = strsep(&rest, ",")) != NULL;) {
    int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR) continue;
    int code = seccomp_rule_add(filter, action, call, 0);
    if (code < 0 && code != -EEXIST && code != -EDOM) {
      errno = -code;
      give_up(name);
    }
  }
  free(names);
}

static void load(scmp_filter_ctx filter) {
  int code = seccomp_load(filter);
  if (code < 0) {
    errno = -code;
    give_up("the filter");
  }
}

static int allow(char **words) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) give_up("a filter");
  add(filter, SCMP_ACT_ALLOW, words[0]);
  load(filter);
  execv(words[1], words + 1);
  give_up(words[1]);
  return 125;
}

static pid_t child;

static void pass_on(int signal) { kill(child, signal); }

// Sends a descriptor through a socket. Between the load of the filter and this call, no named call may be needed: sendmsg cannot be named.
static void send_descriptor(int socket, int descriptor) {
  char control[CMSG_SPACE(sizeof descriptor)] = {0}, byte = 0;
  struct iovec bytes = {&byte, 1};
  struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  if (sendmsg(socket, &message, 0) != 1) _exit(125);
}

static int receive_descriptor(int socket) {
  int descriptor = -1;
  char control[CMSG_SPACE(sizeof descriptor)] = {0}, byte;
  struct iovec bytes = {&byte, 1};
  struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *header;
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || !(header = CMSG_FIRSTHDR(&message))) return -1;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

static void interrupt(int signal) { (void)signal; }

// Interrupts a wait for a request that has gone with its caller every so often. No SA_RESTART: the wait must end.
static void interrupt_regularly(void) {
  struct sigaction action = {.sa_handler = interrupt};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval interval = {{0, 100000}, {0, 100000}};
  setitimer(ITIMER_REAL, &interval, NULL);
}

// True for a write to an eventfd, which fails only if it would block: no other error of write(2) can happen there.
static int is_wake_up(const struct seccomp_notif *request) {
  if (request->data.nr != SYS_write) return 0;
  char path[64], target[64];
  snprintf(path, sizeof path, "/proc/%u/fd/%d", request->pid, (int)request->data.args[0]);
  ssize_t length = readlink(path, target, sizeof target - 1);
  if (length < 0) return 0;
  target[length] = 0;
  return strncmp(target, "anon_inode:[eventfd]", 20) == 0;
}

// True for a call that has no error to fail with: of epoll_ctl(2), only EPOLL_CTL_ADD needs memory.
static int cannot_fail(const struct seccomp_notif *request) {
  return is_wake_up(request) || (request->data.nr == SYS_epoll_ctl && request->data.args[1] != EPOLL_CTL_ADD);
}

// Calls and the error with which they fail.
struct rule {
  const char *names;
  int error;
};
enum { MAX_RULES = 32 };

// When a call fails.
struct schedule {
  struct rule rules[MAX_RULES];
  int rule_count;
  long first, last;   // of `fail`
  long period;        // of `disturb`, otherwise 0
  uint64_t seed;
  long seen, failed;
};

static volatile sig_atomic_t is_disturbing;

static void begin(int signal) {
  (void)signal;
  is_disturbing = 1;
}

// A pseudo-random number: a linear congruential generator (Knuth, MMIX).
static long draw(struct schedule *schedule) {
  schedule->seed = schedule->seed * 6364136223846793005u + 1442695040888963407u;
  return (long)(schedule->seed >> 33);
}

// True if a list of names has this call.
static int has(const char *list, int call) {
  char *names = strdup(list), *rest = names;
  int found = 0;
  for (char *name; (name = strsep(&rest, ",")) != NULL;) found |= seccomp_syscall_resolve_name(name) == call;
  free(names);
  return found;
}

// The error with which a call fails; 0 if it passes.
static int error_of(struct schedule *schedule, int call) {
  schedule->seen++;
  if (schedule->period == 0) return schedule->seen >= schedule->first && schedule->seen <= schedule->last ? schedule->rules[0].error : 0;
  int fails = schedule->seed ? draw(schedule) % schedule->period == 0 : schedule->seen % schedule->period == 0;
  if (!fails) return 0;
  // A call that several rules name fails with each of their errors in turn.
  int errors[MAX_RULES], count = 0;
  for (int i = 0; i < schedule->rule_count; i++)
    if (has(schedule->rules[i].names, call)) errors[count++] = schedule->rules[i].error;
  return count ? errors[schedule->failed++ % count] : 0;
}

static int run(struct schedule *schedule, char **program) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) give_up("a socket");
  child = fork();
  if (child < 0) give_up("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) give_up("a filter");
    for (int i = 0; i < schedule->rule_count; i++) add(filter, SCMP_ACT_NOTIFY, schedule->rules[i].names);
    add(filter, SCMP_ACT_NOTIFY, "umask");
    load(filter);
    send_descriptor(pair[1], seccomp_notify_fd(filter));
    execv(program[0], program);
    _exit(125);
  }
  close(pair[1]);
  signal(SIGTERM, pass_on);
  signal(SIGUSR1, begin);
  // The signals of a program that a service manager or a test starts may be blocked.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGUSR1);
  sigaddset(&signals, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &signals, NULL);
  int listener = receive_descriptor(pair[0]);
  interrupt_regularly();
  struct seccomp_notif *request = NULL;
  struct seccomp_notif_resp *answer = NULL;
  if (listener < 0 || seccomp_notify_alloc(&request, &answer) != 0) give_up("the filter's descriptor");
  int status = 0, has_begun = 0;
  for (;;) {
    struct pollfd watched = {listener, POLLIN, 0};
    // A child of the program may live on: the listener hangs up with the last of them.
    int ready = poll(&watched, 1, 20);
    // The kernel refuses a request that is not empty.
    memset(request, 0, sizeof *request);
    if (ready > 0 && watched.revents & POLLIN && seccomp_notify_receive(listener, request) == 0) {
      has_begun |= request->data.nr == SYS_umask;
      int counts = (schedule->period ? is_disturbing : has_begun) && request->data.nr != SYS_umask && !cannot_fail(request);
      answer->id = request->id;
      answer->val = 0;
      answer->error = counts ? -error_of(schedule, request->data.nr) : 0;
      answer->flags = answer->error ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE;
      // A response that a signal interrupts would leave the caller waiting.
      while (seccomp_notify_respond(listener, answer) != 0 && errno == EINTR) continue;
      continue;
    }
    if (waitpid(child, &status, WNOHANG) == child) break;
    if (ready > 0 && watched.revents & POLLHUP && waitpid(child, &status, 0) == child) break;
  }
  printf("%ld\n", schedule->period ? schedule->failed : schedule->seen);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int fail(char **words) {
  long first = atol(words[2]);
  struct schedule schedule = {{{words[0], atoi(words[1])}}, 1, first, first + atol(words[3]) - 1, 0, 0, 0, 0};
  return run(&schedule, words + 4);
}

static int disturb(char **words) {
  struct schedule schedule = {.period = atol(words[1]), .seed = strtoull(words[2], NULL, 10)};
  for (char *rule, *rest = words[0]; (rule = strsep(&rest, ":")) != NULL && schedule.rule_count < MAX_RULES;) {
    char *names = strsep(&rule, "=");
    schedule.rules[schedule.rule_count++] = (struct rule){names, rule ? atoi(rule) : EIO};
  }
  return run(&schedule, words + 3);
}

int main(int count, char **words) {
  if (count >= 4 && strcmp(words[1], "allow") == 0) return allow(words + 2);
  if (count >= 7 && strcmp(words[1], "fail") == 0) return fail(words + 2);
  if (count >= 6 && strcmp(words[1], "disturb") == 0) return disturb(words + 2);
  fprintf(
      stderr, "usage: system-calls allow NAMES PROGRAM ... | fail NAMES ERROR FIRST COUNT PROGRAM ... | "
              "disturb NAMES=ERROR:... PERIOD SEED PROGRAM ...\n");
  return 125;
}
