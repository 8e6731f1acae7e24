import SQLite

extension StoreFile {
  /// The cache database. A power failure may lose its last writes, but does not damage it (`synchronous = NORMAL`). Its application id is
  /// `plcc` in ASCII.
  static func cache(_ path: String) -> StoreFile {
    StoreFile(
      path: path, applicationID: 0x706C_6363, migrations: Migrations([cacheLayout]),
      settings: """
        PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 1048576; PRAGMA cache_size = -1024
        """)
  }

  /// The columns of `answers`, `places` and `uses` are those of `AnswerRow`, `PlacePartRow` and `UserChoice`. `uses` contains users'
  /// choices. `used` is the time of an answer's latest use, or of the latest write of a part of a place. The one row of `clock` contains
  /// the latest time that was recorded.
  private static let cacheLayout = """
    CREATE TABLE answers (
      id INTEGER PRIMARY KEY, key BLOB NOT NULL, provider TEXT NOT NULL, user INTEGER NOT NULL, call TEXT NOT NULL,
      rows INTEGER NOT NULL, stored REAL NOT NULL, expires REAL NOT NULL, ends REAL NOT NULL, value BLOB NOT NULL,
      checksum INTEGER NOT NULL, used REAL NOT NULL);
    CREATE INDEX answers_by_end ON answers (ends);
    CREATE INDEX answers_by_use ON answers (used);
    CREATE TABLE places (
      provider TEXT NOT NULL, user INTEGER NOT NULL, place TEXT NOT NULL, language TEXT NOT NULL, part TEXT NOT NULL,
      stored REAL NOT NULL, ends REAL NOT NULL, value BLOB NOT NULL, checksum INTEGER NOT NULL, used REAL NOT NULL,
      PRIMARY KEY (provider, user, place, language, part)) WITHOUT ROWID;
    CREATE INDEX places_by_end ON places (ends);
    CREATE INDEX places_by_use ON places (used);
    CREATE TABLE uses (
      user INTEGER NOT NULL, prefix TEXT NOT NULL, place TEXT NOT NULL, weight REAL NOT NULL, at REAL NOT NULL,
      ends REAL NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (user, prefix, place)) WITHOUT ROWID;
    CREATE TABLE clock (only INTEGER PRIMARY KEY CHECK (only = 1), latest REAL NOT NULL);
    """
}
