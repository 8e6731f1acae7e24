import PlacesKit
import Testing

@testable import RPC

/// The protocol as bytes sent and received. The replies of one exchange are compared as a set, because their order is not specified.
@Suite("The wire, byte by byte")
struct WireTableTests {
  @Test("Each sent text gets the replies that the table lists", arguments: WireCase.all)
  func table(_ row: WireCase) async throws {
    try await WireTableTests.check(row, pieces: nil)
  }

  static func check(_ row: WireCase, pieces: Int?) async throws {
    var options = ServerOptions()
    options.limits = row.limits
    try await Service(Script(known: WireCase.known), options).whileRunning { service in
      let text = try await service.exchange(row.bytes)
      #expect(text.isEmpty || text.hasSuffix("\n"))
      let replies = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { WireCase.summary(String($0)) }
      #expect(replies.sorted() == row.replies.sorted(), "\(row.name)")
    }
  }
}
