import PlacesKit
import SQLite
import Text

/// The rows of the most important places as the index keeps them, for whoever asks in no language and region: what took fifty thousand
/// instructions to compose once takes a tenth to read.
///
/// What the columns and tables tell is not repeated. A row is what `Presenter` composes: another way to compose it is another layout.
enum WrittenRow {
  /// Rows that are kept at most: in a larger index others are composed when they are wanted, which is seldom.
  static let most = 1 << 17

  /// Nil for a row that is not kept, because its name is of no common kind.
  static func encode(_ row: Suggestion, sources: [Int]) -> [UInt8]? {
    guard let id = row.id, let name = row.primary?.text, let words = FoldedNameTable(name) else { return nil }
    var writer = ByteWriter()
    let evidence = row.evidence
    // Most rows have none of what houses and shops have.
    let more = [
      evidence.address, evidence.street, evidence.houseNumber, evidence.postcode, evidence.locality, evidence.phone, evidence.website,
    ]
    let hasMore = more.contains { $0 != nil }
    var equivalents = evidence.equivalents
    if let own = equivalent(of: id), equivalents.first == own { equivalents.removeFirst() }
    writer.byte((hasMore ? 1 : 0) | (equivalents.isEmpty ? 0 : 2) | (sources.isEmpty ? 0 : 4))
    for text in [id, name, row.language, row.secondary?.text, evidence.region] { writer.text(text) }
    words.encode(into: &writer)
    writer.texts(evidence.otherNames)
    if hasMore { for text in more { writer.text(text) } }
    if !equivalents.isEmpty { writer.texts(equivalents) }
    if !sources.isEmpty {
      writer.number(UInt64(sources.count))
      for source in sources { writer.byte(UInt8(truncatingIfNeeded: source)) }
    }
    return writer.bytes
  }

  /// Nil for what `encode` did not write.
  static func decode(_ bytes: [UInt8], _ columns: PlaceColumns, in file: IndexFile) throws(SQLiteError) -> PresentedPlace? {
    var reader = ByteReader(bytes[...])
    guard let flags = reader.byte(), let id = reader.text(), let name = reader.text() else { return nil }
    let (language, secondary) = (reader.text(), reader.text())
    var evidence = Evidence()
    evidence.region = reader.text()
    guard let words = FoldedNameTable(&reader), let others = reader.texts() else { return nil }
    evidence.otherNames = others
    if flags & 1 != 0 {
      (evidence.address, evidence.street, evidence.houseNumber) = (reader.text(), reader.text(), reader.text())
      (evidence.postcode, evidence.locality) = (reader.text(), reader.text())
      (evidence.phone, evidence.website) = (reader.text(), reader.text())
    }
    evidence.country = try file.areas.entry(columns.country)?.code
    if let own = equivalent(of: id) { evidence.equivalents.append(own) }
    if flags & 2 != 0 {
      guard let equivalents = reader.texts() else { return nil }
      evidence.equivalents += equivalents
    }
    var attributions: [Attribution] = []
    if flags & 4 != 0 {
      guard let count = reader.number(), let numbers = reader.raw(count) else { return nil }
      attributions = try file.credits(of: numbers.map { Int($0) })
    }
    let row = Suggestion(
      kind: .place, id: id, text: FormattedText(secondary.map { "\(name), \($0)" } ?? name), primary: FormattedText(name),
      secondary: secondary.map { FormattedText($0) }, types: try file.types.types(columns.types), language: language,
      location: columns.point == .none ? nil : columns.point.coordinate, importance: Double(columns.importance) / 65_535,
      evidence: evidence, attributions: attributions)
    return PresentedPlace(row, name: name, words)
  }

  /// What others call the place of an id of the index.
  static func equivalent(of id: String) -> String? {
    if id.hasPrefix("osm:") { return id }
    guard let first = id.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
    return "geonames:\(id)"
  }
}

extension ByteWriter {
  /// A text that may be missing.
  fileprivate mutating func text(_ text: String?) {
    number(text.map { UInt64($0.utf8.count) + 1 } ?? 0)
    if let text { raw(text.utf8) }
  }

  fileprivate mutating func texts(_ texts: [String]) {
    number(UInt64(texts.count))
    for text in texts { self.text(text) }
  }
}

extension ByteReader {
  fileprivate mutating func text() -> String? {
    guard let size = number(), size > 0, let bytes = raw(size - 1) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Nil for more than there can be.
  fileprivate mutating func texts() -> [String]? {
    guard let count = number(), count <= 256 else { return nil }
    var texts: [String] = []
    texts.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let text = text() else { return nil }
      texts.append(text)
    }
    return texts
  }
}
