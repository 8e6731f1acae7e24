import RPC

// Batches, where texts end, and limits.
extension WireCase {
  private static func limits(_ change: (inout ConnectionLimits) -> Void) -> ConnectionLimits {
    var limits = ConnectionLimits()
    change(&limits)
    return limits
  }
  private static func nested(_ levels: Int) -> String { String(repeating: "[", count: levels) + String(repeating: "]", count: levels) }
  private static let never = #"{"jsonrpc":"2.0","id":"n","method":"never"}"#
  private static let cancelNever = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"n"}}"#

  static let batches = [
    WireCase("an empty batch", "[]", "null!-32600"),
    WireCase("a batch of a number", "[1]", "[null!-32600]"),
    WireCase("a batch of three numbers", "[1,2,3]", "[null!-32600, null!-32600, null!-32600]"),
    WireCase("a batch of one", "[\(echo("{}"))]", "[1={}]"),
    WireCase("a batch of two", "[\(echo("{}")),\(echo("[2]", id: "2"))]\n", "[1={}, 2=[2]]"),
    WireCase("a batch in a batch", "[[\(echo("{}"))]]", "[null!-32600]"),
    WireCase("a batch of notifications", #"[{"jsonrpc":"2.0","method":"echo"},{"jsonrpc":"2.0","method":"echo"}]"#),
    WireCase("a batch with a notification", "[\(echo("{}")),{\"jsonrpc\":\"2.0\",\"method\":\"echo\"}]", "[1={}]"),
    WireCase(
      "the specification's batch",
      #"[{"jsonrpc":"2.0","method":"echo","params":[1],"id":"1"},{"jsonrpc":"2.0","method":"notify_hello","params":[7]},"#
        + #"{"foo":"boo"},{"jsonrpc":"2.0","method":"foo.get","params":{"name":"myself"},"id":"5"}]"#,
      "[\"1\"=[1], \"5\"!-32601, null!-32600]"),
    WireCase("the same id twice in a batch", "[\(never),\(echo("{}", id: "\"n\""))]\(cancelNever)", "[\"n\"!-32003, \"n\"!-32600]"),
    WireCase("cancelling in a batch", "[\(never),\(cancelNever)]", "[\"n\"!-32003]"),
    WireCase("a batch that is cut off", "[\(echo("{}")),{\"jsonrpc\":\"2.0\",\"method\" ]\n\(echo("{}", id: "2"))", "null!-32700", "2={}"),
    WireCase(
      "the largest batch", "[" + (0..<64).map { echo("{}", id: "\($0)") }.joined(separator: ",") + "]",
      "[" + (0..<64).map { "\($0)={}" }.sorted().joined(separator: ", ") + "]"),
    WireCase(
      "a batch too large", "[" + (0..<65).map { echo("{}", id: "\($0)") }.joined(separator: ",") + "]" + echo("{}"), "null!-32600", "1={}"),
    WireCase(
      "a damaged batch of several lines is one error, and nothing in it is done",
      "[\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":x},\n\(echo("{}")),\n\(echo("{}", id: "2"))\n]\n\(echo("{}", id: "3"))", "null!-32700",
      "3={}"),
    WireCase(
      "a damaged request of several lines is one error",
      "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"method\": nul,\n  \"params\": {\n    \"a\": 1\n  }\n}\n\(echo("{}", id: "2"))",
      "null!-32700",
      "2={}"),
    WireCase("a batch with spaces", " [ \(echo("{}")) , \(echo("{}", id: "2")) ] ", "[1={}, 2={}]"),
    WireCase(
      "a batch of known answers", #"[{"jsonrpc":"2.0","id":1,"method":"hook"},{"jsonrpc":"2.0","id":2,"method":"echo"}]"#,
      "[1=null, 2=null]"),
    WireCase("ids keep their spelling in a batch", "[\(echo("{}", id: "1.0")),\(echo("{}", id: "\"\\u0061\""))]", "[\"a\"={}, 1={}]"),
  ]

  static let framing =
    [
      WireCase("half a request", String(echo("{}").dropLast()), "null!-32700"),
      WireCase("half a string", #"{"jsonrpc":"2.0","id":1,"me"#, "null!-32700"),
      WireCase("half a request behind a whole one", echo("{}") + "{\"json", "1={}", "null!-32700"),
      WireCase("a closing bracket too many", echo("{}") + "}\n" + echo("{}", id: "2"), "1={}", "null!-32700", "2={}"),
      WireCase("a line break in a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ec\n" + echo("{}", id: "2"), "null!-32700", "2={}"),
      WireCase(
        "a brace that is missing", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"\n" + echo("{}", id: "2") + "\n", "null!-32700", "2={}"
      ),
      WireCase("brackets in strings", echo(#"{"a":"}]{["}"#), #"1={"a":"}]{["}"#),
      WireCase("quotes in strings", echo(#"{"a":"\"}\\"}"#), #"1={"a":"\"}\\"}"#),
      WireCase("a number at the end", "5", "null!-32600"),
      WireCase(
        "requests on both sides of nonsense", echo("{}") + "\nnonsense\n" + echo("{}", id: "2") + "\n", "1={}", "null!-32700", "2={}"),
      WireCase(
        "a damaged line as the last text of a turn",
        (0..<63).map { echo("{}", id: "\"\($0)\"") }.joined() + "{\"a\" \"b\"}\n" + echo("{}", id: "2") + "\n",
        (0..<63).map { "\"\($0)\"={}" } + ["null!-32700", "2={}"]),
      WireCase(
        "a request over several lines", echo("\n{\n\"a\"\n:\n[1.5e300,\ntrue , null],\t\"b\":{}\r\n}\n"),
        #"1={"a":[1.5e+300,true,null],"b":{}}"#),
      WireCase(
        "damaged lines that open brackets", "{garbage\n[\"a\",,\n{\"a\":nul\n" + echo("{}"), "null!-32700", "null!-32700", "null!-32700",
        "1={}"),
      WireCase("three damaged lines", "a\nb\nc\n" + echo("{}"), "null!-32700", "null!-32700", "null!-32700", "1={}"),
    ]
    + [1, 10, 62, 63].map { WireCase("\($0) levels in params", echo(nested($0)), "1=\(nested($0))") }
    + [65, 128, 129, 500].map { levels in
      let objects = String(repeating: "{\"a\":", count: levels) + "[]" + String(repeating: "}", count: levels)
      return WireCase(
        "\(levels) levels of objects", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"none\",\"params\":\(objects)}" + echo("{}", id: "2"),
        "1!-32601", "2={}", limits: limits { $0.depth = 512 })
    }
    + [64, 65, 100, 1_000, 100_000].map {
      WireCase("\($0) levels in params are too many", echo(nested($0)) + echo("{}", id: "2"), "1!-32600", "2={}")
    }
    + [
      WireCase("a million opening brackets", String(repeating: "[", count: 1_000_000), "null!-32700"),
      WireCase("four levels where three are allowed", echo("[[[]]]"), "1!-32600", limits: limits { $0.depth = 3 }),
    ]

  static let sizes = [
    WireCase(
      "a request as long as allowed", padded(to: 1_000) + echo("{}", id: "2"), "1=[]", "2={}", limits: limits { $0.requestBytes = 1_000 }),
    WireCase(
      "a request one byte too long", padded(to: 1_001) + echo("{}", id: "2"), "1!-32600", "2={}",
      limits: limits { $0.requestBytes = 1_000 }),
    WireCase(
      "a request much too long", padded(to: 9_000) + echo("{}", id: "2"), "1!-32600", "2={}", limits: limits { $0.requestBytes = 1_000 }),
    WireCase("a request of a mebibyte", padded(to: 1 << 20) + echo("{}", id: "2"), "1=[]", "2={}"),
    WireCase("a request of more than a mebibyte", padded(to: 1 << 20 + 1) + echo("{}", id: "2"), "1!-32600", "2={}"),
    WireCase("a request of eight mebibytes", padded(to: 8 << 20) + echo("{}", id: "2"), "1!-32600", "2={}"),
    WireCase("a line that never ends", String(repeating: "a", count: 20_000), "null!-32600", limits: limits { $0.requestBytes = 1_000 }),
    WireCase(
      "a string that never ends", "\"" + String(repeating: "a", count: 20_000), "null!-32600", limits: limits { $0.requestBytes = 1_000 }),
    WireCase("a reply as long as allowed", #"{"jsonrpc":"2.0","id":1,"method":"size","params":{"bytes":9}}"#, "1=111111111"),
    WireCase(
      "a reply too long", #"{"jsonrpc":"2.0","id":1,"method":"size","params":{"bytes":2000}}"#, "1!-32603",
      limits: limits { $0.replyBytes = 1_000 }),
    WireCase(
      "a reply too long in a batch", #"[{"jsonrpc":"2.0","id":1,"method":"size","params":{"bytes":2000}},"# + echo("{}", id: "2") + "]",
      "[1!-32603, 2={}]", limits: limits { $0.replyBytes = 1_000 }),
    WireCase(
      "one request more in flight than allowed",
      #"{"jsonrpc":"2.0","id":1,"method":"never"}"# + never + echo("{}", id: "3") + cancelNever
        + #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#, "3!-32008", "\"n\"!-32003", "1!-32003",
      limits: limits { $0.inFlight = 2 }),
  ]

  private static func padded(to count: Int) -> String {
    let request = echo("[]")
    return String(request.dropLast()) + String(repeating: " ", count: count - request.utf8.count) + "}"
  }
}
