#define _GNU_SOURCE
#include "faulty_sockets.h"

#include <clinux.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct faulty_socket {
  faulty_socket *next;
  int descriptor;
  // The number of a closed descriptor is used again, this one is not (SO_COOKIE).
  uint64_t cookie;
  uint32_t user;
  int is_accepted;
  // A listener's other end, through which it receives the descriptors to accept; -1 for other sockets.
  int offers;
  unsigned most, calls;
  struct {
    int error;
    long after, count, failures;
  } orders[FAULTY_CALLS];
  long shortened, blocked;
};

// What a listener's other end sends.
struct offer {
  int descriptor;
  uint64_t cookie;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static faulty_socket *sockets;
// Without faulty sockets, calls do not take the mutex.
static atomic_int socket_count;

static uint64_t cookie(int descriptor) {
  uint64_t value = 0;
  socklen_t length = sizeof value;
  int error = errno;
  if (getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &value, &length) != 0) value = 0;
  errno = error;
  return value;
}

// The faulty socket with this descriptor, or null. Under the mutex.
static faulty_socket *find(int descriptor) {
  for (faulty_socket *socket = sockets; socket; socket = socket->next)
    if (socket->descriptor == descriptor && socket->cookie == cookie(descriptor)) return socket;
  return NULL;
}

// Locks the mutex if the descriptor is that of a faulty socket; otherwise returns null.
static faulty_socket *lock(int descriptor) {
  if (atomic_load(&socket_count) == 0) return NULL;
  pthread_mutex_lock(&mutex);
  faulty_socket *socket = find(descriptor);
  if (!socket) pthread_mutex_unlock(&mutex);
  return socket;
}

// True if the call must fail; sets errno.
static int fails(faulty_socket *socket, enum faulty_call call) {
  if (socket->most > 0 && ++socket->calls % 4 == 0) {
    errno = EINTR;
    return 1;
  }
  if (socket->orders[call].count <= 0) return 0;
  if (socket->orders[call].after > 0) {
    socket->orders[call].after--;
    return 0;
  }
  socket->orders[call].count--;
  socket->orders[call].failures++;
  errno = socket->orders[call].error;
  return 1;
}

// The number of bytes of a call.
static size_t shorten(faulty_socket *socket, size_t count) {
  return socket->most > 0 && count > socket->most ? socket->most : count;
}

// MARK: The functions of CLinux

// The originals, which all other descriptors of the test program use.
int clinux_real_accept(int listener);
ssize_t clinux_real_send(int socket, const void *bytes, size_t count);
ssize_t clinux_real_receive(int socket, void *bytes, size_t count);
int clinux_real_epoll_change(int epoll, int operation, int descriptor, uint32_t events, uint64_t data);
int clinux_real_peer(int socket, uint32_t *user, uint32_t *group);

int clinux_accept(int listener) {
  faulty_socket *socket = lock(listener);
  if (!socket) return clinux_real_accept(listener);
  int accepted = -1;
  struct offer offer;
  if (!fails(socket, FAULTY_ACCEPT) && recv(listener, &offer, sizeof offer, MSG_DONTWAIT) == sizeof offer) {
    faulty_socket *offered = find(offer.descriptor);
    if (offered && offered->cookie == offer.cookie) {
      offered->is_accepted = 1;
      accepted = offer.descriptor;
    } else {
      // The client has gone.
      errno = ECONNABORTED;
    }
  }
  pthread_mutex_unlock(&mutex);
  return accepted;
}

ssize_t clinux_send(int descriptor, const void *bytes, size_t count) {
  faulty_socket *socket = lock(descriptor);
  if (!socket) return clinux_real_send(descriptor, bytes, count);
  ssize_t sent = -1;
  if (!fails(socket, FAULTY_SEND)) {
    size_t most = shorten(socket, count);
    sent = send(descriptor, bytes, most, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 ? errno == EAGAIN : (size_t)sent < most) socket->blocked++;
    if (sent == (ssize_t)most && most < count) socket->shortened++;
  }
  pthread_mutex_unlock(&mutex);
  return sent;
}

ssize_t clinux_receive(int descriptor, void *bytes, size_t count) {
  faulty_socket *socket = lock(descriptor);
  if (!socket) return clinux_real_receive(descriptor, bytes, count);
  ssize_t received = -1;
  if (!fails(socket, FAULTY_RECEIVE)) {
    size_t most = shorten(socket, count);
    received = recv(descriptor, bytes, most, 0);
    char byte;
    if (received == (ssize_t)most && most < count && recv(descriptor, &byte, 1, MSG_PEEK) > 0) socket->shortened++;
  }
  pthread_mutex_unlock(&mutex);
  return received;
}

int clinux_epoll_change(int epoll, int operation, int descriptor, uint32_t events, uint64_t data) {
  faulty_socket *socket = lock(descriptor);
  int has_failed = socket && operation == EPOLL_CTL_ADD && fails(socket, FAULTY_ADD);
  if (socket) pthread_mutex_unlock(&mutex);
  if (has_failed) return -1;
  return clinux_real_epoll_change(epoll, operation, descriptor, events, data);
}

int clinux_peer(int descriptor, uint32_t *user, uint32_t *group) {
  faulty_socket *socket = lock(descriptor);
  if (!socket) return clinux_real_peer(descriptor, user, group);
  *user = *group = socket->user;
  pthread_mutex_unlock(&mutex);
  return 0;
}

// MARK: Control

static faulty_socket *create(uint32_t user, int *other) {
  int pair[2];
  faulty_socket *socket = calloc(1, sizeof *socket);
  if (!socket || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) {
    free(socket);
    return NULL;
  }
  *other = pair[0];
  socket->descriptor = pair[1];
  socket->cookie = cookie(pair[1]);
  socket->user = user;
  socket->offers = -1;
  pthread_mutex_lock(&mutex);
  socket->next = sockets;
  sockets = socket;
  atomic_fetch_add(&socket_count, 1);
  pthread_mutex_unlock(&mutex);
  return socket;
}

faulty_socket *faulty_socket_create(uint32_t user, int buffer, int *client) {
  faulty_socket *socket = create(user, client);
  if (socket && buffer > 0) setsockopt(socket->descriptor, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
  return socket;
}

faulty_socket *faulty_listener_create(int *listener) {
  int offers;
  faulty_socket *socket = create(0, &offers);
  if (!socket) return NULL;
  socket->offers = offers;
  socket->is_accepted = 1;
  *listener = socket->descriptor;
  return socket;
}

int faulty_listener_offer(faulty_socket *listener, faulty_socket *socket) {
  struct offer offer = {socket->descriptor, socket->cookie};
  return send(listener->offers, &offer, sizeof offer, MSG_NOSIGNAL) == sizeof offer ? 0 : -1;
}

void faulty_socket_free(faulty_socket *socket) {
  pthread_mutex_lock(&mutex);
  for (faulty_socket **link = &sockets; *link; link = &(*link)->next) {
    if (*link != socket) continue;
    *link = socket->next;
    break;
  }
  atomic_fetch_sub(&socket_count, 1);
  if (!socket->is_accepted) close(socket->descriptor);
  if (socket->offers >= 0) close(socket->offers);
  pthread_mutex_unlock(&mutex);
  free(socket);
}

void faulty_socket_fail(faulty_socket *socket, enum faulty_call call, int error, long after, long count) {
  pthread_mutex_lock(&mutex);
  socket->orders[call].error = error;
  socket->orders[call].after = after;
  socket->orders[call].count = count;
  pthread_mutex_unlock(&mutex);
}

void faulty_socket_shorten(faulty_socket *socket, unsigned most) {
  pthread_mutex_lock(&mutex);
  socket->most = most;
  pthread_mutex_unlock(&mutex);
}

static long read_count(const long *count) {
  pthread_mutex_lock(&mutex);
  long value = *count;
  pthread_mutex_unlock(&mutex);
  return value;
}

int faulty_socket_is_accepted(faulty_socket *socket) {
  pthread_mutex_lock(&mutex);
  int is_accepted = socket->is_accepted;
  pthread_mutex_unlock(&mutex);
  return is_accepted;
}

long faulty_socket_failures(faulty_socket *socket, enum faulty_call call) { return read_count(&socket->orders[call].failures); }
long faulty_socket_shortened(faulty_socket *socket) { return read_count(&socket->shortened); }
long faulty_socket_blocked(faulty_socket *socket) { return read_count(&socket->blocked); }
