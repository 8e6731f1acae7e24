import Glibc
import Linux
import PlacesTesting
import Testing

@Suite("The listening socket")
struct ListeningSocketTests {
  /// The reason why a socket cannot be created; nil if it can.
  private func failure(_ path: String) -> ListeningSocket.Failure? {
    do throws(ListeningSocket.Failure) {
      _ = try ListeningSocket(path: path)
      return nil
    } catch { return error }
  }

  @Test("Its directory is created, its permissions allow all users to connect, and its peer is known")
  func fresh() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("run/s")
    let socket = try ListeningSocket(path: path, mode: 0o666)
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o666)
    let client = try FileDescriptor.connect(to: path)
    let accepted = try socket.descriptor.accept()
    let peer = try Peer(of: accepted.number)
    _ = consume accepted
    #expect(peer.user == getuid() && peer.group == getgid())
    _ = consume client
  }

  @Test("A second daemon on the same path is refused")
  func second() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s")
    let first = try ListeningSocket(path: path)
    #expect(failure(path) == .alreadyRunning(path))
    _ = consume first
  }

  @Test("The error of a path that is too long for a socket contains the maximum length")
  func longPath() throws {
    let folder = try TemporaryFolder()
    func path(_ length: Int) -> String { folder.file(String(repeating: "x", count: length - folder.path.utf8.count - 1)) }
    #expect(failure(path(103)) == nil)
    let advice = "a socket's path has at most 103 bytes: choose a shorter one"
    #expect(failure(path(104)).map { "\($0)" } == "cannot bind \(path(104)): \(advice)")
    do throws(SystemError) {
      _ = try FileDescriptor.connect(to: path(108))
      Issue.record("there is no such socket")
    } catch { #expect(error.reason == advice) }
  }

  @Test("Of the descriptors from a service manager, only a listening Unix stream socket is accepted")
  func inherited() throws {
    func refusal(_ number: Int32) -> String? {
      do throws(ListeningSocket.Failure) {
        _ = try ListeningSocket(inherited: FileDescriptor(owning: number))
        return nil
      } catch { return error.description }
    }
    func made(_ domain: Int32, _ type: __socket_type) -> Int32 { socket(domain, Int32(type.rawValue), 0) }
    let internet = made(AF_INET, SOCK_STREAM)
    #expect(listen(internet, 1) == 0)
    #expect(
      refusal(internet)
        == "descriptor \(internet) is not a listening Unix stream socket: ListenStream= takes a path")
    for other in [made(AF_UNIX, SOCK_DGRAM), made(AF_UNIX, SOCK_STREAM), open("/dev/null", O_RDONLY)] { #expect(refusal(other) != nil) }
    let folder = try TemporaryFolder()
    let own = try ListeningSocket(path: folder.file("s"))
    #expect(refusal(dup(own.descriptor.number)) == nil)
  }

  @Test("A socket without a server is replaced")
  func stale() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s")
    for _ in 0..<3 { #expect(failure(path) == nil) }
    #expect(access(path, F_OK) == 0, "the file of the one before is still there")
  }

  @Test("A socket that another process serves without the lock is not replaced")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s")
    let first = try ListeningSocket(path: path)
    unlink(path + ".lock")
    #expect(failure(path) == .alreadyRunning(path))
    _ = consume first
  }

  @Test("A file, a directory or a link at the socket's path is not replaced")
  func others() throws {
    let folder = try TemporaryFolder()
    try folder.write("precious", to: "file")
    mkdir(folder.file("folder"), 0o755)
    symlink(folder.file("file"), folder.file("link"))
    for name in ["file", "folder", "link"] {
      guard case .untrusted = failure(folder.file(name)) else {
        Issue.record("\(name) was accepted")
        continue
      }
    }
    #expect(access(folder.file("file"), F_OK) == 0)
  }

  @Test("A folder that others may write to is refused, unless it is sticky")
  func folders() throws {
    let folder = try TemporaryFolder()
    mkdir(folder.file("open"), 0o755)
    chmod(folder.file("open"), 0o777)
    guard case .untrusted(let reason) = failure(folder.file("open/s")) else {
      Issue.record("the folder was accepted")
      return
    }
    #expect(reason.contains("chmod go-w"))
    chmod(folder.file("open"), 0o1777)
    #expect(failure(folder.file("open/s")) == nil)
  }

  @Test("A path that is too long is reported as such")
  func long() throws {
    let folder = try TemporaryFolder()
    guard case .system(let error) = failure(folder.file(String(repeating: "x", count: 120))) else {
      Issue.record("the path was accepted")
      return
    }
    #expect(error.code == ENAMETOOLONG)
  }
}
