// The floor: an epoll loop that answers every line with the same SIZE bytes and does nothing else.
//   floor SOCKET SIZE
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { EVENTS = 256, REPLIES = 128 };

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: floor SOCKET SIZE\n"), 2;
  size_t size = strtoul(argv[2], NULL, 10);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  unlink(argv[1]);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0), poller = epoll_create1(0);
  if (bind(listener, (void *)&address, sizeof address) || listen(listener, 4096)) return perror(argv[1]), 1;
  char *replies = malloc(size * REPLIES), input[65536];
  memset(replies, 'x', size * REPLIES);
  for (int i = 1; i <= REPLIES; i++) replies[i * size - 1] = '\n';
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    int ready = epoll_wait(poller, events, EVENTS, -1);
    for (int i = 0; i < ready; i++) {
      int peer = events[i].data.fd;
      if (peer == listener) {
        event.data.fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        epoll_ctl(poller, EPOLL_CTL_ADD, event.data.fd, &event);
        continue;
      }
      ssize_t length = recv(peer, input, sizeof input, 0);
      if (length <= 0) {
        close(peer);
        continue;
      }
      size_t owed = 0;
      for (char *p = input; (p = memchr(p, '\n', input + length - p)); p++) owed += size;
      while (owed) {
        ssize_t sent = send(peer, replies, owed < size * REPLIES ? owed : size * REPLIES, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) break;
        if (sent > 0) owed -= sent;
      }
    }
  }
}
