import FaultyDisk
import PlacesKit
import PlacesTesting

/// The parts that remain when the daemon ends: the disks with the state and the cache, the clocks, and the services in the network.
final class Machine {
  let simulation: Simulation
  let watch: Watch
  let network: SimulatedNetwork
  let processFaults: ProcessFaults
  let disks: [Disk]
  private let folder: TemporaryFolder

  var ledgerPath: String { disks[0].path + "/ledger.db" }
  var cachePath: String { disks[1].path + "/cache.db" }

  init(seed: UInt64, isTraced: Bool) throws {
    simulation = Simulation(seed: seed)
    watch = Watch(limit: SimulatedProviders.limits.callsPerDay ?? 0, isTraced: isTraced)
    network = SimulatedNetwork(seed: seed &+ 1, time: simulation.time, watch: watch)
    processFaults = ProcessFaults(seed: seed &+ 2)
    let folder = try TemporaryFolder(inMemory: true)
    self.folder = folder
    disks = try ["state", "cache"].map { try Disk(folder.file($0)) }
  }
}
