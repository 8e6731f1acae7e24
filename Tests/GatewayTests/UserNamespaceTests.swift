import Configuration
import Testing

@testable import places_gateway

@Suite("A user namespace")
struct UserNamespaceTests {
  @Test(
    "maps every user only if it maps them to themselves",
    arguments: [
      ("         0          0 4294967295\n", true), (nil, true), ("", false), ("0 1000 1\n", false), ("0 0 65536\n", false),
      ("0 100000 65536\n", false), ("0 0 1000\n1000 0 1\n1001 1001 64536\n", false), ("0 0 4294967295\n1 1 1\n", false),
    ] as [(String?, Bool)])
  func maps(_ text: String?, _ isEvery: Bool) { #expect(UserNamespace.mapsEveryUser(text) == isEvery) }

  @Test("prevents the start of a gateway for all users, and of no other")
  func refusal() {
    var settings = GatewaySettings()
    #expect(Gateway(settings, [], userMap: "0 1000 1\n").refusal == nil)
    settings.allUsers = true
    #expect(Gateway(settings, [], userMap: "0 0 4294967295\n").refusal == nil)
    #expect(Gateway(settings, [], userMap: nil).refusal == nil)
    let gateway = Gateway(settings, [], userMap: "0 1000 1\n")
    #expect(gateway.refusal?.contains("user namespace") == true)
    #expect(gateway.run() == 1)
  }
}
