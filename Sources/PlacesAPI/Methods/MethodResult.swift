import PlacesKit

/// The result of a method. Clients decode it with Codable; the daemon encodes it with `write`. Types of results that are sent often
/// implement `write`; the others use the default implementation, which is slower.
public protocol MethodResult: Sendable, Codable {
  func write(to writer: inout JSONWriter)
}

extension MethodResult {
  /// Encodes with Codable, for results whose speed does not matter.
  public func write(to writer: inout JSONWriter) {
    // The members are sorted by their keys, because Swift's dictionaries have another order in each process. Every value in a result can
    // be encoded as JSON, so an error here is a bug in the result's `encode(to:)`.
    let value = try? JSONValue(parsing: json(), limits: .trusted)
    writer.value(value?.withSortedKeys ?? .null)
  }

  /// The result as JSON on one line.
  public var bytes: [UInt8] {
    var writer = JSONWriter(reserving: 2_048)
    write(to: &writer)
    return writer.bytes
  }
}

extension JSONValue: MethodResult {
  public func write(to writer: inout JSONWriter) { writer.value(self) }
}
