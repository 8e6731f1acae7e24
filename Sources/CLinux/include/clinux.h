// System calls that Swift's Glibc module lacks, with types that Swift can import. Unless stated otherwise, each function returns the result
// of the call, or -1 with errno on failure. `room` is the number of elements that an array can hold.
#ifndef CLINUX_H
#define CLINUX_H
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/un.h>

/// accept4(2) with SOCK_NONBLOCK | SOCK_CLOEXEC.
int clinux_accept(int listener);
/// A new Unix stream socket, non-blocking, closed on exec.
int clinux_socket(void);
/// Whether a descriptor is a Unix stream socket that listens: 1 or 0.
int clinux_listens(int descriptor);
/// Two connected Unix stream sockets, non-blocking, closed on exec.
int clinux_socketpair(int pair[2]);
/// bind(2) to a path. Fails with ENAMETOOLONG if the path is too long.
int clinux_bind(int socket, const char *path);
/// connect(2) to a path.
int clinux_connect(int socket, const char *path);
/// Sends one datagram to the address in systemd's form: a path, or `@` and an abstract name.
int clinux_notify(const char *address, const void *bytes, size_t count);
/// send(2) with MSG_NOSIGNAL | MSG_DONTWAIT.
ssize_t clinux_send(int socket, const void *bytes, size_t count);
/// recv(2).
ssize_t clinux_receive(int socket, void *bytes, size_t count);
/// Writes the user and the group of the peer of a Unix socket (SO_PEERCRED).
int clinux_peer(int socket, uint32_t *user, uint32_t *group);
/// Writes the peer's supplementary groups (SO_PEERGROUPS) and returns their number; -1 with ERANGE if there are more than `room`.
int clinux_peer_groups(int socket, uint32_t *groups, int room);
/// Writes the user whose socket is at the other end of a connected TCP socket (sock_diag(7)). That socket must be on this machine. Returns
/// -1 if the kernel does not know the user, with ENOENT if that socket is closed.
int clinux_tcp_peer_user(int socket, uint32_t *user);
/// A TCP socket that listens at a numeric IPv4 or IPv6 address, non-blocking, closed on exec.
int clinux_tcp_listen(const char *address, uint16_t port, int backlog);
/// Writes the address of a TCP socket's peer, or of the socket itself if `own` is 1, as 4 or 16 bytes in network order, and the port.
/// Returns the number of bytes; -1 for another kind of socket.
int clinux_tcp_address(int socket, int own, uint8_t *address, uint16_t *port);

/// A new epoll instance, closed on exec.
int clinux_epoll(void);
/// epoll_ctl(2) with the operation EPOLL_CTL_ADD, EPOLL_CTL_MOD or EPOLL_CTL_DEL.
int clinux_epoll_change(int epoll, int operation, int descriptor, uint32_t events, uint64_t data);
/// epoll_wait(2), which writes events and data to separate arrays. Returns at most 128 events.
int clinux_epoll_wait(int epoll, uint32_t *events, uint64_t *data, int room, int milliseconds);

/// An eventfd(2), non-blocking, closed on exec.
int clinux_eventfd(void);
/// A signalfd(2) for the signals whose bits are set (bit 0 is signal 1). Blocks these signals in the calling thread.
int clinux_signalfd(uint64_t signals);
/// The next signal of a signalfd; 0 if there is none.
int clinux_read_signal(int descriptor);
/// Blocks these signals in the calling thread and in those that it creates.
int clinux_block(uint64_t signals);
/// Unblocks these signals in the calling thread, so that they have their default actions again.
int clinux_unblock(uint64_t signals);
/// Ignores SIGPIPE and SIGXFSZ. Then a write to a pipe without a reader, or beyond the maximum size of a file, fails with an error and does
/// not end the process.
void clinux_ignore_write_signals(void);
/// Names the calling thread. Only the first 15 bytes are used.
void clinux_name_thread(const char *name);
/// Prevents crash reports, which may contain private memory: core files (RLIMIT_CORE), and the reports of Swift's runtime, which would
/// write registers to the log. Other processes of the same user cannot read this process's memory (PR_SET_DUMPABLE).
void clinux_forbid_dumps(void);
/// Writes a sentence with the program's name to standard error before a signal such as SIGILL or SIGABRT ends the process. Libraries trap
/// without a message if they cannot get a resource.
void clinux_report_crashes(const char *program);
/// Raises the soft limit of open descriptors (RLIMIT_NOFILE) to the hard limit.
void clinux_allow_descriptors(void);
#endif
