import Glibc
import PlacesKit
import RequestParsers
import ResponseParsers

// Clang's fuzzer (libFuzzer) holds the main program and calls this for each input: see `.ci/fuzz`. PLACES_PARSER names the parser. A
// failure ends the program with a message, and the fuzzer stores the input.

/// True for the parser of requests to the gateway; all others parse answers of services.
private let readsRequests = getenv("PLACES_PARSER").map { String(cString: $0) == RequestParser.name } ?? false

private let parser = getenv("PLACES_PARSER").flatMap { name in ResponseParser.all.first { $0.name == String(cString: name) } }

/// The maximum processor time of a parser for one input.
private let maxSeconds = 0.1

@_cdecl("LLVMFuzzerTestOneInput") public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  if readsRequests {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let start = processorTime()
    if let fault = RequestParser.fault(input) { fail("\(RequestParser.name) gave \(fault)") }
    if processorTime() - start > maxSeconds { fail("\(RequestParser.name) took \(processorTime() - start) s") }
    return 0
  }
  guard let parser else { fail("PLACES_PARSER must be one of \(ResponseParser.all.map(\.name).joined(separator: ", "))") }
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  var seconds = time(parser, input)
  // A second time where the first was slow: that may have loaded the tables of a charset.
  if seconds > maxSeconds { seconds = time(parser, input) }
  if seconds > maxSeconds { fail("\(parser.name) took \(seconds) s") }
  return 0
}

/// Parses the input and returns the seconds that it took.
private func time(_ parser: ResponseParser, _ input: [UInt8]) -> Double {
  let start = processorTime()
  let result = Here.run { await parser.read(input) }
  let seconds = processorTime() - start
  if case .success(let outcome) = result, let fault = outcome.fault { fail("\(parser.name) gave \(fault)") }
  return seconds
}

/// Optimised code drops the messages of preconditions.
private func fail(_ message: String) -> Never {
  let line = Array((message + "\n").utf8)
  write(2, line, line.count)
  abort()
}

private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Runs tasks on the thread that makes them, until they are done: no parser suspends, and a hop to the pool and back would cost more than
/// parsing most inputs.
private final class Here: TaskExecutor {
  private static let executor = Here()

  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }

  static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let result = Box<Value>()
    // A boundary with C: the fuzzer's loop is not a task.
    Task(name: "one input", executorPreference: executor) { result.value = await body() }
    guard let value = result.value else { fail("a parser waited for something") }
    return value
  }

  /// `@unchecked Sendable`: used by one thread, the fuzzer's.
  private final class Box<Value>: @unchecked Sendable { var value: Value? }
}
