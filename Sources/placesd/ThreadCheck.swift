import Glibc

/// Checks before the start that the daemon can create its threads. If the system refuses a thread (RLIMIT_NPROC, a cgroup's pids.max), the
/// runtime's thread pool would wait forever for the thread to start.
enum ThreadCheck {
  /// The maximum number of threads that the daemon needs, including a few for provider processes. Two pools, the cooperative pool of
  /// Swift's runtime and that of `FairExecutor`, have a thread for each processor.
  static let requiredThreads = 16 + 2 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// The reason why the daemon cannot start; nil if it can create this many threads.
  static func failure(requiredThreads: Int = requiredThreads) -> String? {
    var threads: [pthread_t] = []
    let gate = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(gate, 0, 0)
    defer {
      for _ in threads { sem_post(gate) }
      for thread in threads { pthread_join(thread, nil) }
      sem_destroy(gate)
      gate.deallocate()
    }
    for _ in 0..<requiredThreads {
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { gate in
          if let gate { while sem_wait(gate.assumingMemoryBound(to: sem_t.self)) != 0, errno == EINTR {} }
          return nil
        }, gate)
      guard code == 0 else {
        return """
          only \(threads.count) of \(requiredThreads) threads can be created (\(String(cString: strerror(code)))): raise TasksMax= of the unit, or \
          the limit of processes (ulimit -u)
          """
      }
      threads.append(thread)
    }
    return nil
  }
}
