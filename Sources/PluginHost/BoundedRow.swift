import PlacesKit

/// A row of a provider's answer whose size can be measured and limited.
protocol BoundedRow: Sendable, Hashable, Codable {
  /// False if the id is longer than a client may send back. Such an id is not shortened, because a part of it would be another id.
  var hasFittingID: Bool { get }
  /// Shortens texts and lists to their maximum lengths, and drops values that are invalid or unsafe.
  mutating func applyLimits()
  /// The approximate number of bytes that the row takes in a reply.
  var replyBytes: Int { get }
  /// An upper bound of `replyBytes` that is faster to compute.
  var maxReplyBytes: Int { get }
}

/// The maximum length of a text in a row, in code points.
private let maxTextLength = 1_000
/// The maximum number of elements of a list in a row.
private let maxElements = 100
/// The maximum number of attributions of a row. The provider's own attributions are not among them.
private let maxAttributions = 5
/// The maximum length of the address of an icon or a web page, in bytes.
private let maxAddressLength = 2_048
/// The maximum length of the code of a language (RFC 5646, section 4.4.1) or a country, in bytes.
private let maxCodeLength = 35
/// The size that is assumed for a row's coordinates, area, numbers and codes, in bytes.
private let minRowBytes = 384
/// The size that is assumed for a text's quotes and its key in the reply, in bytes.
private let minTextBytes = 16
/// The maximum number of bytes that one byte of a text takes after it is escaped.
private let maxEscapeLength = 6
/// The maximum length of a place's id, in bytes. Clients send it back with the provider's name before it, at most 1,024 bytes in total.
private let maxIDLength = 900

extension Suggestion: BoundedRow {
  var hasFittingID: Bool { id.map { $0.utf8.count <= maxIDLength } ?? true }

  mutating func applyLimits() {
    text.applyLimits()
    primary.applyLimits()
    secondary.applyLimits()
    distance = distance.flatMap { $0 >= 0 ? $0 : nil }
    importance = importance?.clampedToUnit
    if iconImageURL?.isWebAddress == false { iconImageURL = nil }
    if url?.isWebAddress == false { url = nil }
    if viewport?.isEmpty == true { viewport = nil }
    language.dropLongCode()
    if evidence.isTooLong { evidence.applyLimits() }
    types.applyLimits()
    attributions.applyLimits()
  }

  var replyBytes: Int { replyBytes(withEvidence: evidence.replyBytes) }

  /// Counts every byte of the evidence as if it were escaped, and adds `minTextBytes` for each of its eight texts. For the elements of its
  /// lists nothing is added: `evidenceSize` counts three bytes for each element, which make 18 here and exceed `minTextBytes`, 16.
  var maxReplyBytes: Int { replyBytes(withEvidence: 8 * minTextBytes + maxEscapeLength * evidenceSize) }

  private func replyBytes(withEvidence evidenceBytes: Int) -> Int {
    let texts = text.replyBytes + (primary?.replyBytes ?? 0) + (secondary?.replyBytes ?? 0)
    return minRowBytes + texts + id.replyBytes + iconImageURL.replyBytes + url.replyBytes + evidenceBytes + types.replyBytes
      + attributions.replyBytes
  }
}

extension Place: BoundedRow {
  var hasFittingID: Bool { id.utf8.count <= maxIDLength }

  mutating func applyLimits() {
    // A distance of 0 is kept, because it means that the place contains the origin. The daemon computes all other distances.
    distance = distance == 0 ? 0 : nil
    importance = importance?.clampedToUnit
    dropLongIDs()
    dropUnsafeAddresses()
    for (field, value) in values where !Self.addressFields.contains(field) { values[field] = value.limited() }
    language.dropLongCode()
    if evidence.isTooLong { evidence.applyLimits() }
    types.applyLimits()
    attributions.applyLimits()
  }

  /// The fields whose value is an address. An address is dropped rather than shortened.
  private static let addressFields: Set<PlaceField> = [.iconImageURL, .mapURL, .website]

  /// Drops addresses that a client cannot open safely. A website may lack its scheme, as in `www.example.org`.
  private mutating func dropUnsafeAddresses() {
    for field in [PlaceField.iconImageURL, .mapURL] where values[field]?.string?.isWebAddress != true { values[field] = nil }
    guard let text = values[.website]?.string else {
      values[.website] = nil
      return
    }
    let website = String(text.reversed().drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace))
    let isSafe = website.isWebAddress || "http://\(website)".isWebAddress && !website.hasScheme
    values[.website] = isSafe ? .string(website) : nil
  }

  /// Drops photographs whose ids are too long, and `movedPlaceID` if it is too long. A part of an id would be another id.
  private mutating func dropLongIDs() {
    if values[.movedPlaceID]?.string?.utf8.count ?? 0 > maxIDLength { values[.movedPlaceID] = nil }
    guard let photos = values[.photos]?.array else { return }
    let fittingPhotos = photos.filter { ($0["id"]?.string?.utf8.count ?? 0) <= maxIDLength }
    if fittingPhotos.count < photos.count { values[.photos] = fittingPhotos.isEmpty ? nil : .array(fittingPhotos) }
  }

  /// Assumes 24 bytes for the key of a field.
  var replyBytes: Int {
    minRowBytes + values.values.reduce(0) { $0 + 24 + $1.replyBytes } + id.replyBytes + evidence.replyBytes + types.replyBytes
      + attributions.replyBytes
  }

  var maxReplyBytes: Int { replyBytes }
}

extension FormattedText {
  fileprivate mutating func applyLimits() {
    if text.utf8.count > maxTextLength { text = text.limited() }
    dropUnorderedMatches()
    if matches.count > maxElements { matches.removeLast(matches.count - maxElements) }
  }

  /// Drops matches that are not ranges of the text, or that begin before the previous match ends.
  mutating func dropUnorderedMatches() {
    guard !matches.isEmpty else { return }
    // Code points are counted by their first bytes, which is ten times as fast as iterating over them.
    let length = text.withUTF8 { bytes in bytes.count { $0 & 0xC0 != 0x80 } }
    var end = 0
    func isInOrder(_ match: TextRange) -> Bool {
      guard match.start >= end, match.start < match.end, match.end <= length else { return false }
      end = match.end
      return true
    }
    // Nearly always all matches are in order. Checking that takes a quarter of the time of `filter`, so the check comes first.
    guard let first = matches.firstIndex(where: { !isInOrder($0) }) else { return }
    matches = matches[..<first] + matches[first...].filter(isInOrder)
  }

  /// Assumes 32 bytes for a match.
  fileprivate var replyBytes: Int { text.replyBytes + 32 * matches.count }
}

extension FormattedText? {
  fileprivate mutating func applyLimits() { self?.applyLimits() }
}

extension Evidence {
  /// True if `applyLimits` may change the evidence, which is rare. Unlike `applyLimits`, this check copies nothing.
  fileprivate var isTooLong: Bool {
    otherNames.isTooLong || equivalents.isTooLong || country.exceeds(maxCodeLength) || address.exceeds(maxTextLength)
      || houseNumber.exceeds(maxTextLength) || street.exceeds(maxTextLength) || postcode.exceeds(maxTextLength)
      || locality.exceeds(maxTextLength) || region.exceeds(maxTextLength) || phone.exceeds(maxTextLength) || website.exceeds(maxTextLength)
  }

  fileprivate mutating func applyLimits() {
    otherNames.applyLimits()
    equivalents.applyLimits()
    country.dropLongCode()
    address.applyLimits()
    houseNumber.applyLimits()
    street.applyLimits()
    postcode.applyLimits()
    locality.applyLimits()
    region.applyLimits()
    phone.applyLimits()
    website.applyLimits()
  }

  /// Inlined, because a call would copy the evidence.
  @inline(__always) fileprivate var replyBytes: Int {
    let addressBytes =
      address.replyBytes + houseNumber.replyBytes + street.replyBytes + postcode.replyBytes + locality.replyBytes + region.replyBytes
    return addressBytes + phone.replyBytes + website.replyBytes + otherNames.replyBytes + equivalents.replyBytes
  }
}

extension Double {
  /// The value limited to 0…1; 0 for NaN.
  fileprivate var clampedToUnit: Double { self >= 0 ? Swift.min(self, 1) : 0 }
}

extension [PlaceType] {
  fileprivate mutating func applyLimits() {
    if contains(where: { $0.rawValue.utf8.count > maxTextLength }) { removeAll { $0.rawValue.utf8.count > maxTextLength } }
    if count > maxElements { removeLast(count - maxElements) }
  }

  fileprivate var replyBytes: Int { reduce(0) { $0 + $1.rawValue.replyBytes } }
}

extension [Attribution] {
  mutating func applyLimits() {
    if !isEmpty {
      self = prefix(maxAttributions).map { Attribution(text: $0.text.limited(), url: $0.url.flatMap { $0.isWebAddress ? $0 : nil }) }
    }
  }

  fileprivate var replyBytes: Int { reduce(0) { $0 + $1.text.replyBytes + ($1.url?.replyBytes ?? 0) } }
}

extension [String] {
  fileprivate var isTooLong: Bool { count > maxElements || contains { $0.utf8.count > maxTextLength } }

  // The length is checked first, because shortening copies the list, and most lists are not too long.
  fileprivate mutating func applyLimits() {
    guard isTooLong else { return }
    self = prefix(maxElements).map { $0.limited() }
  }

  fileprivate var replyBytes: Int { reduce(0) { $0 + $1.replyBytes } }
}

extension String {
  /// True for an http or https address that a client can open. Addresses of scripts and files are not safe. An address that is too long
  /// cannot be shortened, because a part of it would be another address.
  fileprivate var isWebAddress: Bool {
    ["https://", "http://"].contains { prefix($0.count).lowercased() == $0 } && utf8.count <= maxAddressLength
      && !utf8.contains { $0 <= 0x20 || $0 == 0x7F }
  }

  /// True if the text begins with a scheme (RFC 3986, section 3.1), as in `javascript:alert(1)`. In `www.example.org:80`, the text before
  /// the colon is a host and not a scheme, since it contains a dot.
  fileprivate var hasScheme: Bool {
    guard let colon = firstIndex(of: ":") else { return false }
    return !self[..<colon].contains { $0 == "/" || $0 == "." }
  }

  /// The text, shortened to `maxTextLength` code points.
  func limited() -> String { utf8.count <= maxTextLength ? self : String(UnicodeScalarView(unicodeScalars.prefix(maxTextLength))) }

  /// The size in bytes with escapes, quotes and a short key. For a short text this is an upper bound, because counting exactly would cost
  /// more than it saves.
  fileprivate var replyBytes: Int {
    guard utf8.count > 64 else { return minTextBytes + maxEscapeLength * utf8.count }
    return utf8.reduce(minTextBytes) { bytes, byte in
      if byte < 0x20 || byte == 0x7F { return bytes + maxEscapeLength }
      let needsBackslash = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      return bytes + (needsBackslash ? 2 : 1)
    }
  }
}

extension String? {
  /// True if there is a text of more than this number of bytes.
  fileprivate func exceeds(_ bytes: Int) -> Bool { if let text = self { text.utf8.count > bytes } else { false } }

  fileprivate mutating func applyLimits() {
    if let text = self, text.utf8.count > maxTextLength { self = text.limited() }
  }

  fileprivate var replyBytes: Int { if let text = self { text.replyBytes } else { 0 } }

  fileprivate mutating func dropLongCode() {
    if let code = self, code.utf8.count > maxCodeLength { self = nil }
  }
}

extension JSONValue {
  /// Shortens texts and lists, drops members with long keys, and drops each member `url` that is not a safe address. Reviews and
  /// photographs' authors have such members.
  fileprivate func limited() -> JSONValue {
    switch self {
    case .string(let text): .string(text.limited())
    case .array(let elements): .array(elements.prefix(maxElements).map { $0.limited() })
    case .object(let object):
      .object(
        JSONObject(
          object.members.prefix(maxElements).compactMap { member in
            guard member.key.utf8.count <= maxTextLength else { return nil }
            guard member.key == "url", let address = member.value.string else { return (member.key, member.value.limited()) }
            return address.isWebAddress ? (member.key, member.value) : nil
          }))
    case .null, .boolean, .integer, .number: self
    }
  }

  /// The approximate number of bytes that the value takes as JSON text.
  var replyBytes: Int {
    switch self {
    case .string(let text): text.replyBytes
    case .array(let elements): elements.reduce(2) { $0 + $1.replyBytes }
    case .object(let object): object.members.reduce(2) { $0 + $1.key.replyBytes + $1.value.replyBytes }
    case .null, .boolean, .integer, .number: 16
    }
  }
}
