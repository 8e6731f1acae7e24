import QueryEngine
import Foundation  // the manual
import PlacesAPI
import PlacesKit
import Testing

@testable import PlacesService

@Suite("Metrics") struct MetricsTests {
  private func metrics(_ budgets: [BudgetRow]? = []) -> Metrics {
    var counters = ProviderStatus.Counters()
    counters.sent = 3
    counters.medianMs = 1.5
    counters.p99Ms = 6.89
    let status = ProviderStatus(
      id: "a", name: "A", plugin: "a", version: "1", state: .suspended, leavesMachine: true, calls: [.autocomplete], counters: counters)
    let cached = CachedAutocomplete(engine: Engine(providers: []), capacity: 1 << 16)
    return Metrics(load: ServerLoad(connections: 2, inFlight: 1), replyCache: cached.replyCache, providers: [status], budgets: budgets) {
      $0 != "off"
    }
  }

  private static func row(_ provider: String, limited: Bool = true) -> BudgetRow {
    func window(_ times: Int) -> BudgetRow.Window {
      BudgetRow.Window(
        spent: .init(calls: 3 * times, micros: 51_000 * times), reserved: .init(calls: 2, micros: 34_000), callLimit: limited ? 10 : nil,
        microsLimit: limited ? 1_500_000 : nil, endsAt: "2026-12-01T00:00:00Z")
    }
    return BudgetRow(provider: provider, currency: "USD", day: window(1), month: window(4))
  }

  @Test("Spent, maximum and remaining amounts have labels for provider and period, for running providers whose calls are counted")
  func budgets() {
    var free = Self.row("free")
    free.uncounted = true
    // One that is switched off, whose prices the configuration names.
    let off = Self.row("off")
    let lines = metrics([Self.row("a"), Self.row("b", limited: false), free, off]).openMetrics.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { $0.contains(#"provider="a""#) && $0.hasPrefix("placesd_budget") } == [
        #"placesd_budget_calls_spent{provider="a",period="day"} 3"#, #"placesd_budget_calls_spent{provider="a",period="month"} 12"#,
        #"placesd_budget_calls_limit{provider="a",period="day"} 10"#, #"placesd_budget_calls_limit{provider="a",period="month"} 10"#,
        #"placesd_budget_calls_left{provider="a",period="day"} 5"#, #"placesd_budget_calls_left{provider="a",period="month"} 0"#,
        #"placesd_budget_money_spent{provider="a",period="day",currency="USD"} 0.051"#,
        #"placesd_budget_money_spent{provider="a",period="month",currency="USD"} 0.204"#,
        #"placesd_budget_money_limit{provider="a",period="day",currency="USD"} 1.5"#,
        #"placesd_budget_money_limit{provider="a",period="month",currency="USD"} 1.5"#,
        #"placesd_budget_money_left{provider="a",period="day",currency="USD"} 1.415"#,
        #"placesd_budget_money_left{provider="a",period="month",currency="USD"} 1.262"#,
      ])
    #expect(
      lines.filter { $0.contains(#"provider="b""#) && $0.hasPrefix("placesd_budget") }.count == 4,
      "a provider without a limit has no remaining amount")
    #expect(!lines.contains { $0.contains(#"provider="free""#) || $0.contains(#"provider="off""#) })
    #expect(lines.contains("placesd_ledger_ready 1"))
  }

  @Test("A ledger that cannot be read or must be confirmed is not ready")
  func ledger() {
    var waiting = Self.row("a")
    waiting.needsConfirmation = "the clock was set back"
    #expect(metrics(nil).json["placesd_ledger_ready"]?.double == 0)
    #expect(metrics([waiting]).json["placesd_ledger_ready"]?.double == 0)
  }

  @Test("placesd(8) lists exactly the metrics, with types and labels")
  func manual() throws {
    let page = try String(contentsOfFile: "\(FileManager.default.currentDirectoryPath)/man/placesd.8", encoding: .utf8)
    let section = page.components(separatedBy: "\n.Sh ").first { $0.hasPrefix("METRICS\n") } ?? ""
    let told = section.split(separator: "\n").filter { $0.hasPrefix(".It Va ") }.map { String($0.dropFirst(7)) }
    let metrics = metrics([Self.row("a")])
    let types = metrics.openMetrics.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map { $0.dropFirst(7).split(separator: " ") }
    let expected = types.map { words in
      let samples = metrics.json[String(words[0])]?[0]?.object?.keys.filter { $0 != "value" } ?? []
      return "\(words[0]) Pq \(words[1])" + (samples.isEmpty ? "" : "; by \(samples.joined(separator: ", "))")
    }
    #expect(told == expected)
  }

  @Test("OpenMetrics text has a type for each family, labels, and its end")
  func text() {
    let lines = metrics().openMetrics.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(3) == [
        "# TYPE placesd_connections gauge", "# HELP placesd_connections Open connections.", "placesd_connections 2",
      ])
    #expect(lines.contains(#"placesd_provider_calls_total{provider="a",outcome="sent"} 3"#))
    #expect(lines.contains(#"placesd_provider_latency_seconds{provider="a",quantile="0.5"} 0.0015"#))
    #expect(lines.contains(#"placesd_provider_latency_seconds{provider="a",quantile="0.99"} 0.00689"#))
    #expect(lines.contains(#"placesd_provider_ready{provider="a"} 0"#))
    #expect(lines.last == "# EOF")
  }

  @Test("The tree has a number by name, or a list where there are labels")
  func tree() {
    #expect(metrics().json["placesd_requests_in_flight"]?.double == 1)
    #expect(metrics().json["placesd_provider_calls"]?[0]?["outcome"] == "sent")
    #expect(metrics().json["placesd_provider_calls"]?[0]?["value"]?.double == 3)
  }

  @Test("Every method of the catalogue has an implementation")
  func complete() {
    var table = MethodTable()
    let engine = Engine(providers: [])
    let cached = CachedAutocomplete(engine: engine, capacity: 1 << 16)
    table.addPlaces(engine, cached)
    #expect(Set(table.names).isSubset(of: Set(Catalogue.methods.map { $0.name })))
  }
}
