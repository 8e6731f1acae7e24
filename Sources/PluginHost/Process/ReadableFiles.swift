import CSeccomp

/// The files that a provider's process may read: those of its command, the folders of libraries, and those that every program reads.
enum ReadableFiles {
  private static let common = [
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/dev/null", "/dev/urandom",
    "/dev/random", "/sys/devices/system/cpu",
    // Swift's runtime reads the program's arguments there, and Dispatch reads the states of its threads. The memory, environment and files
    // of other processes are inaccessible: Landlock allows access only to processes in the same sandbox.
    "/proc",
  ]

  /// The files that the process of a command may read: besides the common ones, those that the command names, but not their folders, since
  /// the folder of a script may contain a key.
  static func ofCommand(_ arguments: [String]) -> [String] { common + arguments.filter { $0.hasPrefix("/") } }

  /// The files that the process of a plugin may read: besides the common ones, its host, the folders of the libraries that this process has
  /// loaded, among them Swift's own, and the plugin's folder, which may contain its libraries.
  static func ofPlugin(_ plugin: String, host: String) -> [String] {
    let folders = (libraries + [plugin]).compactMap { file in file.lastIndex(of: "/").map { String(file[..<$0]) } }
    return common + [host] + Set(folders.filter { $0.hasPrefix("/") }).sorted()
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
