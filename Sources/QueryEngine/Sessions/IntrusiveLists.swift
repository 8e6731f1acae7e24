/// Doubly linked lists of numbers, in the order in which they were added. Each number is in at most one list. A list is a ring through its
/// head, so that the ends of the list need no special treatment.
struct IntrusiveLists {
  private struct Link {
    var before: Int
    var behind: Int
  }

  /// Numbers below this one can be in a list. The heads of the lists have the numbers that follow.
  private let members: Int
  /// The links of the members, followed by the links of the heads.
  private var links: [Link]

  /// Creates `count` empty lists for numbers below `members`.
  init(_ count: Int, members: Int) {
    self.members = members
    links = (0..<members + count).map { Link(before: $0, behind: $0) }
  }

  /// The first number of a list; nil if the list is empty.
  func first(of list: Int) -> Int? { next(after: members + list) }

  /// The number after this one in its list; nil if it is the last one.
  func next(after member: Int) -> Int? {
    let next = links[member].behind
    return next < members ? next : nil
  }

  func isLast(_ member: Int) -> Bool { links[member].behind >= members }

  /// Moves a number from its list to the end of another one.
  mutating func move(_ member: Int, to list: Int) {
    remove(member)
    append(member, to: list)
  }

  /// Adds a number that is in no list to the end of a list.
  @inline(__always) mutating func append(_ member: Int, to list: Int) {
    let head = members + list
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
