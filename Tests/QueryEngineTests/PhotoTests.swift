import PlacesAPI
import Storage
import PlacesKit
import PlacesTesting
import Resilience
import Testing

@testable import QueryEngine

@Suite("Photos through the engine")
struct PhotoTests {
  private static let image = PhotoImage(format: .jpeg, bytes: [0xFF, 0xD8, 0xFF, 0xE0])
  private static let prices = PriceTable(classes: [PriceClass("photo", micros: 7_000)], calls: [.photo: "photo"])

  private static let script: @Sendable (ProviderCall, Int) -> ScriptedService.Behaviour = { call, _ in
    if case .photo = call { return .several(2, .photo(image)) }
    let photo: JSONValue = ["id": "p/1", "attributions": [["text": "A. Author", "url": "https://a.example"]]]
    return .places([.named("Berlin", id: "1", [.photos: [photo]])])
  }

  private func photo(_ id: String, in fixture: EngineFixture) -> Result<Photo.Result, APIError>? {
    fixture.simulation.finish(start(id, in: fixture))
  }

  private func start(_ id: String, user: UInt32 = 1_000, in fixture: EngineFixture) -> Running<Result<Photo.Result, APIError>> {
    let engine = fixture.engine
    return fixture.simulation.start {
      do throws(APIError) {
        guard let id = PlaceID(id) else { throw APIError(.notFound, "not an id") }
        return .success(try await engine.photo(Photo.Parameters(id: id), caller: EngineCaller(user: user)))
      } catch { return .failure(error) }
    }
  }

  @Test("The id that details return finds the provider; the reply has the file, the service's credit and the author's")
  func credits() throws {
    let fixture = EngineFixture(storesAnswers: true, ["a": .init(manifest: .scripted("A"), script: Self.script)])
    let place = try #require(fixture.details("a:1", fields: [.name, .photos])?.value).place
    let id = try #require(place.values[.photos]?[0]?["id"]?.string)
    #expect(id == "a:p/1")
    let result = try #require(photo(id, in: fixture)?.value)
    #expect(result.contentType == .jpeg && result.dataBase64 == "/9j/4A==" && result.file == Self.image.bytes)
    #expect(result.attributions.map(\.text) == ["© A", "A. Author"])
    // A second request is a second call: photos are not stored, regardless of the terms.
    #expect(photo(id, in: fixture)?.value != nil)
    let calls = fixture.calls(to: "a").compactMap { asked in if case .photo(let request) = asked.call { request } else { nil } }
    #expect(calls == Array(repeating: PhotoRequest(id: "p/1", maxWidth: 1_024, maxHeight: 1_024), count: 2))
  }

  /// Requests photos of a provider with a budget, one after the other.
  private func photos(
    _ count: Int, limits: BudgetLimits, prices: PriceTable = PhotoTests.prices, _ behaviour: ScriptedService.Behaviour
  ) -> (outcomes: [ProviderReport.Outcome?], spent: Spending, sent: Int) {
    let simulation = Simulation()
    let budgets = BudgetService(
      ledger: MemoryLedger(time: simulation.time), limits: ["a": limits], time: simulation.time, log: { _, _ in })
    let running = simulation.start { await budgets.run() }
    defer { running.cancel() }
    let fixture = EngineFixture(
      budgets: budgets, simulation: simulation, ["a": .init(manifest: .scripted("A", prices: prices)) { _, _ in behaviour }])
    let outcomes = (0..<count).map { number -> ProviderReport.Outcome? in
      let reply = photo("a:p/\(number)", in: fixture)
      let failed = reply?.error?.data["providers"]?[0]?["outcome"]?.string.flatMap { ProviderReport.Outcome(rawValue: $0) }
      return reply?.value?.providers.first?.outcome ?? failed
    }
    return (outcomes, budgets.report(provider: "a").day.spent, fixture.calls(to: "a").count)
  }

  @Test("A photo of two requests, the second without the key, is reserved before it is requested, and counted and billed once")
  func budget() {
    // 7,000 more would exceed the 10,000, and a second call the one.
    for limits in [BudgetLimits(microsPerDay: 10_000), BudgetLimits(callsPerDay: 1)] {
      let result = photos(2, limits: limits, .withoutKey(1, .photo(Self.image)))
      #expect(result.outcomes == [.ok, .overBudget])
      #expect(result.spent == Spending(calls: 1, micros: 7_000) && result.sent == 1)
    }
  }

  @Test("Each request of a photo with the key is billed", arguments: 1...3)
  func furtherRequests(count: Int) {
    let result = photos(1, limits: BudgetLimits(), .several(count, .photo(Self.image)))
    #expect(result.outcomes == [.ok] && result.spent == Spending(calls: count, micros: 7_000 * count))
    // The budget refuses the second one.
    let limited = photos(1, limits: BudgetLimits(microsPerDay: 10_000), .several(2, .photo(Self.image)))
    #expect(limited.outcomes == [.overBudget] && limited.spent == Spending(calls: 1, micros: 7_000))
  }

  @Test("A photo that takes only a request without the key counts as one call if photos are free, and is not billed if they are not")
  func withoutKey() {
    let limits = BudgetLimits(callsPerDay: 1)
    let free = photos(2, limits: limits, prices: PriceTable(), .onlyWithoutKey(2, .photo(Self.image)))
    #expect(free.outcomes == [.ok, .overBudget] && free.spent == Spending(calls: 1))
    let paid = photos(2, limits: limits, .onlyWithoutKey(1, .photo(Self.image)))
    #expect(paid.outcomes == [.ok, .ok] && paid.spent == Spending())
  }

  @Test("A call whose price is not known is refused if only money is limited, with the name of the price; a limit of calls admits it")
  func unknownPrice() {
    let prices = PriceTable(calls: [.photo: "photo"])
    for limits in [BudgetLimits(microsPerDay: 10_000), BudgetLimits(microsPerMonth: 10_000)] {
      let refused = photos(1, limits: limits, prices: prices, .photo(Self.image))
      #expect(refused.outcomes == [.overBudget] && refused.sent == 0)
    }
    let counted = photos(2, limits: BudgetLimits(callsPerDay: 1, microsPerDay: 10_000), prices: prices, .photo(Self.image))
    #expect(counted.outcomes == [.ok, .overBudget] && counted.sent == 1)
    let simulation = Simulation()
    let budgets = BudgetService(
      ledger: MemoryLedger(time: simulation.time), limits: ["a": BudgetLimits(microsPerDay: 1)], time: simulation.time, log: { _, _ in })
    let fixture = EngineFixture(
      budgets: budgets, simulation: simulation,
      ["a": .init(manifest: .scripted("A", prices: prices)) { _, _ in .photo(Self.image) }])
    let report = photo("a:p/1", in: fixture)?.error?.data["providers"]?[0]
    #expect(report?["message"]?.string?.contains("`prices.photo` is not known") == true, "\(String(describing: report))")
  }

  @Test("One attempt at a call may send four requests without the key")
  func tooManyWithoutKey() {
    let most = photos(1, limits: BudgetLimits(), .withoutKey(CallMeter.maxWithoutKey, .photo(Self.image)))
    #expect(most.outcomes == [.ok])
    let tooMany = photos(1, limits: BudgetLimits(), .withoutKey(CallMeter.maxWithoutKey + 1, .photo(Self.image)))
    #expect(tooMany.outcomes == [.error])
  }

  @Test("Errors: an unknown provider, one without photos, a photo that no longer exists")
  func errors() {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", parameters: [:]), script: Self.script),
      "b": .init(manifest: .scripted("B")) { _, _ in .failure(ProviderError(.notFound, "gone")) },
    ])
    #expect(photo("c:1", in: fixture)?.error?.name == .notFound)
    #expect(photo("a:p/1", in: fixture)?.error?.name == .unsupported)
    #expect(photo("b:1", in: fixture)?.error?.name == .notFound)
    #expect(fixture.calls(to: "a").isEmpty)
  }

  @Test(
    "Photos that fail do not suspend the provider; a quota that is used up does",
    arguments: [ProviderError.Cause.tooLarge, .http, .quota])
  func failures(_ cause: ProviderError.Cause) {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { call, _ in
        if case .photo = call { return .failure(ProviderError(cause, "no")) }
        return .suggestions([.city("Berlin")])
      }
    ])
    for number in 0..<10 { #expect(photo("a:p/\(number)", in: fixture)?.error != nil) }
    #expect((fixture.answer("berlin")?.value?.suggestions.count == 1) == (cause != .quota))
  }

  @Test("A user may request four photos at once, and another one when one of them has arrived")
  func atOnce() throws {
    let fixture = EngineFixture(["a": .init(manifest: .scripted("A")) { _, _ in .hanging }])
    let waiting = (0..<4).map { start("a:p/\($0)", in: fixture) }
    fixture.simulation.settle()
    let error = try #require(photo("a:p/4", in: fixture)?.error)
    #expect(error.name == .overloaded && error.data["retryAfterMs"] != nil)
    let other = start("a:p/4", user: 1_001, in: fixture)
    for running in waiting { #expect(fixture.simulation.finish(running)?.error?.name != .overloaded) }
    #expect(fixture.simulation.finish(other)?.error?.name != .overloaded)
    #expect(photo("a:p/4", in: fixture)?.error?.name != .overloaded)
    #expect(fixture.engine.photosInFlight.withLock { $0.isEmpty })
  }

  @Test("The duration of a photo call does not count in the latency of other calls")
  func duration() {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", rate: Rate(concurrent: 1))) { call, _ in
        if case .photo = call { return .failure(ProviderError(.tooLarge, "no"), after: 0.4) }
        return .suggestions([.city("Berlin")], after: 0.05)
      }
    ])
    #expect(photo("a:p/1", in: fixture)?.error != nil)
    // With a mean of 0.4 s, the second call would have to wait too long.
    let asked = ["berlin", "bern"].map { query in fixture.ask(query) { $0.deadlineMs = 500 } }
    for running in asked { #expect(fixture.simulation.finish(running)?.value?.suggestions.count == 1) }
  }

  @Test("The credits of the latest photographs are stored, five of each")
  func generations() {
    let credits = PhotoCredits()
    let ids = (0..<5_000).map { PlaceID(provider: "a", native: "\($0)") }
    let authors = (0..<9).map { Attribution(text: "\($0)") }
    for id in ids { credits.add(authors, of: id) }
    #expect(ids.suffix(2_048).allSatisfy { credits[$0] == Array(authors.prefix(5)) })
    #expect(ids.prefix(900).allSatisfy { credits[$0].isEmpty })
  }
}
