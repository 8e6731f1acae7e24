// The number of threads of a process. The file in /proc is opened while the process is still a copy of the daemon. Later, only root may be
// able to open it, for example if /proc is mounted with hidepid=.
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
  // The number of threads is the 20th value (proc(5)). The second value is the program's name in parentheses, and the name may contain
  // any character. Therefore the search begins after the last closing parenthesis.
  char *value = strrchr(text, ')');
  for (int number = 2; value && number < 20; number++) value = strchr(value + 1, ' ');
  return value ? atoi(value) : -1;
}
