import PlacesKit
import SQLite

/// Why a database cannot be used.
enum StoreError: Error, Sendable, Hashable {
  /// It is damaged, another program's, or a newer version's: to be set aside.
  case unusable(String)
  /// The disk or the file system does not let us; perhaps later.
  case unavailable(String)

  var message: String {
    switch self {
    case .unusable(let message), .unavailable(let message): message
    }
  }

  /// Takes an error apart; the message holds no value.
  init(_ error: SQLiteError, path: String) {
    // 17 is what `Migrations` throws for a newer layout.
    if error.isCorrupt || error.primaryCode == 17 {
      self = .unusable("\(path) is damaged or not ours: \(error.message)")
    } else if error.isBusy {
      self = .unavailable(
        "\(path) is in use by another process: if that is another daemon, stop it or give it a state_dir and a cache_dir of its own")
    } else {
      self = .unavailable("\(path): \(error.message): see to its folder and disk; it is tried again")
    }
  }
}

/// One of the daemon's databases: where it is, how it is laid out, and how strictly it is written.
struct StoreFile: Sendable {
  var path: String
  /// The file's `application_id`, which tells our databases from others.
  var applicationID: Int
  var migrations: Migrations
  /// Statements for each new connection, such as `PRAGMA synchronous`.
  var settings: String

  /// Opens the database, made where it does not exist. Throws `unusable` where its pages are damaged, it is another program's, or
  /// a newer version's.
  func open(checkingPages: Bool) throws(StoreError) -> Database {
    do {
      let database = try Database(path, mode: .readWrite, busySeconds: 0.25)
      let isNew = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
      if isNew {
        try database.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = \(applicationID)")
      } else if try database.integer("PRAGMA application_id") != applicationID {
        throw StoreError.unusable("\(path) is another program's database")
      }
      try database.execute("PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON; " + settings)
      if checkingPages, !isNew {
        let faults = try database.quickCheck()
        if let fault = faults.first { throw StoreError.unusable("\(path) is damaged: \(fault)") }
      }
      try migrations.apply(to: database)
      return database
    } catch let error as SQLiteError {
      throw StoreError(error, path: path)
    } catch let error as StoreError {
      throw error
    } catch {
      throw .unavailable("\(path): \(error)")
    }
  }

  /// Opens an existing database for reading, beside the connection that writes.
  func openForReading() throws(StoreError) -> Database {
    do {
      let database = try Database(path, mode: .readOnly, busySeconds: 0.05)
      try database.execute("PRAGMA cell_size_check = ON; PRAGMA cache_size = -512")
      return database
    } catch { throw StoreError(error, path: path) }
  }

  /// Puts the database out of the way under another name and returns that name; the two newest such copies are kept.
  func setAside(at wall: Double) throws(StoreError) -> String {
    let aside = "\(path).aside-\(Int(exactly: wall.rounded(.down)) ?? 0)"
    guard !Files.exists(path) || Files.move(path, to: aside) else {
      throw .unavailable("\(path) cannot be set aside")
    }
    for suffix in ["-wal", "-shm", "-journal"] where Files.exists(path + suffix) {
      if !Files.move(path + suffix, to: aside + suffix) { throw .unavailable("\(path + suffix) cannot be set aside") }
    }
    Files.syncFolder(of: path)
    removeAside(keeping: 2)
    return aside
  }

  /// Removes all but the newest copies that were set aside.
  private func removeAside(keeping count: Int) {
    for copy in copiesAside.dropLast(count) { remove(copy) }
  }

  /// Removes copies that were set aside before a wall time.
  func removeAside(before wall: Double) {
    for copy in copiesAside where Double(copy.time).map({ $0 < wall }) ?? false { remove(copy) }
  }

  private struct CopyAside {
    var time: String
    var paths: [String]
  }

  private func remove(_ copy: CopyAside) {
    for path in copy.paths { try? Files.remove(path) }
  }

  /// The copies beside the database, oldest first, each with its log.
  private var copiesAside: [CopyAside] {
    let split = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = split == path.startIndex ? "./" : String(path[..<split])
    let prefix = "\(path[split...]).aside-"
    var paths: [String: [String]] = [:]
    for name in Files.names(in: folder) where name.hasPrefix(prefix) {
      paths[String(name.dropFirst(prefix.count).prefix(while: \.isNumber)), default: []].append(folder + name)
    }
    return paths.map { CopyAside(time: $0.key, paths: $0.value) }.sorted { ($0.time.count, $0.time) < ($1.time.count, $1.time) }
  }
}
