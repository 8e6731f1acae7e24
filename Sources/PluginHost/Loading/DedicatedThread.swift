import Glibc

/// Runs work that may wait for a broken disk for ever on a thread of its own: it must not block the threads of the cooperative pool, one per
/// core, or other work of this kind. Nil as soon as the task is cancelled; the thread then runs on until the disk responds.
func onDedicatedThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
  let (values, signal) = AsyncStream.makeStream(of: Value.self)
  let job = Unmanaged.passRetained(
    Job {
      signal.yield(work())
      signal.finish()
    })
  var thread = pthread_t()
  let result = pthread_create(
    &thread, nil,
    { argument in
      guard let argument else { return nil }
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().work()
      return nil
    }, job.toOpaque())
  if result == 0 {
    pthread_detach(thread)
  } else {
    // If no thread can be created, this thread does the work.
    job.takeRetainedValue().work()
  }
  for await value in values { return value }
  return nil
}

private final class Job: Sendable {
  let work: @Sendable () -> Void
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
