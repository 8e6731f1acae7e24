// Many clients, each with one request under way, that keep every reply.
//   swarm CONNECTIONS STAGGER SOCKET FILE
// Sends each line of FILE once; the connections begin STAGGER microseconds apart, so that not all requests end at the same moment.
// Prints a line for each reply: microseconds since its request was sent, a space, the reply. Ten seconds without one are a failure.
// The last line on standard error is what the machine itself took meanwhile: the microseconds by which a thread for each processor, before
// all others where the system allows it, overslept a millisecond at most.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 64, LONGEST_REPLY = 1 << 18, PATIENCE = 10000 };

struct connection {
  int descriptor;
  long long started;
  size_t length;
  char reply[LONGEST_REPLY];
};

static FILE *requests;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

// Gives 0 where no request is left.
static int send_next(struct connection *c) {
  static char *line;
  static size_t capacity;
  ssize_t length = getline(&line, &capacity, requests);
  if (length < 0) return 0;
  c->length = 0;
  c->started = now();
  if (send(c->descriptor, line, length, MSG_NOSIGNAL) != length) fail("send");
  return 1;
}

static long long overslept[64];

static void *sleeper(void *argument) {
  long number = (long)argument;
  cpu_set_t processor;
  CPU_ZERO(&processor);
  CPU_SET(number, &processor);
  pthread_setaffinity_np(pthread_self(), sizeof processor, &processor);
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &(struct sched_param){.sched_priority = 90});
  for (;;) {
    long long begin = now();
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    long long over = now() - begin - 1000;
    if (over > overslept[number]) overslept[number] = over;
  }
  return NULL;
}

int main(int argc, char **argv) {
  int count = argc == 5 ? atoi(argv[1]) : 0;
  if (count < 1) return fprintf(stderr, "usage: swarm CONNECTIONS STAGGER SOCKET FILE\n"), 2;
  long long stagger = atoll(argv[2]), begin = now();
  if (!(requests = fopen(argv[4], "r"))) fail(argv[4]);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, argv[3], sizeof address.sun_path - 1);
  struct connection *all = calloc(count, sizeof *all);
  int poller = epoll_create1(EPOLL_CLOEXEC), opened = 0, underway = 0;
  struct epoll_event events[EVENTS];
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (processors > 64) processors = 64;
  for (long number = 0; number < processors; number++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, sleeper, (void *)number)) fail("pthread_create");
  }
  while (opened < count || underway) {
    while (opened < count && begin + opened * stagger <= now()) {
      struct connection *c = &all[opened++];
      c->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (connect(c->descriptor, (void *)&address, sizeof address)) fail(argv[3]);
      struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
      epoll_ctl(poller, EPOLL_CTL_ADD, c->descriptor, &event);
      underway += send_next(c);
    }
    long long wait = opened < count ? begin + opened * stagger - now() : PATIENCE * 1000LL;
    struct timespec timeout = {.tv_sec = wait > 0 ? wait / 1000000 : 0, .tv_nsec = wait > 0 ? wait % 1000000 * 1000 : 0};
    int ready = epoll_pwait2(poller, events, EVENTS, &timeout, NULL);
    long long at = now();
    if (!ready && opened == count) return fprintf(stderr, "%d requests were lost\n", underway), 1;
    for (int i = 0; i < ready; i++) {
      struct connection *c = events[i].data.ptr;
      ssize_t length = recv(c->descriptor, c->reply + c->length, sizeof c->reply - c->length, 0);
      if (length <= 0) return fprintf(stderr, "the daemon closed a connection, or sent more than %d bytes\n", LONGEST_REPLY), 1;
      c->length += length;
      if (c->reply[c->length - 1] != '\n') continue;
      printf("%lld %.*s", at - c->started, (int)c->length, c->reply);
      underway--;
      underway += send_next(c);
    }
  }
  long long longest = 0;
  for (int number = 0; number < 64; number++)
    if (overslept[number] > longest) longest = overslept[number];
  fprintf(stderr, "%lld\n", longest);
}
