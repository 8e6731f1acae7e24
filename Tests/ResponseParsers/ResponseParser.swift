import PlacesKit
import Synchronization

/// One provider's parser of the answers to one call, for the fuzzer and for the replay of its corpus.
public struct ResponseParser: Sendable {
  /// The texts and positions that a call gave.
  public struct Outcome: Sendable {
    var suggestions: [Suggestion] = []
    var places: [Place] = []
    var status: String?
  }

  /// Such as `google.search`; also the name of its corpus.
  public let name: String
  private let answered: @Sendable (HTTPResponse) async throws(ProviderError) -> Outcome

  init(
    _ name: String, _ type: any Provider.Type, settings: [String: JSONValue] = [:],
    _ call: @escaping @Sendable (any Provider) async throws(ProviderError) -> Outcome
  ) {
    self.name = name
    let answer = Answer()
    let context = ProviderContext(
      id: "parser", settings: settings, baseURL: "http://127.0.0.1:1", http: { _ in answer.response.withLock { $0 } }, storage: answer,
      log: { _, _ in }, now: { 1_800_000_000 })
    answered = { (response) throws(ProviderError) in
      answer.response.withLock { $0 = response }
      return try await call(try await type.init(context: context))
    }
  }

  /// A parser that belongs to no provider.
  init(_ name: String, response read: @escaping @Sendable (HTTPResponse) async throws(ProviderError) -> Outcome) {
    self.name = name
    answered = read
  }

  /// A parser of a field's value, which the body of the input is.
  init(_ name: String, read: @escaping @Sendable (String) -> Outcome) {
    self.name = name
    answered = { (response) throws(ProviderError) in read(String(decoding: response.body, as: UTF8.self)) }
  }

  /// Reads one input: `STATUS CONTENT-TYPE`, a line break, and the body, so that a corpus can be read by people and the fuzzer changes
  /// statuses and charsets too.
  public func read(_ input: [UInt8]) async -> Result<Outcome, ProviderError> {
    let line = input.prefix { $0 != 0x0A }
    let words = line.split(separator: 0x20, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
    let response = HTTPResponse(
      status: words.first.flatMap { Int($0) } ?? 200, headers: words.count > 1 ? [.init("content-type", words[1])] : [],
      body: Array(input.dropFirst(line.count + 1)))
    do throws(ProviderError) { return .success(try await answered(response)) } catch { return .failure(error) }
  }
}

extension ResponseParser.Outcome {
  /// The first violation of PlacesKit's contract, for any answer of a service; nil if there is none.
  public var fault: String? {
    for row in suggestions {
      for text in [row.text, row.primary, row.secondary].compactMap({ $0 }) where !text.isSound { return "a text with marks outside of it" }
      if row.text.text.isEmpty { return "a row without text" }
      if row.kind == .place, row.id?.isEmpty ?? true { return "a place without an id" }
      if let importance = row.importance, !(0...1).contains(importance) { return "an importance of \(importance)" }
      if let location = row.location, !location.isOnEarth { return "a location that is nowhere" }
    }
    for place in places {
      if place.id.isEmpty { return "a place without an id" }
      if let (field, value) = place.values.first(where: { !$0.key.accepts($0.value) }) { return "\(field.rawValue): \(value.text)" }
      if let location = place.location, !location.isOnEarth { return "a location that is nowhere" }
    }
    return nil
  }
}

extension ResponseParser.Outcome: CustomStringConvertible {
  /// One line for people and golden tests: each row with its id, text, marks, types, place and credits.
  public var description: String {
    let rows = suggestions.map { row in
      let marks = row.text.matches.map { "\($0.start)-\($0.end)" }.joined(separator: " ")
      return line(
        row.id ?? row.kind.rawValue,
        [row.text.text, marks, row.types.map(\.rawValue).joined(separator: " "), row.location?.text]
          + [row.viewport.map { "\($0.low.text) \($0.high.text)" }, row.iconImageURL, row.url].filter { $0 != nil })
    }
    let more = places.map { place in
      let rest = place.values.filter { ![.placeID, .name, .formattedAddress, .coordinate, .types].contains($0.key) }
        .map { "\($0.key.rawValue)=\($0.value.text)" }.sorted().joined(separator: " ")
      let types = place.types.map(\.rawValue).joined(separator: " ")
      return line(place.id, [place.name, place.formattedAddress, types, place.location?.text, rest])
    }
    return status ?? ((rows + more).isEmpty ? "nothing" : (rows + more).joined(separator: " || "))
  }

  private func line(_ id: String, _ parts: [String?]) -> String {
    ([id] + parts.map { $0 ?? "" }).joined(separator: " | ")
  }
}

extension Coordinate {
  fileprivate var text: String { "\(latitude),\(longitude)" }
}

extension FormattedText {
  /// Ranges ascend, do not overlap, and lie within the text.
  var isSound: Bool {
    var end = 0
    for match in matches {
      guard match.start >= end, match.end > match.start else { return false }
      end = match.end
    }
    return end <= text.unicodeScalars.count
  }
}

extension Coordinate {
  var isOnEarth: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }
}

/// The next answer of a parser's service. A parser reads one answer at a time.
private final class Answer: ProviderStorage {
  let response = Mutex(HTTPResponse(status: 200))

  func value(for key: String) async throws(ProviderError) -> [UInt8]? { nil }
  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError) {}
}
