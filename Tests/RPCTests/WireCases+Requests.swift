import RPC

// Requests, ids, envelopes, and parameters.
extension WireCase {
  static let requests = [
    WireCase("a request with a newline", echo("{}") + "\n", "1={}"),
    WireCase("a request without newline", echo("{}"), "1={}"),
    WireCase("a request with a carriage return", echo("{}") + "\r\n", "1={}"),
    WireCase(
      "white space everywhere", " \t\r\n { \"jsonrpc\" : \"2.0\" , \"id\" : 1 , \"method\" : \"echo\" , \"params\" : { } } \n", "1={}"),
    WireCase("a request over many lines", "{\n\"jsonrpc\":\"2.0\",\n\"id\":1,\n\"method\":\"echo\",\n\"params\":{\n}\n}\n", "1={}"),
    WireCase("two requests on one line", echo("{}") + echo("{\"a\":2}", id: "2"), "1={}", "2={\"a\":2}"),
    WireCase("two requests on two lines", echo("{}") + "\n" + echo("{\"a\":2}", id: "2") + "\n", "1={}", "2={\"a\":2}"),
    WireCase("empty lines between requests", "\n\n" + echo("{}") + "\n\n\n", "1={}"),
    WireCase("nothing", ""),
    WireCase("white space only", " \n\t\r\n"),
    WireCase("a notification", #"{"jsonrpc":"2.0","method":"echo","params":{}}"#),
    WireCase("a notification of an unknown method", #"{"jsonrpc":"2.0","method":"nothing"}"#),
    WireCase("a notification with bad params", #"{"jsonrpc":"2.0","method":"subtract","params":{}}"#),
    WireCase("no params", #"{"jsonrpc":"2.0","id":1,"method":"echo"}"#, "1=null"),
    WireCase("params by position", #"{"jsonrpc":"2.0","id":1,"method":"subtract","params":[42,23]}"#, "1!-32602"),
    WireCase("params by name", #"{"jsonrpc":"2.0","method":"subtract","params":{"subtrahend":23,"minuend":42},"id":3}"#, "3=19"),
    WireCase("an unknown method", #"{"jsonrpc":"2.0","id":"1","method":"foobar"}"#, "\"1\"!-32601"),
    WireCase("an empty method", #"{"jsonrpc":"2.0","id":1,"method":""}"#, "1!-32601"),
    WireCase("a method in Chinese", #"{"jsonrpc":"2.0","id":1,"method":"方法"}"#, "1!-32601"),
    WireCase("a method with an escape", #"{"jsonrpc":"2.0","id":1,"method":"\u0065cho"}"#, "1=null"),
    WireCase("a method with a line break in it", #"{"jsonrpc":"2.0","id":1,"method":"a\nb"}"#, "1!-32601"),
    WireCase("a known answer", #"{"jsonrpc":"2.0","id":7,"method":"known","params":{"a":1}}"#, "7=\"known\""),
    WireCase("a known answer without params", #"{"jsonrpc":"2.0","id":7,"method":"known"}"#, "7=\"bare\""),
    WireCase("a known answer for a string id", #"{"id":"x","method":"known","params":{"a":1},"jsonrpc":"2.0"}"#, "\"x\"=\"known\""),
    WireCase(
      "a known method behind one without letters", #"{"jsonrpc":"2.0","id":7,"method":"","method":"known","params":{"a":1}}"#, "7!-32600"
    ),
    WireCase("what is known is no answer to a notification", #"{"jsonrpc":"2.0","method":"known","params":{"a":1}}"#),
    WireCase("what is not known goes the long road", #"{"jsonrpc":"2.0","id":1,"method":"known","params":{"a":2}}"#, "1!-32601"),
    WireCase("cancelling nothing", #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":9}}"#),
    WireCase("cancelling without params", #"{"jsonrpc":"2.0","method":"$/cancelRequest"}"#),
    WireCase("cancelling as a request", #"{"jsonrpc":"2.0","id":1,"method":"$/cancelRequest","params":{"id":9}}"#, "1!-32600"),
    WireCase(
      "a cancelled request",
      #"{"jsonrpc":"2.0","id":1,"method":"never"}{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#, "1!-32003"),
    WireCase(
      "a request cancelled in another spelling of its id",
      #"{"jsonrpc":"2.0","id":"a","method":"never"}{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"\u0061"}}"#, "\"a\"!-32003"),
    WireCase(
      "a cancelled id is free again",
      #"{"jsonrpc":"2.0","id":1,"method":"never"}{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"# + echo("{}"), "1!-32003",
      "1={}"),
    WireCase(
      "an id that is still in flight",
      #"{"jsonrpc":"2.0","id":1,"method":"never"}"# + echo("{}")
        + #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#, "1!-32600", "1!-32003"),
    WireCase(
      "an id in flight, spelt otherwise",
      #"{"jsonrpc":"2.0","id":1,"method":"never"}"# + echo("{}", id: "1.0")
        + #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#, "1.0!-32600", "1!-32003"),
    WireCase(
      "an id in flight whose answer is known",
      #"{"jsonrpc":"2.0","id":1,"method":"never"}{"jsonrpc":"2.0","id":1,"method":"known"}"#
        + #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#, "1!-32600", "1!-32003"),
    WireCase(
      "a string id and a number id with the same digits are different ids",
      #"{"jsonrpc":"2.0","id":1,"method":"never"}"# + echo("{}", id: "\"1\"")
        + #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#, "\"1\"={}", "1!-32003"),
    WireCase("a reply to nothing", #"{"jsonrpc":"2.0","id":1,"result":5}"#, "1!-32600"),
    WireCase("an error to nothing", #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#, "1!-32600"),
  ]

  static let ids =
    [
      "0", "1", "-1", "-0", "42", "1.0", "1.5", "1e2", "1E+2", "9007199254740993", "18446744073709551616", "0.1", "-3.25e-2", "1e400",
      "-1E+400", "null",
      "\"\"",
      "\"a\"", "\"1\"", "\"ü\"", "\"慕尼黑\"", "\"\\u0061\"", "\"\\n\"", "\"\\\\\"", "\"\\\"\"", "\"\\/\"", "\"\\ud83d\\ude00\"", "\"😀\"",
      "\"a:b{c}[d]\"", "\"null\"", "\" \"", "\"0123456789abcdef0123456789abcdef0123456789abcdef\"",
    ].map { WireCase("the id \($0) comes back as it is spelt", echo("{}", id: $0), "\($0)={}") }
    + ["true", "false", "{}", "[]", "[1]", "{\"a\":1}"].map {
      WireCase("the id \($0) is none", echo("{}", id: $0), "null!-32600")
    } + [
      WireCase("an id longer than allowed", echo("{}", id: "\"" + String(repeating: "x", count: 300) + "\""), "null!-32600"),
      WireCase("an id in a request that is wrong", #"{"jsonrpc":"1.0","id":"e\u0301","method":"echo"}"#, "\"e\\u0301\"!-32600"),
    ]

  static let envelopes = [
    WireCase("no version", #"{"id":1,"method":"echo"}"#, "1!-32600"),
    WireCase("version 1.0", #"{"jsonrpc":"1.0","id":1,"method":"echo"}"#, "1!-32600"),
    WireCase("version 2", #"{"jsonrpc":2.0,"id":1,"method":"echo"}"#, "1!-32600"),
    WireCase("version 2.00", #"{"jsonrpc":"2.00","id":1,"method":"echo"}"#, "1!-32600"),
    WireCase("the version in capitals", #"{"JSONRPC":"2.0","id":1,"method":"echo"}"#, "1!-32600"),
    WireCase("the version with an escape", #"{"jsonrpc":"\u0032.0","id":1,"method":"echo"}"#, "1=null"),
    WireCase("a key with an escape", #"{"jsonrpc":"2.0","i\u0064":1,"method":"echo"}"#, "1=null"),
    WireCase("no method", #"{"jsonrpc":"2.0","id":1}"#, "1!-32600"),
    WireCase("no method and no id", #"{"jsonrpc":"2.0"}"#, "null!-32600"),
    WireCase("an empty object", "{}", "null!-32600"),
    WireCase("a method that is a number", #"{"jsonrpc":"2.0","id":1,"method":1}"#, "1!-32600"),
    WireCase("a method that is null", #"{"jsonrpc":"2.0","id":1,"method":null}"#, "1!-32600"),
    WireCase("a method that is a list", #"{"jsonrpc":"2.0","id":1,"method":["echo"]}"#, "1!-32600"),
    WireCase("params that are a string", #"{"jsonrpc":"2.0","id":1,"method":"echo","params":"bar"}"#, "1!-32600"),
    WireCase("params that are null", #"{"jsonrpc":"2.0","id":1,"method":"echo","params":null}"#, "1!-32600"),
    WireCase("params that are a number", #"{"jsonrpc":"2.0","id":1,"method":"echo","params":1}"#, "1!-32600"),
    WireCase("a member more", #"{"jsonrpc":"2.0","id":1,"method":"echo","params":{},"extra":1}"#, "1={}"),
    WireCase("the specification's invalid request", #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#, "null!-32600"),
    WireCase("the version twice", #"{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"echo"}"#, "1!-32600"),
    WireCase("the id twice", #"{"jsonrpc":"2.0","id":1,"id":2,"method":"echo"}"#, "null!-32600"),
    WireCase(
      "an id behind what is nested too deep",
      #"{"jsonrpc":"2.0","method":"x","params":{"a":"# + String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
        + #"},"id":9}"#,
      "9!-32600"),
    WireCase("a number that no double holds", echo(#"{"a":1e400}"#), "1={\"a\":1.7976931348623157e+308}"),
    WireCase("the id twice, once with an escape", #"{"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"echo"}"#, "null!-32600"),
    WireCase("a key twice in what is no JSON", #"{"jsonrpc":"2.0","id":1,"method":"echo","a":1,"a":2,oops}"#, "null!-32700"),
    WireCase("the method twice", #"{"jsonrpc":"2.0","id":1,"method":"echo","method":"echo"}"#, "1!-32600"),
    WireCase("a parameter twice", echo(#"{"a":1,"a":1}"#), "1!-32600"),
    WireCase("a parameter twice, once with an escape", echo(#"{"a":1,"\u0061":1}"#), "1!-32600"),
    WireCase("a key twice deep inside", echo(#"{"a":[{"b":{"c":1,"c":2}}]}"#), "1!-32600"),
    WireCase("the same key in two objects", echo(#"{"a":{"b":1},"c":{"b":1}}"#), #"1={"a":{"b":1},"c":{"b":1}}"#),
    WireCase(
      "thirty parameters", echo("{" + (0..<30).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"),
      "1={" + (0..<30).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"),
    WireCase(
      "thirty parameters, one of them twice", echo("{" + (0..<30).map { "\"k\($0 % 29)\":\($0)" }.joined(separator: ",") + "}"),
      "1!-32600"),
  ]
}
