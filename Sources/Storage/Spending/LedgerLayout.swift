import SQLite

extension StoreFile {
  /// The ledger database. Commits survive a loss of power (`synchronous = FULL`), and no other process can use the file while it is open
  /// (`EXCLUSIVE`). Its application id is `plcl` in ASCII.
  static func ledger(_ path: String) -> StoreFile {
    StoreFile(
      path: path, applicationID: 0x706C_636C, migrations: Migrations([ledgerLayout, ledgerChecksums]),
      settings: """
        PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 1048576;
        PRAGMA wal_autocheckpoint = 64; PRAGMA cache_size = -256
        """)
  }

  private static let ledgerLayout = """
    CREATE TABLE entries (
      provider TEXT NOT NULL, user INTEGER NOT NULL, class TEXT NOT NULL, day INTEGER NOT NULL,
      reserved_calls INTEGER NOT NULL, reserved_micros INTEGER NOT NULL, spent_calls INTEGER NOT NULL, spent_micros INTEGER NOT NULL,
      checksum INTEGER NOT NULL, PRIMARY KEY (day, provider, user, class)) WITHOUT ROWID;
    CREATE TABLE savings (
      provider TEXT NOT NULL, user INTEGER NOT NULL, day INTEGER NOT NULL, cause TEXT NOT NULL,
      calls INTEGER NOT NULL, micros INTEGER NOT NULL, PRIMARY KEY (day, provider, user, cause)) WITHOUT ROWID;
    CREATE TABLE state (only INTEGER PRIMARY KEY CHECK (only = 1), latest REAL NOT NULL, generation INTEGER NOT NULL);
    INSERT INTO state (only, latest, generation) VALUES (1, 0, 0);
    """

  /// The columns of `LedgerSummary`. `began` is its `dayStart`; `checksum` is null until the daemon has opened the ledger.
  private static let ledgerChecksums = """
    ALTER TABLE state ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE state ADD COLUMN rows INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE state ADD COLUMN checksums INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE state ADD COLUMN days INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE state ADD COLUMN boot TEXT NOT NULL DEFAULT '';
    ALTER TABLE state ADD COLUMN began REAL NOT NULL DEFAULT 0;
    ALTER TABLE state ADD COLUMN checksum INTEGER;
    UPDATE state SET (rows, checksums, days) = (SELECT \(LedgerSummary.Totals.columns) FROM entries);
    """
}
