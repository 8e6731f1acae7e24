import Glibc

/// A plugin's shared object, which was found and is safe to open.
public struct PluginFile: Sendable, Hashable {
  /// The plugin's name as the configuration has it, such as `google`.
  public var name: String
  /// The absolute path of the file, without symbolic links.
  public var path: String

  /// Checks one file, given by its path.
  /// - Throws: `notFound`, or `untrusted` if users other than root and this user could replace it.
  public init(path: String) throws(ProviderStartError) {
    let resolvedPath = try TrustedPath(checking: path).resolved
    let file = resolvedPath.split(separator: "/").last.map(String.init) ?? resolvedPath
    guard file.hasPrefix("lib"), file.hasSuffix(".so") else {
      throw ProviderStartError(.unloadable, path, "\(path) is not a plugin: its file must be named lib<Name>.so")
    }
    name = String(file.dropFirst(3).dropLast(3)).lowercased()
    self.path = resolvedPath
  }

  /// The plugin with this name, in the first of the folders that contains its file. For example, the file of `google` is `libGoogle.so`.
  public static func find(_ name: String, in folders: [String]) throws(ProviderStartError) -> PluginFile {
    guard let first = name.first, name.count <= 64,
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") })
    else { throw ProviderStartError(.notFound, name, "\(name) is not a valid plugin name: use letters, digits, - and _") }
    for folder in folders {
      for spelling in [name, first.uppercased() + name.dropFirst()] {
        let path = "\(folder)/lib\(spelling).so"
        if access(path, F_OK) == 0 { return try PluginFile(path: path) }
      }
    }
    throw ProviderStartError(
      .notFound, name,
      "there is no plugin \(name): searched for lib\(first.uppercased() + name.dropFirst()).so in \(folders.joined(separator: ", "))")
  }

  /// True if the file is in a folder of the daemon's own plugins. The folders that the configuration adds do not count.
  var isBundled: Bool {
    guard let slash = path.lastIndex(of: "/") else { return false }
    return PluginFile.defaultFolders().contains { folder in
      guard let bundleFolder = try? TrustedPath(checking: folder).resolved else { return false }
      return path[..<slash] == bundleFolder
    }
  }

  /// The default directories of plugins, in the order of the search: the executable's directory, which contains them in a build tree, and
  /// `../lib/placesd`, which contains the installed ones.
  public static func defaultFolders(executable: String = currentExecutable) -> [String] {
    let folder = executable.lastIndex(of: "/").map { String(executable[..<$0]) } ?? "."
    return [folder, folder + "/../lib/placesd"]
  }

  /// The absolute path of the running program.
  public static var currentExecutable: String { symbolicLink("/proc/self/exe") ?? "" }
}
