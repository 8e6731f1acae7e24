import Glibc

/// A failed system call: the operation, its subject, and errno.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operation, such as `bind`.
  public var operation: String
  /// The object of the operation, such as a path; may be empty.
  public var subject: String
  /// The value of errno.
  public var code: Int32

  public init(_ operation: String, _ subject: String = "", code: Int32 = errno) {
    self.operation = operation
    self.subject = subject
    self.code = code
  }

  /// The reason in a few words, such as `Permission denied`.
  public var reason: String {
    // A Unix socket's path has at most 107 bytes. `ListeningSocket` binds a temporary path, whose suffix `.new` needs four of them.
    if code == ENAMETOOLONG, ["bind", "connect to"].contains(operation) {
      return "a socket's path has at most 103 bytes: choose a shorter one"
    }
    return strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  /// `cannot bind /run/x: Permission denied`
  public var description: String {
    "cannot \(operation)\(subject.isEmpty ? "" : " \(subject)"): \(reason)"
  }

  /// Returns the call's result, or throws if it is negative.
  static func check(_ result: Int32, _ operation: String, _ subject: String = "") throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(operation, subject) }
    return result
  }
}
