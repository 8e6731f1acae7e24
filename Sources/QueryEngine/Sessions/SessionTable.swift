import PlacesAPI

/// The open sessions by key, and the sessions of each user in the order of last use. All operations except finding the oldest session of
/// all users take constant time. Memory is allocated only when the number of sessions reaches a new maximum.
struct SessionTable {
  /// The content of a slot: an open session, or nothing if the slot is free.
  struct Entry {
    fileprivate(set) var key: Session.Key
    /// The progress of the session while `session` is nil.
    var progress: Session.Progress
    /// Nil as long as the session's requests were answered only from the reply cache.
    var session: Session?
    fileprivate var userIndex: Int

    var lastUse: Double { session?.lastUse ?? progress.lastUse }
  }

  /// A user's sessions.
  private struct UserSessions {
    let user: UInt32
    var count = 0
  }

  private(set) var count = 0
  /// The slots that are or were in use. The slot number of a session is its index in this array.
  var entries: [Entry] = []
  /// The hash chains of slots, followed by the list of free slots, whose index is `chainCount`.
  private var hashChains: IntrusiveLists
  /// The number of hash chains: a power of two.
  private let chainCount: Int
  private let seed = Int.random(in: .min ... .max)

  /// The users with sessions. An element whose count is 0 is free.
  private var userSessions: [UserSessions] = []
  private var freeUserIndices: [Int] = []
  /// The index of each user in `userSessions`. It is also the index of the user's list in `usageOrder`.
  private var userIndices: [UInt32: Int] = [:]
  /// The slots of each user, in the order of last use.
  private var usageOrder: IntrusiveLists

  /// - Parameter size: the maximum number of sessions.
  init(size: Int) {
    var chainCount = 1
    while chainCount < size { chainCount *= 2 }
    self.chainCount = chainCount
    hashChains = IntrusiveLists(chainCount + 1, memberCount: size)
    usageOrder = IntrusiveLists(size, memberCount: size)
  }

  /// The slot of an open session; nil if there is none with this key.
  func slot(of key: Session.Key) -> Int? {
    var slot = hashChains.first(of: hash(key))
    while let candidate = slot, entries[candidate].key != key { slot = hashChains.next(after: candidate) }
    return slot
  }

  /// The index of a user's list; nil if the user has no session.
  func userIndex(of user: UInt32) -> Int? { userIndices[user] }

  /// The number of a user's sessions.
  func count(in userIndex: Int) -> Int { userSessions[userIndex].count }

  /// The slot of a user's least recently used session; nil if the user has none.
  func oldest(in userIndex: Int) -> Int? { usageOrder.first(of: userIndex) }

  /// The slot of the least recently used session of all users; nil if there is none. Takes time proportional to the number of users.
  var oldest: Int? { userSessions.indices.compactMap { oldest(in: $0) }.min { entries[$0].lastUse < entries[$1].lastUse } }

  /// Opens a session and returns its slot. The table must have room, and no session with this key may be open.
  /// - Parameter userIndex: the index of the user's list; nil if there is none. The index is ignored if the user's last session was
  ///   removed after the index was read.
  mutating func open(_ key: Session.Key, in userIndex: Int?, at now: Double) -> Int {
    let userIndex = userIndex.flatMap { userSessions[$0].count > 0 ? $0 : nil } ?? addUser(key.user)
    let progress = Session.Progress(lastUse: now)
    let slot = hashChains.first(of: chainCount) ?? entries.count
    if slot < entries.count {
      (entries[slot].key, entries[slot].progress, entries[slot].userIndex) = (key, progress, userIndex)
      hashChains.move(slot, to: hash(key))
    } else {
      entries.append(Entry(key: key, progress: progress, userIndex: userIndex))
      hashChains.append(slot, to: hash(key))
    }
    usageOrder.append(slot, to: userIndex)
    userSessions[userIndex].count += 1
    count += 1
    return slot
  }

  /// Marks a session as the most recently used one.
  mutating func markUsed(_ slot: Int) {
    guard !usageOrder.isLast(slot) else { return }
    usageOrder.move(slot, to: entries[slot].userIndex)
  }

  /// Ends a session and frees its slot.
  @discardableResult mutating func remove(_ slot: Int) -> Session? {
    usageOrder.remove(slot)
    hashChains.move(slot, to: chainCount)
    count -= 1
    let userIndex = entries[slot].userIndex
    userSessions[userIndex].count -= 1
    if userSessions[userIndex].count == 0 {
      userIndices[userSessions[userIndex].user] = nil
      freeUserIndices.append(userIndex)
    }
    // The progress contains the typed text, which must not be stored longer than its session.
    entries[slot].progress = Session.Progress(lastUse: -.infinity)
    return entries[slot].session.take()
  }

  private mutating func addUser(_ user: UInt32) -> Int {
    let userIndex = freeUserIndices.popLast() ?? userSessions.count
    if userIndex < userSessions.count {
      userSessions[userIndex] = UserSessions(user: user)
    } else {
      userSessions.append(UserSessions(user: user))
    }
    userIndices[user] = userIndex
    return userIndex
  }

  private func hash(_ key: Session.Key) -> Int { key.hash(seed: seed) & (chainCount - 1) }
}
