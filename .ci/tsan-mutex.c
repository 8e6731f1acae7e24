// Tells the thread sanitizer of what it cannot see: the slow half of Synchronization.Mutex (SE-0433) lies in Swift's own library,
// which is not instrumented, so that each lock that had to be waited for looks like a race. Preloaded by `make tsan`; the quick half
// is compiled into our code, where the sanitizer sees it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// _MutexHandle._lockSlow(_: UInt32)
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
METHOD void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK);
METHOD void lock_slow(uint32_t thread, SELF void *handle) {
  METHOD void (*own)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
  own(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

// _MutexHandle._unlockSlow()
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
METHOD void unlock_slow(SELF void *handle) __asm__(UNLOCK);
METHOD void unlock_slow(SELF void *handle) {
  METHOD void (*own)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(handle);
  own(handle);
}
