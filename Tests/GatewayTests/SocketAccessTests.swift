import Glibc
import PlacesTesting
import Testing

@testable import places_gateway

@Suite("Who may use the daemon's socket")
struct SocketAccessTests {
  private let folder: TemporaryFolder
  private let socket: String

  init() throws {
    folder = try TemporaryFolder()
    socket = folder.file("s")
    close(open(socket, O_CREAT | O_WRONLY, 0o600))
  }

  /// - Parameter user: who is neither the owner of the socket nor of its folder.
  private func permits(_ mode: mode_t, folder mode2: mode_t = 0o711, groups: [UInt32] = []) -> Bool {
    chmod(socket, mode)
    chmod(folder.path, mode2)
    return SocketAccess.permits(geteuid() &+ 70_000, path: socket) { groups }
  }

  @Test("is decided by the mode of the socket and of its folder")
  func modes() {
    #expect(permits(0o666))
    #expect(permits(0o602, groups: []))
    #expect(!permits(0o600))
    #expect(!permits(0o664))
    #expect(!permits(0o666, folder: 0o700))
    #expect(!permits(0o666, folder: 0o744))
  }

  @Test("is decided by the group, if the user is in it")
  func groups() {
    #expect(permits(0o660, groups: [getegid()]))
    #expect(!permits(0o660, groups: [getegid() &+ 1]))
    // A member of the group gets the group's permissions only.
    #expect(!permits(0o606, groups: [getegid()]))
    #expect(permits(0o606, groups: []))
  }

  @Test("is the owner's by the owner's permissions, and root's always")
  func owner() {
    chmod(folder.path, 0o700)
    chmod(socket, 0o600)
    #expect(SocketAccess.permits(geteuid(), path: socket) { [] })
    #expect(SocketAccess.permits(0, path: socket) { [] })
  }
}
