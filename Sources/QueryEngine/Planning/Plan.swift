import PlacesKit
import Storage

/// The call to one provider, and the filters that the daemon applies to its rows because the provider cannot.
struct Plan: Sendable {
  var call: ProviderCall
  var filter: RowFilter
}

/// The reason why a provider is not called: a code for programs and a sentence for people.
struct Skip: Error, Equatable {
  /// The code if the request allows only cached answers and there is none.
  static let notCached = "cache"
  /// The code if the request has no text and the provider needs one.
  static let withoutText = "query"

  /// The code.
  var cause: String
  var message: String

  init(_ cause: String, _ message: String) {
    self.cause = cause
    self.message = message
  }
}

/// Creates the plans for one provider. No filter is ignored silently: the service applies it or, if the service cannot, the daemon applies
/// it to the rows. If the rows lack the fields that the daemon needs for this, the provider is skipped. A preference (language, bias) is
/// removed if the service does not support it, so that requests with and without it share calls and cached answers.
struct Planner {
  let manifest: Manifest
  let capability: Capability
  var filter = RowFilter()

  /// Throws if the provider does not offer the call.
  init(_ manifest: Manifest, for call: Call) throws(Skip) {
    guard let capability = manifest.capability(call) else {
      throw Skip("unsupported", "\(manifest.name) has no \(call.rawValue)")
    }
    self.manifest = manifest
    self.capability = capability
  }

  /// Skips the provider if the query is too short for it. The minimum is in letters of an alphabet; in Chinese, Japanese and Korean, one or
  /// two characters can be a whole name.
  func checkLength(of query: String) throws(Skip) {
    let letters = query.unicodeScalars
    guard letters.count < capability.minimumLetters, !letters.contains(where: \.isLogographicOrSyllabic) else { return }
    throw Skip("letters", "\(manifest.name) needs at least \(capability.minimumLetters) letters")
  }

  /// The value; nil unless the service itself supports the parameter.
  func ifSupported<Value>(_ value: Value?, _ parameter: Capability.Parameter) -> Value? {
    capability.support(parameter) == .native ? value : nil
  }

  /// The language to send. If the request has none, a service on the network might guess it from this machine's address. Therefore English
  /// is sent unless the service is known not to guess.
  func language(_ language: String?) -> String? {
    ifSupported(language ?? (manifest.leavesMachine && !manifest.givesLocalNames ? "en" : nil), .language)
  }

  /// True if the service applies a filter itself; false if the daemon must. Throws if neither can.
  /// - Parameters:
  ///   - cause: the code of the error.
  ///   - supportsValue: for a filter that the service supports only for some values (`partly`): true if the requested value is one of them.
  func serviceApplies(_ parameter: Capability.Parameter, cause: String, supportsValue: Bool = false) throws(Skip) -> Bool {
    switch capability.support(parameter) {
    case .native: return true
    case .partly: return supportsValue
    case .emulated: return false
    case .unsupported:
      // A collection is a value of the request's `types`.
      let name = parameter == .collection ? Capability.Parameter.types.rawValue : parameter.rawValue
      throw Skip(cause, "\(manifest.name) cannot filter by `\(name)`")
    }
  }

  /// Skips the provider if it does not cover the requested countries or area.
  func checkCoverage(countries: [String], restriction: Area?) throws(Skip) {
    if !countries.isEmpty, !manifest.countries.isEmpty, Set(countries).isDisjoint(with: manifest.countries) {
      throw Skip("country", "\(manifest.name) does not cover \(countries.joined(separator: ", "))")
    }
    if let restriction, let area = manifest.area, !restriction.bounds.overlaps(area.bounds) {
      throw Skip("area", "\(manifest.name) does not cover the requested area")
    }
  }

  /// The countries to send to the service; empty if the daemon filters by them.
  mutating func countries(_ countries: [String]) throws(Skip) -> [String] {
    guard !countries.isEmpty else { return [] }
    if try serviceApplies(.countries, cause: "country", supportsValue: countries.count == 1) { return countries }
    filter.countries = Set(countries)
    return []
  }

  /// The point with the precision that the manifest allows to be sent.
  func rounded(_ point: Coordinate?) -> Coordinate? {
    guard let decimals = manifest.coordinateDecimals else { return point }
    return point?.rounded(decimals: decimals)
  }

  /// The bias with the precision that the manifest allows; nil if the service does not support one.
  func bias(_ area: Area?) -> Area? {
    guard let area = ifSupported(area, .bias) else { return nil }
    guard let decimals = manifest.coordinateDecimals else { return area }
    switch area {
    case .circle(let center, let radius): return .circle(center: center.rounded(decimals: decimals), radius: radius)
    case .rectangle(let rectangle): return .rectangle(rectangle.roundedOutwards(decimals: decimals))
    }
  }

  /// The restriction to send to the service, in a shape that it supports; nil if it supports none. Unless the service receives exactly the
  /// requested area, the daemon filters the rows too. If the area was only rounded, rows without coordinates are kept. If another shape or
  /// none is sent, the service must return coordinates.
  mutating func restriction(_ area: Area?) throws(Skip) -> Area? {
    guard let area else { return nil }
    let circle = capability.support(.restrictionCircle)
    let rectangle = capability.support(.restrictionRectangle)
    let shape: (support: Capability.Support, name: String) =
      if case .circle = area { (circle, "a circle") } else { (rectangle, "a rectangle") }
    if shape.support == .native { return addFilterIfDifferent(rounded(area), to: area) }
    guard manifest.givesCoordinates, shape.support == .emulated || rectangle == .native else {
      throw Skip("restriction", "\(manifest.name) cannot be restricted to \(shape.name)")
    }
    filter.restriction = area
    return rectangle == .native ? rounded(.rectangle(area.bounds)) : nil
  }

  /// Returns the area to send. If it differs from the requested one, adds a filter for the requested area.
  private mutating func addFilterIfDifferent(_ sentArea: Area, to area: Area) -> Area {
    if sentArea != area { filter.roughRestriction = area }
    return sentArea
  }

  private func rounded(_ area: Area) -> Area {
    guard let decimals = manifest.coordinateDecimals else { return area }
    switch area {
    case .rectangle(let rectangle): return .rectangle(rectangle.roundedOutwards(decimals: decimals))
    case .circle(let center, let radius):
      let roundedCenter = center.rounded(decimals: decimals)
      // The circle around the rounded centre contains the requested one, unless the API's largest radius, 50 km, limits it.
      return .circle(center: roundedCenter, radius: min(50_000, radius + roundedCenter.distance(to: center)))
    }
  }
}

extension Unicode.Scalar {
  /// True for Han characters, kana and Hangul syllables (Unicode 16 blocks).
  fileprivate var isLogographicOrSyllabic: Bool {
    switch value {
    case 0x3041...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x2_0000...0x3_FFFF: true
    default: false
    }
  }
}

extension Rectangle {
  /// True if two rectangles have a point in common.
  func overlaps(_ other: Rectangle) -> Bool {
    split.contains { a in
      other.split.contains { b in
        a.low.latitude <= b.high.latitude && b.low.latitude <= a.high.latitude && a.low.longitude <= b.high.longitude
          && b.low.longitude <= a.high.longitude
      }
    }
  }

  /// The smallest rectangle that contains this one and whose corners have `decimals` decimal places.
  func roundedOutwards(decimals: Int) -> Rectangle {
    let scale = (0..<max(0, min(decimals, 9))).reduce(1.0) { scale, _ in scale * 10 }
    func down(_ degrees: Double, _ limit: Double) -> Double { max(limit, (degrees * scale).rounded(.down) / scale) }
    func up(_ degrees: Double, _ limit: Double) -> Double { min(limit, (degrees * scale).rounded(.up) / scale) }
    var (west, east) = (down(low.longitude, -180), up(high.longitude, 180))
    // If a rectangle across the antimeridian spans nearly all longitudes, rounding may close the gap. Then it spans all longitudes.
    if low.longitude > high.longitude, west <= east { (west, east) = (-180, 180) }
    guard let low = Coordinate(latitude: down(low.latitude, -90), longitude: west),
      let high = Coordinate(latitude: up(high.latitude, 90), longitude: east)
    else { return self }
    return Rectangle(low: low, high: high)
  }
}
