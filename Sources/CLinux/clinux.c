#define _GNU_SOURCE
#include "clinux.h"

#include <sys/resource.h>

#include <sys/prctl.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clinux_accept(int listener) { return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int clinux_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

static int option(int socket, int name) {
  int value = -1;
  socklen_t length = sizeof value;
  return getsockopt(socket, SOL_SOCKET, name, &value, &length) ? -1 : value;
}

int clinux_listens(int descriptor) {
  return option(descriptor, SO_DOMAIN) == AF_UNIX && option(descriptor, SO_TYPE) == SOCK_STREAM && option(descriptor, SO_ACCEPTCONN) == 1;
}

int clinux_socketpair(int pair[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair); }

static int address(struct sockaddr_un *address, const char *path) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address->sun_path) return errno = ENAMETOOLONG, -1;
  strcpy(address->sun_path, path);
  return 0;
}

int clinux_bind(int socket, const char *path) {
  struct sockaddr_un name;
  return address(&name, path) ? -1 : bind(socket, (void *)&name, sizeof name);
}

int clinux_connect(int socket, const char *path) {
  struct sockaddr_un name;
  return address(&name, path) ? -1 : connect(socket, (void *)&name, sizeof name);
}

int clinux_notify(const char *path, const void *bytes, size_t count) {
  struct sockaddr_un name;
  if (address(&name, path)) return -1;
  socklen_t length = offsetof(struct sockaddr_un, sun_path) + strlen(path);
  if (name.sun_path[0] == '@') name.sun_path[0] = 0;
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  ssize_t sent = sendto(descriptor, bytes, count, MSG_NOSIGNAL, (void *)&name, length);
  int error = errno;
  close(descriptor);
  errno = error;
  return sent < 0 ? -1 : 0;
}

// The three calls that each request makes go to the kernel directly: in a program with threads the C library makes them cancellation
// points, which costs each two locked instructions, and nobody cancels a thread here.

ssize_t clinux_send(int socket, const void *bytes, size_t count) {
  return syscall(SYS_sendto, socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
}

ssize_t clinux_receive(int socket, void *bytes, size_t count) {
  return syscall(SYS_recvfrom, socket, bytes, count, 0, NULL, NULL);
}

int clinux_peer(int socket, uint32_t *user, uint32_t *group) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length)) return -1;
  *user = peer.uid;
  *group = peer.gid;
  return 0;
}

int clinux_peer_groups(int socket, uint32_t *groups, int room) {
  socklen_t length = (socklen_t)room * sizeof *groups;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &length)) return -1;
  return (int)(length / sizeof *groups);
}

int clinux_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_change(int epoll, int operation, int descriptor, uint32_t events, uint64_t data) {
  struct epoll_event event = {.events = events, .data.u64 = data};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

int clinux_epoll_wait(int epoll, uint32_t *events, uint64_t *data, int room, int milliseconds) {
  struct epoll_event ready[128];
  int count = syscall(SYS_epoll_pwait, epoll, ready, room < 128 ? room : 128, milliseconds, NULL, 0);
  for (int i = 0; i < count; i++) {
    events[i] = ready[i].events;
    data[i] = ready[i].data.u64;
  }
  return count;
}

int clinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static sigset_t set(uint64_t signals) {
  sigset_t set;
  sigemptyset(&set);
  for (int number = 1; number <= 64; number++)
    if (signals >> (number - 1) & 1) sigaddset(&set, number);
  return set;
}

int clinux_signalfd(uint64_t signals) {
  sigset_t wanted = set(signals);
  if (pthread_sigmask(SIG_BLOCK, &wanted, 0)) return -1;
  return signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

int clinux_read_signal(int descriptor) {
  struct signalfd_siginfo information;
  return read(descriptor, &information, sizeof information) == sizeof information ? (int)information.ssi_signo : 0;
}

int clinux_block(uint64_t signals) {
  sigset_t wanted = set(signals);
  return pthread_sigmask(SIG_BLOCK, &wanted, 0);
}

int clinux_unblock(uint64_t signals) {
  sigset_t wanted = set(signals);
  return pthread_sigmask(SIG_UNBLOCK, &wanted, 0);
}

void clinux_ignore_write_signals(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void clinux_name_thread(const char *name) {
  char short_name[16];
  snprintf(short_name, sizeof short_name, "%s", name);
  pthread_setname_np(pthread_self(), short_name);
}

void clinux_forbid_dumps(void) {
  const int crashes[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

void clinux_allow_descriptors(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files)) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}
