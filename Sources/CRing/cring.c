#include "cring.h"

#include <errno.h>
#include <liburing.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>

struct cring {
  struct io_uring ring;
  struct io_uring_buf_ring *free;
  uint8_t *bytes;
  unsigned buffers, size;
};

enum {
  ASKED_AT_ONCE = 256,
  EVENTS_AT_ONCE = 2048,
  BUFFER_GROUP = 0,
};

static void *pages(size_t count) {
  void *memory = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static int lend_buffers(cring *ring) {
  ring->free = pages(ring->buffers * sizeof(struct io_uring_buf));
  ring->bytes = pages((size_t)ring->buffers * ring->size);
  if (!ring->free || !ring->bytes) return -ENOMEM;
  struct io_uring_buf_reg group = {.ring_addr = (uintptr_t)ring->free, .ring_entries = ring->buffers, .bgid = BUFFER_GROUP};
  int result = io_uring_register_buf_ring(&ring->ring, &group, 0);
  if (result < 0) return result;
  io_uring_buf_ring_init(ring->free);
  for (unsigned buffer = 0; buffer < ring->buffers; buffer++) cring_give_back(ring, buffer);
  return 0;
}

cring *cring_make(unsigned buffers, unsigned bytes) {
  cring *ring = calloc(1, sizeof *ring);
  if (!ring) return NULL;
  ring->buffers = buffers;
  ring->size = bytes;
  // Completions are made by the thread that waits for them, while it waits: nothing interrupts it, and it alone touches the ring.
  struct io_uring_params wanted = {
    .flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_CQSIZE | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_CLAMP,
    .cq_entries = EVENTS_AT_ONCE,
  };
  int result = io_uring_queue_init_params(ASKED_AT_ONCE, &ring->ring, &wanted);
  if (result < 0) {
    free(ring);
    return errno = -result, NULL;
  }
  // To receive again and again, into buffers that are lent, is of Linux 6.0: a kernel that knows the flags above, of 6.1, knows it.
  result = lend_buffers(ring);
  if (result < 0) {
    cring_free(ring);
    return errno = -result, NULL;
  }
  return ring;
}

void cring_free(cring *ring) {
  io_uring_queue_exit(&ring->ring);
  if (ring->free) munmap(ring->free, ring->buffers * sizeof(struct io_uring_buf));
  if (ring->bytes) munmap(ring->bytes, (size_t)ring->buffers * ring->size);
  free(ring);
}

// Where the entry is written; NULL with errno where the kernel takes none.
static struct io_uring_sqe *ask(cring *ring, uint64_t data) {
  struct io_uring_sqe *entry = io_uring_get_sqe(&ring->ring);
  if (!entry) {
    int result = io_uring_submit(&ring->ring);
    if (result < 0) return errno = -result, NULL;
    entry = io_uring_get_sqe(&ring->ring);
  }
  if (!entry) return errno = EBUSY, NULL;
  io_uring_sqe_set_data64(entry, data);
  return entry;
}

int cring_receive(cring *ring, int socket, uint64_t data) {
  struct io_uring_sqe *entry = ask(ring, data);
  if (!entry) return -1;
  io_uring_prep_recv_multishot(entry, socket, NULL, 0, 0);
  entry->flags |= IOSQE_BUFFER_SELECT;
  entry->buf_group = BUFFER_GROUP;
  return 0;
}

int cring_watch(cring *ring, int descriptor, uint64_t data) {
  struct io_uring_sqe *entry = ask(ring, data);
  if (!entry) return -1;
  io_uring_prep_poll_multishot(entry, descriptor, POLLIN);
  return 0;
}

int cring_cancel(cring *ring, uint64_t data) {
  struct io_uring_sqe *entry = ask(ring, CRING_NOBODY);
  if (!entry) return -1;
  io_uring_prep_cancel64(entry, data, 0);
  return 0;
}

int cring_wait(cring *ring, int milliseconds) {
  struct __kernel_timespec limit = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000LL};
  struct io_uring_cqe *first;
  int result = io_uring_submit_and_wait_timeout(&ring->ring, &first, 1, milliseconds < 0 ? NULL : &limit, NULL);
  if (result >= 0 || result == -ETIME || result == -EINTR) return 0;
  return errno = -result, -1;
}

unsigned cring_take(cring *ring, cring_event *events, unsigned room) {
  unsigned head, seen = 0, count = 0;
  struct io_uring_cqe *entry;
  io_uring_for_each_cqe(&ring->ring, head, entry) {
    if (count == room) break;
    seen++;
    if (entry->user_data == CRING_NOBODY) continue;
    cring_event *event = &events[count++];
    *event = (cring_event){.data = entry->user_data, .result = entry->res, .goes_on = !!(entry->flags & IORING_CQE_F_MORE)};
    if (!(entry->flags & IORING_CQE_F_BUFFER)) continue;
    event->buffer = entry->flags >> IORING_CQE_BUFFER_SHIFT;
    event->bytes = ring->bytes + (size_t)event->buffer * ring->size;
  }
  io_uring_cq_advance(&ring->ring, seen);
  return count;
}

void cring_give_back(cring *ring, unsigned buffer) {
  io_uring_buf_ring_add(
    ring->free, ring->bytes + (size_t)buffer * ring->size, ring->size, buffer, io_uring_buf_ring_mask(ring->buffers), 0);
  io_uring_buf_ring_advance(ring->free, 1);
}
