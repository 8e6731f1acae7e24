import PlacesKit

/// Formats a manifest as lines of text.
enum ManifestText {
  /// - Parameter origins: the web origins that the configured provider contacts; nil if only the manifest is known.
  static func lines(_ manifest: Manifest, origins: [String]?, _ console: Console) -> [String] {
    // Each row has a label and a text. A row without a label continues the previous one; a row without a text is left out.
    var rows: [(String, String)] = [
      ("service", "\(manifest.name), plugin \(manifest.plugin) \(manifest.version)"), ("", manifest.summary),
      ("asks", (origins ?? manifest.hosts.map { "https://\($0)" }).joined(separator: " ")),
      ("", manifest.needsBaseURL ? "needs base_url" : ""),
      ("key", manifest.needsCredential ? "needed" : ""),
    ]
    for call in Call.allCases { if let capability = manifest.capability(call) { rows += callRows(call, capability) } }
    for setting in manifest.settings {
      let choices = setting.choices.isEmpty ? "" : ", one of \(setting.choices.joined(separator: " "))"
      let defaultText = setting.defaultValue.map { ", by default \($0.text)" } ?? ""
      rows.append(
        (
          "setting",
          "\(setting.name) (\(setting.kind.rawValue)\(choices)\(setting.required ? ", required" : "")\(defaultText)): \(setting.summary)"
        ))
    }
    rows += terms(manifest.terms)
    let rate = manifest.rate
    let callsPerSecond = rate.perSecond.map { "\(Format.fixed($0, 2)) calls a second, \(rate.burst) at a time; " } ?? ""
    rows.append(("rate", "\(callsPerSecond)\(rate.concurrent) at once"))
    for price in manifest.prices.classes {
      let microsPerThousand = price.micros.multipliedReportingOverflow(by: 1000)
      let amount = Format.money(microsPerThousand.overflow ? .max : microsPerThousand.partialValue, manifest.prices.currency)
      let free = price.freePerMonth > 0 ? ", \(Format.grouped(price.freePerMonth)) a month free" : ""
      rows.append(
        (
          "price",
          "\(price.name): \(amount) a thousand\(free)"
        ))
    }
    rows += manifest.prices.unknownClasses.map { ("price", "\($0): not known; an instance sets it with `prices.\($0)`") }
    rows += manifest.attributions.map { ("credit", $0.text + ($0.url.map { " <\($0)>" } ?? "")) }
    return rows.filter { !$0.1.isEmpty }.flatMap { label, text in
      let lines = Help.wrapped(printable(text), width: (console.width ?? 100) - 14)
      return lines.enumerated().map { index, line in
        let name = index == 0 ? label : ""
        return StyledText(name + String(repeating: " ", count: 14 - name.count), .dim).text(colour: console.usesColour) + line
      }
    }
  }

  /// The rows for a call: what it returns, and how well it supports each parameter.
  private static func callRows(_ call: Call, _ capability: Capability) -> [(String, String)] {
    let kinds = capability.kinds.map(\.rawValue).sorted().joined(separator: " and ")
    let letters = capability.minimumLetters > 1 ? ", from \(capability.minimumLetters) letters on" : ""
    var rows = [(call.rawValue, "\(kinds) rows, \(capability.maximumRows) at most\(letters)\(capability.pages ? ", with pages" : "")")]
    for support in [Capability.Support.native, .partly, .emulated] {
      let names = capability.parameters.filter { $0.value == support }.map(\.key.rawValue).sorted()
      if !names.isEmpty { rows.append(("", "\(support.rawValue): \(names.joined(separator: " "))")) }
    }
    return rows
  }

  /// The rows for the terms of the service.
  private static func terms(_ terms: Terms) -> [(String, String)] {
    // A time of less than two days is given in hours, minutes or seconds.
    func storageTime(_ seconds: Double?) -> String {
      guard let seconds else { return "for ever" }
      if seconds <= 0 { return "not at all" }
      return seconds < 172_800 ? Format.duration(seconds) : "\(Format.fixed(seconds / 86_400, 0)) days"
    }
    let mixing: String
    switch terms.mixing {
    case .free: mixing = "may be blended with anything"
    case .family(let family): mixing = "may be blended with \(family)"
    case .never: mixing = "never blended with another provider's"
    }
    let storageTimes =
      "ids kept \(storageTime(terms.idsSeconds)), coordinates \(storageTime(terms.coordinatesSeconds)), "
      + "the rest \(storageTime(terms.otherSeconds))"
    let keystrokes = terms.autocompleteAllowed ? "" : "; never called on keystrokes"
    return [("terms", "\(storageTimes); seen by the \(terms.isolation.rawValue); \(mixing)\(keystrokes)"), ("", "source: \(terms.source)")]
  }
}
