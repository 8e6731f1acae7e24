#define _GNU_SOURCE
#include "clinux.h"

#include <sys/resource.h>

#include <sys/prctl.h>

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Defines clinux_NAME as a weak alias of clinux_real_NAME. The simulation (Tests/FaultySockets) defines its own clinux_NAME, which fails on
// demand and otherwise calls clinux_real_NAME. The linker chooses one of the two, so every program calls the function directly.
#define REPLACEABLE(name) __attribute__((weak, alias("clinux_real_" #name)))

int clinux_real_accept(int listener) { return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }
int clinux_accept(int listener) REPLACEABLE(accept);

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

// The three system calls that each request makes (send, receive, epoll_wait) do not use the C library's functions. In a program with
// threads, these are cancellation points, which cost two locked instructions each. This program cancels no threads.

ssize_t clinux_real_send(int socket, const void *bytes, size_t count) {
  return syscall(SYS_sendto, socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
}
ssize_t clinux_send(int socket, const void *bytes, size_t count) REPLACEABLE(send);

ssize_t clinux_real_receive(int socket, void *bytes, size_t count) {
  return syscall(SYS_recvfrom, socket, bytes, count, 0, NULL, NULL);
}
ssize_t clinux_receive(int socket, void *bytes, size_t count) REPLACEABLE(receive);

int clinux_real_peer(int socket, uint32_t *user, uint32_t *group) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length)) return -1;
  *user = peer.uid;
  *group = peer.gid;
  return 0;
}
int clinux_peer(int socket, uint32_t *user, uint32_t *group) REPLACEABLE(peer);

int clinux_peer_groups(int socket, uint32_t *groups, int room) {
  socklen_t length = (socklen_t)room * sizeof *groups;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &length)) return -1;
  return (int)(length / sizeof *groups);
}

// Asks the kernel through netlink for the socket whose own address is our peer's address and whose peer is our own address.
int clinux_tcp_peer_user(int socket_, uint32_t *user) {
  struct sockaddr_storage peer, own;
  socklen_t length = sizeof peer;
  if (getpeername(socket_, (struct sockaddr *)&peer, &length)) return -1;
  length = sizeof own;
  if (getsockname(socket_, (struct sockaddr *)&own, &length)) return -1;
  struct {
    struct nlmsghdr header;
    struct inet_diag_req_v2 request;
  } query = {.header = {.nlmsg_len = sizeof query, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST}};
  query.request.sdiag_family = (uint8_t)peer.ss_family;
  query.request.sdiag_protocol = IPPROTO_TCP;
  query.request.idiag_states = ~0U;
  query.request.id.idiag_cookie[0] = query.request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  // In the query, the source is the address of the peer's socket, and the destination is ours.
  if (peer.ss_family == AF_INET) {
    struct sockaddr_in *from = (struct sockaddr_in *)&peer, *to = (struct sockaddr_in *)&own;
    query.request.id.idiag_sport = from->sin_port, query.request.id.idiag_dport = to->sin_port;
    memcpy(query.request.id.idiag_src, &from->sin_addr, 4), memcpy(query.request.id.idiag_dst, &to->sin_addr, 4);
  } else if (peer.ss_family == AF_INET6) {
    struct sockaddr_in6 *from = (struct sockaddr_in6 *)&peer, *to = (struct sockaddr_in6 *)&own;
    query.request.id.idiag_sport = from->sin6_port, query.request.id.idiag_dport = to->sin6_port;
    memcpy(query.request.id.idiag_src, &from->sin6_addr, 16), memcpy(query.request.id.idiag_dst, &to->sin6_addr, 16);
  } else {
    errno = EAFNOSUPPORT;
    return -1;
  }
  int netlink = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (netlink < 0) return -1;
  union {
    struct nlmsghdr header;
    char room[1024];
  } answer;
  ssize_t count = send(netlink, &query, sizeof query, 0) < 0 ? -1 : recv(netlink, &answer, sizeof answer, 0);
  close(netlink);
  if (count < 0) return -1;
  if (answer.header.nlmsg_type == NLMSG_ERROR && (size_t)count >= NLMSG_LENGTH(sizeof(struct nlmsgerr))) {
    errno = -((struct nlmsgerr *)NLMSG_DATA(&answer.header))->error;
    return -1;
  }
  if ((size_t)count < NLMSG_LENGTH(sizeof(struct inet_diag_msg)) || answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY) {
    errno = EPROTO;
    return -1;
  }
  // A socket that its process has closed has no inode, and the kernel reports root as its user. If no connection matches, the kernel
  // returns the socket that listens on the port, whose user is not the peer.
  struct inet_diag_msg *found = NLMSG_DATA(&answer.header);
  if (!found->idiag_inode || found->idiag_state == TCP_LISTEN || found->id.idiag_dport != query.request.id.idiag_dport) {
    errno = ENOENT;
    return -1;
  }
  *user = found->idiag_uid;
  return 0;
}

int clinux_tcp_listen(const char *address, uint16_t port, int backlog) {
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  int is_six = inet_pton(AF_INET6, address, &six.sin6_addr) == 1, one = 1;
  if (!is_six && inet_pton(AF_INET, address, &four.sin_addr) != 1) {
    errno = EINVAL;
    return -1;
  }
  int listener = socket(is_six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  // An IPv6 socket accepts no IPv4 clients, because their addresses would look like IPv6 addresses.
  if (is_six) setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
  struct sockaddr *bound = is_six ? (struct sockaddr *)&six : (struct sockaddr *)&four;
  if (bind(listener, bound, is_six ? sizeof six : sizeof four) || listen(listener, backlog)) {
    int code = errno;
    close(listener);
    errno = code;
    return -1;
  }
  return listener;
}

int clinux_tcp_address(int socket_, int own, uint8_t *address, uint16_t *port) {
  struct sockaddr_storage found;
  socklen_t length = sizeof found;
  if (own ? getsockname(socket_, (struct sockaddr *)&found, &length) : getpeername(socket_, (struct sockaddr *)&found, &length)) return -1;
  if (found.ss_family == AF_INET) {
    *port = ntohs(((struct sockaddr_in *)&found)->sin_port);
    memcpy(address, &((struct sockaddr_in *)&found)->sin_addr, 4);
    return 4;
  }
  if (found.ss_family != AF_INET6) return -1;
  *port = ntohs(((struct sockaddr_in6 *)&found)->sin6_port);
  memcpy(address, &((struct sockaddr_in6 *)&found)->sin6_addr, 16);
  return 16;
}

int clinux_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_real_epoll_change(int epoll, int operation, int descriptor, uint32_t events, uint64_t data) {
  struct epoll_event event = {.events = events, .data.u64 = data};
  return epoll_ctl(epoll, operation, descriptor, &event);
}
int clinux_epoll_change(int epoll, int operation, int descriptor, uint32_t events, uint64_t data) REPLACEABLE(epoll_change);

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
  ssize_t count;
  // A read that another signal interrupted is repeated. Otherwise the caller would wait again and be woken at once, because the signal is
  // still pending.
  do count = read(descriptor, &information, sizeof information);
  while (count < 0 && errno == EINTR);
  return count == sizeof information ? (int)information.ssi_signo : 0;
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

static char crashing_program[32];

// Makes only async-signal-safe calls (signal-safety(7)), because it is a signal handler. It does not block if standard error is a pipe that
// nobody reads. <2> is the journal's prefix for a critical error (sd-daemon(3)).
static void report_crash(int signal) {
  const char *reason = signal == SIGBUS ? "a file that is mapped into memory could not be read"
    : signal == SIGSEGV || signal == SIGFPE ? "a defect of the program or of a library, or no memory was left"
    : "a check of the program or of a library failed, or a library could not have memory, a thread or a descriptor";
  const char *parts[] = {"<2>", crashing_program, " cannot continue: signal ", sigabbrev_np(signal), ": ", reason, "\n"};
  char line[256];
  size_t length = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    size_t count = parts[i] ? strlen(parts[i]) : 0;
    if (length + count > sizeof line) break;
    memcpy(line + length, parts[i], count);
    length += count;
  }
  struct pollfd output = {2, POLLOUT, 0};
  int ready;
  do ready = poll(&output, 1, 0);
  while (ready < 0 && errno == EINTR);
  if (ready == 1) while (write(2, line, length) < 0 && errno == EINTR) continue;
  // The signal stays blocked until this function returns. Then it ends the process, because SA_RESETHAND has restored the default action.
  raise(signal);
}

void clinux_report_crashes(const char *program) {
  snprintf(crashing_program, sizeof crashing_program, "%s", program);
  const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
    struct sigaction action = {.sa_handler = report_crash, .sa_flags = SA_RESETHAND};
    sigaction(crashes[i], &action, NULL);
  }
}

void clinux_allow_descriptors(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files)) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}
