// The processor time that a process has used, and the limit of it.
#define _GNU_SOURCE
#include "cseccomp.h"

#include <sys/resource.h>
#include <time.h>

double cseccomp_processor_time(pid_t process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) < 0) return -1;
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int cseccomp_allow_processor_time(pid_t process, uint64_t seconds) {
  struct rlimit limit;
  if (prlimit(process, RLIMIT_CPU, NULL, &limit) < 0) return -1;
  limit.rlim_cur = seconds < limit.rlim_max ? seconds : limit.rlim_max;
  return prlimit(process, RLIMIT_CPU, &limit, NULL);
}
