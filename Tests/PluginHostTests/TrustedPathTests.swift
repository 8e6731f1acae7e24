import Foundation
import PlacesTesting
import Testing

@testable import PluginHost

struct TrustedPathTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("inner"), withIntermediateDirectories: false)
    file = try folder.write("", to: "inner/libX.so")
    chmod(file, 0o644)
    chmod(folder.file("inner"), 0o755)
  }

  private func kind(of path: String, user: uid_t = geteuid()) -> ProviderStartError.Kind? {
    do {
      _ = try TrustedPath(checking: path, user: user)
      return nil
    } catch { return error.kind }
  }

  @Test("A user's own file in the user's own directories is trusted, also below a sticky directory such as /tmp")
  func trusted() throws {
    #expect(try TrustedPath(checking: file).resolved.hasSuffix("/inner/libX.so"))
    chmod(folder.file("inner"), 0o1777)
    #expect(kind(of: file) == nil)
  }

  @Test("A file is refused if other users can write it or a directory above it", arguments: [0o775, 0o757, 0o777] as [mode_t])
  func writable(mode: mode_t) {
    chmod(folder.file("inner"), mode)
    #expect(kind(of: file) == .untrusted)
    chmod(folder.file("inner"), 0o755)
    #expect(kind(of: file) == nil)
    chmod(file, mode)
    #expect(kind(of: file) == .untrusted)
    chmod(file, 0o644)
    chmod(folder.path, mode)
    #expect(kind(of: file) == .untrusted)
  }

  @Test("A symbolic link is followed, and the folders of the link and of its target are checked")
  func links() throws {
    let other = try TemporaryFolder()
    symlink(file, other.file("libX.so"))
    symlink("libX.so", folder.file("inner/libRelative.so"))
    #expect(try TrustedPath(checking: other.file("libX.so")).resolved == TrustedPath(checking: file).resolved)
    #expect(try TrustedPath(checking: folder.file("inner/../inner/./libRelative.so")).resolved == TrustedPath(checking: file).resolved)
    chmod(other.path, 0o777)
    #expect(kind(of: other.file("libX.so")) == .untrusted)
    chmod(other.path, 0o700)
    chmod(folder.file("inner"), 0o777)
    #expect(kind(of: other.file("libX.so")) == .untrusted)
  }

  @Test("A circular link and a missing file are not found")
  func missing() {
    symlink("b", folder.file("a"))
    symlink("a", folder.file("b"))
    #expect(kind(of: folder.file("a")) == .notFound)
    #expect(kind(of: folder.file("none")) == .notFound)
  }

  @Test("A file of another user is refused", .enabled(if: geteuid() == 0, "needs root to give a file away"))
  func owner() {
    chown(file, 1_234, 1_234)
    #expect(kind(of: file) == .untrusted)
    #expect(kind(of: file, user: 1_234) == nil)
  }
}
