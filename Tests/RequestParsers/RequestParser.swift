import EmulatedAPIs
import PlacesAPI
import PlacesKit
import XML

/// Every emulated API under one name: for the replay of the corpus, and for the fuzzer.
public enum RequestParser {
  public static let name = "gateway.requests"

  static let context = EmulationContext(baseURL: "http://localhost:2325", now: 1_800_000_000, version: "1.0.0")

  /// Reads one input: `VERB TARGET`, a line break, `ACCEPT-LANGUAGE|FIELD-MASK`, a line break, a body; then creates the answers for a
  /// daemon that finds a place, finds nothing, fails, or replies with the body itself. Returns the first violation; nil if there is none.
  public static func fault(_ input: [UInt8]) -> String? {
    let lines = input.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    let words = (lines.first ?? []).split(separator: 0x20, maxSplits: 1)
    let headers = lines.count > 1 ? lines[1].split(separator: UInt8(ascii: "|"), maxSplits: 1) : []
    func text(_ index: Int) -> String? { headers.count > index ? String(decoding: headers[index], as: UTF8.self) : nil }
    let body = lines.count > 2 ? Array(lines[2]) : []
    guard
      let request = GatewayRequest(
        httpMethod: words.first.map { Array($0) == Array("POST".utf8) } ?? false ? .post : .get,
        target: words.count > 1 ? Array(words[1]) : [],
        acceptLanguage: text(0), fieldMask: text(1), body: body)
    else { return nil }
    switch EmulatedAPIs.plan(request, context) {
    case nil: return nil
    case .answer(let response)?: return fault(response)
    // JSON-RPC requests are passed on unchecked; the daemon checks them.
    case .stream?: return nil
    case .ask(let calls, let render)?:
      if calls.isEmpty || calls.count > 100 { return "\(calls.count) calls" }
      if request.path.last != "rpc", let refused = calls.lazy.compactMap({ refusal($0) }).first { return refused }
      let failure = DaemonReply.failure(DaemonFailure(name: .quotaExceeded, message: "no more today", retryAfter: 0.2))
      for reply in [DaemonReply.result(sample), .result(Array("{}".utf8)), failure, .result(body)] {
        if let fault = fault(render(calls.map { _ in reply })) { return fault }
      }
      return nil
    }
  }

  /// The reason why the daemon would reject a call; nil if it would not.
  public static func refusal(_ call: DaemonCall) -> String? {
    do throws(InvalidParameter) {
      let params = JSONValue.object(call.params)
      switch call.method {
      case Autocomplete.name: _ = try Autocomplete.schema.decode(params)
      case Search.name: _ = try Search.schema.decode(params)
      case Details.name: _ = try Details.schema.decode(params)
      case Reverse.name: _ = try Reverse.schema.decode(params)
      case ServiceInfo.name: _ = try ServiceInfo.schema.decode(params)
      default: return "an unknown method \(call.method)"
      }
      return nil
    } catch { return "\(call.method): \(error.message)" }
  }

  private static func fault(_ response: GatewayResponse) -> String? {
    guard (200...599).contains(response.status) else { return "status \(response.status)" }
    if response.contentType.hasPrefix("text/xml") {
      return (try? XMLElement(parsing: response.body)) == nil ? "a body that is not XML" : nil
    }
    guard response.contentType.contains("json") else { return nil }
    return (try? JSONValue(parsing: response.body)) == nil ? "a body that is not JSON" : nil
  }

  /// A reply with a place, a suggestion and everything that an API reads.
  private static let sample = Array(
    #"""
    {"places":[{"id":"gazetteer:osm:way/1","row":"r1","name":"A","types":["museum"],"formattedAddress":"B 1, C","coordinate":{"latitude":1.5,"longitude":2},
    "viewport":{"low":{"latitude":1,"longitude":1},"high":{"latitude":2,"longitude":3}},"addressComponents":[{"long":"B","short":"B","types":["route"]}],
    "sources":[{"provider":"gazetteer","id":"gazetteer:osm:way/1","rank":1}],"attributions":[{"provider":"gazetteer","text":"T","url":"https://e.org/"}]}],
    "place":{"id":"gazetteer:1","row":"r1","name":"A","coordinate":{"latitude":1.5,"longitude":2}},
    "suggestions":[{"kind":"place","id":"gazetteer:1","text":{"text":"Ab","matches":[{"start":0,"end":1}]},"row":"r1","types":["locality"],"sources":[]}],
    "attributions":[{"provider":"gazetteer","text":"T"}],"nextPageToken":"x"}
    """#.utf8)
}
