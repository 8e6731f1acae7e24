import PlacesKit

/// `places.choices.list`: the caller's learned choices. A choice is a place that the user selected for a typed text.
public enum ChoicesList: Method {
  public static let name = "places.choices.list"
  public static let summary = "Lists the caller's learned choices, latest first."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record("Choices", "Learned choices.", [.required("choices", .list(.choice), "The choices, latest first.")]))

  public struct Parameters: Sendable, Hashable {
    public var limit = 100
    public init() {}
  }

  public static let schema: Schema<Parameters> = {
    let blank = Parameters()
    return Schema(blank, [.withDefault("limit", \.limit, .integer(1...1_000), blank.limit, "The maximum number of choices.")])
  }()

  public struct Result: MethodResult, Hashable {
    public var choices: [Choice]
    public init(choices: [Choice]) { self.choices = choices }
  }

  /// A place, and the typed text for which the user chose it.
  public struct Choice: Sendable, Hashable, Codable {
    public var id: PlaceID
    /// The first letters of the typed text, folded.
    public var text: String
    /// The sum over all choices of the place for this text. A choice counts 1 at first, and half as much after every thirty days.
    public var weight: Double
    /// The time of the last choice; RFC 3339, UTC.
    public var at: String

    public init(id: PlaceID, text: String, weight: Double, at: String) {
      self.id = id
      self.text = text
      self.weight = weight
      self.at = at
    }
  }
}

/// `places.choices.forget`: removes learned choices of the caller.
public enum ChoicesForget: Method {
  public static let name = "places.choices.forget"
  public static let summary = "Removes learned choices of the caller: those of one place, or all."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record(
      "ForgottenChoices", "The number of removed choices.", [.required("choices", .integer, "The number of choices that were removed.")]))

  public struct Parameters: Sendable, Hashable {
    /// The place whose choices are removed; nil if `all` is true.
    public var id: PlaceID?
    /// True if all choices of the caller are removed.
    public var all: Bool

    /// Selects all choices.
    public init() { all = true }

    /// Selects the choices of one place.
    public init(id: PlaceID) {
      self.id = id
      all = false
    }

    /// Parameters with neither `id` nor `all`, from which decoding starts. They are invalid unless the request sets one of them.
    fileprivate static var unset: Parameters {
      var parameters = Parameters()
      parameters.all = false
      return parameters
    }
  }

  public static let schema = Schema(
    Parameters.unset,
    [
      .optional("id", \.id, .placeID, "The place whose choices are removed."),
      .withDefault("all", \.all, .boolean, false, "Whether all choices of the caller are removed."),
    ]
  ) { (parameters) throws(InvalidParameter) in
    guard (parameters.id != nil) != parameters.all else {
      throw InvalidParameter("id", "`id` or `all`: give one of them")
    }
  }

  public struct Result: MethodResult, Hashable {
    /// The number of removed choices.
    public var choices: Int
    public init(choices: Int) { self.choices = choices }
  }
}
