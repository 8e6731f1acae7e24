// Lends no io_uring. Preloaded where a program runs in valgrind, which takes io_uring_enter(2) for a call that does not wait, and lets no
// other thread run meanwhile.
#include <errno.h>

int io_uring_queue_init_params(unsigned entries, void *ring, void *params) {
  (void)entries, (void)ring, (void)params;
  return -ENOSYS;
}
