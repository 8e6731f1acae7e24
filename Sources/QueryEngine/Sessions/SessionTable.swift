import PlacesAPI

/// The open sessions by key, and each user's in the order of last use. All operations except finding the oldest session of all users take
/// constant time, and memory is allocated only at a new maximum of sessions.
struct SessionTable {
  struct Entry {
    fileprivate(set) var key: Session.Key
    var progress: Session.Progress
    /// Nil as long as the session was answered only from the reply cache; then only its progress is stored.
    var session: Session?
    fileprivate var line: Int

    var lastUse: Double { session?.lastUse ?? progress.lastUse }
  }

  /// A user's sessions.
  private struct Line {
    let user: UInt32
    var count = 0
  }

  private(set) var count = 0
  var entries: [Entry] = []
  /// The hash chains of entries, followed by the list of free entries.
  private var alike: IntrusiveLists
  /// The number of hash chains: a power of two.
  private let hashes: Int
  private let seed = Int.random(in: .min ... .max)

  private var lines: [Line] = []
  private var freeLines: [Int] = []
  private var lineOfUser: [UInt32: Int] = [:]
  /// The entries of each line, in the order of last use.
  private var order: IntrusiveLists

  /// - Parameter size: the maximum number of sessions.
  init(size: Int) {
    var hashes = 1
    while hashes < size { hashes *= 2 }
    self.hashes = hashes
    alike = IntrusiveLists(hashes + 1, members: size)
    order = IntrusiveLists(size, members: size)
  }

  func place(of key: Session.Key) -> Int? {
    var place = alike.first(of: hash(key))
    while let found = place, entries[found].key != key { place = alike.next(after: found) }
    return place
  }

  func line(of user: UInt32) -> Int? { lineOfUser[user] }

  func count(in line: Int) -> Int { lines[line].count }

  /// The least recently used session of a line.
  func oldest(in line: Int) -> Int? { order.first(of: line) }

  /// The least recently used session of all users. Takes time proportional to the number of users.
  var oldest: Int? { lines.indices.compactMap { oldest(in: $0) }.min { entries[$0].lastUse < entries[$1].lastUse } }

  /// Opens a session, if there is room, and returns its place. No session with that key may be open.
  /// - Parameter line: the user's line, if there was one; it is ignored if its last session was removed since.
  mutating func open(_ key: Session.Key, in line: Int?, at now: Double) -> Int {
    let line = line.flatMap { lines[$0].count > 0 ? $0 : nil } ?? addLine(of: key.user)
    let progress = Session.Progress(lastUse: now)
    let place = alike.first(of: hashes) ?? entries.count
    if place < entries.count {
      (entries[place].key, entries[place].progress, entries[place].line) = (key, progress, line)
      alike.move(place, to: hash(key))
    } else {
      entries.append(Entry(key: key, progress: progress, line: line))
      alike.append(place, to: hash(key))
    }
    order.append(place, to: line)
    lines[line].count += 1
    count += 1
    return place
  }

  /// Marks a session as the most recently used one.
  mutating func touch(_ place: Int) {
    guard !order.isLast(place) else { return }
    order.move(place, to: entries[place].line)
  }

  /// Ends a session and frees its place.
  @discardableResult mutating func remove(_ place: Int) -> Session? {
    order.remove(place)
    alike.move(place, to: hashes)
    count -= 1
    let line = entries[place].line
    lines[line].count -= 1
    if lines[line].count == 0 {
      lineOfUser[lines[line].user] = nil
      freeLines.append(line)
    }
    // A typed text must not be stored longer than its session.
    entries[place].progress = Session.Progress(lastUse: -.infinity)
    return entries[place].session.take()
  }

  private mutating func addLine(of user: UInt32) -> Int {
    let line = freeLines.popLast() ?? lines.count
    if line < lines.count { lines[line] = Line(user: user) } else { lines.append(Line(user: user)) }
    lineOfUser[user] = line
    return line
  }

  private func hash(_ key: Session.Key) -> Int { key.hash(seed: seed) & (hashes - 1) }
}
