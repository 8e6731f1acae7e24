import Synchronization

/// Members of a provider's JSON that nothing reads: most often slips of the pen, such as `postCode` for `postcode`.
final class UnknownMembers: Sendable {
  struct Member: Hashable, Comparable {
    /// What was answered with it, such as `search`.
    var subject: String
    /// Where it stands, such as `rows.evidence.postCode`.
    var path: String

    static func < (one: Member, other: Member) -> Bool { (one.subject, one.path) < (other.subject, other.path) }
  }

  /// Takes those of one answer.
  struct Collecting {
    var members: UnknownMembers
    var subject: String

    /// Notes those of an object's names that `Key` does not have.
    func note<Key: CodingKey>(_ names: some Sequence<String>, of path: [any CodingKey], known: Key.Type) {
      for name in names where Key(stringValue: name) == nil {
        // Elements of a list are alike.
        let place = path.filter { $0.intValue == nil }.map(\.stringValue) + [name]
        members.add(Member(subject: subject, path: place.joined(separator: ".")))
      }
    }
  }

  /// More than this are not told apart.
  private static let most = 20

  private let state = Mutex<Set<Member>>([])

  var all: [Member] { state.withLock { $0.sorted() } }

  func collecting(_ subject: String) -> Collecting { Collecting(members: self, subject: subject) }

  private func add(_ member: Member) {
    state.withLock { if $0.count < Self.most { $0.insert(member) } }
  }
}
