/// Doubly linked lists of numbers; each number is in at most one list, in the order in which it was added. A list is a ring through its
/// head, so that its ends are not special cases.
struct IntrusiveLists {
  private struct Link {
    var before: Int
    var behind: Int
  }

  private let members: Int
  /// The links of the members, followed by those of the heads.
  private var links: [Link]

  /// Creates `count` empty lists for numbers below `members`.
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

  /// Moves a number from its list to the end of another one.
  mutating func move(_ member: Int, to ring: Int) {
    remove(member)
    append(member, to: ring)
  }

  /// Adds a number that is in no list.
  @inline(__always) mutating func append(_ member: Int, to ring: Int) {
    let head = members + ring
    let last = links[head].before
    links[member] = Link(before: last, behind: head)
    links[last].behind = member
    links[head].before = member
  }

  /// Removes a number from its list.
  @inline(__always) mutating func remove(_ member: Int) {
    let link = links[member]
    links[link.before].behind = link.behind
    links[link.behind].before = link.before
  }
}
