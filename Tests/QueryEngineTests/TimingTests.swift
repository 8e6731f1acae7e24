import PlacesAPI
import PlacesKit
import PlacesTesting
import Testing

@testable import QueryEngine

@Suite("The latency of a provider on this machine")
struct TimingTests {
  /// The reported latency, whether the provider's caches have the answer (below a millisecond) or not (a few milliseconds).
  private func reported(isKnown: Bool, isLocal: Bool, using random: inout SeededRandom) -> Double {
    var outcome = ProviderOutcome(status: .ok)
    outcome.latency = Double.random(in: isKnown ? 0.000_08...0.000_5 : 0.000_2...0.004, using: &random)
    return outcome.report("a", isLocal: isLocal).latencyMs
  }

  /// The probability that an observer takes the right one of two questions for the known one, by their latencies: 0.5 is chance.
  private func areaUnderCurve(isLocal: Bool) -> Double {
    var random = SeededRandom(seed: 5)
    let known = (0..<300).map { _ in reported(isKnown: true, isLocal: isLocal, using: &random) }
    let unknown = (0..<300).map { _ in reported(isKnown: false, isLocal: isLocal, using: &random) }
    let wins = known.reduce(0.0) { sum, a in sum + unknown.reduce(0.0) { $0 + (a < $1 ? 1 : a == $1 ? 0.5 : 0) } }
    return wins / Double(known.count * unknown.count)
  }

  @Test("does not reveal whether another user made the same request")
  func timing() {
    #expect(areaUnderCurve(isLocal: false) > 0.8, "the exact latency would reveal it")
    #expect(areaUnderCurve(isLocal: true) <= 0.52)
  }

  @Test("is rounded up in replies, and exact for services on the network")
  func replies() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", remote: false)) { _, _ in .suggestions([.city("Bern")], after: 0.003) },
      "b": .init(manifest: .scripted("B")) { _, _ in .suggestions([.city("Biel")], after: 0.03) },
      "c": .init(manifest: .scripted("C", remote: false)) { _, _ in .suggestions([.city("Brig")], after: 0.03) },
    ])
    let providers = try #require(fixture.answer("b")?.value?.providers)
    #expect((providers["a"]?.latencyMs, providers["b"]?.latencyMs, providers["c"]?.latencyMs) == (10, 30, 100))
  }
}
