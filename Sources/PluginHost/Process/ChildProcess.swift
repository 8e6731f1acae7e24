import CSeccomp
import Glibc
import Synchronization

/// The program of a provider's process, and the limits of its resources.
struct LaunchSpecification: Sendable {
  /// The absolute path of the program, followed by its arguments.
  var arguments: [String]
  /// The files and folders that the process may read.
  var readablePaths: [String]
  /// The maximum number of bytes of memory that the process may write to.
  var memoryLimit: Int
  /// The maximum number of seconds of processor time that the process can accumulate. See `ProcessorAllowance`.
  var processorSeconds: Double
}

/// A provider's sandboxed process, with the daemon's ends of its pipes.
final class ChildProcess: LaunchedProcess {
  let id: pid_t
  /// Writes the process's standard input. Nothing else retains this pipe end, so closing it ends the input.
  private let input: LineWriter
  private let output: PipeEnd
  private let errors: PipeEnd
  /// The process's pidfd, which is readable once the process has ended.
  private let pidfd: PipeEnd
  /// The pipe that reports that the process runs its own program, or which step of the start failed.
  private let report: PipeEnd
  /// The descriptor from which the number of the process's threads is read; nil if the kernel does not provide it.
  private let statistics: PipeEnd?
  private let allowance: Mutex<ProcessorAllowance>
  private let specification: LaunchSpecification
  private let provider: String
  private let thread: PipeThread

  /// The maximum number of descriptors that a provider's process may have open. A process needs few, because the daemon sends its HTTP
  /// requests.
  static let maxDescriptors: UInt64 = 64

  /// The maximum number of threads of a provider's process: 64, and one for each processor, because Swift's runtime starts that many. The
  /// threads of all providers count against the daemon's own limit (TasksMax= of its unit).
  static let maxThreads = 64 + max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// Starts a process. It may not have executed its program yet when this function returns (see `waitForProgram`).
  /// - Parameters:
  ///   - provider: the id of the provider.
  ///   - thread: the thread that waits for the process's pipes and for its end.
  /// - Throws: `system` or `start`, with the step that failed.
  static func launch(
    _ specification: LaunchSpecification, as provider: String, on thread: PipeThread
  ) async throws(ProviderStartError) -> ChildProcess {
    try await PipeThread.starting.get().perform { () -> Result<ChildProcess, ProviderStartError> in
      let startedProcess = start(specification)
      if let step = startedProcess.step { return .failure(refusal(step, startedProcess.error, specification, provider)) }
      return .success(ChildProcess(startedProcess, specification, provider, thread))
    }.get()
  }

  func waitForProgram() async throws(ProviderStartError) {
    while await thread.wait(for: report.descriptor, .readable) == .ready {
      var step: UnsafePointer<CChar>?
      switch cseccomp_begun(report.descriptor, &step) {
      case 0: continue
      case 1:
        // If memory runs out, the kernel must kill this process before the daemon. The kernel allows this setting only until the process
        // hides its memory (`cseccomp_hide`), which it does at its first request.
        _ = cseccomp_prefer_for_oom_kill(id)
        return
      default: throw Self.refusal(step, errno, specification, provider)
      }
    }
  }

  private static func refusal(_ step: UnsafePointer<CChar>?, _ error: Int32, _ specification: LaunchSpecification, _ id: String)
    -> ProviderStartError
  {
    let failure = "\(step.map { String(cString: $0) } ?? "starting") failed: \(String(cString: strerror(error)))"
    return ProviderStartError(.start, id, "provider \(id): \(specification.arguments.first ?? "") cannot be started: \(failure)")
  }

  private static func start(_ specification: LaunchSpecification) -> cseccomp_process {
    var result = cseccomp_process()
    withCStrings(specification.arguments) { arguments in
      withCStrings(specification.readablePaths) { readablePaths in
        var launch = cseccomp_launch(
          arguments: arguments, readable: readablePaths, memory: UInt64(max(0, specification.memoryLimit)),
          processor: ProcessorAllowance(maximum: specification.processorSeconds).limit, descriptors: maxDescriptors)
        _ = cseccomp_start(&launch, &result)
      }
    }
    return result
  }

  private init(_ startedProcess: cseccomp_process, _ specification: LaunchSpecification, _ provider: String, _ thread: PipeThread) {
    self.specification = specification
    self.provider = provider
    self.thread = thread
    allowance = Mutex(ProcessorAllowance(maximum: specification.processorSeconds))
    id = startedProcess.process
    // If the process reads slowly, one line of the maximum length and 2 MiB of other lines may wait.
    input = LineWriter(PipeEnd(startedProcess.input), maxUnwritten: ProviderProtocol.maxLineFromDaemon + (2 << 20))
    output = PipeEnd(startedProcess.output)
    errors = PipeEnd(startedProcess.errors)
    pidfd = PipeEnd(startedProcess.pidfd)
    report = PipeEnd(startedProcess.report)
    statistics = startedProcess.statistics < 0 ? nil : PipeEnd(startedProcess.statistics)
  }

  func write(_ line: [UInt8]) -> Bool { input.write(line) }
  func drainInput() async { await input.drain(thread) }
  func closeInput() { input.close() }

  func readOutput() async -> [UInt8]? { await output.read(thread) }
  func readErrors() async -> [UInt8]? { await errors.read(thread) }

  func remainingErrors() -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(errors.descriptor, &piece, piece.count)
    return Array(piece.prefix(max(0, count)))
  }

  func hasEnded(within seconds: Double) async -> Bool {
    await thread.wait(for: pidfd.descriptor, .readable, limit: seconds, heedsCancellation: false) == .ready
  }

  func grantProcessorTime(forRequests requests: Int) {
    allowance.withLock { allowance in
      guard allowance.update(requests: requests, used: processorTime) else { return }
      _ = cseccomp_allow_processor_time(id, allowance.limit)
    }
  }

  var processorTimeLeft: Double { Double(allowance.withLock { $0.limit }) - processorTime }

  private var processorTime: Double { max(0, cseccomp_processor_time(id)) }

  var hasTooManyThreads: Bool { statistics.map { Int(cseccomp_threads($0.descriptor)) > Self.maxThreads } ?? false }

  func kill() { _ = cseccomp_kill(pidfd.descriptor) }

  func reap() -> ProcessEnd? {
    var status: Int32 = 0
    var signal: Int32 = 0
    guard cseccomp_reap(pidfd.descriptor, &status, &signal) == 1 else { return nil }
    return signal == 0 ? .exited(status: status) : .signalled(signal)
  }
}

/// Passes the strings as C strings, followed by a null pointer. They are valid during the call.
private func withCStrings<R>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R) -> R {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  let pointers = copies.map { UnsafePointer($0) } + [nil]
  return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
}
