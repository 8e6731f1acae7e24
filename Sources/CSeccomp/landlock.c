// Restricts file access with Landlock. The system calls are made by number, because the C library has no functions for them.
#define _GNU_SOURCE
#include "cseccomp.h"

#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READ_FILE (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE)
#define READ (READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

// Allows the process to read and execute a file, or everything in a directory. Returns 0, or -1 with errno.
static int allow(int ruleset, const char *name) {
  int path = open(name, O_PATH | O_CLOEXEC);
  // A missing file needs no rule.
  if (path < 0) return 0;
  struct stat status;
  int folder = fstat(path, &status) == 0 && S_ISDIR(status.st_mode);
  struct landlock_path_beneath_attr rule = {.allowed_access = folder ? READ : READ_FILE, .parent_fd = path};
  int result = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  int error = errno;
  close(path);
  errno = error;
  return result;
}

static int landlock_version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int cseccomp_has_landlock(void) { return landlock_version() >= 0; }

int cseccomp_ruleset(const char *const *readable) {
  int version = landlock_version();
  // -2 if the kernel has no Landlock; -1 for any other error.
  if (version < 0) return errno == ENOSYS || errno == EOPNOTSUPP ? -2 : -1;
  struct landlock_ruleset_attr attributes = {
      .handled_access_fs = READ | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                           LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                           LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                           LANDLOCK_ACCESS_FS_MAKE_SYM,
  };
  if (version >= 2) attributes.handled_access_fs |= 1ull << 13;  // REFER: linking and renaming between folders
  if (version >= 3) attributes.handled_access_fs |= 1ull << 14;  // TRUNCATE
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
  if (ruleset < 0) return -1;
  for (; *readable; readable++) {
    if (allow(ruleset, *readable) == 0) continue;
    int error = errno;
    close(ruleset);
    errno = error;
    return -1;
  }
  return ruleset;
}
