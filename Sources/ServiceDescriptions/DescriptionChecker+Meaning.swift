import PlacesKit
import TOML
import Text

extension DescriptionChecker {
  /// Checks the rules that involve several keys, and the meaning of values: keys that need other keys, names that must refer to another
  /// key, and words and codes that must exist. A problem that may be only the consequence of a problem reported before is not reported.
  mutating func checkMeaning(of root: TOMLValue, file: String) {
    let calls = DescriptionKeys.calls.compactMap { call in root[call.rawValue].map { (call: call, table: $0) } }
    let hasUnknownRootKey = hasUnknownKey(in: [], besides: DescriptionKeys.root.map(\.name))
    if calls.isEmpty, !hasUnknownRootKey {
      report(.file(file), "it describes no call", suggestion: "add [search], [autocomplete], [details] or [reverse]")
    }
    checkNames(of: root)
    let hosts = root["hosts"]?.strings ?? []
    if hosts.isEmpty, !isFaulty("hosts"), let value = root["hosts"], root["needs_base_url"]?.boolean != true {
      report(value.origin, "`hosts` is empty", suggestion: "name the hosts, or set `needs_base_url = true`")
    }
    let commonFields = Set((root["fields"]?.members ?? []).map(\.key))
    for (call, value) in calls {
      let fields = commonFields.union((value["fields"]?.members ?? []).map(\.key))
      if !hasUnknownField(in: call) { checkFields(fields, of: call, at: value.origin) }
      if fields.contains("easting"), root["grid"] == nil {
        report(
          value.origin, "the fields of [\(call.rawValue)] have an `easting`, but there is no `grid`",
          suggestion: "for the National Grid of Great Britain add `grid = \"EPSG:27700\"`; no other grid is supported")
      }
      if let host = value["host"], !isFaulty("hosts"), !isFaulty(call.rawValue, "host"), !hosts.contains(host.string ?? "") {
        report(host.origin, "`\(call.rawValue).host` is not one of `hosts`", suggestion: "hosts: \(hosts.joined(separator: ", "))")
      }
      if let path = value["path"], !isFaulty(call.rawValue, "path") { checkPath(path, of: call) }
      checkRequest(value, of: call, mayHaveTypes: root["types"] != nil || hasUnknownRootKey)
    }
    // Details are requested with ids that some call returned.
    if root["details"] != nil, !calls.contains(where: { hasUnknownField(in: $0.call) }), !commonFields.contains("id"),
      calls.allSatisfy({ $0.table["fields"]?["id"] == nil })
    {
      report(root["details"]?.origin ?? .file(file), "[details] needs the field `id`", suggestion: "add `id = \"@.id\"` to [fields]")
    }
    if !isFaulty("key") { checkKey(root["key"]) }
    for rule in root["matches"]?.members ?? []
    where !isFaulty("matches", rule.key) && (rule.value["end"] == nil) == (rule.value["length"] == nil) {
      report(rule.origin, "`matches.\(rule.key)` needs exactly one of `end` and `length`")
    }
    let hasUnknownRuleKey = hasUnknownKey(in: ["errors"], besides: DescriptionKeys.error.map(\.name))
    for rule in root["errors"]?.elements ?? []
    where !hasUnknownRuleKey && rule["path"] == nil && (rule["is"] != nil || rule["contains"] != nil) {
      report(rule.origin, "an error rule with `is` or `contains` needs the `path` of the value", suggestion: "path = \"$.error.message\"")
    }
  }

  private func hasUnknownField(in call: Call) -> Bool {
    [["fields"], [call.rawValue, "fields"]].contains { hasUnknownKey(in: $0, besides: RowField.keys) }
  }

  private mutating func checkFields(_ fields: Set<String>, of call: Call, at origin: Origin) {
    let texts: [RowField] = [.name, .label, .text, .primary, .street, .city, .country]
    if fields.isDisjoint(with: texts.map(\.key)) {
      report(origin, "rows of [\(call.rawValue)] have no text", suggestion: "add `name` or `label` to [fields]")
    }
    // With a `kind`, rows can be completions of the text, which need neither an id nor a position.
    if fields.isDisjoint(with: ["id", "latitude", "easting", "kind"]) {
      report(origin, "rows of [\(call.rawValue)] have neither an id nor a position", suggestion: "add `id`, or `latitude` and `longitude`")
    }
    for group in [["latitude", "longitude"], ["easting", "northing"], ["south", "west", "north", "east"]]
    where !fields.isDisjoint(with: group) {
      let missing = group.filter { !fields.contains($0) }
      if !missing.isEmpty { report(origin, "the fields of [\(call.rawValue)] lack \(missing.joined(separator: ", "))") }
    }
  }

  private mutating func checkPath(_ path: TOMLValue, of call: Call) {
    let text = path.string ?? ""
    let name = "\(call.rawValue).path"
    // The text begins after the quotation mark. In strings with escapes or several lines the column is approximate.
    var origin = path.origin
    origin.column += 1
    if !text.hasPrefix("/") { report(origin, "`\(name)` must begin with a slash", suggestion: "write \(quoted("/" + text))") }
    // Inside braces, `?` begins a condition (`TextTemplate.Placeholder.Presence`).
    var depth = 0
    for (offset, scalar) in text.unicodeScalars.enumerated() {
      if scalar == "{" { depth += 1 }
      if scalar == "}" { depth -= 1 }
      guard scalar == "?", depth == 0 else { continue }
      origin.column += offset
      return report(
        origin, "`\(name)` contains a `?`, which would be percent-encoded", suggestion: "write its parameters in `\(call.rawValue).query`")
    }
  }

  /// Checks that the request uses the values without which the call is useless, and that further pages can be requested if it has `paging`.
  private mutating func checkRequest(_ value: TOMLValue, of call: Call, mayHaveTypes: Bool) {
    let usedNames = Set(value.texts.flatMap { DescriptionChecker.names(in: $0) })
    let requestIsFaulty = ["path", "query", "headers", "body"].contains { isFaulty(call.rawValue, $0) }
    /// Reports a problem if the request does not use a value.
    /// - Parameter explanation: explains the value, and is appended to its name in the message.
    func requireUse(of name: String, _ explanation: String = "") {
      if !requestIsFaulty, !usedNames.contains(name) {
        report(
          value.origin, "the request of [\(call.rawValue)] does not use `{\(name)}`\(explanation)",
          suggestion: "add it to `query`, `path` or `body`")
      }
    }
    switch call {
    case .autocomplete, .search: requireUse(of: "query")
    case .details: requireUse(of: "id")
    case .reverse:
      requireUse(of: "latitude")
      requireUse(of: "longitude")
    case .geocode, .photo: break
    }
    if usedNames.contains("types"), !mayHaveTypes {
      report(value.origin, "[\(call.rawValue)] uses `{types}`, but there is no [types]", suggestion: "add [types] with the service's words")
    }
    guard let paging = value["paging"], !isFaulty(call.rawValue, "paging") else { return }
    if paging["token"] != nil { requireUse(of: "page", ", the token of the next page") }
    if paging["token"] == nil, !requestIsFaulty, usedNames.isDisjoint(with: ["offset", "page_number"]) {
      report(paging.origin, "paging needs a `token`, or `{offset}` or `{page_number}` in the request")
    }
  }

  private mutating func checkKey(_ key: TOMLValue?) {
    guard let key else { return }
    if (key["query"] == nil) == (key["header"] == nil) { report(key.origin, "[key] needs exactly one of `query` and `header`") }
    if key["prefix"] != nil, key["header"] == nil { report(key.origin, "`key.prefix` needs a `header`") }
  }

  /// Checks names that must refer to another key, and values for which only certain words, codes or names are allowed.
  private mutating func checkNames(of root: TOMLValue) {
    let classes = (root["prices"]?["classes"]?.members ?? []).map(\.key)
    let prices = isFaulty("prices") ? nil : root["prices"]
    for member in prices?["calls"]?.members ?? [] where !classes.contains(member.value.string ?? "") {
      report(
        member.value.origin, "`prices.calls.\(member.key)` is not a class of [prices.classes]",
        suggestion: "classes: \(classes.joined(separator: ", "))")
    }
    if let prices, (prices["classes"]?.members ?? []).contains(where: { $0.value["per_thousand"] != nil }) {
      let missing = ["currency", "date", "source"].filter { prices[$0] == nil }
      if !missing.isEmpty {
        report(
          prices.origin, "[prices] has a price, but lacks \(missing.map { "`\($0)`" }.joined(separator: ", "))",
          suggestion: "leave the price out if it has no source")
      }
    }
    for member in isFaulty("session") ? [] : root["session"]?["endings"]?.members ?? [] {
      if !isFaulty("prices"), !classes.contains(member.key) {
        report(member.origin, "`session.endings.\(member.key)` is not a class of [prices.classes]")
      }
      let text = member.value.string ?? ""
      if text != "none", text != "all", Int(text).map({ $0 < 0 }) ?? true {
        report(member.value.origin, "`session.endings.\(member.key)` must be \"none\", \"all\" or a number such as \"12\"")
      }
    }
    if let blending = root["terms"]?["blending"], let text = blending.string, Terms.Mixing(blending: text) == nil {
      report(blending.origin, "`terms.blending` must be \"free\", \"never\" or \"family:NAME\", not \(quoted(text))")
    }
    for value in isFaulty("countries") ? [] : root["countries"]?.elements ?? []
    where RegionCode.canonical(value.string ?? "") != value.string {
      report(value.origin, "`countries` must contain two-letter codes in upper case, not \(quoted(value.string ?? ""))")
    }
    for member in root["settings"]?.members ?? [] where !SettingNames.isFree(member.key) {
      report(
        member.origin, "a setting cannot be named `\(member.key)`",
        suggestion: "use lower-case letters and `_`, and no key that every provider has")
    }
  }

  /// The names in the placeholders of a template's text.
  private static func names(in text: String) -> [String] {
    text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map { part in
      String(part.drop { $0 == "?" || $0 == "!" || $0 == " " }.prefix { $0.isLetter || $0 == "_" || $0 == "." })
    }
  }
}

extension TOMLValue {
  /// Every text in the value, at any depth.
  fileprivate var texts: [String] {
    switch content {
    case .string(let text): [text]
    case .array(let values): values.flatMap(\.texts)
    case .table(let members): members.flatMap { $0.value.texts }
    default: []
    }
  }
}

extension Terms.Mixing {
  /// Parses the value of `terms.blending`; nil if it is none of the three forms.
  init?(blending text: String) {
    let familyPrefix = "family:"
    if text == "free" {
      self = .free
    } else if text == "never" {
      self = .never
    } else if text.hasPrefix(familyPrefix), text.count > familyPrefix.count {
      self = .family(String(text.dropFirst(familyPrefix.count)))
    } else {
      return nil
    }
  }
}

/// The names that a description may use for its own settings.
package enum SettingNames {
  /// Keys that `[providers.ID]` has for every plugin, and those that the daemon fills in.
  private static let reserved: Set<String> = [
    "plugin", "service", "command", "allow_unconfined", "enabled", "isolation", "weight", "merge", "share_between_users",
    "license_override",
    "base_url", "ca_file", "allow_private_addresses", "api_key_file", "credential", "timeout_ms", "failure_share", "rate", "budget",
    "prices",
    "keep", "contact", "description",
  ]

  /// Whether a setting may have this name: it has only lower-case letters, digits and `_`, and is not reserved.
  package static func isFree(_ name: String) -> Bool {
    !reserved.contains(name) && !name.isEmpty
      && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
  }
}
