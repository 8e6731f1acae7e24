import Linux
import Testing

@testable import PlacesService

@Suite("Administrators")
struct AdministratorsTests {
  private let administrators = Administrators(daemonUser: 100, group: 50, gatewayUser: 200)

  @Test(
    "are root, the daemon's own user and the members of the group",
    arguments: [
      (Peer(user: 0, group: 0), true), (Peer(user: 100, group: 1), true), (Peer(user: 1_000, group: 50), true),
      (Peer(user: 1_000, group: 1, groups: [7, 50]), true), (Peer(user: 1_000, group: 1, groups: [7]), false),
      (Peer(user: 200, group: 1), false),
    ])
  func included(_ caller: Peer, _ isIncluded: Bool) { #expect(administrators.includes(caller) == isIncluded) }

  @Test("are not users on whose behalf the gateway asks, not even root", arguments: [0, 100, 200, 1_000] as [UInt32])
  func represented(_ user: UInt32) {
    #expect(!administrators.includes(Peer(represented: user)))
    #expect(!administrators.mayRepresentUsers(Peer(represented: user)))
  }

  @Test("may not ask on behalf of users, which only the gateway's user may")
  func gateway() {
    #expect(administrators.mayRepresentUsers(Peer(user: 200, group: 1)))
    for user: UInt32 in [0, 100, 1_000] { #expect(!administrators.mayRepresentUsers(Peer(user: user, group: 50))) }
    #expect(!Administrators(daemonUser: 100, group: nil).mayRepresentUsers(Peer(user: 200, group: 1)))
    // No group is configured: UInt32.max, the group of a represented user, is not one.
    #expect(!Administrators(daemonUser: 100, group: nil).includes(Peer(user: 1_000, group: .max)))
  }
}
