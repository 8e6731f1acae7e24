import Synchronization

/// Members of a provider's JSON that the daemon does not know: mostly misspelt names, such as `postCode` for `postcode`.
final class UnknownMembers: Sendable {
  struct Member: Hashable, Comparable {
    /// The method whose answer contains it, such as `search`, or `manifest`.
    var subject: String
    /// Its path in the answer, such as `rows.evidence.postCode`.
    var path: String

    static func < (one: Member, other: Member) -> Bool { (one.subject, one.path) < (other.subject, other.path) }
  }

  /// Collects the unknown members of one answer.
  struct Collecting {
    var members: UnknownMembers
    var subject: String

    /// Records the names of an object that `Key` does not have.
    func note<Key: CodingKey>(_ names: some Sequence<String>, of path: [any CodingKey], known: Key.Type) {
      for name in names where Key(stringValue: name) == nil {
        // Without the indices of lists, so that a member of several elements is recorded once.
        let place = path.filter { $0.intValue == nil }.map(\.stringValue) + [name]
        members.add(Member(subject: subject, path: place.joined(separator: ".")))
      }
    }
  }

  /// The maximum number of recorded members.
  private static let maxMembers = 20

  private let state = Mutex<Set<Member>>([])

  var all: [Member] { state.withLock { $0.sorted() } }

  func collecting(_ subject: String) -> Collecting { Collecting(members: self, subject: subject) }

  private func add(_ member: Member) {
    state.withLock { if $0.count < Self.maxMembers { $0.insert(member) } }
  }
}
