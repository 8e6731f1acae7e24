import Glibc
import Linux
import PlacesKit
import Text

extension Configuration {
  /// The text of one file of the configuration.
  struct Document {
    var path: String
    var text: [UInt8]
    /// True if the file is in `providers.d` and may declare only providers.
    var isDropIn: Bool
  }

  /// The part of the files that could be read, and every problem in them, for commands that report all mistakes at once.
  public struct Draft: Sendable {
    /// Values that could not be read have their defaults.
    public var configuration: Configuration
    /// The problems in the files; empty if the configuration is valid.
    public var problems: [ConfigurationProblem]

    /// The configuration; throws if it has problems.
    func validated() throws(ConfigurationErrors) -> Configuration {
      guard problems.isEmpty else { throw ConfigurationErrors(problems) }
      return configuration
    }
  }

  /// Reads the main file and `providers.d/*.toml` in its directory. If `path` is nil, the main file is the one of `locations`, which may be
  /// missing unless `PLACES_CONFIG` names it. All problems are reported at once.
  public static func load(path: String? = nil, locations: Locations = .current) throws(ConfigurationErrors) -> Configuration {
    try draft(path: path, locations: locations).validated()
  }

  /// Reads the same files as `load`, and continues after a problem.
  public static func draft(path: String? = nil, locations: Locations = .current) -> Draft {
    var problems: [ConfigurationProblem] = []
    var documents: [Document] = []
    func add(_ file: String, isDropIn: Bool, mayBeMissing: Bool) {
      do throws(UnreadableFile) {
        let contents = try FileContents(path: file)
        problems += contents.access.problems(file)
        documents.append(Document(path: file, text: contents.bytes, isDropIn: isDropIn))
      } catch {
        if mayBeMissing, error.code == ENOENT { return }
        problems.append(ConfigurationProblem(.file(file), "cannot be read: \(error.message)"))
      }
    }
    func checkFolder(_ folder: String) { problems += FileAccess(folder: folder)?.problems(folder) ?? [] }
    let main = path ?? locations.configuration
    // The folder of the main file, with a slash at its end; empty if `main` has no slash.
    let pathPrefix = main.lastIndex(of: "/").map { String(main[...$0]) } ?? ""
    add(main, isDropIn: false, mayBeMissing: path == nil && locations.configurationOrigin == .standard)
    // The folder is checked too, because a user who can write it can replace the file.
    if !documents.isEmpty { checkFolder(pathPrefix.isEmpty ? "." : pathPrefix) }
    let folder = pathPrefix + "providers.d"
    checkFolder(folder)
    do throws(UnreadableFile) {
      for name in try FileContents.tomlFiles(in: folder) { add("\(folder)/\(name)", isDropIn: true, mayBeMissing: false) }
    } catch {
      problems.append(ConfigurationProblem(.file(folder), "cannot be read: \(error.message)"))
    }
    var draft = draft(documents: documents, locations: locations, serviceFolder: pathPrefix + "services")
    draft.problems = problems + draft.problems
    return draft
  }

  /// Reads the texts of all files as one configuration, without opening the files.
  /// - Parameter serviceFolder: the folder of descriptions next to the main file.
  static func draft(documents: [Document], locations: Locations, serviceFolder: String? = nil) -> Draft {
    var configuration = Configuration(locations: locations)
    var problems = configuration.read(documents)
    problems += configuration.readServices(in: (serviceFolder.map { [$0] } ?? []) + locations.serviceDirectories)
    return Draft(configuration: configuration, problems: problems)
  }

  /// Replaces the defaults by the values of the documents, and returns the problems.
  private mutating func read(_ documents: [Document]) -> [ConfigurationProblem] {
    files = documents.map(\.path)
    var problems: [ConfigurationProblem] = []
    var reader = SectionReader()
    var declaredOrigins: [String: Origin] = [:]
    for document in documents {
      do throws(ConfigurationProblem) {
        let root = try TOMLValue(parsing: document.text, file: document.path)
        guard case .table(let members) = root.content else { continue }
        for member in members { read(member, of: document, with: &reader, declaredOrigins: &declaredOrigins) }
      } catch {
        problems.append(error)
      }
    }
    for provider in providers { provider.check(with: &reader, locations: locations, network: network) }
    if limits.connectionsPerUser > limits.connections {
      let origin = reader.origins["limits.connections_per_user"] ?? reader.origins["limits.connections"] ?? .standard
      reader.report(origin, "`limits.connections_per_user` must not be greater than `limits.connections` (\(limits.connections))")
    }
    if locations.socketOrigin != .standard { daemon.socket = locations.socket }
    for index in providers.indices { providers[index].applyDefaults(locations) }
    providers.sort { $0.id < $1.id }
    // If the environment sets the socket, the origin that `init` recorded is kept.
    origins.merge(reader.origins) { recorded, _ in recorded }
    return problems + reader.problems
  }

  /// Reads one table of a file's top level.
  private mutating func read(
    _ member: TOMLValue.Member, of document: Document, with reader: inout SectionReader, declaredOrigins: inout [String: Origin]
  ) {
    let tables = document.isDropIn ? ["providers"] : ["daemon", "limits", "quota", "cache", "http", "providers"]
    guard tables.contains(member.key) else {
      if document.isDropIn, ConfigurationKeys.sections.contains(where: { $0.name == member.key }) {
        reader.report(member.origin, "a file in providers.d holds providers only", suggestion: "move [\(member.key)] to the main file")
      } else {
        reader.reportUnknown(member, known: tables)
      }
      return
    }
    reader.enter(member) { reader in
      guard case .table(let members) = member.value.content else { return reader.refuse(member.value, expected: "a table") }
      switch member.key {
      case "daemon": reader.read(members, keys: DaemonSettings.keys, into: &daemon)
      case "limits": reader.read(members, keys: LimitSettings.keys, into: &limits)
      case "quota": reader.read(members, keys: QuotaSettings.keys, into: &quota)
      case "cache": reader.read(members, keys: CacheLimits.keys, into: &cache)
      case "http": reader.read(members, keys: NetworkSettings.keys, into: &network)
      default: for member in members { readProvider(member, with: &reader, declaredOrigins: &declaredOrigins) }
      }
    }
  }

  private mutating func readProvider(_ member: TOMLValue.Member, with reader: inout SectionReader, declaredOrigins: inout [String: Origin])
  {
    let id = member.key
    guard isName(id) else {
      return reader.report(member.origin, "a provider's id must be letters, digits, `-`, `_` and `.`, not \(quoted(id))")
    }
    if let firstOrigin = declaredOrigins[id] {
      return reader.report(
        member.origin, "[providers.\(id)] is declared at \(firstOrigin) already", suggestion: "give one of them another id")
    }
    declaredOrigins[id] = member.origin
    var provider = self[provider: id] ?? ProviderSettings(id: id)
    provider.origin = member.origin
    reader.enter(member) { reader in
      guard case .table(let members) = member.value.content else {
        // The value is reported below. Without these invalid keys, `check` would also report them as missing.
        provider.invalidKeys = ["plugin", "command"]
        return reader.refuse(member.value, expected: "a table")
      }
      provider.read(members, with: &reader)
    }
    providers.removeAll { $0.id == id }
    providers.append(provider)
  }
}

extension ProviderSettings {
  /// Reads the keys that every provider has, and stores all other keys as settings of the plugin.
  fileprivate mutating func read(_ members: [TOMLValue.Member], with reader: inout SectionReader) {
    let keys = ProviderSettings.keys
    let commonMembers = members.filter { member in keys.contains { $0.name == member.key } }
    // A command replaces the plugin that the gazetteer has by default.
    if commonMembers.contains(where: { $0.key == "command" }) { plugin = nil }
    for member in commonMembers {
      let problemsBefore = reader.problems.count
      reader.read([member], keys: keys, into: &self)
      if member.key == "api_key_file" || member.key == "credential" { apiKeyOrigin = member.value.origin }
      if reader.problems.count > problemsBefore { invalidKeys.insert(member.key) }
    }
    for member in members where !commonMembers.contains(member) {
      reader.enter(member) { reader in
        if let value = member.value.json {
          settings[member.key] = Setting(value: value, origin: member.value.origin)
        } else {
          invalidKeys.insert(member.key)
          reader.report(
            member.value.origin, "`\(reader.name)` is or contains a date or a number that is not finite; no setting has such a value")
        }
      }
    }
  }

  /// Reports problems that involve several keys.
  fileprivate func check(with reader: inout SectionReader, locations: Locations, network: NetworkSettings) {
    guard let origin else { return }
    let table = "[providers.\(id)]"
    // False for a key whose invalid value has already been reported: it must not be reported as missing, too.
    func mayReport(_ key: String) -> Bool { !invalidKeys.contains(key) }
    if plugin == nil, command == nil, mayReport("plugin"), mayReport("command") {
      let alternative = nearest(to: id, among: [Configuration.gazetteer]).map { ", or did you mean [providers.\($0)]?" } ?? ""
      let name = Configuration.bundledPlugins.contains(id) ? id : "NAME"
      reader.report(origin, "\(table) has neither `plugin` nor `command`", suggestion: "add `plugin = \"\(name)\"`" + alternative)
    }
    if plugin != nil, command != nil { reader.report(origin, "\(table) has both `plugin` and `command`", suggestion: "keep one") }
    if plugin == Configuration.described, service == nil, mayReport("service") {
      reader.report(origin, "\(table) needs `service`", suggestion: "name a file in services, without .toml; see places-service(5)")
    } else if service != nil, plugin != Configuration.described, mayReport("plugin") {
      reader.report(
        reader.origins["providers.\(id).service"] ?? origin, "`providers.\(id).service` is for `plugin = \"\(Configuration.described)\"`")
    }
    if command != nil, isolation == .inProcess {
      reader.report(origin, "\(table) has a `command`, which cannot run in-process", suggestion: "leave out `isolation`")
    } else if let plugin, isolation == .inProcess, !Configuration.bundledPlugins.contains(plugin.lowercased()) {
      reader.report(
        reader.origins["providers.\(id).isolation"] ?? origin,
        "\(table) may not run in-process: the plugin \(quoted(plugin)) is not bundled with the daemon, and a crash of it would end the daemon",
        suggestion: "leave out `isolation`")
    }
    if apiKeyFile != nil, credential != nil {
      reader.report(origin, "\(table) has both `api_key_file` and `credential`", suggestion: "keep one")
    }
    if let host = forbiddenPrivateHost, mayReport("allow_private_addresses"), network.proxy == nil || network.noProxy.contains(host) {
      let message = "\(table) has a `base_url` on this machine or in a private network, to which calls are not allowed"
      reader.report(origin, message, suggestion: "add `allow_private_addresses = true`")
    }
    if apiKeyFile != nil || credential != nil, !allowPrivateAddresses, baseURL?.lowercased().hasPrefix("http://") == true,
      forbiddenPrivateHost == nil
    {
      let message =
        "\(table) has a key and a `base_url` that begins with http://: the key would be sent to a public host without encryption"
      reader.report(
        reader.origins["providers.\(id).base_url"] ?? origin, message,
        suggestion: "use https://, or add `allow_private_addresses = true` if the server is in a network of your own")
    }
    if merge == .free, licenseOverride == nil, mayReport("license_override") {
      reader.report(origin, "\(table) has `merge = \"free\"` without `license_override`", suggestion: "add the licence's text")
    }
    // This process may run as another user than the daemon, so it cannot determine whether the daemon may open the file.
    if enabled, let problem = caFileProblem(readByAnotherUser: true) {
      reader.report(reader.origins["providers.\(id).ca_file"] ?? origin, problem)
    }
    if let problem = keyFileProblem(locations: locations), enabled {
      reader.problems.append(problem)
    }
  }

  /// The host of `base_url` if it is a private address, and private addresses are not allowed; otherwise nil. A host name is checked later,
  /// when it is resolved.
  private var forbiddenPrivateHost: String? {
    guard !allowPrivateAddresses, let host = baseURL.flatMap({ ServiceURL($0) })?.host else { return nil }
    return ProviderSettings.isPrivate(host) ? host : nil
  }
}
