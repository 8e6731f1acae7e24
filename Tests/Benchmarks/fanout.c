// What a program of its own would do with curl_multi: at each tick, one request to every URL at once, wait for
// all, note how long it took. Open loop at RATE requests a second for SECONDS; prints one JSON object.
//   fanout RATE SECONDS URL...
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_ROUNDS = 1 << 16, MOST_URLS = 64 };

struct round { double due; int missing; };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static size_t swallow(char *data, size_t size, size_t count, void *context) {
  (void)data, (void)context;
  return size * count;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: fanout RATE SECONDS URL...\n"), 2;
  double rate = atof(argv[1]), seconds = atof(argv[2]);
  static struct round rounds[MOST_ROUNDS];
  static double latencies[MOST_ROUNDS];
  static CURL *idle[1 << 14];
  int idle_count = 0, round_count = 0, finished = 0, running = 0, urls = argc - 3;
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 512L);
  double begin = now(), due = begin;
  while (now() < begin + seconds || finished < round_count) {
    for (; due <= now() && due < begin + seconds && round_count < MOST_ROUNDS; due += 1 / rate) {
      struct round *round = &rounds[round_count++];
      *round = (struct round){.due = due, .missing = urls};
      for (int i = 0; i < urls; i++) {
        CURL *easy = idle_count ? idle[--idle_count] : curl_easy_init();
        curl_easy_setopt(easy, CURLOPT_URL, argv[3 + i]);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, swallow);
        curl_easy_setopt(easy, CURLOPT_PRIVATE, round);
        curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
        curl_multi_add_handle(multi, easy);
      }
    }
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    for (int left; (message = curl_multi_info_read(multi, &left));) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL *easy = message->easy_handle;
      struct round *round;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &round);
      if (message->data.result != CURLE_OK) return fprintf(stderr, "%s\n", curl_easy_strerror(message->data.result)), 1;
      curl_multi_remove_handle(multi, easy);
      idle[idle_count++] = easy;
      if (!--round->missing) latencies[finished++] = (now() - round->due) * 1e6;
    }
    double wait = due < begin + seconds ? due - now() : 0.05;
    curl_multi_poll(multi, NULL, 0, wait > 0.001 ? (int)(wait * 1000) : 0, NULL);
  }
  qsort(latencies, finished, sizeof *latencies, ascending);
  printf("{\"rate\":%.0f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"max_us\":%.1f,\"replies\":%d}\n", finished / seconds, latencies[finished / 2],
         latencies[(int)(finished * .99)], latencies[finished - 1], finished);
}
