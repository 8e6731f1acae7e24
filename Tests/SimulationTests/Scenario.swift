import JSON
import PlacesKit
import PlacesTesting

/// A random run of the whole daemon, which its number determines: clients, services, disks, clocks, reloads, kills and losses of power. After
/// each step, it checks all invariants.
final class Scenario {
  private static let steps = 24
  /// The seconds after its deadline within which a reply must arrive.
  private static let replyTolerance = 0.2
  /// The seconds within which an administrator's command must end, even if the disk hangs.
  private static let administratorTimeout = 11.0

  private let machine: Machine
  private var daemon: SimulatedDaemon
  private var random: SeededRandom
  private let clients: [SimulatedClient]
  private var nextID = 1
  private let wall: Double
  private(set) var (kills, results, errors) = (0, 0, 0)
  private var injectedFaults: Set<String> = []

  private var watch: Watch { machine.watch }
  private var time: ManualTime { machine.simulation.time }
  private var now: Double { time.monotonic() }

  var violations: [String] { watch.violations }
  var trace: [String] { watch.trace }
  /// A digest of the trace, which is equal for two equal runs.
  var digest: UInt64 { watch.digest }
  var requests: Int { machine.network.requests }
  /// The names of all faults of the network, the providers' processes, the disk, the clock and the daemon's process.
  static var faultNames: Set<String> {
    SimulatedNetwork.faultNames.union(ProcessFaults.names).union(Disk.allFaultNames)
      .union(ServerSocket.faultNames).union(Listener.Fault.allCases.map(\.name)).union(SimulatedClient.Closure.allCases.map(\.name))
      .union([clockFault, "kill", "loss of power", stop])
  }
  /// The names of the faults that were injected.
  var injectedFaultNames: Set<String> {
    clients.reduce(injectedFaults.union(machine.network.faults.keys).union(machine.processFaults.reached)) { $0.union($1.faults) }
      .union(machine.disks.flatMap(\.faultNames))
  }
  static let clockFault = "the clock is set"
  private static let stop = "stop with requests in flight"

  init(_ number: UInt64, isTraced: Bool = false) throws {
    random = SeededRandom(seed: number)
    machine = try Machine(seed: number, isTraced: isTraced)
    daemon = try SimulatedDaemon(machine, seed: number)
    let (watch, time) = (machine.watch, machine.simulation.time)
    // The first client is root.
    clients = (0..<3).map { SimulatedClient(user: $0 == 0 ? 0 : 1_000 + $0, watch: watch, time: time) }
    wall = machine.simulation.time.wall()
  }

  func run() throws {
    for _ in 0..<Scenario.steps {
      try step()
      daemon.serveSockets()
      check()
      machine.recordMark()
    }
    for client in clients {
      client.resumeReading()
      sendWithheld(client)
    }
    advance(by: 40)
    advance(by: 40)
    for client in clients { client.checkAllAnswered() }
    checkIdle()
    // After an orderly end, the ledger must contain everything that was counted.
    try restart(losingPower: false)
    advance(by: 1)
    daemon.end()
    machine.simulation.pass(60)
    if time.sleepers > 0 { watch.report("\(time.sleepers) tasks sleep although the daemon and all processes have ended") }
    (results, errors) = clients.reduce((0, 0)) { ($0.0 + $1.results, $0.1 + $1.errors) }
  }

  // MARK: Steps

  private func step() throws {
    let number = Int.random(in: 0..<100, using: &random)
    watch.note("step \(number) at \(now)")
    switch number {
    case 0..<42: for _ in 0..<Int.random(in: 1...4, using: &random) { try sendRequest() }
    case 42..<45: cancel()
    case 45..<48: clients.randomElement(using: &random)?.disconnect()
    case 48..<51: try sendInvalidText()
    case 51..<65: advance(by: Double.random(in: 0...0.5, using: &random))
    case 65..<70: advance(by: Double.random(in: 1...200, using: &random))
    case 70: advance(by: Double.random(in: 3_000...20_000, using: &random))
    case 71..<74: setClock()
    case 74..<82: injectDiskFault()
    case 82..<85: daemon.reload(isSame: Bool.random(using: &random))
    case 85: daemon.engine.resume(SimulatedProviders.paid)
    case 86..<90: try kill()
    case 90..<92: try stop()
    case 92..<94: stopOrResumeReading()
    case 94..<96: try sendManyRequests()
    case 96: try sendLongText()
    case 97: for disk in machine.disks { disk.shorten(Bool.random(using: &random)) }
    default: daemon.runJobs(max: Int.random(in: 1...40, using: &random))
    }
  }

  private func client() throws -> SimulatedClient? {
    guard let client = clients.randomElement(using: &random) else { return nil }
    if !client.isConnected { try connect(client) }
    sendWithheld(client)
    return client.isConnected ? client : nil
  }

  /// Connects a client, often with faults on the connection or while it is accepted.
  private func connect(_ client: SimulatedClient) throws {
    let server = try ServerSocket(user: client.user, buffer: [0, 4_608, 16_384].randomElement(using: &random) ?? 0)
    client.connect(server)
    if Int.random(in: 0..<4, using: &random) == 0 { server.shorten(to: UInt32.random(in: 16...512, using: &random)) }
    if Int.random(in: 0..<10, using: &random) == 0, let fault = ServerSocket.Fault.allCases.randomElement(using: &random) {
      server.fail(fault, after: fault == .watchFails ? 0 : Int.random(in: 0...4, using: &random), using: &random)
    }
    if Int.random(in: 0..<10, using: &random) == 0, let fault = Listener.Fault.allCases.randomElement(using: &random) {
      // The daemon pauses after some errors, so that more of them would take longer than the replies may.
      daemon.listener.fail(fault, count: fault.closesConnection ? Int.random(in: 1...3, using: &random) : 1)
      // Another client, which has waited longer, may be refused in its place.
      if fault.closesConnection { for client in clients where client.isConnected && !client.isAccepted { client.mayBeRefused = true } }
    }
    try daemon.listener.connect(server)
    daemon.serveSockets()
    if let fault = daemon.listener.fault { injectedFaults.insert(fault.name) }
    receive()
  }

  /// Sends the bytes that the client withheld, and lets the daemon read them.
  private func sendWithheld(_ client: SimulatedClient) {
    if client.sendWithheld() { daemon.serveSockets() }
  }

  private func sendRequest() throws {
    guard let client = try client() else { return }
    if Int.random(in: 0..<10, using: &random) == 0 { client.withhold(Int.random(in: 1...60, using: &random)) }
    if client.user == 0, Bool.random(using: &random) { return command(client) }
    if client.user != 0, Int.random(in: 0..<12, using: &random) == 0 { return forbiddenCommand(client) }
    let deadline = Int.random(in: 10...900, using: &random)
    let seconds = Double(deadline) / 1_000 + Scenario.replyTolerance
    if Int.random(in: 0..<12, using: &random) == 0 {
      let requests = (0..<3).map { _ in request(client.user, deadline) }
      client.sendBatch(requests.map { (id(), $0.method, $0.params) }, within: seconds)
      return daemon.serveSockets()
    }
    let (method, params) = request(client.user, deadline)
    client.send(id(), method, params, within: seconds)
    daemon.serveSockets()
    if Bool.random(using: &random) { daemon.runJobs() }
  }

  /// Sends many requests before any reply. A client that does not read them asks for long ones.
  private func sendManyRequests() throws {
    guard let client = try client() else { return }
    // The daemon may close the connection after a failed call on its socket.
    for _ in 0..<Int.random(in: 10...40, using: &random) where client.isConnected {
      let (method, params) = request(client.user, 900)
      client.send(id(), client.isReading ? method : "rpc.discover", client.isReading ? params : [:], within: 0.9 + Scenario.replyTolerance)
    }
    daemon.serveSockets()
  }

  /// Sends a text that has no end, until the daemon closes the connection because the text takes too much memory.
  private func sendLongText() throws {
    guard let client = try client() else { return }
    client.resumeReading()
    let part = [UInt8](repeating: 0x5B, count: 1 << 16)
    // The daemon may pause before it accepts the connection.
    for _ in 0..<60 where client.isConnected {
      client.sendLongText(part)
      daemon.serveSockets()
      advance(by: 0.004)
    }
    if client.isConnected { watch.report("the daemon accepts a text of any length") }
  }

  private func stopOrResumeReading() {
    guard let client = clients.randomElement(using: &random), client.isConnected else { return }
    if client.isReading { client.stopReading() } else { client.resumeReading() }
  }

  private func id() -> Int {
    nextID += 1
    return nextID
  }

  private func request(_ user: UInt32, _ deadline: Int) -> (method: String, params: JSONValue) {
    let session = JSONValue.string("6fa459ea-ee8a-3ca4-894e-0000000000\(10 + Int.random(in: 0..<3, using: &random))")
    let deadline = JSONValue.integer(Int64(deadline))
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<12:
      var params: JSONObject = [
        "query": .string(String("berlin".prefix(Int.random(in: 2...6, using: &random)))), "deadlineMs": deadline, "session": session,
      ]
      if Bool.random(using: &random) { params["seq"] = .integer(Int64(nextID)) }
      if Bool.random(using: &random) { params["stream"] = true }
      let modes: [JSONValue] = ["default", "only", "refresh", "bypass"]
      if Int.random(in: 0..<4, using: &random) == 0 { params["cache"] = modes.randomElement(using: &random) }
      return ("places.autocomplete", .object(params))
    case 12..<15:
      return (
        "places.details", ["id": "google:A1", "fields": ["formattedAddress", "coordinate"], "session": session, "deadlineMs": deadline]
      )
    case 15: return ("places.search", ["query": "museum", "fields": ["name", "coordinate"], "limit": 5, "deadlineMs": deadline])
    case 16: return ("places.resolve", ["query": "berlin", "fields": ["name", "coordinate"], "deadlineMs": deadline])
    case 17: return ("places.reverse", ["location": ["latitude": 52.5, "longitude": 13.4], "deadlineMs": deadline])
    case 18: return ("places.select", ["session": session, "id": "google:A1"])
    default: return ("service.info", [:])
    }
  }

  /// Requests of an administrator.
  private func command(_ client: SimulatedClient) {
    let commands = ["budget.get", "cache.stats", "cache.purge", "cache.expire", "cache.list", "providers.list", "service.metrics"]
    guard let method = commands.randomElement(using: &random) else { return }
    client.send(id(), method, [:], within: Scenario.administratorTimeout)
    daemon.serveSockets()
  }

  /// A request that only an administrator may make, from another user.
  private func forbiddenCommand(_ client: SimulatedClient) {
    let shares: [JSONValue] = [["all": true], ["user": 0], ["user": .integer(client.user == 1_001 ? 1_002 : 1_001)]]
    let parameters: [(methods: [String], values: [JSONValue])] = [
      (["budget.get", "cache.stats", "cache.purge"], shares),
      (
        [
          "budget.confirm", "providers.disable", "providers.enable", "providers.log", "providers.reset", "providers.resume",
          "providers.test",
        ],
        [["provider": .string(SimulatedProviders.paid)]]
      ),
      (["cache.expire", "cache.list", "service.log", "service.metrics", "service.reload"], [[:]]),
    ]
    guard let (methods, values) = parameters.randomElement(using: &random), let method = methods.randomElement(using: &random),
      let params = values.randomElement(using: &random)
    else { return }
    client.sendForbidden(id(), method, params, within: Scenario.administratorTimeout)
    daemon.serveSockets()
  }

  private func cancel() {
    guard let client = clients.randomElement(using: &random), let id = client.waiting.randomElement(using: &random) else { return }
    sendWithheld(client)
    client.cancel(id)
  }

  private func sendInvalidText() throws {
    let texts = ["]", "{\"jsonrpc\":\"2.0\",}", "[]", "17", "\"\u{1}\"", "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":7}"]
    if let text = texts.randomElement(using: &random) { try client()?.sendInvalidText(text) }
  }

  private func setClock() {
    injectedFaults.insert(Self.clockFault)
    let days = Bool.random(using: &random) ? 12.0 : 0.1
    time.setWall(max(wall - 12 * 86_400, min(wall + 12 * 86_400, time.wall() + 86_400 * Double.random(in: -days...days, using: &random))))
  }

  private func injectDiskFault() {
    guard let disk = machine.disks.randomElement(using: &random), let fault = Disk.Fault.allCases.randomElement(using: &random) else {
      return
    }
    let isOver = Int.random(in: 0..<3, using: &random) == 0
    disk.fail(
      fault, after: Int.random(in: 0...6, using: &random), count: isOver ? 0 : Int.random(in: 1...30, using: &random), part: random.next())
  }

  /// Ends the process after any job of any task, or in the middle of any change of a disk, with or without a loss of power.
  private func kill() throws {
    for disk in machine.disks {
      disk.stop(after: Int.random(in: 0...12, using: &random), part: random.next())
    }
    daemon.runJobs(max: Int.random(in: 0...30, using: &random))
    kills += 1
    let losesPower = Bool.random(using: &random)
    injectedFaults.insert(losesPower ? "loss of power" : "kill")
    try restart(losingPower: losesPower)
  }

  /// Ends the daemon with SIGTERM: every request of a client that reads has a reply, and the daemon ends in time.
  private func stop() throws {
    if daemon.inFlight > 0 { injectedFaults.insert(Scenario.stop) }
    for client in clients {
      // The kernel closes connections that wait to be accepted.
      if client.isAccepted { client.isStopping = true } else { client.disconnect() }
    }
    daemon.drain()
    advance(by: SimulatedDaemon.drainSeconds)
    if !daemon.isDrained { watch.report("the daemon does not end after SIGTERM") }
    for client in clients { client.resumeReading() }
    receive()
    for client in clients where client.isConnected { watch.report("user \(client.user) is connected to a daemon that has ended") }
    try restart(losingPower: false)
  }

  private func restart(losingPower: Bool) throws {
    watch.note(losingPower ? "loss of power" : "kill")
    for client in clients {
      client.disconnect()
      daemon.serveSockets()
    }
    daemon.end()
    for disk in machine.disks {
      if losingPower { disk.losePower(seed: random.next()) }
      disk.start()
    }
    machine.restartMark(losingPower: losingPower, using: &random)
    watch.beginRun()
    daemon = try SimulatedDaemon(machine, seed: random.next())
  }

  // MARK: Time

  /// Advances the clock: tasks wake at their times, and the clients read.
  private func advance(by seconds: Double) {
    let end = now + seconds
    settle()
    while let wake = [time.nextWake, daemon.nextTimer].compactMap(\.self).min(), wake <= end {
      time.advance(by: max(0, wake - now))
      settle()
    }
    if end > now { time.advance(by: end - now) }
    settle()
  }

  /// Runs everything that can run now.
  private func settle() {
    if let timer = daemon.nextTimer, timer <= now { daemon.serveSockets() }
    daemon.runJobs()
    receive()
  }

  private func receive() {
    // The daemon can send more when clients have read.
    while clients.reduce(0, { $0 + $1.receive() }) > 0, daemon.heldBytes > 0 { daemon.serveSockets() }
    for client in clients { client.hasReadAll() }
  }

  // MARK: Checks

  private func check() {
    receive()
    let options = daemon.options
    if daemon.pendingWrites > 1_024 { watch.report("\(daemon.pendingWrites) answers wait for the cache's disk") }
    if daemon.waitingForLedger > 1_024 { watch.report("\(daemon.waitingForLedger) calls wait for the ledger") }
    let (held, inFlight) = (daemon.heldBytes, daemon.inFlight)
    if held > options.heldBytes { watch.report("\(held) bytes are held") }
    if inFlight > options.inFlight { watch.report("\(inFlight) requests are in flight") }
  }

  /// Checks that the daemon holds nothing and runs nothing after all requests have ended.
  private func checkIdle() {
    let (held, inFlight) = (daemon.heldBytes, daemon.inFlight)
    if held != 0 { watch.report("\(held) bytes are held although no request is left") }
    if inFlight != 0 { watch.report("\(inFlight) requests are in flight although no client waits") }
    if daemon.waitingForLedger != 0 { watch.report("\(daemon.waitingForLedger) calls wait for the ledger although no caller waits") }
    // The loops of the cache, the budgets and the pages, a watch of the configuration, and two for each of two processes.
    if time.sleepers > 12 { watch.report("\(time.sleepers) tasks sleep") }
  }
}
