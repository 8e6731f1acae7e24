import Glibc
import PlacesTesting
import Testing

@testable import placesctl

@Suite("A file that a command writes")
struct TextFileTests {
  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test("has the permissions that the umask leaves, and keeps those that it has")
  func permissions() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("photo")
    let before = umask(0o007)
    let result = Result { try TextFile.replace(path, with: [1, 2, 3]) }
    umask(before)
    try result.get()
    #expect(mode(path) == 0o660)
    chmod(path, 0o604)
    try TextFile.replace(path, with: [4])
    #expect(mode(path) == 0o604)
    #expect(try TextFile.read(path) == "\u{4}")
  }
}
