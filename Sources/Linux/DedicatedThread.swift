import Glibc

/// Runs work that may wait forever for a broken disk on a new thread, so that it blocks neither the cooperative pool, which has one thread
/// for each core, nor other work of this kind. Returns nil as soon as the task is cancelled. The thread then continues until the work ends.
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

/// Starts a thread that runs the work with all signals blocked. Returns false if no thread can be created.
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

/// Holds a closure, so that the pointer argument of pthread_create(3) can refer to it.
private final class ThreadJob: Sendable {
  let work: @Sendable () -> Void
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
