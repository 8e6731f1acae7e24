import QueryEngine
import PlacesAPI
import PlacesKit

/// The daemon's counters, as JSON or as OpenMetrics text (OpenMetrics 1.0). No label contains a user or a query.
struct Metrics {
  /// One value of a family, with the labels that distinguish it.
  struct Sample {
    /// The suffix that the sample's name has after the name of its family, such as `_total`.
    var suffix = ""
    var labels: [(String, String)] = []
    var value: Double
  }

  /// A metric, as OpenMetrics defines a metric family.
  struct Family {
    var name: String
    var type: String
    var help: String
    var samples: [Sample]
  }

  private var families: [Family]

  /// - Parameters:
  ///   - budgets: the spending of providers; nil if the ledger has not been read yet.
  ///   - isRunning: returns true if the provider with this id runs.
  init(
    load: ServerLoad, replyCache: ReplyCache, isCacheWritable: Bool = true, providers: [ProviderStatus], budgets: [BudgetRow]?,
    isRunning: (_ provider: String) -> Bool
  ) {
    func gauge(_ name: String, _ help: String, _ value: Int) -> Family {
      Family(name: name, type: "gauge", help: help, samples: [Sample(value: Double(value))])
    }
    let latencies = providers.flatMap { provider in
      [("0.5", provider.counters.medianMs), ("0.99", provider.counters.p99Ms)].compactMap { quantile, milliseconds in
        // The seconds are rounded to the microsecond.
        milliseconds.map { Sample(labels: [("provider", provider.id), ("quantile", quantile)], value: ($0 * 1000).rounded() / 1_000_000) }
      }
    }
    families = [
      gauge("placesd_connections", "Open connections.", load.connections),
      gauge("placesd_requests_in_flight", "Requests in flight.", load.inFlight),
      Family(
        name: "placesd_reply_cache_hits", type: "counter", help: "Replies sent from the cache.",
        samples: [Sample(suffix: "_total", value: Double(replyCache.hits))]),
      gauge("placesd_reply_cache_bytes", "Memory of cached replies.", replyCache.bytes),
      gauge("placesd_cache_writable", "Whether answers can be stored on disk.", isCacheWritable ? 1 : 0),
      Family(
        name: "placesd_provider_calls", type: "counter", help: "Calls by outcome; sent is the sum of all others but saved.",
        samples: providers.flatMap(Self.calls)),
      Family(
        name: "placesd_provider_rows_dropped", type: "counter", help: "Rows that were dropped because they had no id.",
        samples: providers.map { Sample(suffix: "_total", labels: [("provider", $0.id)], value: Double($0.counters.dropped ?? 0)) }),
      Family(
        name: "placesd_provider_latency_seconds", type: "gauge", help: "Latency of the latest calls, by quantile.", samples: latencies),
      Family(
        name: "placesd_provider_ready", type: "gauge", help: "Whether the provider is called now.",
        samples: providers.map { Sample(labels: [("provider", $0.id)], value: $0.state == .ready ? 1 : 0) }),
    ]
    families += Self.families(of: budgets, isRunning)
  }

  private static func calls(of provider: ProviderStatus) -> [Sample] {
    let counters = provider.counters
    return [
      ("sent", counters.sent), ("succeeded", counters.succeeded), ("failed", counters.failed), ("timed_out", counters.timedOut),
      ("abandoned", counters.abandoned ?? 0), ("saved", counters.saved),
    ].map { Sample(suffix: "_total", labels: [("provider", provider.id), ("outcome", $0.0)], value: Double($0.1)) }
  }

  /// An object with a member for each family. The member is a number or, if the family's samples have labels, a list of objects with the
  /// labels and `value`.
  var json: JSONValue {
    .object(
      JSONObject(
        families.map { family in
          let first = family.samples.first
          guard family.samples.count != 1 || first?.labels.isEmpty != true else { return (family.name, .number(first?.value ?? 0)) }
          return (
            family.name,
            .array(
              family.samples.map { sample in
                .object(JSONObject(sample.labels.map { ($0.0, .string($0.1)) } + [("value", .number(sample.value))]))
              })
          )
        }))
  }

  var openMetrics: String {
    var lines: [String] = []
    for family in families {
      lines += ["# TYPE \(family.name) \(family.type)", "# HELP \(family.name) \(family.help)"]
      for sample in family.samples {
        // Ids of providers contain no characters that require escaping.
        let labels = sample.labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
        let value = String(decoding: JSONValue.number(sample.value).bytes, as: UTF8.self)
        lines.append("\(family.name)\(sample.suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(value)")
      }
    }
    return (lines + ["# EOF", ""]).joined(separator: "\n")
  }
}
