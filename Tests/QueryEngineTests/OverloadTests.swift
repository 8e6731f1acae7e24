import Foundation  // reads PLACES_PROVE from the environment
import PlacesAPI
import PlacesKit
import PlacesTesting
import Resilience
import Synchronization
import Testing

@testable import QueryEngine

@Suite("A provider that is too slow for the load")
struct OverloadTests {
  private static let isLongRun = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1"
  /// The service answers in 50 ms, four calls at once: 80 a second.
  private static let capacity = 80.0
  private static let deadline = 1.0

  /// The outcomes of the requests.
  private final class Record: Sendable {
    struct Reply: Sendable {
      var sentAt: Double
      var seconds: Double
      var isAnswer: Bool
      /// The milliseconds after which the reply advises to retry; nil if it does not.
      var retryAfterMs: Int?
    }
    private let state = Mutex<[Reply]>([])
    var replies: [Reply] { state.withLock { $0 } }
    func add(_ reply: Reply) { state.withLock { $0.append(reply) } }
  }

  private func fixture() -> EngineFixture {
    EngineFixture([
      "a": .init(manifest: .scripted("A", rate: Rate(concurrent: 4)), timeout: 5) { _, _ in .suggestions([.city("Berlin")], after: 0.05) }
    ])
  }

  /// Sends this many requests a second for a while, each with a different query, from several users. Returns the number of the next query.
  private func load(_ fixture: EngineFixture, _ record: Record, perSecond: Double, seconds: Double, from first: Int) -> Int {
    let count = Int(perSecond * seconds)
    for number in first..<first + count {
      let sentAt = fixture.time.monotonic()
      let (engine, time) = (fixture.engine, fixture.time)
      fixture.simulation.start {
        var parameters = Autocomplete.Parameters(query: "place \(number)")
        parameters.deadlineMs = Int(Self.deadline * 1_000)
        let reply: (Bool, Int?)
        do throws(APIError) {
          reply = (try await engine.autocomplete(parameters, caller: EngineCaller(user: UInt32(number % 7))).complete, nil)
        } catch {
          reply = (false, error.data["providers"]?[0]?["retryAfterMs"]?.integer.map { Int($0) })
        }
        record.add(Record.Reply(sentAt: sentAt, seconds: time.monotonic() - sentAt, isAnswer: reply.0, retryAfterMs: reply.1))
      }
      fixture.simulation.pass(1 / perSecond)
    }
    return first + count
  }

  @Test("goodput is kept, requests that cannot be served in time are rejected immediately, and recovery takes less than a second")
  func goodput() {
    let fixture = fixture()
    let record = Record()
    let seconds = Self.isLongRun ? 60.0 : 4.0
    let start = fixture.time.monotonic()
    let next = load(fixture, record, perSecond: 10 * Self.capacity, seconds: seconds, from: 0)
    let calls = fixture.calls(to: "a").count
    let end = fixture.time.monotonic()
    fixture.simulation.pass(1)
    let overloaded = record.replies
    let answers = overloaded.count { $0.isAnswer && $0.seconds <= Self.deadline && $0.sentAt + $0.seconds <= end }
    #expect(Double(answers) >= 0.9 * Self.capacity * seconds, "\(answers) answers in \(seconds) s")
    #expect(calls - answers <= 8, "almost no call is made whose answer comes too late for its caller")
    // The first calls teach how long a call takes.
    let rejected = overloaded.filter { !$0.isAnswer && $0.sentAt > start + 0.5 }
    #expect(Double(rejected.count { $0.seconds <= 0.005 }) >= 0.98 * Double(rejected.count), "rejections are immediate")
    #expect(rejected.allSatisfy { ($0.retryAfterMs ?? 0) > 0 })
    // A second later.
    _ = load(fixture, record, perSecond: Self.capacity / 2, seconds: 2, from: next)
    fixture.simulation.pass(1)
    let later = record.replies.dropFirst(overloaded.count)
    #expect(later.count == Int(Self.capacity) && later.allSatisfy { $0.isAnswer && $0.seconds <= 0.2 })
  }

  @Test("a call that waits is dropped once it cannot be answered in time, and the newest is made first")
  func slowsDown() throws {
    let delay = Mutex(0.05)
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", rate: Rate(concurrent: 1)), timeout: 5) { _, _ in
        .suggestions([.city("Berlin")], after: delay.withLock { $0 })
      }
    ])
    for number in 0..<5 { #expect(fixture.answer("before \(number)")?.value != nil) }
    delay.withLock { $0 = 0.4 }
    func ask(_ numbers: Range<Int>) -> [Running<Result<Autocomplete.Result, APIError>>] {
      numbers.map { number in
        defer { fixture.simulation.pass(0.001) }
        return fixture.ask("waiting \(number)") { $0.deadlineMs = 1_000 }
      }
    }
    var waiting = ask(0..<6)
    fixture.simulation.pass(0.75)
    waiting += ask(6..<9)
    let replies = waiting.map { fixture.simulation.finish($0) }
    #expect(replies.indices.filter { replies[$0]?.value != nil } == [0, 1, 6, 8])
    let sent = fixture.calls(to: "a").dropFirst(5).compactMap { call in
      if case .autocomplete(let request) = call.call { request.query } else { nil }
    }
    #expect(sent == ["waiting 0", "waiting 1", "waiting 8", "waiting 6"])
  }

  @Test("in an outage of ten minutes it is called at most twenty times", arguments: [0.05, 60])
  func outage(after seconds: Double) {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", rate: Rate(concurrent: 8)), timeout: 5) { _, _ in
        .failure(ProviderError(.http, "answered 500"), after: seconds)
      }
    ])
    for number in 0..<3_000 {
      _ = fixture.ask("place \(number)", user: UInt32(number % 5)) { $0.deadlineMs = 1_000 }
      fixture.simulation.pass(0.2)
    }
    #expect(fixture.calls(to: "a").count <= 20, "\(fixture.calls(to: "a").count) calls")
    #expect(fixture.calls(to: "a").count >= 5)
  }
}
