import PlacesKit
import Testing

@testable import QueryEngine

@Suite("A user with too many requests")
struct FairnessTests {
  @Test("does not use up other users' share of a provider's rate", arguments: [1, 4])
  func rate(concurrent: Int) throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", rate: Rate(perSecond: 1, burst: 1, concurrent: concurrent)), timeout: 30) { _, _ in
        .suggestions([.city("Berlin")])
      }
    ])
    let greedy = (0..<20).map { number in fixture.ask("greedy \(number)", user: 1) { $0.deadlineMs = 30_000 } }
    fixture.simulation.pass(2)
    let start = fixture.time.monotonic()
    for number in 0..<3 { #expect(fixture.answer("modest \(number)", user: 2) { $0.deadlineMs = 5_000 }?.value != nil) }
    // The greedy one alone has work for twenty.
    #expect(fixture.time.monotonic() - start < 13)
    for request in greedy { #expect(fixture.simulation.finish(request) != nil) }
    let starts = fixture.calls(to: "a").map(\.at)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= 1 - 1e-9 })
  }

  @Test("does not block other users, and loses the newest call if too many wait")
  func places() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", rate: Rate(concurrent: 1)), timeout: 300) { _, _ in .suggestions([.city("Berlin")], after: 0.05) }
    ])
    let greedy = (0..<300).map { number in fixture.ask("greedy \(number)", user: 1) { $0.deadlineMs = 30_000 } }
    fixture.simulation.settle()
    let start = fixture.time.monotonic()
    let modest = (0..<3).map { number in fixture.ask("modest \(number)", user: 2) { $0.deadlineMs = 1_000 } }
    for request in modest { #expect(fixture.simulation.finish(request)?.value != nil) }
    #expect(fixture.time.monotonic() - start < 0.5)
    let answers = greedy.map { fixture.simulation.finish($0) }
    #expect(answers.prefix(254).allSatisfy { $0?.value != nil })
    for answer in answers.suffix(46) { #expect(answer?.error?.data["providers"]?[0]?["cause"]?.string == "queue") }
  }

  @Test("does not keep a place in the queue after disconnecting")
  func leaving() {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", rate: Rate(perSecond: 1, burst: 1, concurrent: 8)), timeout: 30) { _, _ in
        .suggestions([.city("Berlin")])
      }
    ])
    #expect(fixture.answer("first")?.value != nil)
    let leaving = (0..<5).map { number in fixture.ask("leaving \(number)", user: 1) { $0.deadlineMs = 10_000 } }
    let staying = fixture.ask("staying", user: 2) { $0.deadlineMs = 10_000 }
    fixture.simulation.pass(0.5)
    for request in leaving { request.cancel() }
    fixture.simulation.pass(0.6)
    #expect(staying.value?.value != nil)
  }
}
