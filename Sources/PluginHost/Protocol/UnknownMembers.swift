import Synchronization

/// Members of a provider's JSON that the daemon does not know: mostly misspelt names, such as `postCode` for `postcode`.
final class UnknownMembers: Sendable {
  struct Member: Hashable, Comparable {
    /// The method whose answer contains the member, such as `search`; `manifest` for a member of a manifest.
    var subject: String
    /// The path of the member in the answer, such as `rows.evidence.postCode`.
    var path: String

    static func < (one: Member, other: Member) -> Bool { (one.subject, one.path) < (other.subject, other.path) }
  }

  /// Records the unknown members of one answer.
  struct Recorder {
    let members: UnknownMembers
    let subject: String

    /// Records the members of an object that are not keys of the type that is decoded from it.
    /// - Parameter path: the path of the object in the answer.
    func record(_ names: [String], at path: [any CodingKey], unlessIn keys: any CodingKey.Type) {
      for name in names where keys.init(stringValue: name) == nil {
        // The indices of lists are left out, so that a member of several elements is recorded once.
        let memberPath = path.filter { $0.intValue == nil }.map(\.stringValue) + [name]
        members.add(Member(subject: subject, path: memberPath.joined(separator: ".")))
      }
    }
  }

  /// The maximum number of recorded members.
  private static let maxMembers = 20

  private let recordedMembers = Mutex<Set<Member>>([])

  /// The recorded members, sorted by subject and path.
  var all: [Member] { recordedMembers.withLock { $0.sorted() } }

  func recorder(for subject: String) -> Recorder { Recorder(members: self, subject: subject) }

  private func add(_ member: Member) {
    recordedMembers.withLock { if $0.count < Self.maxMembers { $0.insert(member) } }
  }
}
