import CSeccomp

/// The files that a provider's process needs: its program, the libraries, and what every program reads.
enum ReadableFiles {
  private static let everyone = [
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/dev/null", "/dev/urandom",
    "/dev/random", "/sys/devices/system/cpu",
    // Swift's runtime reads its arguments there, and Dispatch the states of its threads. The memory, environment and files of other
    // processes stay closed: Landlock asks whether they are in the same cage.
    "/proc",
  ]

  /// For a program and its arguments: their folders, and those of the libraries that this process runs with, among them
  /// Swift's own.
  static func ofProgram(_ arguments: [String]) -> [String] {
    let files = (arguments + libraries).filter { $0.hasPrefix("/") }
    let folders = files.compactMap { file in file.lastIndex(of: "/").map { String(file[..<$0]) } }
    return everyone + Set(folders.filter { !$0.isEmpty }).sorted()
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
