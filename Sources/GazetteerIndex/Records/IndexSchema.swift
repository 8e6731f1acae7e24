/// The layout of the index file, a SQLite database.
///
/// Places are numbered by falling importance, their rank, so that every list of ranks is already in the order in which rows
/// are wanted. The lists are as FTS5's own (differences in varints), but in plain tables with a kind before each term: FTS5
/// tells that a word occurs, and an answer must tell whether it is the whole name, its beginning or a word of it. Prefixes get a
/// list of their own exactly where many places share them, whatever their length. What is looked at most stands behind the database
/// (MappedSection): what filters need of each place; a filter of the prefixes of all names and words, for finding words with typing errors, and of
/// all terms, for looking for none that is not there; the terms, each with its first ranks (FrontCodedDictionary).
enum IndexSchema {
  /// "plgz"
  static let applicationID = 0x706c_677a
  static let version = 11
  /// The oldest layout whose places can be carried over: their records are the same, only their terms are not.
  static let oldestCarried = 1

  static let tables = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    -- Where records come from; higher numbers are believed before lower ones.
    CREATE TABLE source (number INTEGER PRIMARY KEY, name TEXT UNIQUE, attribution TEXT, url TEXT, places INTEGER, imported REAL);
    -- What each source tells of a place, see StoredPlace.
    CREATE TABLE place (rank INTEGER PRIMARY KEY, id TEXT, record BLOB);
    CREATE TABLE identifier (id TEXT PRIMARY KEY, rank INTEGER) WITHOUT ROWID;
    -- A block's ranks behind its first, which is in its id (PostingList).
    CREATE TABLE posting (id INTEGER PRIMARY KEY, ranks BLOB);
    -- Countries (`US`) and regions (`US.TX`) and the places that they are.
    CREATE TABLE area (number INTEGER PRIMARY KEY, code TEXT UNIQUE, rank INTEGER);
    CREATE TABLE types (number INTEGER PRIMARY KEY, types TEXT);
    CREATE VIRTUAL TABLE spot USING rtree_i32 (rank, south, north, west, east);
    """

  static let scratch = """
    CREATE TABLE staged (id TEXT, source INTEGER, record BLOB);
    CREATE TABLE merged (importance INTEGER, id TEXT, record BLOB);
    CREATE TABLE columns (words BLOB);
    CREATE TABLE prefix (words BLOB);
    CREATE TABLE alias (id TEXT, rank INTEGER);
    CREATE TABLE pair (term BLOB, rank INTEGER);
    -- A term's first ranks, and how many more the blocks of a list hold.
    CREATE TABLE term (term BLOB PRIMARY KEY, ranks BLOB, list INTEGER, further INTEGER) WITHOUT ROWID;
    CREATE TABLE block (words BLOB);
    """
}
