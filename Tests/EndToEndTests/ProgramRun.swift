import Foundation
import PlacesTesting

/// The output and exit status of a program.
struct ProgramRun {
  var exit: Int32
  var output: String
  var diagnostics: String

  /// Runs the program as it was built to its end, with `input` at its standard input.
  init(_ program: String, _ words: [String], environment: [String: String] = [:], input: String = "") async throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(try DaemonProcess.programs)/\(program)")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C"]) { $1 }.merging(environment) { $1 }
    let (output, diagnostics) = (try folder.write("", to: "out"), try folder.write("", to: "err"))
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: try folder.write(input, to: "in")))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: diagnostics))
    try process.run()
    try await eventually("the end of \(program) \(words)") { process.isRunning ? nil : () }
    exit = process.terminationStatus
    self.output = try String(contentsOfFile: output, encoding: .utf8)
    self.diagnostics = try String(contentsOfFile: diagnostics, encoding: .utf8)
  }
}
