import PlacesKit

/// An RPC method: its name, its parameters and its result.
public protocol Method: Sendable {
  /// The decoded parameters. `schema` describes each one.
  associatedtype Parameters: Sendable
  associatedtype Result: MethodResult

  static var name: String { get }
  /// One sentence.
  static var summary: String { get }
  static var access: Access { get }
  static var schema: Schema<Parameters> { get }
  /// The shape of the result.
  static var reply: Shape { get }
}

/// The users who may call a method.
public enum Access: String, Sendable, Hashable, Codable, CaseIterable {
  /// Any local user; the method shows and changes only that user's data.
  case everybody
  /// Root, the daemon's own user, and members of `admin_group`.
  case administrator
}

/// The parameters of a method that has none.
public struct NoParameters: Sendable, Hashable {
  public init() {}
  static let schema = Schema(NoParameters(), [])
}

/// The result `{}`.
public struct Empty: MethodResult, Hashable {
  public init() {}
}
