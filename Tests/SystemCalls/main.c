// Starts a program under a filter of its system calls (seccomp(2)), which all its children inherit:
//
//     system-calls allow NAME,NAME,... PROGRAM ARGUMENT...
//     system-calls fail NAME,NAME,... ERROR FIRST COUNT PROGRAM ARGUMENT...
//
// `allow` lets every other call fail with EPERM, as SystemCallFilter= and SystemCallErrorNumber=EPERM of a unit do, and becomes the program.
//
// `fail` lets COUNT of the named calls, from the FIRST on, fail with an error's number, and the others pass. Calls count from the program's
// first umask(2), which placesd makes at the start of main: earlier calls are the dynamic loader's, which ends a program with a message of its
// own. It stays the program's parent, passes SIGTERM on, and ends as the program does; a signal is 128 and its number. It prints the number of
// the calls that counted as its last line.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int fail(char **words) {
  const char *names = words[0];
  int error = atoi(words[1]);
  long first = atol(words[2]), last = first + atol(words[3]) - 1, seen = 0;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) give_up("a socket");
  child = fork();
  if (child < 0) give_up("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) give_up("a filter");
    add(filter, SCMP_ACT_NOTIFY, names);
    add(filter, SCMP_ACT_NOTIFY, "umask");
    load(filter);
    send_descriptor(pair[1], seccomp_notify_fd(filter));
    execv(words[4], words + 4);
    _exit(125);
  }
  close(pair[1]);
  signal(SIGTERM, pass_on);
  // The signals of a program that a service manager or a test starts may be blocked.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
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
      int passes = !has_begun || request->data.nr == SYS_umask || is_wake_up(request);
      if (!passes) seen++;
      answer->id = request->id;
      answer->val = 0;
      answer->error = !passes && seen >= first && seen <= last ? -error : 0;
      answer->flags = answer->error ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE;
      // A response that a signal interrupts would leave the caller waiting.
      while (seccomp_notify_respond(listener, answer) != 0 && errno == EINTR) continue;
      continue;
    }
    if (waitpid(child, &status, WNOHANG) == child) break;
    if (ready > 0 && watched.revents & POLLHUP && waitpid(child, &status, 0) == child) break;
  }
  printf("%ld\n", seen);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int count, char **words) {
  if (count >= 4 && strcmp(words[1], "allow") == 0) return allow(words + 2);
  if (count >= 7 && strcmp(words[1], "fail") == 0) return fail(words + 2);
  fprintf(stderr, "usage: system-calls allow NAMES PROGRAM ... | fail NAMES ERROR FIRST COUNT PROGRAM ...\n");
  return 125;
}
