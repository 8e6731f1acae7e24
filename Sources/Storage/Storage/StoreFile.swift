import PlacesKit
import SQLite

/// The reason why a database cannot be used.
enum StoreError: Error, Sendable, Hashable {
  /// The database is damaged, belongs to another program, or was written by a newer version. It must be set aside.
  case unusable(String)
  /// An error of the disk or the file system, which may be temporary.
  case unavailable(String)

  var message: String {
    switch self {
    case .unusable(let message), .unavailable(let message): message
    }
  }

  /// Classifies an error of SQLite. The message contains no stored value.
  init(_ error: SQLiteError, path: String) {
    // `Migrations` throws 17 (SQLITE_SCHEMA) for a newer layout.
    if error.isCorrupt || error.primaryCode == 17 {
      self = .unusable("\(path) is damaged or not a database of this daemon: \(error.message)")
    } else if error.isBusy {
      self = .unavailable(
        "\(path) is in use by another process: if that is another daemon, stop it or give it a state_dir and a cache_dir of its own")
    } else {
      self = .unavailable("\(path): \(error.message): check its directory and disk; the daemon will retry")
    }
  }
}

/// One of the daemon's databases: its path, its layout and its durability.
struct StoreFile: Sendable {
  var path: String
  /// The `application_id` of the file, which identifies the daemon's databases.
  var applicationID: Int
  var migrations: Migrations
  /// Statements for each new connection, such as `PRAGMA synchronous`.
  var settings: String

  /// Opens the database, and creates it if it does not exist. Throws `unusable` if its pages or tables are damaged, it belongs to another
  /// program, or it was written by a newer version.
  func open(checkingPages: Bool) throws(StoreError) -> Database {
    do {
      let database = try Database(path, mode: .readWrite, busySeconds: 0.25)
      let isNew = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
      if isNew {
        try database.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = \(applicationID)")
      } else if try database.integer("PRAGMA application_id") != applicationID {
        throw StoreError.unusable("\(path) is a database of another program")
      }
      // `cell_size_check` detects damaged pages when they are read, and `secure_delete` overwrites deleted data.
      try database.execute("PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON; " + settings)
      if checkingPages, !isNew {
        let faults = try database.quickCheck()
        if let fault = faults.first { throw StoreError.unusable("\(path) is damaged: \(fault)") }
      }
      if checkingPages, !isNew, try !migrations.isSchemaIntact(in: database) {
        throw StoreError.unusable("\(path) is damaged: its tables are not those of this daemon")
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

  /// Opens an existing database for reading, in addition to the connection that writes. A read waits for a lock for at most 50 ms, because
  /// lookups wait for the reader.
  func openForReading() throws(StoreError) -> Database {
    do {
      let database = try Database(path, mode: .readOnly, busySeconds: 0.05)
      try database.execute("PRAGMA cell_size_check = ON; PRAGMA cache_size = -512")
      return database
    } catch { throw StoreError(error, path: path) }
  }

  /// Renames the database and its log files, and returns the new name. All but the two newest such copies are removed.
  func setAside(at wall: Double) throws(StoreError) -> String {
    let newPath = "\(path).aside-\(Int(exactly: wall.rounded(.down)) ?? 0)"
    guard !Files.exists(path) || Files.move(path, to: newPath) else {
      throw .unavailable("\(path) cannot be renamed")
    }
    for suffix in ["-wal", "-shm", "-journal"] where Files.exists(path + suffix) {
      if !Files.move(path + suffix, to: newPath + suffix) { throw .unavailable("\(path + suffix) cannot be renamed") }
    }
    Files.syncParentDirectory(of: path)
    removeSetAsideCopies(keeping: 2)
    return newPath
  }

  /// Removes all copies that were set aside except the newest `count`.
  private func removeSetAsideCopies(keeping count: Int) {
    for copy in copies.dropLast(count) { remove(copy) }
  }

  /// Removes copies that were set aside before a wall time.
  func removeSetAsideCopies(before wall: Double) {
    for copy in copies where Double(copy.time).map({ $0 < wall }) ?? false { remove(copy) }
  }

  /// A database that was set aside.
  private struct SetAsideCopy {
    /// When the database was set aside, in seconds since 1970, as the file's name states it.
    var time: String
    var paths: [String]
  }

  private func remove(_ copy: SetAsideCopy) {
    for path in copy.paths { try? Files.remove(path) }
  }

  /// The copies next to the database, oldest first, each with its log files.
  private var copies: [SetAsideCopy] {
    let nameStart = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = nameStart == path.startIndex ? "./" : String(path[..<nameStart])
    let prefix = "\(path[nameStart...]).aside-"
    var paths: [String: [String]] = [:]
    for name in Files.names(in: folder) where name.hasPrefix(prefix) {
      paths[String(name.dropFirst(prefix.count).prefix(while: \.isNumber)), default: []].append(folder + name)
    }
    return paths.map { SetAsideCopy(time: $0.key, paths: $0.value) }.sorted { ($0.time.count, $0.time) < ($1.time.count, $1.time) }
  }
}
