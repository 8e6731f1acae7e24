import Glibc

@testable import PluginHost

/// A process for tests. It accepts every line, writes no errors and stays within its limits; a test implements the rest.
protocol InertProcess: LaunchedProcess {}

extension InertProcess {
  var id: pid_t { 1 }
  func write(_ line: [UInt8]) -> Bool { true }
  func drainInput() async {}
  func closeInput() {}
  func readErrors() async -> [UInt8]? { nil }
  func remainingErrors() -> [UInt8] { [] }
  func grantProcessorTime(forRequests requests: Int) {}
  var processorTimeLeft: Double { .infinity }
  var hasTooManyThreads: Bool { false }
  func kill() {}
}
