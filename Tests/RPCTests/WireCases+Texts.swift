import RPC

// Valid and invalid JSON texts.
extension WireCase {
  /// Invalid texts on separate lines: each causes one error, and the request on the next line is served.
  static let broken = [
    "nonsense", "GET / HTTP/1.1", "'single'", "{]", "[}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{1:2}", "[1,]", "[,1]",
    "[1 2]", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "nul", "tru", "True", "NaN", "Infinity", "+1", ".5", "5.", "01", "-", "1e", "0x10", "\"open",
    "\"\u{1}\"", "\"\t\"", "\"\\x\"", "\"\\u12\"", "\"\\u123g\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "{\"jsonrpc\":\"2.0",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"]", "{\"jsonrpc\": \"2.0\", \"method\": \"foobar, \"params\": \"bar\", \"baz]",
    "\u{FEFF}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}", "}", "]", ":", ",", "\"a\" \"b\"", "1 2", "// comment", "#", "\0",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"a\":tru}}", "{\"jsonrpc\":\"2.0\",\"id\":01,\"method\":\"echo\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",}", "{\"jsonrpc\":\"2.0\",\"id\":1 \"method\":\"echo\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"a\":\"\u{1F}\"}}",
  ].map { WireCase("no JSON: \($0)", $0 + "\n" + echo("{}", id: "2") + "\n", "null!-32700", "2={}") }

  /// JSON, but no request.
  static let noRequests = ["1", "0", "-1.5e3", "null", "true", "\"text\"", "\"\""].map {
    WireCase("no request: \($0)", $0 + "\n" + echo("{}", id: "2"), "null!-32600", "2={}")
  }

  static let numbers =
    noRequests
    + [
      ("0", "0"), ("-0", "0"), ("10", "10"), ("1.5", "1.5"), ("1.50", "1.5"), ("1e2", "100"), ("1E2", "100"), ("1e+2", "100"),
      ("1e-2", "0.01"), ("123456789012345678", "123456789012345678"), ("-9223372036854775808", "-9223372036854775808"),
      ("9223372036854775807", "9223372036854775807"), ("0.1", "0.1"), ("2.5e-7", "2.5e-07"), ("1e22", "1e+22"),
    ].map { WireCase("the number \($0.0)", echo("[\($0.0)]"), "1=[\($0.1)]") }
    + ["00", "-01", "1.", "1.e2", ".1", "1e", "1e+", "--1", "1-2", "0x1", "1_000", "١"].map {
      WireCase("no number: \($0)", echo("[\($0)]") + "\n" + echo("{}", id: "2"), "null!-32700", "2={}")
    }

  static let texts =
    [
      ("plain", "\"plain\""), ("ü", "\"ü\""), ("慕尼黑", "\"慕尼黑\""), ("😀", "\"😀\""), ("e\u{301}", "\"e\u{301}\""),
      ("\\u00e4", "\"ä\""), ("\\uD83D\\uDE00", "\"😀\""), ("\\u0000", "\"\\u0000\""), ("\\\"", "\"\\\"\""), ("\\\\", "\"\\\\\""),
      ("\\/", "\"/\""), ("\\b\\f\\n\\r\\t", "\"\\b\\f\\n\\r\\t\""), ("\u{7F}", "\"\\u007f\""), ("\u{2028}", "\"\u{2028}\""),
      ("{}[],:", "\"{}[],:\""),
    ].map { WireCase("the text \($0.0)", echo("[\"\($0.0)\"]"), "1=[\($0.1)]") }
    + [
      ("a lonely continuation byte", [0x80]), ("an overlong slash", [0xC0, 0xAF]), ("an overlong slash of three", [0xE0, 0x80, 0xAF]),
      ("a surrogate", [0xED, 0xA0, 0x80]), ("beyond Unicode", [0xF4, 0x90, 0x80, 0x80]), ("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
      ("half a sequence", [0xE6, 0x85]), ("0xFF", [0xFF]), ("Latin-1", [0xFC, 0x62]),
    ].map { (name: String, bytes: [UInt8]) in
      WireCase(
        "not UTF-8: \(name)",
        Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[\"".utf8) + bytes + Array("\"]}\n".utf8)
          + Array(echo("{}", id: "2").utf8), ["null!-32700", "2={}"])
    }
    + [
      WireCase("UTF-16", Array(echo("{}").utf8).flatMap { [$0, 0] } + [0x0A], ["null!-32700"]),
      WireCase("a byte-order mark", [0xEF, 0xBB, 0xBF] + Array((echo("{}") + "\n" + echo("{}", id: "2")).utf8), ["null!-32700", "2={}"]),
    ]
}
