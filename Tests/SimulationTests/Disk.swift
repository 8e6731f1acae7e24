import FaultyDisk
import Foundation
import PlacesKit

/// A folder with databases on a simulated disk, which fails on demand.
final class Disk {
  /// The kinds of faults, with SQLite's result codes (https://www.sqlite.org/rescode.html).
  enum Fault: CaseIterable {
    case full, read, write, synchronize, truncate, open, memory

    fileprivate var name: String { "disk: \(self)" }

    fileprivate var order: (operations: faulty_operation, code: Int32) {
      switch self {
      case .full: (FAULTY_WRITE, 13)
      case .read: (FAULTY_READ, 266)
      case .write: (FAULTY_WRITE, 778)
      case .synchronize: (FAULTY_SYNC, 1_034)
      case .truncate: (FAULTY_TRUNCATE, 1_546)
      case .open: (FAULTY_OPEN, 14)
      case .memory: (faulty_operation(FAULTY_READ.rawValue | FAULTY_WRITE.rawValue), 3_082)
      }
    }
  }

  struct Failure: Error {}
  let path: String
  private let disk: OpaquePointer
  /// The fault that was ordered last, and the number of failures before it.
  private var order: (fault: Fault, earlierFailures: Int)?
  /// The earlier orders of which at least one operation has failed.
  private var earlierFaults: Set<Fault> = []

  init(_ path: String) throws {
    guard faulty_disk_install() == 0, let disk = faulty_disk_create(path) else { throw Failure() }
    self.path = path
    self.disk = disk
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { faulty_disk_free(disk) }

  /// Makes `count` operations fail after `after` operations have succeeded. Of a write that fails, only a part is written.
  func fail(_ fault: Fault, after: Int, count: Int, part: UInt64) {
    earlierFaults = happenedFaults
    order = (fault, faulty_disk_count(disk, FAULTY_FAILED))
    faulty_disk_fail(disk, Int32(fault.order.operations.rawValue), fault.order.code, after, count, part)
  }

  /// The ordered faults that have happened.
  private var happenedFaults: Set<Fault> {
    guard let order, faulty_disk_count(disk, FAULTY_FAILED) > order.earlierFailures else { return earlierFaults }
    return earlierFaults.union([order.fault])
  }

  /// If true, each system call that reads or writes transfers less than it could, or is interrupted by a signal.
  func shorten(_ shortens: Bool) { faulty_disk_shorten(disk, shortens ? 1 : 0) }

  private static let eventNames = [
    (FAULTY_SHORTENED, "disk: short reads and writes"), (FAULTY_TORN, "disk: part of a write"), (FAULTY_REVERTED, "disk: lost change"),
    (FAULTY_KEPT, "disk: kept change among lost ones"),
  ]

  /// The names of all faults that a disk may have.
  static let allFaultNames = Set(Fault.allCases.map(\.name) + eventNames.map(\.1))

  /// The names of the faults that have happened.
  var faultNames: Set<String> {
    Set(happenedFaults.map(\.name) + Disk.eventNames.filter { faulty_disk_count(disk, $0.0) > 0 }.map(\.1))
  }

  /// Ignores all changes after the first `changes`; of the last write, only a part is written.
  func stop(after changes: Int, part: UInt64) { faulty_disk_stop(disk, changes, part) }

  /// Reverts changes that were not synchronized; the seed determines which.
  func losePower(seed: UInt64) { faulty_disk_lose_power(disk, seed) }

  func start() { faulty_disk_start(disk) }
}
