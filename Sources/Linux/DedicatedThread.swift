import Glibc

/// Runs work on a new thread, because the work may wait forever for a broken disk. It must block neither the cooperative pool, which has
/// one thread for each core, nor other work of this kind. Returns nil as soon as the task is cancelled. The thread then continues until the
/// disk responds.
public func onDedicatedThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
  let (values, signal) = AsyncStream.makeStream(of: Value.self)
  let job: @Sendable () -> Void = {
    signal.yield(work())
    signal.finish()
  }
  // If no thread can be created, the calling thread does the work.
  if !startThread(job) { job() }
  for await value in values { return value }
  return nil
}

/// Starts a thread that does the work with all signals blocked, and then ends. Returns false if no thread can be created.
public func startThread(_ work: @escaping @Sendable () -> Void) -> Bool {
  let job = Unmanaged.passRetained(ThreadJob(work))
  var thread = pthread_t()
  let result = pthread_create(
    &thread, nil,
    { argument in
      guard let argument else { return nil }
      var allSignals = sigset_t()
      sigfillset(&allSignals)
      pthread_sigmask(SIG_SETMASK, &allSignals, nil)
      Unmanaged<ThreadJob>.fromOpaque(argument).takeRetainedValue().work()
      return nil
    }, job.toOpaque())
  guard result == 0 else {
    job.release()
    return false
  }
  pthread_detach(thread)
  return true
}

private final class ThreadJob: Sendable {
  let work: @Sendable () -> Void
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
