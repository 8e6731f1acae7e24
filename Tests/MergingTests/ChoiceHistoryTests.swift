import Merging
import Testing

@Suite("Learned choices")
struct ChoiceHistoryTests {
  private let day = 86_400.0

  @Test("a choice counts for texts with a common prefix, and more for more similar texts")
  func prefixes() throws {
    var model = ChoiceHistory()
    model.record(id: "a:1", query: "Berl", at: 0)
    let same = try #require(model.boosts(for: "berl", at: 0)["a:1"])
    let shorter = try #require(model.boosts(for: "be", at: 0)["a:1"])
    #expect(same > shorter && shorter > 0 && same < 1)
    #expect(model.boosts(for: "bern", at: 0).isEmpty)
    #expect(model.boosts(for: "", at: 0).isEmpty)
  }

  @Test("the weight of a choice halves in thirty days, and a clock that is set back does not increase it")
  func forgetting() throws {
    var model = ChoiceHistory()
    for _ in 0..<3 { model.record(id: "a:1", query: "b", at: 0) }
    let now = try #require(model.boosts(for: "b", at: 0)["a:1"])
    let later = try #require(model.boosts(for: "b", at: 30 * day)["a:1"])
    #expect(abs(now - 0.9502) < 0.001 && abs(later - 0.7769) < 0.001)
    #expect(model.boosts(for: "b", at: 3_000 * day).isEmpty)
    #expect(model.boosts(for: "b", at: -5 * day)["a:1"] == now)
  }

  @Test("A history holds no more than its capacity, and the choice with the smallest weight is removed first")
  func capacity() {
    var model = ChoiceHistory()
    model.record(id: "a:old", query: "x", at: 0)
    for number in 0..<ChoiceHistory.capacity { model.record(id: "a:\(number)", query: "x", at: 40 * day) }
    #expect(model.choices.count == ChoiceHistory.capacity)
    #expect(!model.choices.contains { $0.id == "a:old" })
  }

  @Test("the choices of one provider's places can be removed")
  func purging() {
    var model = ChoiceHistory()
    model.record(id: "a:1", query: "x", at: 0)
    model.record(id: "ab:2", query: "x", at: 0)
    model.forget(provider: "a")
    #expect(model.choices.map(\.id) == ["ab:2"])
  }

  @Test("texts with and without diacritics are equal")
  func folded() {
    var model = ChoiceHistory()
    model.record(id: "a:1", query: "Münch", at: 0)
    #expect(model.boosts(for: "munch", at: 0)["a:1"] ?? 0 > 0.5)
    #expect(model.boosts(for: "MÜN", at: 0)["a:1"] != nil)
  }
}
