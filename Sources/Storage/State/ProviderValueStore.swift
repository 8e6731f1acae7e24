import Glibc
import PlacesKit
import Synchronization

/// The stores of all providers' persistent values. All processes of a provider share one store, because during a reload the old and the new
/// process may both store values.
public final class ProviderValueStores: Sendable {
  private let parent: String
  /// The stores that have been used, by the provider's id.
  private let storages = Mutex<[String: ProviderValueStore]>([:])

  /// - Parameter parent: the directory in which each provider's directory is created when it is first needed.
  public init(parent: String) { self.parent = parent }

  public subscript(provider: String) -> ProviderValueStore {
    storages.withLock { storages in
      let storage = storages[provider] ?? ProviderValueStore(parent: parent, instance: provider)
      storages[provider] = storage
      return storage
    }
  }
}

/// Small persistent values of one provider, in one directory with one file for each key.
public actor ProviderValueStore: ProviderStorage {
  /// The maximum size of one value in bytes.
  static let maxValueSize = 64 << 10
  /// The maximum size of all values in bytes.
  static let maxTotalSize = 1 << 20
  static let maxKeys = 256
  /// The maximum length of a key in bytes. The name of a key's file can be three times as long, and `Files.replace` adds `.new`; a file
  /// system allows 255 bytes.
  static let maxKeyLength = 80

  private let executor = StoreExecutor("placesd.storage")
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let parent: String
  private let folder: String
  /// The sizes of the values in bytes, by file name; nil until the directory was read.
  private var sizes: [String: Int]?

  /// - Parameters:
  ///   - parent: the directory in which the provider's directory is created when it is first needed.
  ///   - instance: the provider's id.
  init(parent: String, instance: String) {
    self.parent = parent
    folder = "\(parent)/\(ProviderValueStore.fileName(instance))"
  }

  public func value(for key: String) throws(ProviderError) -> [UInt8]? {
    let path = try path(key)
    do throws(FileError) { return try Files.read(path, limit: ProviderValueStore.maxValueSize) } catch { throw storageError(error) }
  }

  /// Stores a value, or removes the stored value if `value` is nil.
  /// - Throws: `data` if a maximum would be exceeded, or if the file cannot be written.
  public func set(_ value: [UInt8]?, for key: String) throws(ProviderError) {
    let path = try path(key)
    var sizes = try knownSizes()
    let name = ProviderValueStore.fileName(key)
    sizes[name] = value?.count
    do throws(FileError) {
      if let value {
        guard value.count <= ProviderValueStore.maxValueSize, sizes.values.reduce(0, +) <= ProviderValueStore.maxTotalSize,
          sizes.count <= ProviderValueStore.maxKeys
        else {
          throw FileError(
            operation: "store more than 64 KiB per value, 1 MiB or \(ProviderValueStore.maxKeys) values in", path: folder, code: EFBIG)
        }
        try Files.createDirectory(parent)
        try Files.createDirectory(folder)
        try Files.replace(path, with: value)
      } else {
        try Files.remove(path)
      }
    } catch { throw storageError(error) }
    self.sizes = sizes
  }

  /// `sizes` or, if that is nil, the sizes of the files in the directory.
  private func knownSizes() throws(ProviderError) -> [String: Int] {
    if let sizes { return sizes }
    var sizes: [String: Int] = [:]
    // A crash during `Files.replace` may leave a temporary file, whose name ends with `.new`.
    for name in Files.names(in: folder) where !name.hasSuffix(".new") {
      do throws(FileError) {
        sizes[name] = try Files.read("\(folder)/\(name)", limit: ProviderValueStore.maxValueSize)?.count
      } catch { throw storageError(error) }
    }
    return sizes
  }

  private func path(_ key: String) throws(ProviderError) -> String {
    guard (1...ProviderValueStore.maxKeyLength).contains(key.utf8.count) else {
      throw ProviderError(.data, "a storage key must have 1 to \(ProviderValueStore.maxKeyLength) bytes")
    }
    return "\(folder)/\(ProviderValueStore.fileName(key))"
  }

  private func storageError(_ error: FileError) -> ProviderError { ProviderError(.data, error.message) }

  /// A file name for any text. ASCII letters, digits and hyphens are unchanged, and every other byte becomes `_xx` (hexadecimal).
  private static func fileName(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      guard character.isASCII, character.isLetter || character.isNumber || character == "-" else {
        return "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return String(character)
    }.joined()
  }
}
