/// The origin of a configuration value.
public struct Origin: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The path of a file, or a name such as `PLACES_SOCKET` or `default`.
  public var source: String
  /// The line, from 1; 0 for the whole source.
  public var line: Int
  /// The column in code points, from 1; 0 for the whole source.
  public var column: Int

  public static func file(_ path: String, line: Int = 0, column: Int = 0) -> Origin { Origin(source: path, line: line, column: column) }
  public static func environment(_ variable: String) -> Origin { Origin(source: "$" + variable, line: 0, column: 0) }
  public static func option(_ name: String) -> Origin { Origin(source: name, line: 0, column: 0) }
  /// The origin of a value that nobody set: the default.
  public static let standard = Origin(source: "default", line: 0, column: 0)

  /// `file:line:column`, as in compiler messages.
  public var description: String { line == 0 ? source : "\(source):\(line):\(column)" }

  public static func < (a: Origin, b: Origin) -> Bool { (a.source, a.line, a.column) < (b.source, b.line, b.column) }
}
