import SQLite

/// A place that a user chose after typing a text.
public struct UserChoice: Sendable, Hashable {
  public var user: UInt32
  /// The first letters of the typed text after `Folding.fold`.
  public var prefix: String
  /// The place's id in replies: the provider's id in the configuration, a colon, and the provider's own id of the place.
  public var place: String
  /// The strength of the choice at time `at`, in a unit that the caller defines.
  public var weight: Double
  /// When the user last made the choice, in seconds since 1970.
  public var at: Double

  public init(user: UInt32, prefix: String, place: String, weight: Double, at: Double) {
    self.user = user
    self.prefix = prefix
    self.place = place
    self.weight = weight
    self.at = at
  }
}

extension UserChoice {
  static let columns = "user, prefix, place, weight, at, ends, checksum"

  /// Reads `columns` from the current row; nil if the checksum does not match the contents.
  init?(_ statement: Statement) {
    guard let user = UInt32(exactly: statement.integer(0)) else { return nil }
    self.init(
      user: user, prefix: statement.text(1), place: statement.text(2), weight: statement.real(3), at: statement.real(4))
    guard Int64(statement.integer(6)) == checksum(endsAt: statement.real(5)) else { return nil }
  }

  func write(to database: Database, endsAt: Double) throws(SQLiteError) {
    try database.run(
      "INSERT OR REPLACE INTO uses (\(UserChoice.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)", Value(Int(user)), .text(prefix), .text(place),
      .real(weight), .real(at), .real(endsAt), .integer(checksum(endsAt: endsAt)))
  }

  private func checksum(endsAt: Double) -> Int64 {
    var sum = Checksum()
    sum.add(Int(user))
    sum.add(prefix)
    sum.add(place)
    for number in [weight, at, endsAt] { sum.add(number) }
    return sum.value
  }
}
