/// Doubly linked lists of numbers, each in the order in which its numbers were added. A number is in at most one list. Each list is a ring
/// through its head, so that the ends of the list need no special treatment. The functions name a list by its index.
struct IntrusiveLists {
  /// The neighbours of a number in its list.
  private struct Link {
    var previous: Int
    var next: Int
  }

  /// Numbers below this one can be in a list. The heads of the lists have the numbers that follow.
  private let memberCount: Int
  /// The links of the members, followed by the links of the heads.
  private var links: [Link]

  /// Creates `count` empty lists for numbers below `memberCount`.
  init(_ count: Int, memberCount: Int) {
    self.memberCount = memberCount
    links = (0..<memberCount + count).map { Link(previous: $0, next: $0) }
  }

  /// The first number of a list; nil if the list is empty.
  func first(of list: Int) -> Int? { next(after: memberCount + list) }

  /// The number after this one in its list; nil if it is the last one.
  func next(after member: Int) -> Int? {
    let next = links[member].next
    return next < memberCount ? next : nil
  }

  func isLast(_ member: Int) -> Bool { links[member].next >= memberCount }

  /// Moves a number from its list to the end of another one.
  mutating func move(_ member: Int, to list: Int) {
    remove(member)
    append(member, to: list)
  }

  /// Adds a number that is in no list to the end of a list.
  @inline(__always) mutating func append(_ member: Int, to list: Int) {
    let head = memberCount + list
    let last = links[head].previous
    links[member] = Link(previous: last, next: head)
    links[last].next = member
    links[head].previous = member
  }

  /// Removes a number from its list.
  @inline(__always) mutating func remove(_ member: Int) {
    let link = links[member]
    links[link.previous].next = link.next
    links[link.next].previous = link.previous
  }
}
