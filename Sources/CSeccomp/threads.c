// The number of threads of a process. Its file is opened while the process is still a copy of the daemon: later, only root may be able to
// open it (a process that is not dumpable, and hidepid=).
#define _GNU_SOURCE
#include "cseccomp.h"

#include "private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cseccomp_open_statistics(pid_t process) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  return open(path, O_RDONLY | O_CLOEXEC);
}

int cseccomp_threads(int statistics) {
  char text[1024];
  ssize_t count = pread(statistics, text, sizeof text - 1, 0);
  if (count <= 0) return -1;
  text[count] = 0;
  // proc(5): the number of threads is the 20th value, and the second value, the program's name in brackets, may contain any character.
  char *place = strrchr(text, ')');
  for (int value = 2; place && value < 20; value++) place = strchr(place + 1, ' ');
  return place ? atoi(place) : -1;
}
