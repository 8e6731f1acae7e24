import Glibc

/// The layout of the index file: an SQLite database, followed by a mapped section (`MappedSection`).
///
/// Places are numbered in order of descending importance. The number is the rank, so that every list of ranks is ordered by importance. A
/// term is a kind (`TermKind`) and a text; its posting list holds the ranks of the places that a query finds by this term. A prefix has its
/// own list if many places share it. `docs/decisions/0001-gazetteer-index.md` compares this with FTS5.
enum IndexSchema {
  /// Identifies an index among SQLite's files: the letters `plgz`.
  static let applicationID = 0x706c_677a
  /// The version of the tables, the section and the terms. Readers refuse an index of another version; builds copy its records.
  static let version = 11
  /// The oldest version whose records a build can copy to a new index. Since then only the terms have changed, which a build makes anew.
  static let oldestCopiedVersion = 1

  static let tables = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    -- The sources of the records; a source with a higher number takes precedence (SourceNumber).
    CREATE TABLE source (number INTEGER PRIMARY KEY, name TEXT UNIQUE, attribution TEXT, url TEXT, places INTEGER, imported REAL);
    -- The records of all sources of a place (RecordSections).
    CREATE TABLE place (rank INTEGER PRIMARY KEY, id TEXT, record BLOB);
    -- The place with an id, either its own or one in other data.
    CREATE TABLE identifier (id TEXT PRIMARY KEY, rank INTEGER) WITHOUT ROWID;
    -- Further blocks of long lists: the first rank is in the id, the others in the blob (PostingList).
    CREATE TABLE posting (id INTEGER PRIMARY KEY, ranks BLOB);
    -- Countries (`US`), regions (`US.TX`) and their places.
    CREATE TABLE area (number INTEGER PRIMARY KEY, code TEXT UNIQUE, rank INTEGER);
    -- Lists of types, with spaces between them (TypeTable).
    CREATE TABLE types (number INTEGER PRIMARY KEY, types TEXT);
    -- The location of each place, as a rectangle without extent (FixedPoint).
    CREATE VIRTUAL TABLE spot USING rtree_i32 (rank, south, north, west, east);
    """

  /// The tables of the scratch file of a build.
  static let scratch = """
    -- The records of all sources, and then the places into which they are merged.
    CREATE TABLE staged (id TEXT, source INTEGER, record BLOB);
    CREATE TABLE merged (importance INTEGER, id TEXT, record BLOB);
    -- The words of the mapped section, and the hashes for its filter (IntegerSpool).
    CREATE TABLE section (words BLOB);
    CREATE TABLE prefix (words BLOB);
    -- The ids of places in other data.
    CREATE TABLE alias (id TEXT, rank INTEGER);
    -- Each term of each place.
    CREATE TABLE pair (term BLOB, rank INTEGER);
    -- A term's first ranks, the list of the further ones, and their number.
    CREATE TABLE term (term BLOB PRIMARY KEY, ranks BLOB, list INTEGER, further INTEGER) WITHOUT ROWID;
    -- The dictionary's blocks (BlobTableSpool).
    CREATE TABLE block (words BLOB);
    """
}

/// Recognises an index file by its header, even if the other pages are damaged. A build overwrites no other file, so readers suggest no
/// build for another file.
enum IndexSignature {
  /// Whether an index may be written at a path: there is an index, an empty file or nothing.
  static func mayBeReplaced(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return true }
    return status.st_mode & S_IFMT == S_IFREG && (status.st_size == 0 || isIndex(path))
  }

  /// Whether the file begins with the header of an SQLite database with the gazetteer's application id
  /// (https://www.sqlite.org/fileformat.html, 1.3).
  private static func isIndex(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // The application id is in the last four of these bytes of the header, big-endian.
    let length = 72
    var header = [UInt8](repeating: 0, count: length)
    guard pread(descriptor, &header, length, 0) == length else { return false }
    let applicationID = header.suffix(4).reduce(0) { $0 << 8 | Int($1) }
    return header.starts(with: "SQLite format 3\0".utf8) && applicationID == IndexSchema.applicationID
  }
}
