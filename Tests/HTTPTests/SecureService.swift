import Foundation
import HTTP
import PlacesKit
import PlacesTesting

/// An nginx with one port for each certificate, good and bad; gone with its last reference.
final class SecureService: Sendable {
  enum Server: String, CaseIterable, Sendable {
    case good, older, antique, elsewhere, expired
    case signedByItself = "self"

    /// The difference from a correct server.
    fileprivate var configuration: String {
      switch self {
      case .older: "ssl_protocols TLSv1.2;"
      case .antique: "ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;"
      default: "ssl_protocols TLSv1.2 TLSv1.3;"
      }
    }
    fileprivate var certificate: String { [.older, .antique].contains(self) ? "good" : rawValue }
  }

  private let folder: TemporaryFolder
  private let nginx = Process()
  private let ports: [Server: Int]

  init() async throws {
    folder = try TemporaryFolder()
    try SecureService.makeCertificates(in: folder)
    ports = Dictionary(uniqueKeysWithValues: zip(Server.allCases, try SecureService.freePorts(Server.allCases.count)))
    try folder.write(configuration, to: "nginx.conf")
    nginx.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
    nginx.arguments = ["-p", folder.path, "-c", folder.file("nginx.conf"), "-e", folder.file("error.log")]
    nginx.standardError = FileHandle.nullDevice
    try nginx.run()
    try await waitUntil { isListening }
  }

  deinit {
    // Pool threads block signals, and so do processes that they start; only SIGKILL ends the process.
    kill(nginx.processIdentifier, SIGKILL)
    nginx.waitUntilExit()
  }

  private var configuration: String {
    """
    daemon off; master_process off; pid \(folder.file("pid"));
    events {}
    http {
      log_format each '$connection $server_protocol key $http_x_key';
      access_log \(folder.file("access.log")) each;
      client_body_temp_path \(folder.path); proxy_temp_path \(folder.path); fastcgi_temp_path \(folder.path);
      uwsgi_temp_path \(folder.path); scgi_temp_path \(folder.path);
      ssl_certificate_key \(folder.file("server.key"));
      \(Server.allCases.map { server in
        """
        server {
            listen 127.0.0.1:\(ports[server] ?? 0) ssl \(server == .older ? "" : "http2");
            ssl_certificate \(folder.file(server.certificate + ".pem")); \(server.configuration)
            location / { return 200 $server_protocol; }
            location /lost { return 444; }
          }
        """
      }.joined(separator: "\n  "))
    }
    """
  }

  private var isListening: Bool { FileManager.default.fileExists(atPath: folder.file("pid")) }

  /// The received requests, one line each: the connection, protocol and key.
  var requests: [String] {
    ((try? String(contentsOfFile: folder.file("access.log"), encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  /// Puts a copy of one of its files at another's place, as an administrator would.
  func copy(_ name: String, to other: String) throws {
    try folder.write(try String(contentsOfFile: folder.file(name), encoding: .utf8), to: other)
  }

  /// The protocol that the server was asked with. The server closes the connection without an answer to the path `lost`.
  func ask(
    _ server: Server, path: [String] = [], authority: String? = "ca.pem", meter: (any RequestMeter)? = nil, with shared: HTTPClient? = nil
  ) async -> Result<String, any Error> {
    do {
      let access = try HTTPAccess(
        id: "test", manifest: manifest(credential: .header(name: "X-Key", prefix: "")), baseURL: "https://127.0.0.1:\(ports[server] ?? 0)",
        key: { () throws(ProviderError) in "s3cret" }, authorityFile: authority.map(folder.file), allowsPrivateAddresses: true)
      let client = shared ?? HTTPClient()
      if shared == nil { try client.start() }
      defer { if shared == nil { client.stop() } }
      return .success(
        String(
          decoding: try await client.send(HTTPRequest(path: path), access: access, timeout: .seconds(5), meter: meter).body, as: UTF8.self))
    } catch { return .failure(error) }
  }

  /// An authority, and certificates of it: good, for another host, expired; and one signed by itself.
  private static func makeCertificates(in folder: TemporaryFolder) throws {
    try folder.write("subjectAltName=IP:127.0.0.1\n", to: "here")
    try folder.write("subjectAltName=DNS:elsewhere.example.org\n", to: "there")
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    let sign = "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial"
    for arguments in [
      "req -x509 \(key) -keyout ca.key -out ca.pem -subj /CN=Authority -days 2",
      "req \(key) -keyout server.key -out server.csr -subj /CN=server",
      "\(sign) -extfile here -days 1 -out good.pem", "\(sign) -extfile there -days 1 -out elsewhere.pem",
      "\(sign) -extfile here -days -1 -out expired.pem",
      "req -x509 -key server.key -out self.pem -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -days 1",
    ] {
      let openssl = Process()
      openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
      openssl.arguments = arguments.split(separator: " ").map(String.init)
      openssl.currentDirectoryURL = URL(fileURLWithPath: folder.path)
      openssl.standardOutput = FileHandle.nullDevice
      openssl.standardError = FileHandle.nullDevice
      try openssl.run()
      openssl.waitUntilExit()
      guard openssl.terminationStatus == 0 else { throw ProviderError(.tls, "openssl \(arguments)") }
    }
  }

  /// Ports without a listener; all are bound until the last one is known, so that no port occurs twice.
  private static func freePorts(_ count: Int) throws -> [Int] {
    let servers = try (0..<count).map { _ in try ScriptedServer { _ in [] } }
    defer { for server in servers { server.stop() } }
    return servers.map(\.port)
  }
}
