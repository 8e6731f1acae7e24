import Linux
import PlacesAPI
import PlacesKit
import RPC
import Synchronization
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

  /// The methods that change the daemon or return data of other users.
  private static let methods = [
    "budget.confirm", "cache.expire", "cache.list", "providers.disable", "providers.enable", "providers.log", "providers.reset",
    "providers.resume", "providers.test",
    "service.log", "service.metrics", "service.reload",
  ]

  @Test(
    "alone may call the methods for administrators; strangers are refused before their parameters are read",
    arguments: [
      (Peer(user: 1_000, group: 1_000, groups: [7]), false), (Peer(user: 200, group: 200), false), (Peer(represented: 0), false),
      (Peer(represented: 100), false), (Peer(user: 0, group: 0), true), (Peer(user: 1_000, group: 50), true),
    ])
  func access(_ peer: Peer, _ isAdministrator: Bool) async {
    let served = Served()
    var table = MethodTable()
    func add<M: PlacesAPI.Method>(_ method: M.Type) {
      table.onEncoded(method) { (_, _) throws(APIError) in
        served.names.withLock { _ = $0.insert(M.name) }
        return []
      }
    }
    for method in Catalogue.methods { add(method) }
    let caller = Caller(user: peer.user, isAdministrator: administrators.includes(peer))
    var refused: Set<String> = []
    for name in table.names {
      for params in ["{}", "{\"provider\":\"a\"}", "nonsense"] {
        let reply = await table.reply(to: name, MethodTable.MethodCall(caller: caller, id: .null, params: Array(params.utf8)) { _, _ in })
        guard case .error(let error) = reply, error.data?["name"] == "permission_denied" else { continue }
        refused.insert(name)
      }
    }
    #expect(refused.sorted() == (isAdministrator ? [] : Self.methods))
    #expect(served.names.withLock { $0.isDisjoint(with: refused) && !$0.isEmpty })
    #expect(!isAdministrator || served.names.withLock { $0.isSuperset(of: Self.methods) })
  }

  private final class Served: Sendable {
    let names = Mutex<Set<String>>([])
  }
}
