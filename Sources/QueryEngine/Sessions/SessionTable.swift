import PlacesAPI

/// The sessions that are open, by their keys, and each user's in the order of their last use. All but to find the
/// oldest of all takes constant time, and memory is asked for only where there are more sessions than ever before.
struct SessionTable {
  struct Entry {
    fileprivate(set) var key: Session.Key
    var progress: Session.Progress
    /// Nil as long as the session was answered from memory alone: then there is nothing to know of it but its progress.
    var session: Session?
    fileprivate var line: Int

    var lastUse: Double { session?.lastUse ?? progress.lastUse }
  }

  /// A user's sessions.
  private struct Line {
    let user: User
    var count = 0
  }

  private struct User: Hashable {
    let id: UInt32

    // One multiplication, by 2^64 over the golden ratio (Knuth, vol. 3, 6.4).
    func _rawHashValue(seed: Int) -> Int { Int(truncatingIfNeeded: UInt64(id) &* 0x9E37_79B9_7F4A_7C15) ^ seed }
  }

  private(set) var count = 0
  var entries: [Entry] = []
  /// The places of those whose hashes end alike, and behind them, of those that are free.
  private var alike: IntrusiveLists
  /// How many ends of hashes are told apart: a power of two.
  private let hashes: Int
  private let seed = Int.random(in: .min ... .max)

  private var lines: [Line] = []
  private var freeLines: [Int] = []
  private var lineOfUser: [User: Int] = [:]
  /// The places of each line.
  private var order: IntrusiveLists

  /// - Parameter size: how many sessions there may be.
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

  func line(of user: UInt32) -> Int? { lineOfUser[User(id: user)] }

  func count(in line: Int) -> Int { lines[line].count }

  /// The session of a line that was not used for longest.
  func oldest(in line: Int) -> Int? { order.first(of: line) }

  /// The session of all users that was not used for longest: the one thing here that takes as long as there are users.
  var oldest: Int? { lines.indices.compactMap { oldest(in: $0) }.min { entries[$0].lastUse < entries[$1].lastUse } }

  /// Opens a session, which none of that key may be, where there is room; gives its place.
  /// - Parameter line: the user's line, if he had one; it is not there any more where its last session went away since.
  mutating func open(_ key: Session.Key, in line: Int?, at now: Double) -> Int {
    let line = line.flatMap { lines[$0].count > 0 ? $0 : nil } ?? addLine(of: User(id: key.user))
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

  /// Makes it the one that was used last.
  mutating func touch(_ place: Int) {
    guard !order.isLast(place) else { return }
    order.move(place, to: entries[place].line)
  }

  /// Ends a session, whose place is free then.
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
    // What somebody typed is not kept longer than his session.
    entries[place].progress = Session.Progress(lastUse: -.infinity)
    return entries[place].session.take()
  }

  private mutating func addLine(of user: User) -> Int {
    let line = freeLines.popLast() ?? lines.count
    if line < lines.count { lines[line] = Line(user: user) } else { lines.append(Line(user: user)) }
    lineOfUser[user] = line
    return line
  }

  private func hash(_ key: Session.Key) -> Int { key._rawHashValue(seed: seed) & (hashes - 1) }
}
