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
      // A loop that just began can watch a descriptor; were it not so, signals would stay blocked and SIGKILL would remain.
      try? Signals.watch(signals, on: loop) { arrivals.yield($0) }
    }
    self.stream = stream
    self.loop = loop
  }
}
