import Foundation

/// The system's unit of the daemon, as the package installs it.
enum ServiceUnit {
  private struct Failure: Error, CustomStringConvertible { let description: String }

  private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../etc/systemd/system/placesd.service").path

  /// The names of `SystemCallFilter=`, separated by commas.
  static let allowedSystemCalls = Result<String, any Error> {
    let prefix = "SystemCallFilter="
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix(prefix) }
    let names = lines.flatMap { $0.dropFirst(prefix.count).split(separator: " ") }
    guard names.count > 100, names.allSatisfy({ $0.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" } }) else {
      throw Failure(description: "\(path) does not list single system calls, which these tests could allow")
    }
    return names.joined(separator: ",")
  }
}
