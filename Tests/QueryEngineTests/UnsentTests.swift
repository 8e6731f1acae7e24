import Resilience
import PlacesAPI
import PlacesKit
import PlacesTesting
import Testing

@testable import QueryEngine

@Suite("A call that sent no request")
struct UnsentTests {
  private static let prices = PriceTable(classes: [PriceClass("suggest", micros: 2_830)], calls: [.autocomplete: "suggest"])

  /// Calls a paid provider that may be called once a second; returns the spending and the provider's status afterwards.
  private func ask(
    _ queries: [String], limits: BudgetLimits = BudgetLimits(), _ script: @escaping @Sendable (Int) -> ScriptedService.Behaviour
  ) throws -> (reports: [ProviderReport], spent: Spending, status: ProviderStatus) {
    let simulation = Simulation()
    let budgets = BudgetService(
      ledger: MemoryLedger(time: simulation.time), limits: ["paid": limits], time: simulation.time, log: { _, _ in })
    let running = simulation.start { await budgets.run() }
    defer { running.cancel() }
    let manifest = Manifest.scripted("Paid", rate: Rate(perSecond: 0.1), prices: Self.prices)
    let fixture = EngineFixture(
      budgets: budgets, simulation: simulation,
      [
        "paid": .init(manifest: manifest, timeout: 1) { _, number in script(number) },
        "free": .init(manifest: .scripted("Free")) { _, _ in .suggestions([.city("Bern")]) },
      ])
    let reports = try queries.map { try #require(fixture.answer($0)?.value?.providers["paid"]) }
    return (reports, budgets.report(provider: "paid").day.spent, try #require(fixture.engine.status(of: "paid")))
  }

  @Test(
    "costs nothing, takes nothing from budget and rate, and counts neither as sent nor for the service",
    arguments: [ProviderError.Cause.unsupported, .badRequest, .notFound, .rateLimit])
  func refused(cause: ProviderError.Cause) throws {
    let queries = (0..<20).map { "berl\($0)" }
    let (reports, spent, status) = try ask(queries, limits: BudgetLimits(callsPerDay: 1)) { number in
      number < 19 ? .unsent(ProviderError(cause, "not so")) : .suggestions([.city("Berlin")])
    }
    #expect(reports.prefix(19).allSatisfy { $0.outcome != .ok })
    #expect(reports.last?.outcome == .ok)
    #expect(spent == Spending(calls: 1, micros: 2_830))
    #expect(status.state == .overBudget && status.cause == "calls", "only the one that was sent used the budget up")
    #expect(status.counters.sent == 1)
  }

  @Test(
    "counts as sent and failed if it was attempted in vain",
    arguments: [ProviderError.Cause.dns, .connect, .tls, .plugin])
  func attempted(cause: ProviderError.Cause) throws {
    let (_, spent, status) = try ask(["berl"]) { _ in .unsent(ProviderError(cause, "refused")) }
    let counters = status.counters
    #expect(counters.sent == 1 && counters.failed == 1)
    #expect(counters.sent == counters.succeeded + counters.failed + counters.timedOut + (counters.abandoned ?? 0))
    #expect(spent == Spending(), "the budget counts requests that were sent")
  }

  @Test("is recognised by the number of sent requests, not by the provider's error", arguments: [ProviderError.Cause.dns, .unsupported])
  func sent(cause: ProviderError.Cause) throws {
    let (reports, spent, status) = try ask(["berl", "bern"]) { _ in .failure(ProviderError(cause, "it says")) }
    #expect(reports.first?.cause == cause.rawValue)
    #expect(reports.last?.cause == ProviderError.Cause.rateLimit.rawValue, "the rate is used up")
    #expect(spent == Spending(calls: 1, micros: 2_830))
    #expect(status.counters.sent == 1)
  }
}
