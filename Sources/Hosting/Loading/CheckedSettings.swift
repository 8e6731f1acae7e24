import PlacesKit

/// An instance's settings, checked against what its manifest declares.
public enum CheckedSettings {
  /// The settings with defaults filled in.
  /// - Throws: `settings` with every fault in one message: unknown and missing names, wrong kinds, values outside the choices.
  public static func check(_ given: [String: JSONValue], against declared: [Setting], of subject: String) throws(HostingError) -> [String:
    JSONValue]
  {
    var checked: [String: JSONValue] = [:]
    var faults: [String] = []
    for setting in declared {
      if let value = given[setting.name] {
        checked[setting.name] = value
        if let fault = fault(of: value, in: setting) { faults.append("\(setting.name) \(fault)") }
      } else if setting.required {
        faults.append("\(setting.name) is missing: \(setting.summary)")
      } else {
        checked[setting.name] = setting.defaultValue
      }
    }
    let known = declared.map(\.name)
    for name in given.keys.sorted() where !known.contains(name) {
      faults.append("\(name) is no setting of it" + (known.isEmpty ? "; it has none" : "; it has \(known.joined(separator: ", "))"))
    }
    guard faults.isEmpty else { throw HostingError(.settings, subject, "provider \(subject): \(faults.joined(separator: "; "))") }
    return checked
  }

  /// What is wrong with a value, without the value itself: it may be a secret.
  private static func fault(of value: JSONValue, in setting: Setting) -> String? {
    switch setting.kind {
    case .string: return value.string.map { outside(setting.choices, [$0]) } ?? "must be a string"
    case .strings:
      guard let elements = value.array, elements.allSatisfy({ $0.string != nil }) else { return "must be a list of strings" }
      return outside(setting.choices, elements.compactMap(\.string))
    case .integer: return value.integer == nil ? "must be a whole number" : nil
    case .number: return value.double == nil ? "must be a number" : nil
    case .boolean: return value.boolean == nil ? "must be true or false" : nil
    case .url:
      guard let text = value.string, ["https://", "http://"].contains(where: { text.hasPrefix($0) && text.count > $0.count }) else {
        return "must be a URL that begins with https:// or http://"
      }
      return nil
    }
  }

  private static func outside(_ choices: [String], _ values: [String]) -> String? {
    choices.isEmpty || values.allSatisfy(choices.contains) ? nil : "must be one of \(choices.joined(separator: ", "))"
  }
}
