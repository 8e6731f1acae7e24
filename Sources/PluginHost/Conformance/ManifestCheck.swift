import PlacesKit

extension Manifest {
  /// The faults of the manifest that can be found without a request to its provider.
  public var findings: [ConformanceFinding] { nameFindings + capabilityFindings + networkFindings + settingFindings + priceFindings }

  private func finding(_ severity: ConformanceFinding.Severity, when isWrong: Bool, _ message: String) -> [ConformanceFinding] {
    isWrong ? [ConformanceFinding(severity, "manifest", message)] : []
  }

  private var nameFindings: [ConformanceFinding] {
    finding(
      .error, when: plugin.isEmpty || !plugin.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-" || $0 == "_") },
      "plugin must be a name of lower-case letters, digits, - and _")
      + finding(.error, when: name.isEmpty || version.isEmpty || summary.isEmpty, "name, version and summary must not be empty")
      + finding(.warning, when: !summary.hasSuffix("."), "summary should be a sentence")
      + finding(.error, when: terms.source.isEmpty, "terms must name their source")
      + finding(
        .error, when: attributions.contains { $0.text.isEmpty }, "an attribution must have a text")
      + finding(.error, when: size > Handshake.maxManifestSize, "it must have at most \(Handshake.maxManifestSize >> 10) KiB")
  }

  private var size: Int { (try? ProtocolMessage.encode(self).count) ?? .max }

  private var capabilityFindings: [ConformanceFinding] {
    let capabilities = Call.allCases.compactMap { call in capability(call).map { (call, $0) } }
    var findings = finding(.error, when: capabilities.isEmpty, "it supports none of the calls")
    for (call, capability) in capabilities {
      findings += finding(
        .error, when: capability.minimumLetters < 0 || capability.maximumRows < 1, "\(call.rawValue): letters and rows must be positive")
      findings += finding(.error, when: capability.kinds.isEmpty, "\(call.rawValue) declares no kind of row")
      findings += finding(
        .error, when: call != .autocomplete && capability.fields.isEmpty, "\(call.rawValue) declares no fields")
      findings += finding(
        .error,
        when: !capability.parameters.filter { $0.value == .emulated }.isEmpty && !givesCoordinates && emulatesAreaOrDistance(capability),
        "\(call.rawValue) declares emulated areas, but its rows have no coordinates, which emulation needs")
      let unusedNames = Set(capability.parameters.keys).subtracting(call.parameters).map(\.rawValue).sorted()
      findings += finding(
        .warning, when: !unusedNames.isEmpty,
        "\(call.rawValue) has no parameter \(unusedNames.joined(separator: ", ")); its declaration is ignored")
      let partlyNative = capability.parameters.filter { $0.value == .partly }.map(\.key)
      findings += finding(
        .error, when: !partlyNative.allSatisfy { [.includedType, .priceLevels, .countries].contains($0) },
        "\(call.rawValue): only includedType, priceLevels and countries can be partly native")
    }
    return findings
      + finding(
        .warning, when: autocomplete != nil && !terms.autocompleteAllowed, "it offers autocomplete, which its terms do not allow")
  }

  private func emulatesAreaOrDistance(_ capability: Capability) -> Bool {
    [.restrictionCircle, .restrictionRectangle, .origin, .rankByDistance].contains { capability.support($0) == .emulated }
  }

  private var networkFindings: [ConformanceFinding] {
    finding(
      .error, when: hosts.contains { $0.isEmpty || $0.contains("/") || $0.contains("*") || $0 != $0.lowercased() },
      "hosts must be whole names in lower case, without scheme, path or wildcard")
      + finding(.error, when: needsCredential && credential == .none, "it needs a key, but does not declare where a request carries it")
      + finding(.warning, when: leavesMachine && rate.perSecond == nil, "it calls a service, but declares no rate limit")
      + finding(.error, when: rate.burst < 1 || rate.concurrent < 1 || (rate.perSecond ?? 1) <= 0, "its rate allows no call")
      + finding(
        .error, when: countries.contains { $0.utf8.count != 2 || $0 != $0.uppercased() }, "countries must be two capital letters each")
      + finding(
        .error, when: coordinateDecimals.map { !(0...10).contains($0) } ?? false, "coordinates cannot be rounded to so many decimals")
  }

  private var settingFindings: [ConformanceFinding] {
    settings.flatMap { setting in
      finding(.error, when: setting.name.isEmpty || setting.summary.isEmpty, "a setting must have a name and a summary")
        + finding(.error, when: setting.required && setting.defaultValue != nil, "setting \(setting.name) is required and has a default")
        + finding(
          .error, when: !(setting.defaultValue.map(setting.accepts) ?? true),
          "the default of setting \(setting.name) is not one of its allowed values")
    } + finding(.error, when: Set(settings.map(\.name)).count != settings.count, "two settings have the same name")
  }

  private var priceFindings: [ConformanceFinding] {
    let usedClasses =
      Array(prices.calls.values) + prices.fieldClasses.values.flatMap(\.values) + (sessions.map { Array($0.endings.keys) } ?? [])
    let unpricedClasses = Set(usedClasses).subtracting(prices.classes.map(\.name)).sorted()
    // If the manifest has prices, an unpriced class is probably misspelt. If it has none, the instance's configuration may give the prices.
    return finding(
      prices.classes.isEmpty ? .warning : .error, when: !unpricedClasses.isEmpty,
      "no price is given for the classes \(unpricedClasses.joined(separator: ", ")): a budget that limits only money refuses their calls until an instance's `prices` contain these classes"
    )
      + finding(.error, when: prices.classes.contains { $0.micros < 0 || $0.freePerMonth < 0 }, "a price must not be negative")
      + finding(.error, when: prices.currency.utf8.count != 3, "the currency must be an ISO 4217 code")
  }
}
