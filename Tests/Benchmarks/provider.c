// A scripted HTTP provider: answers every request, after DELAY milliseconds, with the file BODY as JSON. Connections are kept.
//   provider PORT DELAY BODY [STATUS [COUNT]]        PORT 0 picks one; the port is printed. A DELAY below 0 never answers.
// Where a COUNT is given, only so many requests are worked on at once, the others wait. On SIGTERM the number of requests is printed.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 256, MOST_WAITING = 1 << 16 };

static struct { int descriptor; long long due; } waiting[MOST_WAITING];
static unsigned first, last;
static volatile sig_atomic_t is_ended;
static char *answer;
static size_t answer_length;

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static void end(int signal) {
  (void)signal;
  is_ended = 1;
}

static void read_answer(const char *path, int status) {
  FILE *file = fopen(path, "r");
  if (!file) perror(path), exit(1);
  static char body[1 << 20];
  size_t length = fread(body, 1, sizeof body, file);
  answer = malloc(length + 256);
  answer_length = sprintf(answer, "HTTP/1.1 %d Scripted\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", status, length);
  memcpy(answer + answer_length, body, length);
  answer_length += length;
}

int main(int argc, char **argv) {
  if (argc < 4 || argc > 6) return fprintf(stderr, "usage: provider PORT DELAY BODY [STATUS [COUNT]]\n"), 2;
  long long delay = atoll(argv[2]) * 1000;
  read_answer(argv[3], argc > 4 ? atoi(argv[4]) : 200);
  unsigned most = argc > 5 ? atoi(argv[5]) : MOST_WAITING;
  sigaction(SIGTERM, &(struct sigaction){.sa_handler = end}, NULL);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1, poller = epoll_create1(EPOLL_CLOEXEC);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(listener, (void *)&address, size) || listen(listener, 1024)) return perror("listen"), 1;
  getsockname(listener, (void *)&address, &size);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  static char input[1 << 16];
  while (!is_ended) {
    long long wait = first == last ? 1000000 : waiting[first % MOST_WAITING].due - now();
    struct timespec timeout = {.tv_sec = wait > 0 ? wait / 1000000 : 0, .tv_nsec = wait > 0 ? wait % 1000000 * 1000 : 0};
    int ready = epoll_pwait2(poller, events, EVENTS, &timeout, NULL);
    for (int i = 0; i < ready; i++) {
      int peer = events[i].data.fd;
      if (peer == listener) {
        event.data.fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        setsockopt(event.data.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        epoll_ctl(poller, EPOLL_CTL_ADD, event.data.fd, &event);
        continue;
      }
      ssize_t length = recv(peer, input, sizeof input - 1, 0);
      if (length <= 0) {
        close(peer);
        continue;
      }
      input[length] = 0;
      for (char *p = input; delay >= 0 && (p = strstr(p, "\r\n\r\n")); p += 4) {
        long long start = now();
        if (last >= most && waiting[(last - most) % MOST_WAITING].due > start) start = waiting[(last - most) % MOST_WAITING].due;
        waiting[last % MOST_WAITING].descriptor = peer;
        waiting[last++ % MOST_WAITING].due = start + delay;
      }
    }
    for (; first != last && waiting[first % MOST_WAITING].due <= now(); first++)
      send(waiting[first % MOST_WAITING].descriptor, answer, answer_length, MSG_NOSIGNAL);
  }
  printf("%u\n", last);
}
