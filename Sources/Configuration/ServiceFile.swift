import Glibc
import PlacesKit
import ServiceDescriptions
import Text

/// The description of a service, for a provider with `plugin = "described"`.
public struct ServiceFile: Sendable, Hashable {
  public var path: String
  public var text: String
  /// The service's name, abilities and terms, from the description.
  public var manifest: Manifest
}

extension Configuration {
  /// Reads the description of each described provider, from the first directory that contains the file.
  mutating func readServices(in folders: [String]) -> [ConfigurationProblem] {
    var problems: [ConfigurationProblem] = []
    for index in providers.indices where providers[index].plugin == Configuration.described {
      guard let name = providers[index].service else { continue }
      let origin = origins["providers.\(providers[index].id).service"] ?? providers[index].origin ?? .standard
      let problemsBefore = problems.count
      providers[index].serviceFile = Configuration.serviceFile(name, in: folders, namedAt: origin, &problems)
      if problems.count > problemsBefore { providers[index].invalidKeys.insert("service") }
      if let path = providers[index].serviceFile?.path, !files.contains(path) { files.append(path) }
    }
    return problems
  }

  /// The description `name.toml` in the first folder that contains it. If no folder contains it or the description is invalid, adds a
  /// problem and returns nil.
  private static func serviceFile(
    _ name: String, in folders: [String], namedAt origin: Origin, _ problems: inout [ConfigurationProblem]
  ) -> ServiceFile? {
    let paths = folders.map { "\($0)/\(name).toml" }
    guard let path = paths.first(where: { access($0, F_OK) == 0 }) else {
      let knownNames = folders.flatMap { (try? FileContents.tomlFiles(in: $0)) ?? [] }.map { String($0.dropLast(".toml".count)) }
      let suggestion = nearest(to: name, among: knownNames).map { "did you mean \"\($0)\"?" }
      let searchedFolders = folders.filter { $0 == folders.first || access($0, F_OK) == 0 }.map(absolutePath)
      problems.append(
        ConfigurationProblem(
          origin, "there is no description \(name).toml in \(searchedFolders.joined(separator: " or "))", suggestion: suggestion))
      return nil
    }
    let contents: FileContents
    do throws(UnreadableFile) { contents = try FileContents(path: path) } catch {
      problems.append(ConfigurationProblem(.file(path), "cannot be read: \(error.message)"))
      return nil
    }
    problems += contents.access.problems(path)
    let result = ServiceDescription.read(contents.bytes, service: name, file: path)
    problems += result.problems
    return result.description.map {
      ServiceFile(path: path, text: String(decoding: contents.bytes, as: UTF8.self), manifest: $0.manifest)
    }
  }
}

/// The absolute path of a directory, without `..`. If the directory does not exist, returns `path` unchanged.
private func absolutePath(_ path: String) -> String {
  guard let real = realpath(path, nil) else { return path }
  defer { free(real) }
  return String(cString: real)
}

extension ProviderSettings {
  /// The settings that the plugin `described` receives in addition to those of the configuration.
  public var serviceSettings: [String: JSONValue] {
    guard let serviceFile else { return [:] }
    return ["service": .string(service ?? ""), "description": .string(serviceFile.text)]
  }
}
