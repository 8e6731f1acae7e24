import Glibc

/// A key of a service. Its description does not contain the key, and it cannot be encoded, so that the key cannot reach a log or a reply by
/// accident.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Passes the key to `body`, which must not keep it.
  public func reveal<Result>(_ body: (String) -> Result) -> Result { body(value) }

  private let value: String

  public init(_ value: String) { self.value = value }

  public var description: String { "(secret)" }
  public var debugDescription: String { "(secret)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ProviderSettings {
  /// Reads the key from the file or systemd credential that the configuration names. Nil if it names none, or if it names a credential and
  /// systemd passed no credentials to this process.
  public func secret(locations: Locations = .current) throws(ConfigurationProblem) -> Secret? {
    guard let path = try keyPath(locations: locations) else { return nil }
    let contents: FileContents
    do throws(UnreadableFile) { contents = try FileContents(path: path) } catch {
      throw ConfigurationProblem(apiKeyOrigin ?? .standard, "the key of [providers.\(id)] in \(path) cannot be read: \(error.message)")
    }
    if credential == nil { try check(contents, path: path) }
    let words = String(decoding: contents.bytes, as: UTF8.self).split { $0.isNewline || $0 == " " || $0 == "\t" }
    guard words.count == 1, let key = words.first, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), key.utf8.count <= 4096 else {
      throw ConfigurationProblem(
        apiKeyOrigin ?? .standard, "\(path) must hold the key of [providers.\(id)] and nothing else, as one line of printable ASCII")
    }
    return Secret(String(key))
  }

  /// The problem of the key's file; nil if it has none, or if only the daemon may read the file, so that this process cannot check it.
  func keyFileProblem(locations: Locations) -> ConfigurationProblem? {
    do throws(ConfigurationProblem) {
      guard let path = try keyPath(locations: locations) else { return nil }
      if access(path, R_OK) != 0, errno == EACCES { return nil }
      _ = try secret(locations: locations)
      return nil
    } catch {
      return error
    }
  }

  /// The problem if the daemon did not receive the credential that contains the key; nil if it did, or if the configuration names none.
  public func credentialProblem(locations: Locations = .current) -> ConfigurationProblem? {
    guard let credential, locations.credentialsDirectory == nil else { return nil }
    return ConfigurationProblem(
      apiKeyOrigin ?? .standard, "[providers.\(id)] takes its key from the credential \(quoted(credential)), and systemd passed none",
      suggestion: "add `LoadCredential=\(credential):FILE` to the service's unit, or name the file in `api_key_file`")
  }

  /// A note that a check outside the daemon could not read the credential; nil if the configuration names none, or if it was read.
  public func credentialNote(locations: Locations = .current) -> String? {
    guard let credential, locations.credentialsDirectory == nil else { return nil }
    return "[providers.\(id)]: the credential \(quoted(credential)) was not checked, because systemd passes it only to the daemon"
  }

  /// The reason why the file of certificate authorities cannot be read; nil if it can.
  /// - Parameter readByAnotherUser: true if another user's process reads the file, so that this user needs no permission to read it.
  public func caFileProblem(readByAnotherUser: Bool = false) -> String? {
    guard let caFile, let fault = FileContents.fault(of: caFile), !readByAnotherUser || fault.code != EACCES else { return nil }
    return "`providers.\(id).ca_file` \(caFile) cannot be read: \(fault.message)"
  }

  /// The path of the file or systemd credential that the configuration names. Nil in the same cases as for `secret`.
  private func keyPath(locations: Locations) throws(ConfigurationProblem) -> String? {
    if let apiKeyFile { return apiKeyFile }
    guard let credential else { return nil }
    guard let folder = locations.credentialsDirectory else {
      // Only systemd sets the folder, and only for the daemon that it starts; a check on the command line cannot see it.
      return nil
    }
    return "\(folder)/\(credential)"
  }

  /// Rejects a key that other users can read or replace.
  private func check(_ contents: FileContents, path: String) throws(ConfigurationProblem) {
    // A group may read it (0640 and root:placesd is customary), but not write it.
    guard contents.access.mode & 0o027 == 0 else {
      let mode = String(contents.access.mode, radix: 8)
      throw ConfigurationProblem(
        apiKeyOrigin ?? .standard, "\(path) has mode \(mode): others may read or change the key of [providers.\(id)]",
        suggestion: "chmod 600 \(path)")
    }
    guard contents.access.owner == 0 || contents.access.owner == geteuid() else {
      throw ConfigurationProblem(
        apiKeyOrigin ?? .standard, "\(path) belongs to user \(contents.access.owner), who could change the key of [providers.\(id)]",
        suggestion: "chown it to root or to the daemon's user")
    }
  }
}
