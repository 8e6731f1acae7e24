import HTTP
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

/// A budget counts requests, so no behaviour of a server may cause more requests than were counted.
@Suite("Requests that are counted, against a hostile server") struct HostileServerTests {
  /// The server's behaviour for one request: it sends the first bytes of an answer, and then fails.
  private enum Behaviour: CaseIterable {
    case answers, closes, resets, stalls, isLate
  }

  @Test(
    "A server that closes, resets, stalls or answers late at any byte sees no more requests than were counted as sent",
    arguments: isProving ? 0..<200 : 0..<6 as Range<UInt64>)
  func law(seed: UInt64) async throws {
    let random = Mutex(SeededRandom(seed: seed))
    let server = try ScriptedServer { _ in
      random.withLock { random in
        let answer =
          ScriptedServer.Step.head(headers: [("Content-Length", "12"), ("Connection", "keep-alive")]) + Array(#"{"rows": []} "#.utf8)
        let part = Array(answer.prefix(Int.random(in: 0...answer.count, using: &random)))
        switch Behaviour.allCases.randomElement(using: &random) ?? .answers {
        case .answers: return [.send(Array(answer.dropLast()))]
        case .closes: return [.send(part), .close]
        case .resets: return [.send(part), .reset]
        case .stalls: return [.send(part), .wait(30)]
        case .isLate: return [.wait(Double.random(in: 0...0.06, using: &random)), .send(Array(answer.dropLast()))]
        }
      }
    }
    defer { server.stop() }
    let isFree = seed.isMultiple(of: 2)
    let ledger = CountingMeter(isFree: isFree)
    var limits = HTTPLimits()
    limits.connectionsPerHost = 3
    try await withClient(limits: limits) { client in
      let sender = ProviderHTTP(client, access: try access(to: server.url), rates: [], timeout: 0.05, isFree: isFree)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<60 {
          group.addTask {
            let method: HTTPRequest.Method = number.isMultiple(of: 3) ? .get : .post
            let request = HTTPRequest(method, path: ["\(number)"], body: method == .post ? Array("{}".utf8) : [])
            // Some callers lose patience at any moment.
            if number.isMultiple(of: 7) {
              _ = await withTimeLimit(Double(number) / 2_000, clock: SystemTime(), task: "request") {
                try? await sender.send(request, meter: ledger)
              }
            } else {
              _ = try? await sender.send(request, meter: ledger)
            }
            // At any time, not only in the end.
            let seen = server.requests.count
            #expect(seen <= ledger.sent, "\(seen) requests came, \(ledger.sent) were counted")
          }
          if number % 6 == 5 { for _ in 0..<6 { try await group.next() } }
        }
      }
    }
    #expect(server.requests.count <= ledger.sent && ledger.sent == ledger.reserved)
    #expect(ledger.sent >= 40, "too few were sent to prove anything")
    if !isFree {
      let times = Dictionary(grouping: server.requests, by: \.target).mapValues(\.count)
      #expect(times.values.allSatisfy { $0 == 1 }, "a request that is paid for came twice")
    }
  }
}
