import Resilience
import PlacesKit
import SQLite

/// The durable record of what was reserved, spent and saved: `ledger.db`, written by this process alone. It is replaced by an empty one only if an
/// administrator confirms it: a ledger that is missing, damaged, another program's or older than its mark is refused.
public actor Ledger: SpendingLedger {
  /// Days for which rows are stored.
  static let keptDays = 400
  /// If the clock is so many seconds before the latest time seen, the ledger must be confirmed.
  static let believableSetback = 40 * 86_400.0

  private let executor = StoreExecutor("placesd.ledger")
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let file: StoreFile
  private let mark: LedgerMark
  private let time: any TimeSource
  private let log: @Sendable (LogLevel, String) -> Void
  private var database: LedgerDatabase?
  /// The files that `database` has open.
  private var files = OpenFiles()

  private struct OpenFiles: Equatable {
    var database: FileNumber?
    var log: FileNumber?
  }

  /// `path` is the database's; its folder must exist. The mark lies beside it.
  public init(path: String, time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void) {
    self.init(file: .ledger(path), time: time, log: log)
  }

  init(file: StoreFile, time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void) {
    self.file = file
    mark = LedgerMark(path: file.path + ".mark")
    self.time = time
    self.log = log
  }

  public func load() throws(LedgerError) -> LedgerHistory {
    let database = try opened()
    let history = try attempt { () throws(SQLiteError) -> LedgerHistory? in
      let latest = try database.state().latest
      guard latest <= time.wall() + Ledger.believableSetback else { return nil }
      return try database.begin(at: max(latest, time.wall()), keptDays: Ledger.keptDays)
    }
    guard let history else { throw .unconfirmed(Ledger.sentence("the clock was set back by more than a month")) }
    return history
  }

  public func awaitingConfirmation() -> LedgerHistory? {
    // The file is open now only if the clock alone is in doubt.
    try? database?.month(of: time.wall())
  }

  public func write(_ transaction: LedgerTransaction) throws(LedgerError) {
    try checkFiles()
    let database = try opened()
    try attempt { () throws(SQLiteError) in try database.add(transaction) }
  }

  /// An administrator accepts a sound ledger and the clock as they are, or an empty ledger in the place of one that is missing, damaged, another
  /// program's or old, which is set aside.
  /// - Throws: also if the disk does not answer in time; the confirmation is done as soon as it does.
  public nonisolated func confirm() async throws(LedgerError) {
    let promise = Promise<Result<Void, LedgerError>>()
    executor.perform {
      promise.fulfil(
        self.assumeIsolated { (ledger) -> Result<Void, LedgerError> in
          do throws(LedgerError) { return .success(try ledger.confirmNow()) } catch { return .failure(error) }
        })
    }
    guard let outcome = await within(BudgetService.patience, of: time, "confirmation", { await promise.value() }) else {
      throw .unavailable(
        "\(file.path) does not answer: check its disk; the ledger is confirmed as soon as it can be written, unless the daemon ends before"
      )
    }
    try outcome.get()
  }

  private func confirmNow() throws(LedgerError) {
    database = nil
    do throws(LedgerError) { try accept() } catch {
      guard case .unconfirmed = error else { throw error }
      do throws(StoreError) {
        let aside = try file.setAside(at: time.wall())
        log(.notice, "the spending ledger starts empty, as an administrator confirmed; the old one is \(aside)")
      } catch { throw .unavailable(error.message) }
      try accept()
    }
  }

  private func accept() throws(LedgerError) {
    let opened = try open(trusting: true)
    let now = time.wall()
    try attempt { () throws(SQLiteError) in
      try opened.setLatest(now)
      _ = try opened.begin(at: now, keptDays: Ledger.keptDays)
    }
    database = opened
  }

  /// Closes the file; the next call opens it again.
  public func close() { database = nil }

  private static func sentence(_ reason: String) -> String {
    """
    \(reason); what was spent is not known until an administrator runs `placesctl budget confirm ID` with the id of any paid provider: they \
    share one ledger
    """
  }

  // MARK: Opening

  private func opened() throws(LedgerError) -> LedgerDatabase {
    if let database { return database }
    let fresh = try open(trusting: false)
    database = fresh
    return fresh
  }

  /// Opens the file and counts the opening, first in the ledger and then in the mark, so that after a crash in between the ledger is ahead.
  private func open(trusting: Bool) throws(LedgerError) -> LedgerDatabase {
    let known = try onFile { () throws(FileError) in try mark.read() }
    guard trusting || known == nil || Files.exists(file.path) else { throw .unconfirmed(Ledger.sentence("\(file.path) is gone")) }
    let opened: LedgerDatabase
    do throws(StoreError) { opened = LedgerDatabase(database: try file.open(checkingPages: true)) } catch {
      switch error {
      case .unusable(let message): throw .unconfirmed(Ledger.sentence(message))
      case .unavailable(let message): throw .unavailable(message)
      }
    }
    let generation = try attempt { () throws(SQLiteError) in try opened.state().generation }
    guard trusting || generation >= known ?? 0 else {
      throw .unconfirmed(Ledger.sentence("\(file.path) is older than it was: an old copy was put in its place"))
    }
    // The largest number is a damaged one: after a confirmation it starts anew.
    let (next, isOver) = max(generation, known == .max ? 0 : known ?? 0).addingReportingOverflow(1)
    guard !isOver else { throw .unconfirmed(Ledger.sentence("\(file.path) holds an impossible number")) }
    try attempt { () throws(SQLiteError) in try opened.setGeneration(next) }
    try onFile { () throws(FileError) in try mark.write(next) }
    files = present
    return opened
  }

  private var present: OpenFiles { OpenFiles(database: Files.number(file.path), log: Files.number(file.path + "-wal")) }

  /// Checks that the open files are still the ones at their paths: what is written to a removed file is lost when this process ends.
  private func checkFiles() throws(LedgerError) {
    guard let open = database, present != files else { return }
    defer { database = nil }
    guard present.database == files.database else {
      // The mark advances, so that a copy of the file is not accepted in its place.
      let generation = try attempt { () throws(SQLiteError) in try open.state().generation }
      try onFile { () throws(FileError) in try mark.write(generation &+ 1) }
      throw .unconfirmed(Ledger.sentence("\(file.path) was removed or replaced while it was open"))
    }
    // As long as the log is open, all it holds can be moved into the database.
    let isIncomplete = try attempt { () throws(SQLiteError) in try open.database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0 }
    guard !isIncomplete else { throw .unavailable("\(file.path)-wal was removed while it was open, and cannot be written again now") }
    log(.warning, "\(file.path)-wal was removed or replaced while it was open; nothing was lost, and a new one is made")
  }

  /// After any failure the file is closed, and opened again with its pages checked.
  private func attempt<Result>(_ body: () throws(SQLiteError) -> Result) throws(LedgerError) -> Result {
    do throws(SQLiteError) { return try body() } catch {
      database = nil
      switch StoreError(error, path: file.path) {
      case .unusable(let message): throw .unconfirmed(Ledger.sentence(message))
      case .unavailable(let message): throw .unavailable(message)
      }
    }
  }

  private func onFile<Result>(_ body: () throws(FileError) -> Result) throws(LedgerError) -> Result {
    do throws(FileError) { return try body() } catch { throw .unavailable(error.message) }
  }
}
