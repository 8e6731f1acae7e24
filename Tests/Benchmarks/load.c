// A load generator over a Unix stream socket that prints one JSON object.
//
//   load [-c connections] [-p pipeline] [-s seconds] [-r requests-a-second] [-n lines] [-l lines] [-i idle] SOCKET FILE
//
// FILE holds one request a line (or -n lines), used in turn. Without -r the loop is closed: each connection keeps PIPELINE requests under
// way. With -r it is open: requests start at their times whether or not earlier ones came back, and latency counts from the
// time a request should have started, so that a server that stalls cannot hide it. Between them the generator sleeps: one that
// looked at the clock without end would take a core from the server. A reply is one line, or -l lines. -i opens that many further
// connections which say nothing.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_UNDERWAY = 1024, EVENTS = 256 };

struct request {
  char *text;
  size_t length;
};

struct connection {
  int descriptor;
  unsigned underway, oldest, newest;  // a ring of start times
  int lines;                          // of the reply that is coming in
  char *waiting;                      // bytes that the socket did not take yet
  size_t waiting_length, waiting_capacity;
  long long started[MOST_UNDERWAY];
};

static struct request *requests;
static size_t request_count, next_request;
static double *latencies;
static size_t latency_count, latency_capacity;
static unsigned long long bytes_received;
static int lines_per_request = 1, lines_per_reply = 1;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void read_requests(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  char *line = NULL;
  size_t capacity = 0;
  for (ssize_t length, number = 0; (length = getline(&line, &capacity, file)) > 0; number++) {
    if (number % lines_per_request == 0) {
      requests = realloc(requests, ++request_count * sizeof *requests);
      requests[request_count - 1] = (struct request){NULL, 0};
    }
    struct request *r = &requests[request_count - 1];
    r->text = realloc(r->text, r->length + length);
    memcpy(r->text + r->length, line, length);
    r->length += length;
  }
  free(line);
  fclose(file);
  if (!request_count) fprintf(stderr, "%s holds no request\n", path), exit(2);
}

static int dial(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  // `tcp:PORT` is a port of this machine.
  int is_tcp = strncmp(path, "tcp:", 4) == 0, one = 1;
  struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons(is_tcp ? atoi(path + 4) : 0), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int descriptor = socket(is_tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) fail("socket");
  if (is_tcp) setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  for (int attempt = 0;
       is_tcp ? connect(descriptor, (void *)&port, sizeof port) : connect(descriptor, (void *)&address, sizeof address); attempt++) {
    if (errno != EAGAIN || attempt > 1000) fail("connect");
    usleep(1000);
  }
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  return descriptor;
}

// Sends what is waiting and then `text`; what does not fit waits.
static void push(struct connection *c, const char *text, size_t length) {
  if (!c->waiting_length && length) {
    ssize_t sent = send(c->descriptor, text, length, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) fail("send");
    if (sent > 0) text += sent, length -= sent;
  }
  if (length) {
    if (c->waiting_length + length > c->waiting_capacity)
      c->waiting = realloc(c->waiting, c->waiting_capacity = 2 * (c->waiting_length + length));
    memcpy(c->waiting + c->waiting_length, text, length);
    c->waiting_length += length;
  }
}

static void flush(struct connection *c) {
  if (!c->waiting_length) return;
  ssize_t sent = send(c->descriptor, c->waiting, c->waiting_length, MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN) fail("send");
  if (sent <= 0) return;
  memmove(c->waiting, c->waiting + sent, c->waiting_length -= sent);
}

static void start(struct connection *c, long long at) {
  struct request *r = &requests[next_request++ % request_count];
  c->started[c->newest++ % MOST_UNDERWAY] = at;
  c->underway++;
  push(c, r->text, r->length);
}

// Keeps a connection's pipeline full with one send for all.
static void fill(struct connection *c, unsigned pipeline) {
  static char batch[1 << 20];
  size_t length = 0;
  long long at = now();
  while (c->underway < pipeline) {
    struct request *r = &requests[next_request++ % request_count];
    if (length + r->length > sizeof batch) break;
    memcpy(batch + length, r->text, r->length);
    length += r->length;
    c->started[c->newest++ % MOST_UNDERWAY] = at;
    c->underway++;
  }
  push(c, batch, length);
}

static void note(double microseconds) {
  if (latency_count == latency_capacity)
    latencies = realloc(latencies, (latency_capacity = latency_capacity ? 2 * latency_capacity : 1 << 20) * sizeof *latencies);
  latencies[latency_count++] = microseconds;
}

static void receive(struct connection *c) {
  static char buffer[1 << 18];
  for (;;) {
    ssize_t length = recv(c->descriptor, buffer, sizeof buffer, 0);
    if (length < 0 && errno == EAGAIN) return;
    if (length < 0) fail("recv");
    if (!length) fprintf(stderr, "the server closed a connection\n"), exit(1);
    bytes_received += length;
    long long at = now();
    for (char *p = buffer; (p = memchr(p, '\n', buffer + length - p)); p++) {
      if (++c->lines < lines_per_reply) continue;
      c->lines = 0;
      note((at - c->started[c->oldest++ % MOST_UNDERWAY]) / 1e3);
      c->underway--;
    }
    if (length < (ssize_t)sizeof buffer) return;
  }
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  int connections = 8, pipeline = 1, idle = 0, option;
  double seconds = 2, rate = 0;
  while ((option = getopt(argc, argv, "c:p:s:r:n:l:i:")) != -1) {
    switch (option) {
      case 'c': connections = atoi(optarg); break;
      case 'p': pipeline = atoi(optarg); break;
      case 's': seconds = atof(optarg); break;
      case 'r': rate = atof(optarg); break;
      case 'n': lines_per_request = atoi(optarg); break;
      case 'l': lines_per_reply = atoi(optarg); break;
      case 'i': idle = atoi(optarg); break;
      default: return 2;
    }
  }
  if (argc - optind != 2 || connections < 1 || pipeline < 1 || pipeline > MOST_UNDERWAY)
    return fprintf(stderr, "usage: load [-c n] [-p n] [-s seconds] [-r rate] [-n lines] [-l lines] [-i idle] SOCKET FILE\n"), 2;
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  read_requests(argv[optind + 1]);

  int poller = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < idle; i++) dial(argv[optind]);
  struct connection *all = calloc(connections, sizeof *all);
  for (int i = 0; i < connections; i++) {
    all[i].descriptor = dial(argv[optind]);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    epoll_ctl(poller, EPOLL_CTL_ADD, all[i].descriptor, &event);
  }

  long long begin = now(), end = begin + (long long)(seconds * 1e9), due = begin;
  unsigned turn = 0, refused = 0;
  if (!rate)
    for (int i = 0; i < connections; i++) fill(&all[i], pipeline);
  struct epoll_event events[EVENTS];
  prctl(PR_SET_TIMERSLACK, 1);
  while (now() < end) {
    struct timespec patience = {.tv_nsec = 100000000};
    if (rate) {
      for (; due <= now(); due += (long long)(1e9 / rate)) {
        struct connection *c = &all[turn++ % connections];
        if (c->underway < MOST_UNDERWAY) start(c, due);
        else refused++;
      }
      long long left = due - now();
      if (left < patience.tv_nsec) patience.tv_nsec = left > 0 ? left : 0;
    }
    int ready = epoll_pwait2(poller, events, EVENTS, &patience, NULL);
    for (int i = 0; i < ready; i++) {
      struct connection *c = events[i].data.ptr;
      receive(c);
      if (!rate) fill(c, pipeline);
    }
    for (int i = 0; i < connections; i++) flush(&all[i]);
  }
  double elapsed = (now() - begin) / 1e9;
  if (!latency_count) return fprintf(stderr, "no reply came\n"), 1;
  qsort(latencies, latency_count, sizeof *latencies, ascending);
  printf("{\"connections\":%d,\"pipeline\":%d,\"rate\":%.0f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f,\"max_us\":%.1f,"
         "\"replies\":%zu,\"unsent\":%u,\"bytes\":%llu}\n",
         connections, pipeline, latency_count / elapsed, latencies[latency_count / 2], latencies[(size_t)(latency_count * .99)],
         latencies[(size_t)(latency_count * .999)], latencies[latency_count - 1], latency_count, refused, bytes_received);
}
