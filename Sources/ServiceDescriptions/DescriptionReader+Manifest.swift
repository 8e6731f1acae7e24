import JSON
import PlacesKit
import TOML

extension DescriptionReader {
  /// The name of the plugin that reads descriptions.
  static let plugin = "described"

  /// The manifest that the daemon uses for a provider with this description.
  func manifest(_ calls: [Call: DescribedCall]) -> Manifest {
    let types = root["types"]?.members ?? []
    return Manifest(
      plugin: DescriptionReader.plugin, name: text("name"), version: root["verified"]?.string ?? "unverified", summary: text("summary"),
      autocomplete: calls[.autocomplete]?.capability(.autocomplete), search: calls[.search]?.capability(.search),
      details: calls[.details]?.capability(.details), reverse: calls[.reverse]?.capability(.reverse), hosts: root["hosts"]?.strings ?? [],
      needsBaseURL: root["needs_base_url"]?.boolean ?? false, credential: credential,
      needsCredential: root["key"].map { $0["required"]?.boolean ?? true } ?? false, settings: instanceSettings, terms: terms,
      attributions: (root["attributions"]?.elements ?? []).map { Attribution(text: $0["text"]?.string ?? "", url: $0["url"]?.string) },
      rate: rate, quotaWindow: root["rate"]?["quota_window"]?.string.flatMap(QuotaWindow.init), prices: prices, sessions: sessions,
      countries: root["countries"]?.strings ?? [], coordinateDecimals: root["coordinate_decimals"]?.integer,
      givesCoordinates: calls.values.contains { $0.fields.mayHavePosition },
      givesLocalNames: root["local_names"]?.boolean ?? false,
      typeWords: Dictionary(types.map { ($0.key, $0.value.strings) }, uniquingKeysWith: { first, _ in first }))
  }

  private var credential: CredentialPlacement {
    guard let key = root["key"] else { return .none }
    if let name = key["query"]?.string { return .query(name: name) }
    return .header(name: key["header"]?.string ?? "", prefix: key["prefix"]?.string ?? "")
  }

  private var instanceSettings: [Setting] {
    var settings = (root["settings"]?.members ?? []).map { member in
      Setting(
        member.key, .string, member.value["summary"]?.string ?? "", required: member.value["required"]?.boolean ?? false,
        defaultValue: member.value["default"]?.string.map { .string($0) }, choices: member.value["choices"]?.strings ?? [])
    }
    if root["terms"]?["needs_contact"]?.boolean == true {
      settings.append(Setting("contact", .string, "A mail address or page where the operator can be reached."))
    }
    return settings
  }

  private var terms: Terms {
    let table = root["terms"]
    /// The seconds of a duration; nil for `forever`, 0 for a missing key.
    func seconds(_ key: String) -> Double? {
      table?[key]?.string.flatMap { StorageDuration.seconds($0) } ?? .some(0)
    }
    let shared: [String: Terms.Isolation] = ["everybody": .system, "user": .user, "session": .session]
    // For an empty answer, and for the use of an answer after its expiry, `forever` means a day.
    return Terms(
      idsSeconds: seconds("ids"), coordinatesSeconds: seconds("coordinates"), otherSeconds: seconds("other"),
      negativeSeconds: seconds("nothing_found") ?? 86_400, staleSeconds: seconds("stale") ?? 86_400,
      isolation: shared[table?["shared"]?.string ?? "user"] ?? .user,
      mixing: table?["blending"]?.string.flatMap { Terms.Mixing(blending: $0) } ?? .never,
      autocompleteAllowed: table?["autocomplete_allowed"]?.boolean ?? true, keepsOrder: table?["keeps_order"]?.boolean ?? false,
      needsContact: table?["needs_contact"]?.boolean ?? false, source: table?["source"]?.string ?? "")
  }

  private var rate: Rate {
    let table = root["rate"]
    return Rate(
      perSecond: table?["per_second"]?.json?.double, burst: table?["burst"]?.integer ?? 1, concurrent: table?["concurrent"]?.integer ?? 8)
  }

  private var prices: PriceTable {
    guard let table = root["prices"] else { return PriceTable() }
    // A class whose price is not known is left out here; `calls` still names it.
    let classes = (table["classes"]?.members ?? []).compactMap { member in
      member.value["per_thousand"]?.json?.double.map { price in
        // A price of 1 for a thousand calls is 1,000 millionths for each call.
        PriceClass(member.key, micros: Int((price * 1_000).rounded()), freePerMonth: member.value["free_per_month"]?.integer ?? 0)
      }
    }
    let calls = (table["calls"]?.members ?? []).compactMap { member in Call(rawValue: member.key).map { ($0, member.value.string ?? "") } }
    return PriceTable(
      currency: table["currency"]?.string ?? "USD", classes: classes, calls: Dictionary(calls, uniquingKeysWith: { first, _ in first }))
  }

  private var sessions: SessionRule? {
    guard let table = root["session"] else { return nil }
    let endings = (table["endings"]?.members ?? []).map { member -> (String, SessionRule.Billing) in
      let text = member.value.string ?? ""
      return (member.key, text == "none" ? .none : Int(text).map { .first($0) } ?? .all)
    }
    return SessionRule(
      endings: Dictionary(endings, uniquingKeysWith: { first, _ in first }), idleSeconds: Double(table["idle_seconds"]?.integer ?? 180))
  }
}
