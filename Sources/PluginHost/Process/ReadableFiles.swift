import CSeccomp

/// What a provider's process may read: the files of its own command, the folders of libraries, and what every program reads.
enum ReadableFiles {
  private static let everyone = [
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/dev/null", "/dev/urandom",
    "/dev/random", "/sys/devices/system/cpu",
    // Swift's runtime reads its arguments there, and Dispatch the states of its threads. The memory, environment and files of other
    // processes stay closed: Landlock asks whether they are in the same cage.
    "/proc",
  ]

  /// For a command: what it names and nothing beside it, since a key may lie in the folder of a script.
  static func ofCommand(_ arguments: [String]) -> [String] { everyone + arguments.filter { $0.hasPrefix("/") } }

  /// For a plugin and its host: besides the two, the folders of the libraries that this process runs with, among them Swift's
  /// own, and the plugin's, where its own libraries may lie.
  static func ofPlugin(_ plugin: String, host: String) -> [String] {
    let folders = (libraries + [plugin]).compactMap { file in file.lastIndex(of: "/").map { String(file[..<$0]) } }
    return everyone + [host] + Set(folders.filter { $0.hasPrefix("/") }).sorted()
  }

  private static let libraries: [String] = {
    var paths: [String] = []
    withUnsafeMutablePointer(to: &paths) { paths in
      cseccomp_libraries(
        { path, paths in
          guard let path else { return }
          paths?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: path))
        }, paths)
    }
    return paths
  }()
}
