import Glibc
import PlacesTesting
import Synchronization
import Testing

@testable import places_gateway

@Suite("Access to the daemon's socket")
struct SocketAccessTests {
  private let folder: TemporaryFolder
  private let socket: String

  init() throws {
    folder = try TemporaryFolder()
    socket = folder.file("s")
    close(open(socket, O_CREAT | O_WRONLY, 0o600))
  }

  /// - Parameter user: a user that owns neither the socket nor its directory.
  private func permits(_ mode: mode_t, folder mode2: mode_t = 0o711, groups: [UInt32] = []) -> Bool {
    chmod(socket, mode)
    chmod(folder.path, mode2)
    return SocketAccess.permits(geteuid() &+ 70_000, path: socket) { groups } == true
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
    #expect(SocketAccess.permits(geteuid(), path: socket) { [] } == true)
    #expect(SocketAccess.permits(0, path: socket) { [] } == true)
    guard geteuid() == 0 else { return }
    // Root's own files show nothing about owners.
    chmod(folder.path, 0o711)
    for file in [folder.path, socket] { chown(file, 70_001, gid_t.max) }
    #expect(SocketAccess.permits(70_001, path: socket) { [] } == true)
    chmod(socket, 0o066)
    #expect(SocketAccess.permits(70_001, path: socket) { [] } == false)
    #expect(SocketAccess.permits(70_002, path: socket) { [] } == true)
  }

  @Test("is not known if it depends on groups that cannot be found out")
  func unknownGroups() {
    chmod(folder.path, 0o711)
    for mode: mode_t in [0o660, 0o606] {
      chmod(socket, mode)
      #expect(SocketAccess.permits(geteuid() &+ 70_000, path: socket) { nil } == nil)
    }
  }

  @Test("is decided by every directory on the way, also on the way of a symbolic link", arguments: [false, true])
  func links(isAbsolute: Bool) {
    let (outside, inside) = (folder.file("outside"), folder.file("inside"))
    for directory in [outside, inside] { mkdir(directory, 0o711) }
    for directory in [outside, inside, folder.path] { chmod(directory, 0o711) }
    let socket = inside + "/s"
    close(open(socket, O_CREAT | O_WRONLY, 0o600))
    chmod(socket, 0o666)
    symlink(isAbsolute ? socket : "../inside/./s", outside + "/link")
    symlink(isAbsolute ? outside : "outside", folder.file("directory"))
    let path = folder.file("directory/link")
    func permits(_ path: String = path) -> Bool { SocketAccess.permits(geteuid() &+ 70_000, path: path) { [] } == true }
    #expect(permits())
    // The path as it is written does not name this directory.
    chmod(inside, 0o700)
    #expect(!permits())
    chmod(inside, 0o711)
    chmod(outside, 0o700)
    #expect(!permits())
    chmod(outside, 0o711)
    chmod(socket, 0o600)
    #expect(!permits())
    // A link to itself, and one to nothing.
    symlink("loop", folder.file("loop"))
    symlink("nothing", folder.file("broken"))
    #expect(!permits(folder.file("loop")) && !permits(folder.file("broken")))
  }

  @Test(
    "is not known while the user database does not answer; then one thread waits for it, and its answer counts", .timeLimit(.minutes(1)))
  func slowUserDatabase() async throws {
    let time = ManualTime()
    let (lookUps, gate) = (Count(), Gate())
    let access = SocketAccess(time: time) {
      lookUps.value.withLock { $0 += 1 }
      gate.wait()
      return true
    }
    for _ in 0..<3 {
      async let answer = access.isPermitted
      try await eventually("a request that waits") { time.sleepers == 1 ? () : nil }
      time.advance(by: SocketAccess.timeLimit)
      #expect(await answer == nil)
    }
    async let answer = access.isPermitted
    try await eventually("a request that waits") { time.sleepers == 1 ? () : nil }
    gate.open()
    #expect(await answer == true)
    #expect(await access.isPermitted == true)
    #expect(lookUps.value.withLock { $0 } == 1)
    time.advance(by: SocketAccess.lifetime)
    #expect(await access.isPermitted == true)
    #expect(lookUps.value.withLock { $0 } == 2)
  }

  @Test("is not known after an error of the user database, which is not remembered")
  func brokenUserDatabase() async {
    let answers = Mutex<[Bool?]>([nil, false, nil, true])
    let time = ManualTime()
    let access = SocketAccess(time: time) { answers.withLock { $0.removeFirst() } }
    #expect(await access.isPermitted == nil)
    #expect(access.cachedResult == nil)
    #expect(await access.isPermitted == false)
    #expect(access.cachedResult == false)
    // An earlier answer is not used longer because of an error.
    time.advance(by: SocketAccess.lifetime)
    #expect(await access.isPermitted == nil)
    #expect(access.cachedResult == nil)
    #expect(await access.isPermitted == true)
  }
}

private final class Count: Sendable {
  let value = Mutex(0)
}

/// Lets threads pass once it is open.
private final class Gate: @unchecked Sendable {
  // Used by C functions only, which are safe for threads.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  func open() { sem_post(semaphore) }

  func wait() {
    while sem_wait(semaphore) != 0 {}
    sem_post(semaphore)
  }
}
