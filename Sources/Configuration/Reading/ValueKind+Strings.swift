import JSON
import Text

extension ValueKind<String> {
  /// A string for which `accepts` returns true.
  /// - Parameter secret: true if a string may be a secret, so that a message must not show a rejected one.
  static func string(_ expected: String, secret: Bool = false, _ accepts: @escaping @Sendable (String) -> Bool) -> ValueKind {
    ValueKind(expected: expected) { value, reader in
      guard case .string(let string) = value.content else {
        reader.refuse(value, expected: expected)
        return nil
      }
      if accepts(string) { return string }
      reader.refuse(value, secret ? "this string" : quoted(string), expected: expected)
      return nil
    } show: {
      .string($0)
    }
  }

  static let text = string("a string that is not empty") { !$0.isEmpty && !$0.utf8.contains(0) }
  static let path = string("an absolute path") { isAbsolutePath($0) }
  /// The path of a Unix socket. `sockaddr_un.sun_path` has room for 107 bytes and a NUL (unix(7)). Four bytes are for the suffix `.new` of
  /// the temporary name that the daemon binds.
  static let socketPath = string("an absolute path of at most 103 bytes") { isAbsolutePath($0) && $0.utf8.count <= 103 }
  /// The valid names of plugins, instances, groups and credentials.
  static let name = string("a name of letters, digits, `-`, `_` and `.`") { isName($0) }
  /// URLs with a password or a key in them are rejected.
  static let url = string("a URL such as \"https://example.org/path\", without user name and query", secret: true) {
    isURL($0, ["http", "https"])
  }
  static let proxy = string("a URL such as \"http://proxy.example.org:3128\", without user name and query", secret: true) {
    isURL($0, ["http", "https", "socks5h"])
  }
  /// A language tag in the form of BCP 47, whose language is one that CLDR has.
  static let language = {
    let form = string("a BCP 47 language such as \"de\" or \"pt-BR\"") { LanguageTag.canonical($0) != nil }
    return ValueKind(expected: form.expected) { value, reader in
      guard let tag = form.read(value, &reader) else { return nil }
      if Languages.isKnown(tag) { return tag }
      let suggestion = Languages.named(tag).map { "did you mean \"\($0)\"?" }
      reader.refuse(value, "\(quoted(tag)), which names none", expected: form.expected, suggestion: suggestion)
      return nil
    } show: {
      form.show($0)
    }
  }()
  /// A region code. It may be written in lower case, and is stored in upper case.
  static let region = {
    let kind = string("a two-letter CLDR region such as \"DE\"") { RegionCode.canonical($0) != nil }
    return ValueKind(expected: kind.expected, read: { kind.read($0, &$1)?.uppercased() }, show: kind.show)
  }()
  static let currency = string("an ISO 4217 currency such as \"EUR\"") {
    $0.utf8.count == 3 && $0.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }
}

extension ValueKind<[String]> {
  /// A list of at most 64 strings of one kind.
  static func list(of element: ValueKind<String>, _ expected: String, atLeast minimum: Int = 0) -> ValueKind {
    ValueKind(expected: expected) { value, reader in
      guard case .array(let values) = value.content, (minimum...64).contains(values.count) else {
        reader.refuse(value, expected: expected)
        return nil
      }
      let strings = values.compactMap { element.read($0, &reader) }
      return strings.count == values.count ? strings : nil
    } show: {
      .array($0.map { .string($0) })
    }
  }

  static let paths = list(of: .path, "a list of at most 64 absolute paths")
  static let providers = list(of: .name, "a list of at most 64 providers' ids")
  static let hosts = list(of: .string("a host name such as \"example.org\"") { isHost($0) }, "a list of at most 64 host names")
  /// An executable and its arguments.
  static let command = {
    let argument = ValueKind<String>.string("a string without a NUL") { !$0.utf8.contains(0) }
    let list = list(of: argument, "a list of an executable's absolute path and its arguments", atLeast: 1)
    return ValueKind(expected: list.expected) { value, reader in
      guard let command = list.read(value, &reader) else { return nil }
      if let executable = command.first, isAbsolutePath(executable) { return command }
      reader.refuse(value, "one that starts with \(quoted(command.first ?? ""))", expected: list.expected)
      return nil
    } show: {
      list.show($0)
    }
  }()
}

func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// True for an absolute path without a NUL that is shorter than PATH_MAX, the kernel's limit.
func isAbsolutePath(_ text: String) -> Bool { text.hasPrefix("/") && !text.utf8.contains(0) && text.utf8.count < 4096 }

/// True for a valid name of a plugin or an instance, which becomes a part of file names and of ids (`instance:nativeId`).
func isName(_ text: String) -> Bool {
  guard let first = text.utf8.first, isLetter(first) || isDigit(first), text.utf8.count <= 64 else { return false }
  return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "-_.".utf8.contains($0) }
}

/// True for a host name or an IPv4 address: labels of letters, digits and hyphens, within the lengths of RFC 1035, section 2.3.4.
func isHost(_ text: String) -> Bool {
  let labels = text.split(separator: ".", omittingEmptySubsequences: false)
  return text.utf8.count <= 253
    && labels.allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }
}

/// True if the text is `scheme://host[:port][/path]` in printable ASCII, without a user name, a query or a fragment.
func isURL(_ text: String, _ schemes: [String]) -> Bool {
  guard let scheme = schemes.first(where: { text.hasPrefix($0 + "://") }), text.utf8.count <= 2048 else { return false }
  guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}?#@".utf8.contains($0) }) else { return false }
  let authority = text.dropFirst(scheme.count + 3).prefix { $0 != "/" }
  if authority.hasPrefix("[") {
    guard let end = authority.firstIndex(of: "]") else { return false }
    let address = authority[authority.index(after: authority.startIndex)..<end]
    let port = authority[authority.index(after: end)...]
    return !address.isEmpty && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } && (port.isEmpty || isPort(port))
  }
  guard let colon = authority.firstIndex(of: ":") else { return isHost(String(authority)) }
  return isHost(String(authority[..<colon])) && isPort(authority[colon...])
}

/// True for a colon and a number from 1 to 65535.
private func isPort(_ text: Substring) -> Bool {
  guard text.first == ":", text.dropFirst().utf8.allSatisfy(isDigit), let port = Int(text.dropFirst()) else { return false }
  return (1...65535).contains(port)
}
