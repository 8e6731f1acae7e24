import Resilience
import PlacesKit
import SQLite

/// The durable record of reservations, spending and savings. Savings are the costs that cached answers, shared calls and the services'
/// session prices avoided. Only this process writes the ledger's file, `ledger.db`. The small file `ledger.db.mark`, the ledger's mark,
/// contains the number and the checksum of the latest transaction.
///
/// A ledger that is missing or damaged, belongs to another program, or does not match its mark is rejected until an administrator confirms
/// it, so that no spending is lost silently. Damage is detected by SQLite's page check, by a checksum of each row, by totals of all rows,
/// and by the mark.
public actor Ledger: SpendingLedger {
  /// The number of days whose rows are stored; days without rows do not count.
  static let retainedDays = 400
  /// If the clock is more than this many seconds before the latest time in the ledger, an administrator must confirm the ledger.
  static let maxClockSetback = 40 * 86_400.0

  /// If the mark's file was changed more than this many seconds after its content was written, the file was restored from a backup. The
  /// tolerance is for a file server whose clock differs.
  static let maxMarkDelay = 120

  nonisolated let executor = StoreExecutor("placesd.ledger")
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let file: StoreFile
  private let mark: LedgerMark
  /// Identifies this boot of the machine. The monotonic times in the ledger are valid only for the boot that wrote them.
  private let bootID: String
  private let time: any TimeSource
  private let log: @Sendable (LogLevel, String) -> Void
  private var database: LedgerDatabase?
  /// The identities of the files that `database` has open.
  private var openFiles = OpenFiles()

  private struct OpenFiles: Equatable {
    var database: FileID?
    var writeAheadLog: FileID?
  }

  /// - Parameter path: the path of the database. Its directory must exist. The mark is in the same directory.
  public init(path: String, time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void) {
    self.init(file: .ledger(path), time: time, log: log)
  }

  init(
    file: StoreFile, boot: String = Files.bootID, time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.file = file
    self.bootID = boot
    mark = LedgerMark(path: file.path + ".mark")
    self.time = time
    self.log = log
  }

  public func load() throws(LedgerError) -> LedgerAmounts {
    try checkFiles()
    guard try openDatabase().state.latestTime <= time.wall() + Ledger.maxClockSetback else {
      throw .unconfirmed(Ledger.unconfirmedMessage("the clock was set back by more than a month"))
    }
    return try update { (database) throws(SQLiteError) in
      try database.chargeLeftoverReservations(at: time.wall(), boot: bootID, retainedDays: Ledger.retainedDays)
    }
  }

  public func historyAwaitingConfirmation() -> LedgerAmounts? {
    // After `load` has failed, the database is still open only if the clock was the sole reason. After any other failure, nothing is
    // reported.
    try? database?.amounts(sinceMonthsOf: [time.wall()])
  }

  public func write(_ transaction: LedgerAmounts) throws(LedgerError) {
    try checkFiles()
    _ = try openDatabase()
    try update { (database) throws(SQLiteError) in try database.add(transaction, boot: bootID) }
  }

  /// Confirms the ledger on an administrator's command. The current time is accepted, and an intact ledger is accepted even if it does not
  /// match its mark. A ledger that is damaged or belongs to another program is set aside, and replaced with an empty one.
  /// - Throws: also if the disk does not respond in time. Then the ledger is confirmed as soon as the disk responds.
  public nonisolated func confirm() async throws(LedgerError) {
    let promise = Promise<Result<Void, LedgerError>>()
    executor.perform {
      promise.fulfil(
        self.assumeIsolated { (ledger) -> Result<Void, LedgerError> in
          do throws(LedgerError) { return .success(try ledger.confirmNow()) } catch { return .failure(error) }
        })
    }
    let outcome = await withTimeLimit(BudgetService.ledgerTimeout, clock: time, task: "confirmation") { await promise.value() }
    guard let outcome else {
      throw .unavailable(
        """
        \(file.path) could not be written in time: check its disk; the ledger is confirmed as soon as it can be written, unless the daemon \
        ends first
        """)
    }
    try outcome.get()
  }

  /// Accepts the ledger. If it is gone, creates an empty one. If it is damaged or belongs to another program, sets it aside and accepts
  /// a new one.
  private func confirmNow() throws(LedgerError) {
    database = nil
    let wasGone = try withFileErrors { () throws(FileError) in try Files.fileID(file.path) } == nil
    do throws(LedgerError) { try accept() } catch {
      guard case .unconfirmed = error else { throw error }
      do throws(StoreError) {
        let aside = try file.setAside(at: time.wall())
        log(.notice, "the spending ledger starts empty, as an administrator confirmed; the old file is \(aside)")
      } catch { throw .unavailable(error.message) }
      try accept()
    }
    if wasGone { log(.notice, "the spending ledger starts empty, as an administrator confirmed; \(file.path) was gone") }
  }

  /// Opens the ledger without comparing it with its mark, and accepts the current time.
  private func accept() throws(LedgerError) {
    database = try open(isConfirmed: true)
    let now = time.wall()
    try update { (database) throws(SQLiteError) in
      try database.setLatestTime(now)
      _ = try database.chargeLeftoverReservations(at: now, boot: bootID, retainedDays: Ledger.retainedDays)
    }
  }

  /// Moves the write-ahead log into the database file, flushes the mark and closes the database. The next use opens it again.
  public func close() {
    guard let database else { return }
    if (try? currentFiles()) == openFiles {
      _ = try? database.database.integer("PRAGMA wal_checkpoint(TRUNCATE)")
      try? mark.rewriteAndFlush(markContent(of: database.state))
    }
    self.database = nil
  }

  private static func unconfirmedMessage(_ reason: String) -> String {
    """
    \(reason); what was spent is not known until an administrator runs `placesctl budget confirm ID` with the id of any paid provider: \
    they share one ledger
    """
  }

  // MARK: Opening

  private func openDatabase() throws(LedgerError) -> LedgerDatabase {
    if let database { return database }
    let newDatabase = try open(isConfirmed: false)
    database = newDatabase
    return newDatabase
  }

  /// Opens the file, compares it with its mark, and increments `generation`, first in the ledger and then in the mark. After a crash in
  /// between, the ledger is newer than the mark, which is accepted.
  /// - Parameter isConfirmed: true if an administrator has confirmed the contents of the file. Then they need not match the mark.
  private func open(isConfirmed: Bool) throws(LedgerError) -> LedgerDatabase {
    let markReading = try withFileErrors { () throws(FileError) in try mark.read() }
    let fileID = try withFileErrors { () throws(FileError) in try Files.fileID(file.path) }
    guard isConfirmed || markReading == .none || fileID != nil else {
      throw .unconfirmed(Ledger.unconfirmedMessage("\(file.path) is gone"))
    }
    let sqlite: Database
    do throws(StoreError) { sqlite = try file.open(checkingPages: true) } catch { throw Ledger.error(error) }
    var newDatabase = try attempt { () throws(SQLiteError) in try LedgerDatabase(sqlite, recomputesTotals: isConfirmed) }
    let state = newDatabase.state
    if !isConfirmed, let reason = try withFileErrors({ () throws(FileError) in try mismatch(of: state, with: markReading) }) {
      throw .unconfirmed(Ledger.unconfirmedMessage(reason))
    }
    var (generation, sequence) = (newDatabase.state.generation, newDatabase.state.sequence)
    if case .content(let markContent) = markReading {
      (generation, sequence) = (max(generation, markContent.generation), max(sequence, markContent.sequence))
    }
    // The largest possible generation or sequence number indicates damage, which only an administrator's confirmation makes acceptable.
    guard isConfirmed || generation < .max && sequence < .max else {
      throw .unconfirmed(Ledger.unconfirmedMessage("\(file.path) contains a number that is out of range"))
    }
    // The new generation is higher than in any copy of the ledger, so that no copy is accepted later. In a confirmed ledger, a number that
    // has reached its maximum starts again.
    try attempt { () throws(SQLiteError) in
      try newDatabase.recordOpening(generation: generation == .max ? 1 : generation + 1, after: sequence == .max ? 0 : sequence)
    }
    openFiles = try withFileErrors { () throws(FileError) -> OpenFiles in
      try mark.rewriteAndFlush(markContent(of: newDatabase.state))
      return try currentFiles()
    }
    return newDatabase
  }

  /// The reason why the ledger does not match its mark; nil if it matches, or if it is newer than its mark, as after a loss of power.
  private func mismatch(of state: LedgerSummary, with markReading: LedgerMark.Reading) throws(FileError) -> String? {
    switch markReading {
    case .damaged: return "\(file.path).mark is damaged"
    // A ledger without a checksum has the old layout. It need not have a mark.
    case .none: return state.hasChecksum ? "\(file.path).mark is gone" : nil
    case .content(let markContent):
      if let inode = markContent.inode, try inode != Files.fileID(file.path)?.inode {
        return "\(file.path) was copied or restored from a backup"
      }
      // After a loss of power, the mark's content may be much older than its file. The ledger is then newer than the mark.
      let isNewer = (state.generation, state.sequence) > (markContent.generation, markContent.sequence)
      if !isNewer, let writtenAt = markContent.writtenAt, let changeTime = Files.changeTime(mark.path),
        changeTime - Ledger.maxMarkDelay > writtenAt
      {
        return "\(file.path).mark was restored from a backup, or its owner, mode, label or links were changed"
      }
      let isOlder = (state.generation, state.sequence) < (markContent.generation, markContent.sequence)
      // A mark without a checksum differs from a ledger that has one.
      let checksumDiffers = markContent.summaryChecksum.map { $0 != state.checksum } ?? state.hasChecksum
      let isDifferent = state.sequence == markContent.sequence && checksumDiffers
      return isOlder || isDifferent ? "\(file.path) has lost entries, or was replaced with an old copy" : nil
    }
  }

  private func markContent(of state: LedgerSummary) throws(FileError) -> LedgerMark.Content {
    LedgerMark.Content(
      generation: state.generation, sequence: state.sequence, summaryChecksum: state.checksum, inode: try Files.fileID(file.path)?.inode,
      // `time` is not used here, because this value is compared with a change time that the kernel has set.
      writtenAt: Int(SystemTime().wall()))
  }

  private func currentFiles() throws(FileError) -> OpenFiles {
    OpenFiles(database: try Files.fileID(file.path), writeAheadLog: try Files.fileID(file.path + "-wal"))
  }

  /// Checks that the open files still exist at their paths, because writes to a removed file are lost when this process ends. If only the
  /// write-ahead log was removed or replaced, moves its contents into the database and closes the database; the next use opens it again.
  /// Throws if the database itself was removed or replaced, or if the contents of the log cannot be moved.
  private func checkFiles() throws(LedgerError) {
    guard let currentDatabase = database else { return }
    let currentFiles = try withFileErrors { () throws(FileError) -> OpenFiles in try self.currentFiles() }
    guard currentFiles != openFiles else { return }
    defer { database = nil }
    guard currentFiles.database == openFiles.database else {
      try withFileErrors { () throws(FileError) -> Void in
        // The mark's generation is incremented, so that a copy of the file is not accepted.
        var content = try markContent(of: currentDatabase.state)
        content.generation &+= 1
        try mark.rewriteAndFlush(content)
      }
      throw .unconfirmed(Ledger.unconfirmedMessage("\(file.path) was removed or replaced while it was open"))
    }
    // This process still has the removed log open, so its contents can still be moved into the database.
    let isIncomplete = try attempt { () throws(SQLiteError) in
      try currentDatabase.database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0
    }
    guard !isIncomplete else {
      throw .unavailable("\(file.path)-wal was removed while it was open, and its contents could not be moved into the database")
    }
    log(.warning, "\(file.path)-wal was removed or replaced while it was open; no data was lost, and a new file is created")
  }

  /// Changes the open database and then its mark.
  private func update<Result>(
    _ body: (inout LedgerDatabase) throws(SQLiteError) -> Result
  ) throws(LedgerError) -> Result {
    guard var database else { throw .unavailable("\(file.path) is closed") }
    let result = try attempt { () throws(SQLiteError) in try body(&database) }
    self.database = database
    let state = database.state
    try withFileErrors { () throws(FileError) in try mark.writeUnflushed(markContent(of: state)) }
    return result
  }

  /// Runs `body`. After any failure the file is closed; the next use opens it again and checks its pages.
  private func attempt<Result>(_ body: () throws(SQLiteError) -> Result) throws(LedgerError) -> Result {
    do throws(SQLiteError) { return try body() } catch {
      database = nil
      throw Ledger.error(StoreError(error, path: file.path))
    }
  }

  /// Runs `body`. If a file operation fails, closes the database and throws `unavailable`.
  private func withFileErrors<Result>(_ body: () throws(FileError) -> Result) throws(LedgerError) -> Result {
    do throws(FileError) { return try body() } catch {
      database = nil
      throw .unavailable(error.message)
    }
  }

  private static func error(_ error: StoreError) -> LedgerError {
    switch error {
    case .unusable(let message): .unconfirmed(unconfirmedMessage(message))
    case .unavailable(let message): .unavailable(message)
    }
  }
}
