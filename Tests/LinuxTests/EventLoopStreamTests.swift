import Glibc
import PlacesTesting
import Synchronization
import Testing

@testable import Linux

/// Records the input and events that a loop passes to it.
private final class Listener: StreamHandler, Sendable {
  struct Heard: Equatable {
    var bytes: [UInt8] = []
    var ends = 0
    var hangUps = 0
  }
  private let heard = Mutex(Heard())
  var state: Heard { heard.withLock { $0 } }

  func ready(_ events: EventLoop.Events) {
    if events.contains(.hangUp) { heard.withLock { $0.hangUps += 1 } }
  }
  func received(_ bytes: Span<UInt8>) { heard.withLock { heard in bytes.withUnsafeBufferPointer { heard.bytes += $0 } } }
  func inputEnded(failed: Bool) { heard.withLock { $0.ends += 1 } }

  func waits(until condition: (Heard) -> Bool) async throws { try await waitUntil { condition(state) } }
}

/// A stream whose end here a loop watches.
private final class Stream: Sendable {
  let listener = Listener()
  let here: FileDescriptor
  let there: FileDescriptor

  init() throws {
    let pair = try FileDescriptor.pair()
    here = pair.first
    there = pair.second
  }

  func send(_ bytes: [UInt8]) { _ = there.send(bytes.span) }
}

/// A running loop, and the work for its thread.
private struct RunningLoop {
  let loop: EventLoop

  init() async throws {
    loop = try EventLoop(name: "test")
    try loop.start()
  }

  func add(_ stream: Stream) async -> EventLoop.Registration? {
    await ask { try? $0.add(stream: stream.here.number, stream.listener) }
  }

  func ask<Answer: Sendable>(_ question: @escaping @Sendable (EventLoop) -> Answer) async -> Answer {
    await withCheckedContinuation { continuation in loop.enqueue { continuation.resume(returning: question(loop)) } }
  }

  func end() async {
    loop.stop()
    await loop.waitUntilEnded()
  }
}

@Suite("Streams on the event loop", .timeLimit(.minutes(1)))
struct EventLoopStreamTests {
  @Test("Data arrives in the order in which the peer sent it, and its end is reported once")
  func bytes() async throws {
    let (loop, stream) = (try await RunningLoop(), try Stream())
    let registration = try #require(await loop.add(stream))
    var sent: [UInt8] = []
    for number in 0..<200 {
      let piece = [UInt8](repeating: UInt8(number), count: 1 + number * 90)
      sent += piece
      stream.send(piece)
      try await stream.listener.waits { $0.bytes.count == sent.count }
    }
    #expect(stream.listener.state.bytes == sent)
    shutdown(stream.there.number, Int32(SHUT_WR))
    try await stream.listener.waits { $0.ends > 0 }
    // After another round of the loop, there was no second call.
    await loop.ask { $0.remove(registration) }
    #expect(stream.listener.state.ends == 1)
    await loop.end()
  }

  @Test("Four hundred streams that send and end at once lose nothing")
  func storm() async throws {
    let loop = try await RunningLoop()
    var streams: [Stream] = []
    for _ in 0..<400 {
      let stream = try Stream()
      try #require(await loop.add(stream) != nil)
      streams.append(stream)
    }
    for round in 1...3 {
      let all = streams
      // All of it has arrived before the loop looks.
      await loop.ask { _ in
        for stream in all {
          stream.send([UInt8](repeating: UInt8(round), count: 9_000))
          if round == 3 { shutdown(stream.there.number, Int32(SHUT_WR)) }
        }
      }
      for stream in streams { try await stream.listener.waits { $0.bytes.count >= round * 9_000 } }
    }
    for stream in streams {
      try await stream.listener.waits { $0.ends > 0 }
      #expect(stream.listener.state == Listener.Heard(bytes: (1...3).flatMap { [UInt8](repeating: $0, count: 9_000) }, ends: 1))
    }
    await loop.end()
  }

  @Test("A stream that is not watched for input is not read until it is watched again, and reports once that its peer has closed")
  func pause() async throws {
    let (loop, stream, other) = (try await RunningLoop(), try Stream(), try Stream())
    let registration = try #require(await loop.add(stream))
    try #require(await loop.add(other) != nil)
    await loop.ask { $0.change(registration, []) }
    // One more round of the loop, so that input on its way has arrived.
    other.send([1])
    try await other.listener.waits { $0.bytes.count == 1 }
    stream.send([1, 2, 3])
    other.send([1])
    try await other.listener.waits { $0.bytes.count == 2 }
    #expect(stream.listener.state.bytes.isEmpty)
    await loop.ask { $0.change(registration, .readable) }
    try await stream.listener.waits { $0.bytes == [1, 2, 3] }
    await loop.ask { $0.change(registration, []) }
    shutdown(stream.there.number, Int32(SHUT_RDWR))
    try await stream.listener.waits { $0.hangUps > 0 }
    // Each piece of work is another round of the loop.
    for _ in 0..<10 { await loop.ask { _ in } }
    #expect(stream.listener.state.hangUps == 1)
    await loop.end()
  }

  @Test("A stream whose watch is ended and immediately renewed continues")
  func wantedAgain() async throws {
    let (loop, stream) = (try await RunningLoop(), try Stream())
    let registration = try #require(await loop.add(stream))
    for round in 1...50 {
      await loop.ask { loop in
        loop.change(registration, [])
        loop.change(registration, .readable)
      }
      stream.send([UInt8(round)])
      try await stream.listener.waits { $0.bytes.count == round }
    }
    #expect(stream.listener.state.bytes == Array(1...50))
    await loop.end()
  }

  @Test("A stream that is no longer watched receives no events, and its peer sees the end when it is closed")
  func removed() async throws {
    let (loop, listener) = (try await RunningLoop(), Listener())
    let pair = try FileDescriptor.pair()
    let number = pair.first.released()
    let there = pair.second
    let registration = try #require(await loop.ask { try? $0.add(stream: number, listener) })
    _ = there.send([1, 2, 3].span)
    try await listener.waits { $0.bytes.count == 3 }
    await loop.ask { loop in
      loop.remove(registration)
      close(number)
    }
    var buffer: [UInt8] = [0]
    try await waitUntil { there.read(into: &buffer) != .wouldBlock }
    #expect(there.read(into: &buffer) == .end)
    #expect(listener.state == Listener.Heard(bytes: [1, 2, 3]))
    await loop.end()
  }
}
