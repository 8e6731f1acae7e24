import Linux

/// The process's signals as a stream. A small event loop reads them, so that no handler ever interrupts anything.
struct SignalStream: Sendable {
  let stream: AsyncStream<Int32>
  private let loop: EventLoop

  init(_ signals: [Int32]) throws(SystemError) {
    let (stream, arrivals) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(16))
    let loop = try EventLoop(name: "signals")
    try loop.start()
    loop.enqueue {
      // A new event loop can always watch a descriptor. If this failed, signals would stay blocked and only SIGKILL would end the process.
      try? Signals.watch(signals, on: loop) { arrivals.yield($0) }
    }
    self.stream = stream
    self.loop = loop
  }
}
