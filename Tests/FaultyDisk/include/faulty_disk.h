// A layer between SQLite and the system's files (https://www.sqlite.org/vfs.html) that fails on demand: errors at chosen operations, the end of
// the process at a chosen change, and a loss of power, which takes back changes that were not synchronized.
#pragma once
#include <stdint.h>

// The files of one folder.
typedef struct faulty_disk faulty_disk;

enum faulty_operation {
  FAULTY_READ = 1,
  FAULTY_WRITE = 2,
  FAULTY_SYNC = 4,
  FAULTY_TRUNCATE = 8,
  FAULTY_OPEN = 16,
};

// Makes the layer SQLite's default; files outside the folders of all disks are passed through. Returns a result code of SQLite. May be called
// any number of times.
int faulty_disk_install(void);

// Any number of disks may exist. Null if there is no memory.
faulty_disk *faulty_disk_create(const char *folder);
// The disk goes when its last file is closed.
void faulty_disk_free(faulty_disk *disk);

// Lets `count` of the operations in the mask fail with a result code of SQLite, after `after` of them have succeeded. Of a write that fails,
// only a part is made, whose length `part` decides. Replaces earlier orders.
void faulty_disk_fail(faulty_disk *disk, int operations, int code, long after, long count, uint64_t part);

// If true, the system calls that read and write files transfer less than they could, or are interrupted by signals.
void faulty_disk_shorten(faulty_disk *disk, int shortens);

// What a disk counts.
enum faulty_event {
  FAULTY_SHORTENED,  // system calls that were shortened or interrupted
  FAULTY_FAILED,     // operations that failed as `faulty_disk_fail` ordered
  FAULTY_TORN,       // writes of which only a part was made
  FAULTY_REVERTED,   // changes that a loss of power took back
  FAULTY_KEPT,       // changes that a loss of power spared although they were not synchronized
  FAULTY_EVENTS,
};

// The number of such events since the disk was created.
long faulty_disk_count(faulty_disk *disk, enum faulty_event event);

// The process ends at the change that follows `after` more changes: of that change, a write, only a part is made, whose length `part` decides;
// from then on nothing changes any more.
void faulty_disk_stop(faulty_disk *disk, long after, uint64_t part);

// After all files were closed: takes back changes that were not synchronized, the latest first, except those whose bit in the sequence of this
// seed is set; all of them if the seed is 0.
void faulty_disk_lose_power(faulty_disk *disk, uint64_t seed);

// The disk works again, without faults.
void faulty_disk_start(faulty_disk *disk);
