/// Lists of numbers, each number in one of them at most, in the order in which they were added. A list is a ring of links through its head, so
/// that none has an end to be treated differently.
struct IntrusiveLists {
  private struct Link {
    var before: Int
    var behind: Int
  }

  private let members: Int
  /// Of the members, and behind them of the heads.
  private var links: [Link]

  /// So many empty lists, for numbers below `members`.
  init(_ count: Int, members: Int) {
    self.members = members
    links = (0..<members + count).map { Link(before: $0, behind: $0) }
  }

  func first(of ring: Int) -> Int? { next(after: members + ring) }

  func next(after member: Int) -> Int? {
    let next = links[member].behind
    return next < members ? next : nil
  }

  func isLast(_ member: Int) -> Bool { links[member].behind >= members }

  /// Takes a number out of its list, and adds it to this one.
  mutating func move(_ member: Int, to ring: Int) {
    remove(member)
    append(member, to: ring)
  }

  /// Adds a number that stands in no list.
  @inline(__always) mutating func append(_ member: Int, to ring: Int) {
    let head = members + ring
    let last = links[head].before
    links[member] = Link(before: last, behind: head)
    links[last].behind = member
    links[head].before = member
  }

  /// Takes a number out of its list.
  @inline(__always) mutating func remove(_ member: Int) {
    let link = links[member]
    links[link.before].behind = link.behind
    links[link.behind].before = link.before
  }
}
