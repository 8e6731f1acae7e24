/// The error for a parameter that is unknown, missing or invalid. The message never repeats the value.
public struct InvalidParameter: Error, Sendable, Hashable {
  /// The parameter's name in `params`.
  public var parameter: String
  /// One sentence with the problem and the allowed values.
  public var message: String

  public init(_ parameter: String, _ message: String) {
    self.parameter = parameter
    self.message = message
  }
}
