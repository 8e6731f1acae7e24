import Configuration
import Glibc

/// Finds the commented example of a provider's configuration (`etc/providers.d`).
enum ProviderExamples {
  /// Advice on how to configure a provider that the daemon does not know; it names the provider's example if there is one.
  static func advice(on id: String, locations: Locations, program: String = StartAdvice.program) -> [String] {
    let folder = locations.configuration.lastIndex(of: "/").map { String(locations.configuration[..<$0]) } ?? "."
    let target = "\(folder)/providers.d/\(id).toml"
    let commands = "placesctl config reload && placesctl providers enable \(printable(id))"
    if access(target, F_OK) == 0 { return ["The daemon has not read \(printable(target)) yet; make it do so with:", commands] }
    let programFolder = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."
    // A source tree has its programs in .build/release. The second path is the packages' copy, which exists even if the administrator
    // removed the file from /etc.
    let examples = ["\(programFolder)/../../../etc/providers.d", "\(programFolder)/../../etc/providers.d", "/etc/placesd/providers.d"].map {
      "\($0)/\(id).toml"
    }
    let example = examples.first { $0 != target && access($0, R_OK) == 0 }.map(resolved)
    guard let example else {
      return ["Configure it in \(printable(target)), as described in placesd.toml(5), then: placesctl config reload"]
    }
    return ["Copy \(printable(example)) to \(printable(target)), complete it, then:", commands]
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
