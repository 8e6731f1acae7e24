import Glibc
import PlacesTesting
import Testing

@testable import PluginHost

@Suite("The thread that waits for pipes")
struct PipeThreadTests {
  @Test("A wait for what cannot be watched ends after a pause, so that the caller does not loop, or at its limit")
  func unwatched() async throws {
    let folder = try TemporaryFolder()
    // epoll_ctl(2) refuses a regular file, as it refuses all descriptors if there are too many watches.
    let file = open(try folder.write("", to: "file"), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let thread = try PipeThread.shared.get()
    let begin = ContinuousClock.now
    #expect(await thread.wait(for: file, .readable) == .ready)
    #expect(ContinuousClock.now - begin >= .milliseconds(90))
    #expect(await thread.wait(for: file, .readable, limit: 0.01) == .timedOut)
  }
}
