import Configuration
import Glibc

/// The commented examples of `etc/providers.d`.
enum Examples {
  /// How to configure a provider that is not configured.
  static func advice(on id: String, locations: Locations, program: String = Starting.program) -> [String] {
    let folder = locations.configuration.lastIndex(of: "/").map { String(locations.configuration[..<$0]) } ?? "."
    let target = "\(folder)/providers.d/\(id).toml"
    let bin = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."
    // In a source tree programs are in .build/release; the second is where packages put what the administrator threw away.
    let examples = ["\(bin)/../../../etc/providers.d", "\(bin)/../../etc/providers.d", "/etc/placesd/providers.d"].map {
      "\($0)/\(id).toml"
    }
    let example = examples.first { $0 != target && access($0, R_OK) == 0 }.map(resolved)
    guard let example else { return ["Configure it in \(printable(target)), as placesd.toml(5) tells, then: placesctl config reload"] }
    return [
      "Copy \(printable(example)) to \(printable(target)), complete it, then:",
      "placesctl config reload && placesctl providers enable \(printable(id))",
    ]
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
