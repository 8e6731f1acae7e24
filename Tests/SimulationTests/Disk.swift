import FaultyDisk
import Foundation
import PlacesKit

/// A folder with databases on a simulated disk, which fails on demand.
final class Disk {
  /// The kinds of faults, with SQLite's result codes (https://www.sqlite.org/rescode.html).
  enum Fault: CaseIterable {
    case full, read, write, synchronize, truncate, open, memory

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

  init(_ path: String) throws {
    guard faulty_disk_install() == 0, let disk = faulty_disk_create(path) else { throw Failure() }
    self.path = path
    self.disk = disk
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { faulty_disk_free(disk) }

  /// Makes `count` operations fail after `after` operations have succeeded. Of a write that fails, only a part is written.
  func fail(_ fault: Fault, after: Int, count: Int, part: UInt64) {
    faulty_disk_fail(disk, Int32(fault.order.operations.rawValue), fault.order.code, after, count, part)
  }

  /// If true, each system call that reads or writes transfers less than it could, or is interrupted by a signal.
  func shorten(_ shortens: Bool) { faulty_disk_shorten(disk, shortens ? 1 : 0) }

  /// The number of such system calls.
  var shortened: Int { faulty_disk_shortened(disk) }

  /// Ignores all changes after the first `changes`; of the last write, only a part is written.
  func stop(after changes: Int, part: UInt64) { faulty_disk_stop(disk, changes, part) }

  /// Reverts changes that were not synchronized; the seed determines which.
  func losePower(seed: UInt64) { faulty_disk_lose_power(disk, seed) }

  func start() { faulty_disk_start(disk) }
}
