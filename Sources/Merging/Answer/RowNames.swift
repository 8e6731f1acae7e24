/// What rows are called on the wire: `r1` is the row under the number 1.
enum RowNames {
  /// To look up a short name is a tenth of making it.
  private static let first = (0...100).map { "r\($0)" }

  static func name(_ key: Int) -> String { first.indices.contains(key) ? first[key] : "r\(key)" }
}
