#define _GNU_SOURCE
#include "faulty_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A change that was not synchronized, with what it replaced.
struct change {
  struct change *earlier;
  char *path;
  int64_t size;  // of the file, before
  int64_t offset;
  int64_t length;
  char bytes[];
};

struct faulty_disk {
  struct faulty_disk *next;
  char *folder;
  int references;  // by the owner, and by each open file
  int operations, code;
  long after, count;
  uint64_t failing_part;
  int shortens;
  atomic_long counts[FAULTY_EVENTS];
  int is_stopping, is_stopped;
  long changes_left;
  uint64_t part;
  struct change *latest;
};

struct file {
  sqlite3_file base;
  faulty_disk *disk;
  const char *path;
  sqlite3_file real[];
};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs layer;
// Disks are made and used by several threads.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static faulty_disk *disks;

static sqlite3_file *real(sqlite3_file *file) { return ((struct file *)file)->real; }

static int fails(faulty_disk *disk, int operation) {
  if (!(disk->operations & operation) || disk->count <= 0) return 0;
  if (disk->after > 0) {
    disk->after--;
    return 0;
  }
  disk->count--;
  atomic_fetch_add(&disk->counts[FAULTY_FAILED], 1);
  return disk->code;
}

// The disk whose file this thread reads or writes, if its system calls are to transfer less than they could; otherwise null.
static _Thread_local faulty_disk *shortening;
// Counts the calls, of which some are interrupted.
static _Thread_local unsigned shortened_calls;

// The bytes of a system call for a file of the disk that this thread uses; 0 if the call is interrupted by a signal.
static size_t shorten(size_t count) {
  if (!shortening || count < 2) return count;
  atomic_fetch_add(&shortening->counts[FAULTY_SHORTENED], 1);
  if (++shortened_calls % 4 == 0) {
    errno = EINTR;
    return 0;
  }
  return 1 + count / 3;
}

static ssize_t short_pread(int file, void *bytes, size_t count, off64_t offset) {
  count = shorten(count);
  return count > 0 ? pread64(file, bytes, count, offset) : -1;
}

static ssize_t short_pwrite(int file, const void *bytes, size_t count, off64_t offset) {
  count = shorten(count);
  return count > 0 ? pwrite64(file, bytes, count, offset) : -1;
}

// Whether a change is made: 0 if it is, or the error. The part of a write that is made all the same is at `part`.
static int refuses(faulty_disk *disk, int operation, int64_t *part) {
  *part = 0;
  if (disk->is_stopped) return SQLITE_IOERR;
  if (disk->is_stopping && disk->changes_left-- <= 0) {
    disk->is_stopped = 1;
    *part = (int64_t)(disk->part >> 1);
    return SQLITE_IOERR;
  }
  int code = fails(disk, operation);
  if (code) *part = (int64_t)(disk->failing_part >> 1);
  return code;
}

// Keeps what a change replaces. An empty file is as good as none.
static void remember(struct file *file, int64_t offset, int64_t length) {
  sqlite3_int64 size = 0;
  if (real(&file->base)->pMethods->xFileSize(real(&file->base), &size) != SQLITE_OK) return;
  int64_t end = offset + length < size ? offset + length : size;
  int64_t kept = end > offset ? end - offset : 0;
  struct change *change = malloc(sizeof *change + (size_t)kept);
  if (!change) return;
  *change = (struct change){.earlier = file->disk->latest, .path = strdup(file->path), .size = size, .offset = offset, .length = kept};
  if (kept > 0) real(&file->base)->pMethods->xRead(real(&file->base), change->bytes, (int)kept, offset);
  file->disk->latest = change;
}

static void forget(faulty_disk *disk, const char *path) {
  for (struct change **link = &disk->latest; *link;) {
    struct change *change = *link;
    if (path && (!change->path || strcmp(change->path, path) != 0)) {
      link = &change->earlier;
      continue;
    }
    *link = change->earlier;
    free(change->path);
    free(change);
  }
}

// Under the mutex.
static void release(faulty_disk *disk) {
  if (--disk->references > 0) return;
  for (faulty_disk **link = &disks; *link; link = &(*link)->next) {
    if (*link != disk) continue;
    *link = disk->next;
    break;
  }
  forget(disk, NULL);
  free(disk->folder);
  free(disk);
}

static int file_close(sqlite3_file *file) {
  int code = real(file)->pMethods->xClose(real(file));
  pthread_mutex_lock(&mutex);
  release(((struct file *)file)->disk);
  pthread_mutex_unlock(&mutex);
  return code;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  faulty_disk *disk = ((struct file *)file)->disk;
  pthread_mutex_lock(&mutex);
  int code = fails(disk, FAULTY_READ);
  shortening = disk->shortens ? disk : NULL;
  pthread_mutex_unlock(&mutex);
  if (!code) code = real(file)->pMethods->xRead(real(file), bytes, count, offset);
  shortening = NULL;
  return code;
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  struct file *own = (struct file *)file;
  int64_t part;
  pthread_mutex_lock(&mutex);
  int code = refuses(own->disk, FAULTY_WRITE, &part);
  int made = code ? (int)(part % (count + 1)) : count;
  if (made > 0) {
    if (made < count) atomic_fetch_add(&own->disk->counts[FAULTY_TORN], 1);
    remember(own, offset, made);
    shortening = own->disk->shortens ? own->disk : NULL;
    int written = real(file)->pMethods->xWrite(real(file), bytes, made, offset);
    shortening = NULL;
    if (!code) code = written;
  }
  pthread_mutex_unlock(&mutex);
  return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int64_t part;
  pthread_mutex_lock(&mutex);
  int code = refuses(((struct file *)file)->disk, FAULTY_TRUNCATE, &part);
  if (!code) {
    remember((struct file *)file, size, 1 << 30);
    code = real(file)->pMethods->xTruncate(real(file), size);
  }
  pthread_mutex_unlock(&mutex);
  return code;
}

static int file_sync(sqlite3_file *file, int flags) {
  struct file *own = (struct file *)file;
  int64_t part;
  pthread_mutex_lock(&mutex);
  int code = refuses(own->disk, FAULTY_SYNC, &part);
  if (!code) forget(own->disk, own->path);
  pthread_mutex_unlock(&mutex);
  // The system's own synchronization would only take time.
  (void)flags;
  return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return real(file)->pMethods->xFileSize(real(file), size); }
static int file_lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int file_unlock(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int file_reserved(sqlite3_file *file, int *result) { return real(file)->pMethods->xCheckReservedLock(real(file), result); }
static int file_control(sqlite3_file *file, int code, void *value) { return real(file)->pMethods->xFileControl(real(file), code, value); }
static int file_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
// Nothing is promised of power losses that the layer does not keep.
static int file_traits(sqlite3_file *file) {
  (void)file;
  return 0;
}
static int file_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}
static int file_shared_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void file_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int file_unmap(sqlite3_file *file, int remove) { return real(file)->pMethods->xShmUnmap(real(file), remove); }

// Version 2: without memory maps of the file, which no layer can watch.
static const sqlite3_io_methods methods = {
    2,           file_close,    file_read,     file_write,   file_truncate, file_sync, file_size,        file_lock,    file_unlock,
    file_reserved, file_control, file_sector, file_traits, file_map,      file_shared_lock, file_barrier, file_unmap, 0, 0,
};

static faulty_disk *disk_of(const char *path) {
  for (faulty_disk *disk = disks; path && disk; disk = disk->next) {
    size_t length = strlen(disk->folder);
    if (strncmp(path, disk->folder, length) == 0 && path[length] == '/') return disk;
  }
  return NULL;
}

static int layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *flags_out) {
  (void)vfs;
  pthread_mutex_lock(&mutex);
  faulty_disk *disk = disk_of(path);
  int code = disk ? fails(disk, FAULTY_OPEN) : 0;
  // A stopped disk makes no file.
  if (disk && disk->is_stopped && access(path, F_OK) != 0) code = SQLITE_CANTOPEN;
  pthread_mutex_unlock(&mutex);
  if (!disk) return real_vfs->xOpen(real_vfs, path, file, flags, flags_out);
  file->pMethods = NULL;
  if (code) return code;
  struct file *own = (struct file *)file;
  own->disk = disk;
  own->path = path;
  code = real_vfs->xOpen(real_vfs, path, own->real, flags, flags_out);
  if (!own->real->pMethods) return code;
  file->pMethods = &methods;
  pthread_mutex_lock(&mutex);
  disk->references++;
  pthread_mutex_unlock(&mutex);
  return code;
}

static int layer_delete(sqlite3_vfs *vfs, const char *path, int synchronizes) {
  (void)vfs;
  pthread_mutex_lock(&mutex);
  faulty_disk *disk = disk_of(path);
  int64_t part;
  int code = disk ? refuses(disk, FAULTY_TRUNCATE, &part) : 0;
  if (disk && !code) forget(disk, path);
  pthread_mutex_unlock(&mutex);
  return code ? code : real_vfs->xDelete(real_vfs, path, disk ? 0 : synchronizes);
}

static int install_code = SQLITE_ERROR;

static void install(void) {
  if (sqlite3_initialize() != SQLITE_OK) return;
  real_vfs = sqlite3_vfs_find(NULL);
  if (!real_vfs) return;
  layer = *real_vfs;
  layer.pNext = NULL;
  layer.zName = "faulty";
  layer.szOsFile = (int)sizeof(struct file) + real_vfs->szOsFile;
  layer.xOpen = layer_open;
  layer.xDelete = layer_delete;
  real_vfs->xSetSystemCall(real_vfs, "pread64", (sqlite3_syscall_ptr)short_pread);
  real_vfs->xSetSystemCall(real_vfs, "pwrite64", (sqlite3_syscall_ptr)short_pwrite);
  install_code = sqlite3_vfs_register(&layer, 1);
}

int faulty_disk_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  return install_code;
}

faulty_disk *faulty_disk_create(const char *folder) {
  faulty_disk *disk = calloc(1, sizeof *disk);
  if (!disk) return NULL;
  disk->references = 1;
  disk->folder = strdup(folder);
  if (!disk->folder) {
    free(disk);
    return NULL;
  }
  pthread_mutex_lock(&mutex);
  disk->next = disks;
  disks = disk;
  pthread_mutex_unlock(&mutex);
  return disk;
}

void faulty_disk_free(faulty_disk *disk) {
  pthread_mutex_lock(&mutex);
  release(disk);
  pthread_mutex_unlock(&mutex);
}

void faulty_disk_fail(faulty_disk *disk, int operations, int code, long after, long count, uint64_t part) {
  pthread_mutex_lock(&mutex);
  disk->operations = operations;
  disk->code = code;
  disk->after = after;
  disk->count = count;
  disk->failing_part = part;
  pthread_mutex_unlock(&mutex);
}

void faulty_disk_shorten(faulty_disk *disk, int shortens) {
  pthread_mutex_lock(&mutex);
  disk->shortens = shortens;
  pthread_mutex_unlock(&mutex);
}

long faulty_disk_count(faulty_disk *disk, enum faulty_event event) { return atomic_load(&disk->counts[event]); }

void faulty_disk_stop(faulty_disk *disk, long after, uint64_t part) {
  pthread_mutex_lock(&mutex);
  disk->is_stopping = 1;
  disk->changes_left = after;
  disk->part = part;
  pthread_mutex_unlock(&mutex);
}

// Restores what a change replaced. True if it was restored.
static int revert(const struct change *change) {
  if (!change->path) return 0;
  int file = open(change->path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return 0;
  int is_restored = ftruncate(file, change->size) == 0
                    && (change->length == 0 || pwrite(file, change->bytes, (size_t)change->length, change->offset) == change->length);
  close(file);
  return is_restored;
}

void faulty_disk_lose_power(faulty_disk *disk, uint64_t seed) {
  pthread_mutex_lock(&mutex);
  for (struct change *change = disk->latest; change; change = change->earlier) {
    // A linear congruential generator (Knuth, MMIX).
    int keeps = seed != 0 && (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 63;
    if (keeps || revert(change)) atomic_fetch_add(&disk->counts[keeps ? FAULTY_KEPT : FAULTY_REVERTED], 1);
  }
  forget(disk, NULL);
  pthread_mutex_unlock(&mutex);
}

void faulty_disk_start(faulty_disk *disk) {
  pthread_mutex_lock(&mutex);
  disk->operations = disk->is_stopping = disk->is_stopped = 0;
  pthread_mutex_unlock(&mutex);
}
