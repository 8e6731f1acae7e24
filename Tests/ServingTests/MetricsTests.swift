import Asking
import PlacesAPI
import PlacesKit
import Testing

@testable import Serving

@Suite("Metrics") struct MetricsTests {
  private func metrics() -> Metrics {
    var counters = ProviderStatus.Counters()
    counters.sent = 3
    counters.medianMs = 1.5
    counters.p99Ms = 6.89
    let status = ProviderStatus(
      id: "a", name: "A", plugin: "a", version: "1", state: .suspended, leavesMachine: true, calls: [.autocomplete], counters: counters)
    let known = KnownAnswers(engine: Engine(providers: []), capacity: 1 << 16)
    return Metrics(load: ServerLoad(connections: 2, inFlight: 1), known: known, providers: [status])
  }

  @Test("OpenMetrics text has a type for each family, labels, and its end")
  func text() {
    let lines = metrics().openMetrics.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(3) == [
        "# TYPE placesd_connections gauge", "# HELP placesd_connections Clients that are connected.", "placesd_connections 2",
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

  @Test("Every method of the catalogue has a body")
  func complete() {
    var table = MethodTable()
    let engine = Engine(providers: [])
    let known = KnownAnswers(engine: engine, capacity: 1 << 16)
    table.addPlaces(engine, known)
    #expect(Set(table.names).isSubset(of: Set(Catalogue.methods.map { $0.name })))
  }
}
