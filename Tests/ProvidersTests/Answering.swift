import PlacesKit
import PlacesTesting
import Synchronization

/// The HTTP side of a provider under test: answers from a list, in order, and records the requests.
final class Answering: Sendable {
  private struct State {
    var answers: [Result<HTTPResponse, ProviderError>]
    var requests: [HTTPRequest] = []
    var lines: [String] = []
  }
  private let state: Mutex<State>

  /// The last answer is repeated for all further requests.
  init(_ answers: [Result<HTTPResponse, ProviderError>]) { state = Mutex(State(answers: answers)) }

  convenience init(_ bodies: String...) { self.init(bodies.map { .success(reply($0)) }) }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  /// The lines that the provider logged.
  var lines: [String] { state.withLock { $0.lines } }

  func context(settings: [String: JSONValue] = [:]) -> ProviderContext {
    ProviderContext(
      id: "test", settings: settings,
      http: { (request) throws(ProviderError) in
        let answer: Result<HTTPResponse, ProviderError> = self.state.withLock { state in
          state.requests.append(request)
          guard let next = state.answers.first else { return .failure(ProviderError(.connect, "no answer is scripted")) }
          if state.answers.count > 1 { state.answers.removeFirst() }
          return next
        }
        return try answer.get()
      },
      storage: NoStorage(), log: { _, line in self.state.withLock { $0.lines.append(line) } }, now: { 1_800_000_000 })
  }
}

private struct NoStorage: ProviderStorage {
  func value(for key: String) async throws(ProviderError) -> [UInt8]? { nil }
  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError) {}
}

func reply(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> HTTPResponse {
  HTTPResponse(status: status, headers: headers.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }, body: Array(body.utf8))
}

/// A request in one line, as golden tests compare it: `GET host /path?name=value`, nothing encoded.
func spelled(_ request: HTTPRequest) -> String {
  let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  return "\(request.method.rawValue) \(request.host ?? "-") /\(request.path.joined(separator: "/"))" + (query.isEmpty ? "" : "?\(query)")
}

/// The error of a call that must fail, or nil.
func thrown<Value>(_ body: () throws(ProviderError) -> Value) -> ProviderError? {
  do {
    _ = try body()
    return nil
  } catch { return error }
}

/// The error of a call that must fail, or nil.
func thrownBy<Value>(_ body: () async throws -> Value) async -> ProviderError? {
  do {
    _ = try await body()
    return nil
  } catch { return error as? ProviderError }
}

/// Bodies with damage: bytes changed, dropped, doubled, pieces of other bodies put in. The same for the same seed.
struct Mutations: Sequence, IteratorProtocol {
  private var random: SeededRandom
  private let bodies: [[UInt8]]
  private var left: Int
  private let pieces: [[UInt8]] = [
    "null", "[]", "{}", "-1", "1e308", "\"\"", "\u{FFFD}", "[[[[[[", "\"lat\":\"x\"", "99999999999999999999", "\\u0000", "true",
  ]
  .map { Array($0.utf8) }

  init(of bodies: [String], seed: UInt64, count: Int) {
    random = SeededRandom(seed: seed)
    self.bodies = bodies.map { Array($0.utf8) }
    left = count
  }

  mutating func next() -> [UInt8]? {
    guard left > 0, var body = bodies.randomElement(using: &random) else { return nil }
    left -= 1
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard !body.isEmpty else { return body }
      let index = Int.random(in: 0..<body.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: body[index] = UInt8.random(in: 0...255, using: &random)
      case 1: body.removeSubrange(index..<Swift.min(body.count, index + Int.random(in: 1...20, using: &random)))
      case 2: body.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: index)
      case 3: body = Array(body[..<index])
      case 4: body.insert(contentsOf: body[index...].prefix(40), at: index)
      default:
        // A whole value is replaced, so that the text stays JSON and the shape does not.
        let rest = body[index...]
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")),
          let end = rest[colon...].firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") })
        {
          body.replaceSubrange((colon + 1)..<end, with: pieces.randomElement(using: &random) ?? [])
        }
      }
    }
    return body
  }
}
