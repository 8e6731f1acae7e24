// Sets the clocks of one program. Preloaded, with CLOCKS naming a file of two 64-bit numbers, it adds the first, in seconds, to the wall clock
// (CLOCK_REALTIME), and the second to the clock that cannot be set (CLOCK_BOOTTIME).
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t none[2], *ahead = none;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CLOCKS");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *page = mmap(NULL, sizeof none, PROT_READ, MAP_SHARED, file, 0);
  if (page != MAP_FAILED) ahead = page;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, clock, now);
  if (!result && clock == CLOCK_REALTIME) now->tv_sec += ahead[0];
  if (!result && clock == CLOCK_BOOTTIME) now->tv_sec += ahead[1];
  return result;
}
