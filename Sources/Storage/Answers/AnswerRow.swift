import PlacesKit
import SQLite
import Text

/// A stored answer as a row of the database.
struct AnswerRow: Sendable {
  /// A hash of the key. If two keys have the same hash, the later row replaces the earlier one. Readers also compare the key.
  var id: Int64
  /// The key in canonical form.
  var key: [UInt8]
  var provider: String
  /// The partition's `column`.
  var user: Int
  var call: String
  /// The number of rows of the answer.
  var rowCount: Int
  /// The times of `StoredAnswer`, in seconds since 1970.
  var storedAt: Double
  var expiresAt: Double
  var endsAt: Double
  /// The answer as JSON.
  var value: [UInt8]

  /// Nil for an answer that is never stored on disk.
  init?(_ key: AnswerKey, _ storedAnswer: StoredAnswer) {
    guard let canonical = key.canonical, let user = key.partition.column, let value = StoredJSON.bytes(storedAnswer.answer) else {
      return nil
    }
    id = AnswerRow.id(of: canonical)
    self.key = canonical
    provider = key.provider
    self.user = user
    call = key.call.kind.rawValue
    rowCount = storedAnswer.answer.rowCount
    (storedAt, expiresAt, endsAt) = (storedAnswer.storedAt, storedAnswer.expiresAt, storedAnswer.endsAt)
    self.value = value
  }

  /// Reads `columns` from the current row; nil if the checksum does not match the contents.
  init?(_ statement: Statement) {
    id = Int64(statement.integer(0))
    key = statement.blob(1)
    provider = statement.text(2)
    user = statement.integer(3)
    call = statement.text(4)
    rowCount = statement.integer(5)
    (storedAt, expiresAt, endsAt) = (statement.real(6), statement.real(7), statement.real(8))
    value = statement.blob(9)
    guard Int64(statement.integer(10)) == checksum else { return nil }
  }

  static let columns = "id, key, provider, user, call, rows, stored, expires, ends, value, checksum"

  /// - Parameter usedAt: the time of the latest use, in seconds since 1970.
  func write(to database: Database, usedAt: Double) throws(SQLiteError) {
    try database.run(
      "INSERT OR REPLACE INTO answers (\(AnswerRow.columns), used) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      .integer(id), .blob(key), .text(provider), Value(user), .text(call), Value(rowCount), .real(storedAt), .real(expiresAt),
      .real(endsAt),
      .blob(value), .integer(checksum), .real(usedAt))
  }

  /// The decoded answer; nil if it cannot be decoded.
  var storedAnswer: StoredAnswer? {
    StoredJSON.value(Answer.self, from: value).map { StoredAnswer(answer: $0, storedAt: storedAt, expiresAt: expiresAt, endsAt: endsAt) }
  }

  private var checksum: Int64 {
    var sum = Checksum()
    sum.add(id)
    sum.add(key.count)
    sum.add(key)
    sum.add(provider)
    sum.add(user)
    sum.add(call)
    sum.add(rowCount)
    for time in [storedAt, expiresAt, endsAt] { sum.add(time) }
    sum.add(value)
    return sum.value
  }

  static func id(of key: [UInt8]) -> Int64 { Int64(bitPattern: FNV1a.hash(key)) }
}
