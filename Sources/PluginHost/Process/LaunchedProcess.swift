import Glibc

/// A provider's process, as `ProviderProcess` uses it: a `ChildProcess`, or in a test a simulated process whose behaviour a seed
/// determines.
///
/// One task reads the output, another reads the standard error, and a third writes the input.
protocol LaunchedProcess: Sendable {
  var id: pid_t { get }

  /// Waits until the process executes its program, or until the task is cancelled.
  /// - Throws: `start`, with the step that failed.
  func waitForProgram() async throws(ProviderStartError)

  /// Accepts a whole line for the process's standard input, or nothing. Returns false if too many bytes already wait, or if the input is
  /// closed.
  func write(_ line: [UInt8]) -> Bool
  /// Writes accepted bytes that did not fit into the pipe; runs until the input is closed or the task cancelled.
  func drainInput() async
  /// Closes the process's standard input.
  func closeInput()

  /// The bytes of the standard output that have arrived; waits if there are none. Nil at the end of the stream, or once the task is
  /// cancelled.
  func readOutput() async -> [UInt8]?
  /// The same for the standard error.
  func readErrors() async -> [UInt8]?
  /// At most 64 KiB of the standard error that have arrived; does not wait.
  func remainingErrors() -> [UInt8]

  /// Raises the process's limit of processor time.
  /// - Parameter requests: the number of requests that were sent to the process since its start.
  func grantProcessorTime(forRequests requests: Int)
  /// The remaining seconds of processor time; negative if the process ignores SIGXCPU.
  var processorTimeLeft: Double { get }
  /// True if the process has more threads than allowed.
  var hasTooManyThreads: Bool { get }

  func kill()
  /// Waits until the process ends, for at most this many seconds, even in a cancelled task. Returns true if the process has ended.
  func hasEnded(within seconds: Double) async -> Bool
  /// Removes the ended process from the kernel's table of processes, and returns how it ended; nil if it still runs.
  func reap() -> ProcessEnd?
}
