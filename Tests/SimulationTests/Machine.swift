import FaultyDisk
import Foundation
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
  /// Contents of the ledger's mark since the last start of the daemon, oldest first.
  private var marks: [Data] = []

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

  private var mark: URL { URL(fileURLWithPath: ledgerPath + ".mark") }

  /// Records the content of the ledger's mark, which is written without a flush.
  func recordMark() {
    if let content = try? Data(contentsOf: mark), content != marks.last { marks.append(content) }
  }

  /// Before a start of the daemon, which flushes the mark. A loss of power may revert the mark to any content since the last start.
  func restartMark(losingPower: Bool, using random: inout SeededRandom) {
    if losingPower, let content = marks.randomElement(using: &random), let file = try? FileHandle(forWritingTo: mark) {
      file.write(content)
      try? file.close()
    }
    marks = []
  }
}
