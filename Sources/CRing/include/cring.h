// io_uring(7) as an event loop wants it: sockets whose input is delivered, and descriptors that are watched. Behind liburing.
#ifndef CRING_H
#define CRING_H
#include <stdint.h>

/// The data of what nobody is told of; not to be given.
#define CRING_NOBODY UINT64_MAX

/// Touched by the thread that made it, and by no other.
typedef struct cring cring;

/// Something that has come about.
typedef struct {
  /// What was given when it was asked for.
  uint64_t data;
  /// Bytes received, 0 at the end of a stream; a watched descriptor's events; or an errno, negative.
  int32_t result;
  /// Whether more will come without being asked for again.
  uint16_t goes_on;
  /// Which buffer the bytes lie in, to be given back.
  uint16_t buffer;
  /// What was received; NULL where nothing was.
  const uint8_t *bytes;
} cring_event;

/// A ring with so many buffers of so many bytes each for what is received; the number is a power of two, at most 32,768. NULL with errno
/// where the kernel (before Linux 6.1), or who set up the machine, lends none.
cring *cring_make(unsigned buffers, unsigned bytes);
/// Ends everything that was asked for, some of it after this has returned.
void cring_free(cring *ring);

// What is asked for is passed to the kernel by the next `cring_wait`; -1 with errno where it takes no more.

/// Receives from a stream socket again and again, until an event says that it does not go on.
int cring_receive(cring *ring, int socket, uint64_t data);
/// Tells again and again that a descriptor has become readable.
int cring_watch(cring *ring, int descriptor, uint64_t data);
/// Ends what was asked for with this data, which tells so by a last event.
int cring_cancel(cring *ring, uint64_t data);
/// Waits until something has come about, or so many milliseconds; -1: for ever. -1 with errno where it failed.
int cring_wait(cring *ring, int milliseconds);
/// Takes up to `room` events, those that came first; returns how many.
unsigned cring_take(cring *ring, cring_event *events, unsigned room);
/// Gives the buffer of an event back.
void cring_give_back(cring *ring, unsigned buffer);
#endif
