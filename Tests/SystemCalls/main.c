// Starts a program under a filter of its system calls (seccomp(2)), which all its children inherit:
//
//     system-calls allow NAME,NAME,... PROGRAM ARGUMENT...
//
// Every other call fails with EPERM, as SystemCallFilter= and SystemCallErrorNumber=EPERM of a unit have it.
#define _GNU_SOURCE
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void give_up(const char *what) {
  fprintf(stderr, "system-calls: %s: %s\n", what, strerror(errno));
  exit(125);
}

// Adds a rule for each name of a list; names that this machine's kernel or library does not have are left out.
static void add(scmp_filter_ctx filter, uint32_t action, const char *list) {
  char *names = strdup(list), *rest = names;
  for (char *name; (name = strsep(&rest, ",")) != NULL;) {
    int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR) continue;
    int code = seccomp_rule_add(filter, action, call, 0);
    if (code < 0 && code != -EEXIST && code != -EDOM) {
      errno = -code;
      give_up(name);
    }
  }
  free(names);
}

int main(int count, char **words) {
  if (count < 4 || strcmp(words[1], "allow") != 0) {
    fprintf(stderr, "usage: system-calls allow NAMES PROGRAM ...\n");
    return 125;
  }
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) give_up("a filter");
  add(filter, SCMP_ACT_ALLOW, words[2]);
  int code = seccomp_load(filter);
  if (code < 0) {
    errno = -code;
    give_up("the filter");
  }
  execv(words[3], words + 3);
  give_up(words[3]);
}
