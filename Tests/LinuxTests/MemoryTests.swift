import Glibc
import Linux
import PlacesTesting
import Testing

@Suite("Memory that is given back")
struct MemoryTests {
  @Test("A mapped file's pages are no longer this process's, and are read as before", arguments: [false, true])
  func givenBack(withAllElse: Bool) throws {
    let folder = try TemporaryFolder()
    let size = 1 << 20
    let path = try folder.write(String(repeating: "x", count: size), to: "file")
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let start = try #require(mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0))
    defer { munmap(start, size) }
    let bytes = UnsafeRawBufferPointer(start: start, count: size)
    #expect(bytes.allSatisfy { $0 == UInt8(ascii: "x") })
    #expect(try resident(path) == size / 1024)
    withAllElse ? Memory.giveBack() : Memory.giveMappedFilesBack()
    #expect(try resident(path) == 0)
    #expect(bytes.allSatisfy { $0 == UInt8(ascii: "x") })
  }

  /// KiB of a mapped file that this process has mapped (proc_pid_smaps(5)).
  private func resident(_ path: String) throws -> Int {
    let file = try #require(fopen("/proc/self/smaps", "re"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    var isOurs = false
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if text.hasSuffix("\(path)\n") { isOurs = true }
      if isOurs, text.hasPrefix("Rss:") { return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) }
    }
    Issue.record("\(path) is not mapped")
    return -1
  }
}
