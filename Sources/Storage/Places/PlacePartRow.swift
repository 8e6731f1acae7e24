import PlacesKit
import SQLite

/// One part of a place as a row of the database.
struct PlacePartRow: Sendable {
  var provider: String
  /// The partition's `column`.
  var user: Int
  /// The provider's own id.
  var placeID: String
  var language: String
  var part: PlacePart
  /// When the provider returned the place, in seconds since 1970.
  var storedAt: Double
  /// When the row must no longer be served, in seconds since 1970.
  var endsAt: Double
  /// The part as JSON.
  var value: [UInt8]

  /// The rows of all parts that the terms allow storing; empty for a partition that is never stored on disk.
  static func rows(_ place: Place, _ key: PlaceKey, under terms: Terms, at now: Double) -> [PlacePartRow] {
    guard let user = key.partition.column, terms.idsSeconds.map({ $0 > 0 }) ?? true else { return [] }
    // Each row contains the id of the place, so no row may be stored for longer than the terms allow for ids.
    let maxLifetime = terms.idsSeconds ?? .infinity
    return place.parts.compactMap { part, value in
      let lifetime = min(maxLifetime, part.dataClass.lifetime(under: terms) ?? .infinity)
      guard lifetime > 0 else { return nil }
      return PlacePartRow(
        provider: key.provider, user: user, placeID: key.id, language: key.language, part: part, storedAt: now,
        // A lifetime without limit ends at a finite time that is never reached.
        endsAt: min(now + lifetime, 1e15), value: value)
    }
  }

  init(
    provider: String, user: Int, placeID: String, language: String, part: PlacePart, storedAt: Double, endsAt: Double, value: [UInt8]
  ) {
    self.provider = provider
    self.user = user
    self.placeID = placeID
    self.language = language
    self.part = part
    self.storedAt = storedAt
    self.endsAt = endsAt
    self.value = value
  }

  static let columns = "provider, user, place, language, part, stored, ends, value, checksum"

  /// Reads `columns` from the current row; nil if the checksum does not match the contents.
  init?(_ statement: Statement) {
    guard let part = PlacePart(name: statement.text(4)) else { return nil }
    self.init(
      provider: statement.text(0), user: statement.integer(1), placeID: statement.text(2), language: statement.text(3), part: part,
      storedAt: statement.real(5), endsAt: statement.real(6), value: statement.blob(7))
    guard Int64(statement.integer(8)) == checksum else { return nil }
  }

  func write(to database: Database, usedAt: Double) throws(SQLiteError) {
    try database.run(
      "INSERT OR REPLACE INTO places (\(PlacePartRow.columns), used) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      .text(provider), Value(user), .text(placeID), .text(language), .text(part.name), .real(storedAt), .real(endsAt), .blob(value),
      .integer(checksum), .real(usedAt))
  }

  private var checksum: Int64 {
    var sum = Checksum()
    for text in [provider, placeID, language, part.name] { sum.add(text) }
    sum.add(user)
    sum.add(storedAt)
    sum.add(endsAt)
    sum.add(value)
    return sum.value
  }
}

extension Place {
  /// The encoded parts of the place.
  fileprivate var parts: [(PlacePart, [UInt8])] {
    var parts: [(PlacePart, [UInt8])] = values.map { (.field($0.key), $0.value.bytes) }
    func add(_ part: PlacePart, _ value: (some Encodable)?) {
      if let value, let bytes = StoredJSON.bytes(value) { parts.append((part, bytes)) }
    }
    add(.location, location)
    add(.types, types.isEmpty ? nil : types)
    add(.language, language.map { [$0] })
    add(.importance, importance.map { [$0] })
    add(.evidence, evidence == Evidence() ? nil : evidence)
    add(.attributions, attributions.isEmpty ? nil : attributions)
    return parts
  }

  /// Decodes and sets a part. A part that cannot be decoded remains absent.
  mutating func set(_ part: PlacePart, from bytes: [UInt8]) {
    switch part {
    case .field(let field): values[field] = try? JSONValue(parsing: bytes)
    case .location: location = StoredJSON.value(Coordinate.self, from: bytes)
    case .types: types = StoredJSON.value([PlaceType].self, from: bytes) ?? []
    case .language: language = StoredJSON.value([String].self, from: bytes)?.first
    case .importance: importance = StoredJSON.value([Double].self, from: bytes)?.first
    case .evidence: evidence = StoredJSON.value(Evidence.self, from: bytes) ?? Evidence()
    case .attributions: attributions = StoredJSON.value([Attribution].self, from: bytes) ?? []
    }
  }
}
