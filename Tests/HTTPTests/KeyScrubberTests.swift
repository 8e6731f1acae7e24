import Foundation
import PlacesKit
import PlacesTesting
import Testing

@testable import HTTP

@Suite("Keys that a service repeats") struct KeyScrubberTests {
  private static let key = "AIza+Sy/4_k~e=y%&"

  @Test("A provider sees no key in a response, however the service writes it, in the body or in a header")
  func responses() async throws {
    let encoded = "AIza%2BSy%2F4_k~e%3Dy%25%26"
    let basic = Data("user:\(Self.key)".utf8).base64EncodedString()
    let forms = [
      Self.key, encoded, encoded.lowercased().replacing("aiza", with: "AIza").replacing("sy", with: "Sy"), #"AIza+Sy\/4_k~e=y%&"#,
    ]
    let server = try ScriptedServer { _ in
      [.answer(status: 403, headers: [("X-Echo", "key=\(Self.key);")], "bad: \(forms.joined(separator: " ")) Basic \(basic) end")]
    }
    defer { server.stop() }
    let response = try await withClient {
      try await $0.send(
        HTTPRequest(path: ["x"]), access: access(to: server.url, credential: .query(name: "key"), key: Self.key), timeout: .seconds(5))
    }
    let body = String(decoding: response.body, as: UTF8.self)
    #expect(body.hasPrefix("bad: [key] [key] [key] [key] Basic "), "\(body)")
    #expect(body.hasSuffix(" end"))
    #expect(!body.contains(Data(Self.key.utf8).base64EncodedString().prefix(12)) && body.contains("dXNlcj"), "\(body)")
    #expect(response.header("x-echo") == "key=[key];")
  }

  @Test("In base64 text, all digits that contain only bits of the key are removed, at any alignment", arguments: 0..<6)
  func base64(before: Int) {
    let (prefix, suffix) = (String(repeating: "~", count: before), ">>>")
    let text = Data((prefix + Self.key + suffix).utf8).base64EncodedString()
    let left = String(decoding: KeyScrubber(Self.key).scrub(HTTPResponse(status: 200, body: Array(text.utf8))).body, as: UTF8.self)
    let replacement = String(decoding: KeyScrubber.replacement, as: UTF8.self)
    #expect(left.contains(replacement))
    // The remaining digits encode the text around the key; one at either end may contain some bits of the key.
    #expect(left.count - replacement.count <= text.count - Self.key.count * 8 / 6 + 2, "\(left)")
  }

  @Test("A key is removed whichever of its characters are escaped, and so are its base64 digits")
  func escapes() {
    let base64 = Data(Self.key.utf8).base64EncodedString()
    let encoded = Self.key.utf8.map { "%" + String($0, radix: 16) }.joined()
    for text in [
      encoded, encoded.uppercased(), #"AIza+Sy\/4_k~e\u003dy%\u0026"#, #"AIza\u002BSy\u002f4_k~e=y%25&"#, "AIza%2bSy%2F4%5Fk%7Ee%3dy%25&",
      base64.prefix(22).utf8.map { "%" + String($0, radix: 16) }.joined(),
    ] {
      let body = #"{"a":"50% \" \u00e4 \\ "# + text + #" \/ %zz %4"# + "\"}"
      let scrubbed = String(decoding: KeyScrubber(Self.key).scrub(HTTPResponse(status: 200, body: Array(body.utf8))).body, as: UTF8.self)
      #expect(scrubbed == body.replacing(text, with: "[key]"))
    }
  }

  @Test("A key that contains what looks like an escape is removed, and so is one with quotes and backslashes")
  func escapesInKey() {
    for (key, text) in [
      ("canary+key/7f3a=&x%9b1c~d", #"canary+key\/7f3a=&x%9b1c~d"#), (#"quoted"key\with"#, #"quoted\"key\\with"#),
      (#"quoted"key\with"#, #"quoted%22key%5Cwith"#),
    ] {
      let body = #"{"a":"\/ %zz "# + text + #" \" "}"#
      let scrubbed = String(decoding: KeyScrubber(key).scrub(HTTPResponse(status: 200, body: Array(body.utf8))).body, as: UTF8.self)
      #expect(scrubbed == body.replacing(text, with: "[key]"))
    }
  }

  @Test("A text without the key is unchanged, and a key that is too short to recognise is not removed")
  func untouched() {
    let body = Array("AIza and Sy, nothing else".utf8)
    #expect(KeyScrubber(Self.key).scrub(HTTPResponse(status: 200, body: body)).body == body)
    #expect(KeyScrubber("and").scrub(HTTPResponse(status: 200, body: body)).body == body)
    #expect(KeyScrubber(nil).scrub(HTTPResponse(status: 200, body: body)).body == body)
  }
}
