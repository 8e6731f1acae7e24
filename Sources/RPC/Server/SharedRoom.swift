/// How much of something there is, in all and of each user, and how much there may be, so that no user takes all the room there is.
struct SharedRoom: Sendable {
  /// Whose room does not suffice.
  enum Shortage { case all, user }

  private(set) var total = 0
  private var users: [UInt32: Int] = [:]
  private let limit: Int
  private let limitPerUser: Int
  /// Users who may have all there is.
  private let uncounted: Set<UInt32>

  init(limit: Int, perUser: Int, uncounted: Set<UInt32>) {
    self.limit = limit
    limitPerUser = perUser
    self.uncounted = uncounted
  }

  /// What so much more of the user's would lack; nil where there is room for it.
  func shortage(of user: UInt32, for more: Int) -> Shortage? {
    if total + more > limit { return .all }
    return users[user, default: 0] + more > limitPerUser && !uncounted.contains(user) ? .user : nil
  }

  /// There is so much more of the user's, or less.
  mutating func change(_ user: UInt32, by amount: Int) {
    total += amount
    let own = users[user, default: 0] + amount
    users[user] = own > 0 ? own : nil
  }
}
