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

  /// Accepts a whole line for its standard input, or nothing. Returns false if too many bytes already wait, or if the input is closed.
  func write(_ line: [UInt8]) -> Bool
  /// Writes accepted bytes that did not fit into the pipe; runs until the input is closed or the task cancelled.
  func drainInput() async
  /// Ends its standard input.
  func closeInput()

  /// The bytes that have arrived; waits if there are none. Nil at the end of the stream, or once the task is cancelled.
  func readOutput() async -> [UInt8]?
  func readErrors() async -> [UInt8]?
  /// Up to 64 KiB of its standard error that have arrived; does not wait.
  func remainingErrors() -> [UInt8]

  /// Raises its limit of processor time.
  /// - Parameter requests: the number of requests that were sent to the process since its start.
  func allow(requests: Int)
  /// The remaining seconds of processor time; negative if the process ignores SIGXCPU.
  var processorTimeLeft: Double { get }
  /// True if it has more threads than it may.
  var hasTooManyThreads: Bool { get }

  func kill()
  /// Waits for its end, for at most this many seconds, also in a cancelled task. Returns true if the process has ended.
  func hasEnded(within seconds: Double) async -> Bool
  /// Removes it from the system's table of processes and returns how it ended; nil while it runs.
  func reap() -> ProcessEnd?
}
