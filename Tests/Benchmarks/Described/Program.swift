import Described
import Glibc
import Photon
import PlacesKit

/// `bench-described swift|described COUNT ANSWER DESCRIPTION`: asks Photon COUNT times, with its plugin or with a description. The
/// bytes of the file ANSWER answer each request. `make counts` compares the numbers of instructions of both.
@main
struct Program {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let count = Int(arguments[2]), let answer = bytes(arguments[3]), let description = bytes(arguments[4])
    else {
      print("usage: bench-described swift|described COUNT ANSWER DESCRIPTION")
      exit(2)
    }
    let isSwift = arguments[1] == "swift"
    // Everything runs on this thread, because callgrind does not count correctly if the main thread ends before the others.
    Task(name: "calls", executorPreference: CallingThreadExecutor.executor) {
      let rows = await ask(isSwift, count, HTTPResponse(status: 200, body: answer), String(decoding: description, as: UTF8.self))
      print(rows)
      exit(rows > 0 ? 0 : 1)
    }
  }

  /// The number of rows of all answers.
  private static func ask(_ isSwift: Bool, _ count: Int, _ response: HTTPResponse, _ description: String) async -> Int {
    let context = ProviderContext(
      id: "photon", settings: isSwift ? [:] : ["description": .string(description)], http: { _ in response }, storage: EmptyStorage(),
      log: { _, _ in }, now: { 1_800_000_000 })
    var rows = 0
    do throws(ProviderError) {
      let provider: any Provider = isSwift ? try await Photon(context: context) : try await Described(context: context)
      for number in 0..<count {
        rows += try await provider.autocomplete(AutocompleteRequest(query: "berl \(number % 10)", limit: 10, language: "de")).rows.count
      }
    } catch { print(error.message) }
    return rows
  }

  private static func bytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes
  }
}

/// Runs each task on the thread that enqueues it. This is possible because no call waits for anything.
private final class CallingThreadExecutor: TaskExecutor {
  static let executor = CallingThreadExecutor()
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

/// A storage that stores nothing.
private struct EmptyStorage: ProviderStorage {
  func value(for key: String) async throws(ProviderError) -> [UInt8]? { nil }
  func set(_ value: [UInt8]?, for key: String) async throws(ProviderError) {}
}
