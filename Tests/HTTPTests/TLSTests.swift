import Foundation
import HTTP
import PlacesKit
import PlacesTesting
import Testing

/// What `make prove` runs: it needs OpenSSL's command and takes seconds.
@Suite("TLS", .serialized, .enabled(if: ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1", "PLACES_PROVE=1 runs it, with openssl"))
struct TLSTests {
  /// An `openssl s_server` that answers any request with a page of its own.
  final class Server {
    let process = Process()
    let port: Int

    init(_ arguments: [String]) throws {
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
      process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-www"] + arguments
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      var text = ""
      while !text.contains("ACCEPT 127.0.0.1:") || !text.hasSuffix("\n") {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { break }
        text += String(decoding: more, as: UTF8.self)
      }
      port = Int(text.components(separatedBy: "ACCEPT 127.0.0.1:").last?.prefix { $0.isNumber } ?? "") ?? 0
    }

    deinit {
      // Workers of the pool block signals, and so does what they start: only this one ends it.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  static func openssl(_ arguments: String, in folder: TemporaryFolder) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "openssl \(arguments)")
  }

  /// An authority, and certificates of it: good, for another host, expired; and one signed by itself.
  static func authority() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("subjectAltName=IP:127.0.0.1\n", to: "here")
    try folder.write("subjectAltName=DNS:elsewhere.example.org\n", to: "elsewhere")
    try openssl("req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=Authority -days 2", in: folder)
    try openssl("req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=server", in: folder)
    let sign = "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial"
    try openssl("\(sign) -extfile here -days 1 -out good.pem", in: folder)
    try openssl("\(sign) -extfile elsewhere -days 1 -out elsewhere.pem", in: folder)
    try openssl("\(sign) -extfile here -days -1 -out expired.pem", in: folder)
    try openssl("req -x509 -key server.key -out self.pem -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -days 1", in: folder)
    return folder
  }

  static func ask(_ arguments: [String], authority: String?) async throws -> Result<Int, ProviderError> {
    let server = try Server(arguments)
    defer { withExtendedLifetime(server) {} }
    return try await withClient { client in
      let access = try HTTPAccess(
        id: "test", manifest: manifest(), baseURL: "https://127.0.0.1:\(server.port)", authorityFile: authority,
        allowsPrivateAddresses: true)
      do throws(ProviderError) {
        return .success(try await client.send(HTTPRequest(path: ["x"]), access: access, timeout: .seconds(5)).status)
      } catch { return .failure(error) }
    }
  }

  @Test func `Only a valid certificate of a trusted authority for this host is accepted`() async throws {
    let folder = try TLSTests.authority()
    let key = ["-key", folder.file("server.key")]
    let ca = folder.file("ca.pem")
    let cases: [(certificate: String, authority: String?, options: [String], detail: String?)] = [
      ("good.pem", ca, [], nil), ("good.pem", ca, ["-tls1_2"], nil), ("good.pem", nil, [], "unknown_authority"),
      ("elsewhere.pem", ca, [], "wrong_host"), ("expired.pem", ca, [], "expired"), ("self.pem", ca, [], "self_signed"),
    ]
    for (certificate, authority, options, detail) in cases {
      let result = try await TLSTests.ask(["-cert", folder.file(certificate)] + key + options, authority: authority)
      switch result {
      case .success(let status):
        #expect(status == 200)
        #expect(detail == nil, "\(certificate) was accepted")
      case .failure(let error):
        #expect(error.cause == .tls)
        #expect(error.detail == detail, "\(certificate): \(error.message)")
      }
    }
  }

  @Test func `Old protocols, and an authority file that is none, are refused`() async throws {
    let folder = try TLSTests.authority()
    let server = ["-cert", folder.file("good.pem"), "-key", folder.file("server.key")]
    let old = try await TLSTests.ask(server + ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], authority: folder.file("ca.pem"))
    let missing = try await TLSTests.ask(server, authority: folder.file("missing.pem"))
    for result in [old, missing] {
      guard case .failure(let error) = result else {
        Issue.record("it was accepted")
        continue
      }
      #expect(error.cause == .tls)
    }
  }
}
